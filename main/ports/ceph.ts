import type { CephOkToStop, CephOsd, CephServices, CephStatus, NooutReach } from '../../shared/domain/ceph.ts'
import type { Result } from '../../shared/domain/result.ts'

/** What the procedures need of Ceph. main/adapters/ceph implements it over the toolbox pod, or over a MicroCeph unit by Juju. */
export interface CephPort {
  status(signal?: AbortSignal): Promise<Result<CephStatus>>
  osds(signal?: AbortSignal): Promise<Result<readonly CephOsd[]>>
  /** OSDs by the host that each reported when it started: another source than the CRUSH map that `osds` tells hosts by. */
  osdsReported(signal?: AbortSignal): Promise<Result<readonly Pick<CephOsd, 'id' | 'host'>[]>>
  /** Whether all these OSDs may be stopped together without making data unavailable. */
  okToStop(ids: readonly number[], signal?: AbortSignal): Promise<Result<CephOkToStop>>
  /** Sets or removes noout for a CRUSH host or the whole of Ceph. `bad-input` when this Ceph has no flags by host (before Nautilus). */
  setNoout(reach: NooutReach, noout: boolean, signal?: AbortSignal): Promise<Result<void>>
  /** The daemons that are no OSDs, and Ceph's release. */
  services(signal?: AbortSignal): Promise<Result<CephServices>>
}

/** How OSD daemons of a node are stopped and started: Rook's Deployments are scaled. main/adapters/kubernetes implements it. */
export interface OsdDaemonsPort {
  /** Which of these OSDs run (their daemon is wanted and there); those nobody knows are left out. */
  running(ids: readonly number[], signal?: AbortSignal): Promise<Result<readonly number[]>>
  /** Asks for them to be stopped and kept so, or started; fine when already so. `not-found` names those without a daemon. */
  setRunning(ids: readonly number[], running: boolean, signal?: AbortSignal): Promise<Result<void>>
}

/** MicroCeph's charm actions (docs/domain.md C.2), on the unit of one node. main/adapters/ceph implements it over Juju. */
export interface MicroCephPort {
  /** `enter-maintenance`; `not-found` when the node has no unit. */
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

/** What MicroCeph answered: its operations in order, each with its error, empty when it went well. */
export interface MicroCephOutcome {
  readonly succeeded: boolean
  readonly steps: readonly { readonly id: string; readonly description: string; readonly error: string }[]
  readonly message: string
}
