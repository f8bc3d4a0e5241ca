import type { WatchState } from '../../../../shared/domain/kubernetes.ts'

/** A Secret that describes a cloud to a runner (docs/runner.md). Its content goes only into files of the runner. */
export interface CloudSecret {
  readonly name: string
  readonly uid: string
  readonly resourceVersion: string
  readonly cloud: string
  /** Decoded, by key. */
  readonly data: Readonly<Record<string, string>>
}

export interface CloudSecretsPort {
  /** First all of them, then all after each change; runs until the signal aborts. */
  watch(
    listener: {
      readonly onSecrets: (secrets: readonly CloudSecret[]) => void
      readonly onState: (state: WatchState) => void
    },
    signal: AbortSignal,
  ): Promise<void>
}
