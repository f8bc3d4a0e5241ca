import type { Duplex } from 'node:stream'
import type { Result } from '../../shared/domain/result.ts'

/** A port on which something listens inside of a pod, on its loopback too. */
export interface PodPort {
  readonly namespace: string
  readonly pod: string
  readonly port: number
}

/**
 * Opens a connection to a port of a pod through the API server: nothing listens on this machine, and RBAC alone decides who may (`get` and
 * `create` on pods/portforward; `create` is asked from 1.35 on). `not-found`: there is no such pod; `not-permitted`; `unreachable` and so on.
 * What goes wrong later, such as a port on which nobody listens, ends the stream with an Error in an operator's words. A stream that is ended
 * is closed whole: half a connection is none here.
 */
export type PortForward = (to: PodPort, signal?: AbortSignal) => Promise<Result<Duplex>>
