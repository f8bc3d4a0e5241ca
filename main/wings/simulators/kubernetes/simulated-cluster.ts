import type { Clock } from '../../../platform/clock/clock.ts'
import type { ApiCatalog } from './store/api-catalog.ts'
import type { ObjectStore } from './store/object-store.ts'
import type { Release } from './store/release.ts'

/** How long the simulated world takes for things, in milliseconds. */
export interface SimulatorTimings {
  /** From scheduled to Running and Ready. */
  readonly podStartMs: number
  /** From deletion to gone, at most; a shorter grace period wins. */
  readonly podStopMs: number
  /** How long a one-off pod runs whose command does not say. */
  readonly jobRunMs: number
  /** How long a node that reboots is away: from its last report until its kubelet is started again. */
  readonly rebootMs: number
  /** After so long without a report a node is Unknown (kube-controller-manager `--node-monitor-grace-period`, 50 s since 1.32). */
  readonly nodeGraceMs: number
  /** From the kubelet's first report after a reboot, which is not Ready, until it is Ready. */
  readonly kubeletReadyMs: number
  /** From one pod of a rebooted node to the next: each one's containers are started again, and ready. */
  readonly podRestartMs: number
  /** How often a node renews its Lease in kube-node-lease. */
  readonly heartbeatMs: number
  /** How often a quiet watch that asked for bookmarks gets one. */
  readonly bookmarkMs: number
  /**
   * How long an eviction of a pod that needs no budget retries a precondition that does not hold before it answers 409.
   * A real server takes about 10 s (docs/drain.md V1).
   */
  readonly evictionConflictMs: number
}

export const DEFAULT_TIMINGS: SimulatorTimings = {
  podStartMs: 1500,
  podStopMs: 1000,
  jobRunMs: 3000,
  rebootMs: 70_000,
  nodeGraceMs: 50_000,
  kubeletReadyMs: 5000,
  podRestartMs: 4000,
  heartbeatMs: 10_000,
  bookmarkMs: 60_000,
  evictionConflictMs: 0,
}

/** What every part of the simulator works on. */
export interface SimulatedCluster {
  readonly clock: Clock
  readonly store: ObjectStore
  readonly catalog: ApiCatalog
  readonly timings: SimulatorTimings
  /** How its API server answers. */
  readonly release: Release
  /** Nodes whose kubelet no longer finishes deletions: their pods stay Terminating. */
  readonly frozenNodes: ReadonlySet<string>
  /** Nodes that do not report, and since when. */
  readonly silentNodes: Map<string, number>
}
