import type { Result } from '../../../shared/domain/result.ts'
import { tell } from './ask.ts'
import type { OpenStackSession } from './keystone-session.ts'

/**
 * Adds one tag to a server (PUT /servers/{id}/tags/{tag}, 2.26; one that is there already is fine). The owner's other tags are not
 * touched, as they would be by writing the whole list (domain.md A.6).
 */
export function addInstanceTag(
  session: OpenStackSession,
  id: string,
  tag: string,
  signal?: AbortSignal,
): Promise<Result<void>> {
  return tell(
    session,
    'compute',
    {
      method: 'PUT',
      path: pathOf(id, tag),
      doing: `add the tag ${tag} to instance ${session.names.called(id)}`,
      target: `server/${id}`,
      signal,
    },
    [201, 204],
  )
}

/** Removes one tag of a server (DELETE /servers/{id}/tags/{tag}, 2.26); `not-found` when it is not there, or the server is gone. */
export function removeInstanceTag(
  session: OpenStackSession,
  id: string,
  tag: string,
  signal?: AbortSignal,
): Promise<Result<void>> {
  return tell(
    session,
    'compute',
    {
      method: 'DELETE',
      path: pathOf(id, tag),
      doing: `remove the tag ${tag} from instance ${session.names.called(id)}`,
      target: `server/${id}`,
      signal,
    },
    [204],
  )
}

function pathOf(id: string, tag: string): string {
  return `/servers/${encodeURIComponent(id)}/tags/${encodeURIComponent(tag)}`
}
