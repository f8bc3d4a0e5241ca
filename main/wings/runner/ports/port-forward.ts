import type { Duplex } from 'node:stream'
import type { Result } from '../../../../shared/domain/result.ts'

export interface PodPort {
  readonly namespace: string
  readonly pod: string
  readonly port: number
}

/**
 * Opens a connection to a pod's port through the API server: no local listener, and RBAC alone decides (`get` and `create` on pods/portforward; `create` is
 * required since 1.35). `not-found`: no such pod; `not-permitted`; `unreachable` and so on. Later failures, such as a closed port, end the stream with an
 * Error. Ending a stream closes both directions.
 */
export type PortForward = (to: PodPort, signal?: AbortSignal) => Promise<Result<Duplex>>
