import type { Clock } from '../../../platform/clock/clock.ts'
import type { ApiCatalog } from './store/api-catalog.ts'
import type { ObjectStore } from './store/object-store.ts'
import type { Release } from './store/release.ts'

/** Delays of the simulated cluster, in milliseconds. */
export interface SimulatorTimings {
  /** From scheduled to Running and Ready. */
  readonly podStartMs: number
  /** Longest time from deletion to removal; a shorter grace period wins. */
  readonly podStopMs: number
  /** Run time of a one-off pod whose command does not set one. */
  readonly jobRunMs: number
  /** From a rebooting node's last report until its kubelet starts again. */
  readonly rebootMs: number
  /** Time without a report until a node is Unknown (kube-controller-manager `--node-monitor-grace-period`, 50 s since 1.32). */
  readonly nodeGraceMs: number
  /** From the kubelet's first report after a reboot (not Ready) until it is Ready. */
  readonly kubeletReadyMs: number
  /** Time between the restarts of two pods of a rebooted node. */
  readonly podRestartMs: number
  readonly heartbeatMs: number
  /** How often a quiet watch with bookmarks gets one. */
  readonly bookmarkMs: number
  /** How long the eviction of a pod without a budget retries a failed precondition before the 409. A real server takes about 10 s (docs/drain.md V1). */
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

/** The state that every part of the simulator shares. */
export interface SimulatedCluster {
  readonly clock: Clock
  readonly store: ObjectStore
  readonly catalog: ApiCatalog
  readonly timings: SimulatorTimings
  readonly release: Release
  /** Nodes whose kubelet finishes no deletion, so that their pods stay Terminating. */
  readonly frozenNodes: ReadonlySet<string>
  /** Nodes whose kubelet does not report, with the time of the last report. */
  readonly silentNodes: Map<string, number>
}
