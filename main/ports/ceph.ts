import type { CephOkToStop, CephOsd, CephServices, CephStatus, NooutReach } from '../../shared/domain/ceph.ts'
import type { Result } from '../../shared/domain/result.ts'

/** Ceph for the procedures; main/adapters/ceph implements it over the toolbox pod, or a MicroCeph unit through Juju. */
export interface CephPort {
  status(signal?: AbortSignal): Promise<Result<CephStatus>>
  osds(signal?: AbortSignal): Promise<Result<readonly CephOsd[]>>
  /** OSDs by the host that each reported at its start: another source than the CRUSH map behind `osds`. */
  osdsReported(signal?: AbortSignal): Promise<Result<readonly Pick<CephOsd, 'id' | 'host'>[]>>
  /** Whether all these OSDs may stop together while data stays available. */
  okToStop(ids: readonly number[], signal?: AbortSignal): Promise<Result<CephOkToStop>>
  /** Sets or removes noout for a CRUSH host or all of Ceph. `bad-input` if this Ceph has no flags per host (before Nautilus). */
  setNoout(reach: NooutReach, noout: boolean, signal?: AbortSignal): Promise<Result<void>>
  services(signal?: AbortSignal): Promise<Result<CephServices>>
}

/** Stops and starts a node's OSD daemons by scaling Rook's Deployments. main/adapters/kubernetes implements it. */
export interface OsdDaemonsPort {
  /** Which of these OSDs run (their daemon is wanted and exists); unknown ones are omitted. */
  running(ids: readonly number[], signal?: AbortSignal): Promise<Result<readonly number[]>>
  /** Stops them permanently, or starts them; fine if already so. `not-found` names those without a daemon. */
  setRunning(ids: readonly number[], running: boolean, signal?: AbortSignal): Promise<Result<void>>
}

/** MicroCeph's charm actions (docs/domain.md C.2) on one node's unit. main/adapters/ceph implements it over Juju. */
export interface MicroCephPort {
  /** `enter-maintenance`; `not-found` if the node has no unit. */
  enterMaintenance(
    node: string,
    choices: {
      readonly setNoout: boolean
      readonly stopOsds: boolean
      readonly checkOnly: boolean
      readonly dryRun: boolean
      readonly ignoreCheck: boolean
      readonly force: boolean
    },
    signal?: AbortSignal,
  ): Promise<Result<MicroCephOutcome>>
  exitMaintenance(
    node: string,
    choices: { readonly checkOnly: boolean; readonly dryRun: boolean; readonly ignoreCheck: boolean },
    signal?: AbortSignal,
  ): Promise<Result<MicroCephOutcome>>
}

/** MicroCeph's answer: its operations in order, each with its error, empty on success. */
export interface MicroCephOutcome {
  readonly succeeded: boolean
  readonly steps: readonly { readonly id: string; readonly description: string; readonly error: string }[]
  readonly message: string
}
