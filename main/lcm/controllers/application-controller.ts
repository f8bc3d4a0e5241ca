import type { ClusterNode } from '../../../shared/domain/kubernetes.ts'
import type { ControllerName, MaintenanceObjects, NodeWorkloadLock } from '../../../shared/domain/maintenance-api.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Logger } from '../../platform/log/logger.ts'
import type { ControllerWorld } from '../../ports/world.ts'

/** What may be done to the node once the lock is inactive: `delete` is a NodeDeletionRequest's. */
export type WorkScope = 'drain' | 'os' | 'delete'

/** The cluster as a controller last heard it. */
export interface Snapshot {
  readonly objects: MaintenanceObjects
  readonly nodes: readonly ClusterNode[]
}

/** A node whose maintenance this controller has begun: its lock is inactive, or marked so by `inner_state`. */
export interface StartedNode {
  readonly name: string
  /** Null: the cluster lists no such node any more; its lock says all the same that it is away. */
  readonly node: ClusterNode | null
  readonly lock: NodeWorkloadLock
}

/** What an application controller works with while it prepares or restores one node. */
export interface NodeWork {
  readonly node: ClusterNode
  readonly scope: WorkScope
  readonly world: ControllerWorld
  readonly clock: Clock
  readonly log: Logger
  /** Aborted when the request goes, comes back, nobody knows whether it still stands, or the controllers stop. */
  readonly signal: AbortSignal
  /** The cluster as it is now: nodes and objects change while a worker waits. */
  readonly snapshot: () => Snapshot
  /** Says on the lock what is being done; the time is put before it. */
  readonly say: (what: Pick<Finding, 'message'>) => void
}

/** Where preparing or restoring a node stands. */
export type Progress =
  | { readonly kind: 'ready' }
  /** Not yet; the text of `why` goes onto the lock in Rockoon's words. It is looked at again soon, and at once when the cluster's objects change. */
  | { readonly kind: 'waiting'; readonly why: Finding }
  /** The signal was aborted. */
  | { readonly kind: 'stopped' }

/**
 * The work of one application in the node maintenance API (seed 000, seed 001): what main/lcm/controllers/run-controllers.ts does not know.
 * Every function looks at the world first and may be called again after being killed at any line.
 */
export interface ApplicationController {
  readonly name: ControllerName
  /**
   * Whether the node carries this application, so that a lock of it is made; null: nobody can tell, so one is made when somebody asks for the
   * node. A lock that stands is looked after whatever this says, unless `provesAbsent` has it taken back.
   */
  concerns(node: ClusterNode, snapshot: Snapshot): boolean | null
  /**
   * Asks afresh whether the node is proved not to carry this application: then a lock that Lockkeeper made while nobody could tell is taken back
   * once nobody asks for the node. Without it no lock of a node that stands is.
   */
  provesAbsent?(work: Pick<NodeWork, 'node' | 'world' | 'snapshot' | 'signal'>): Promise<boolean>
  /** Why a node has to wait for others that were begun; null when it may begin. Pure. */
  heldBack(node: ClusterNode, started: readonly StartedNode[]): Finding | null
  /** Makes the node ready for the work; looks again where it left off. */
  prepare(work: NodeWork): Promise<Progress>
  /** Brings the application back on the node. */
  restore(work: NodeWork): Promise<Progress>
  /** Why the cluster as a whole is not ready for maintenance; null when it is. */
  clusterWaits(world: ControllerWorld, snapshot: Snapshot, signal: AbortSignal): Promise<Finding | null>
  /** What the cluster's lock says about progress; null: nothing. */
  clusterProgress?(snapshot: Snapshot): { readonly percentage: number; readonly description: string } | null
  /** Called regularly with the world, for what `concerns` has to know beyond the nodes (disks, pods). */
  refresh?(world: ControllerWorld, snapshot: Snapshot, signal: AbortSignal): Promise<void>
}
