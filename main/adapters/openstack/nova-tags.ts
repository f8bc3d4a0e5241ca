import type { Result } from '../../../shared/domain/result.ts'
import { call } from '../../../shared/words/reasons.ts'
import type { OpenStackSession } from './openstack-session.ts'
import { type CalledInstance, sendServerAction } from './send-server-action.ts'

/**
 * Adds one tag to a server (PUT /servers/{id}/tags/{tag}, 2.26; an existing one is fine). Writing the whole list would touch the owner's other tags (domain.md
 * A.6).
 */
export function addInstanceTag(
  session: OpenStackSession,
  id: string,
  tag: string,
  signal?: AbortSignal,
): Promise<Result<void>> {
  const callOf = (instance: CalledInstance) => call('AddTag', { tag, ...instance })
  return sendServerAction(session, id, { method: 'PUT', path: pathOf(tag), callOf, agreed: [201, 204] }, signal)
}

/** Removes one tag of a server (DELETE /servers/{id}/tags/{tag}, 2.26); `not-found` if the tag or the server is gone. */
export function removeInstanceTag(
  session: OpenStackSession,
  id: string,
  tag: string,
  signal?: AbortSignal,
): Promise<Result<void>> {
  const callOf = (instance: CalledInstance) => call('RemoveTag', { tag, ...instance })
  return sendServerAction(session, id, { method: 'DELETE', path: pathOf(tag), callOf, agreed: [204] }, signal)
}

function pathOf(tag: string): string {
  return `/tags/${encodeURIComponent(tag)}`
}
