import type { WatchState } from '../../shared/domain/kubernetes.ts'

/** A Secret by which a runner knows a cloud (docs/runner.md). What it holds is secret: it goes into files of the runner and nowhere else. */
export interface CloudSecret {
  readonly name: string
  readonly uid: string
  readonly resourceVersion: string
  /** The cloud, by the label `lockkeeper.dev/cloud`. */
  readonly cloud: string
  /** Decoded, by key. */
  readonly data: Readonly<Record<string, string>>
}

/** The Secrets of clouds in one namespace of one Kubernetes. */
export interface CloudSecretsPort {
  /** First all of them, then all as they are after each change; runs until the signal aborts. */
  watch(
    listener: {
      readonly onSecrets: (secrets: readonly CloudSecret[]) => void
      readonly onState: (state: WatchState) => void
    },
    signal: AbortSignal,
  ): Promise<void>
}
