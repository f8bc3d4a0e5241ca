import type { Clock } from '../../clock/clock.ts'
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
  /** How long a node that reboots is away. */
  readonly rebootMs: number
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
  rebootMs: 8000,
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
}
