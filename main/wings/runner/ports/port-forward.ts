import type { Duplex } from 'node:stream'
import type { Result } from '../../../../shared/domain/result.ts'

export interface PodPort {
  readonly namespace: string
  readonly pod: string
  readonly port: number
}

/** Connects to a pod's port through the API server (`create` on pods/portforward; `get` too before 1.35). A later failure ends the stream with an Error. */
export type PortForward = (to: PodPort, signal?: AbortSignal) => Promise<Result<Duplex>>
