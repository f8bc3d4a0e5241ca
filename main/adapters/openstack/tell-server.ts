import type { Json } from '../../../shared/domain/json.ts'
import type { Result } from '../../../shared/domain/result.ts'
import { tell } from './ask.ts'
import type { OpenStackSession } from './keystone-session.ts'
import type { Microversion } from './microversion.ts'

interface ServerOrder {
  readonly method: 'DELETE' | 'POST' | 'PUT'
  /** Below the server's own address, such as `/action`. */
  readonly path: string
  readonly body?: Json
  /** What is done with the server, which is called as operators call it. */
  readonly doing: (instance: string) => string
  /** How Nova says that it agreed. */
  readonly agreed: readonly number[]
  readonly notAfter?: Microversion
}

/** Tells Nova to do something with one server. */
export function tellServer(
  session: OpenStackSession,
  id: string,
  { method, path, body, doing, agreed, notAfter }: ServerOrder,
  signal?: AbortSignal,
): Promise<Result<void>> {
  return tell(
    session,
    'compute',
    {
      method,
      path: `/servers/${encodeURIComponent(id)}${path}`,
      ...(body === undefined ? {} : { body }),
      doing: doing(`instance ${session.names.called(id)}`),
      target: `server/${id}`,
      notAfter,
      signal,
    },
    agreed,
  )
}
