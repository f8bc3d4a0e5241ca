import type { Result } from '../../../../shared/domain/result.ts'

/** Null means the pod's defaults. */
export interface RunnerRunRequest {
  readonly namespace: string | null
  readonly kubeconfig: string | null
  readonly dataDirectory: string | null
  readonly secretsDirectory: string | null
  readonly shard: { readonly index: number; readonly of: number }
  /** The runner's volume does not depend on OSDs that it stops. */
  readonly isVolumeElsewhere: boolean
  readonly pod: { readonly name: string | null; readonly nodeName: string | null }
  readonly port: number
}

/** A runner in this process. */
export interface StartedRunner {
  /** Resolves after an orderly end. */
  readonly ended: Promise<void>
  stop(): void
}

/** Starts a runner in this process. */
export type RunRunner = (request: RunnerRunRequest) => Promise<Result<StartedRunner>>
