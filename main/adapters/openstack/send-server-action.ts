import type { Json } from '../../../shared/domain/json.ts'
import type { Result } from '../../../shared/domain/result.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import { sendToOpenStack } from './ask-service.ts'
import type { InstanceNames } from './instance-names.ts'
import type { Microversion } from './microversion.ts'
import type { OpenStackSession } from './openstack-session.ts'

export type CalledInstance = ReturnType<InstanceNames['called']>

interface ServerOrder {
  readonly method: 'DELETE' | 'POST' | 'PUT'
  readonly path: string
  readonly body?: Json
  readonly callOf: (instance: CalledInstance) => Finding
  readonly agreed: readonly number[]
  readonly notAfter?: Microversion
}

export function sendServerAction(
  session: OpenStackSession,
  id: string,
  { method, path, body, callOf, agreed, notAfter }: ServerOrder,
  signal?: AbortSignal,
): Promise<Result<void>> {
  return sendToOpenStack(
    session,
    'compute',
    {
      method,
      path: `/servers/${encodeURIComponent(id)}${path}`,
      ...(body === undefined ? {} : { body }),
      call: callOf(session.names.called(id)),
      target: `server/${id}`,
      notAfter,
      signal,
    },
    agreed,
  )
}
