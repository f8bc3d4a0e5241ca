import type { ClusterNode } from '../../../shared/domain/kubernetes.ts'
import type { ControllerName, MaintenanceObjects, NodeWorkloadLock } from '../../../shared/domain/maintenance-api.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Logger } from '../../platform/log/logger.ts'
import type { ControllerWorld } from '../../ports/world.ts'

/** What may happen to the node once the lock is inactive: `delete` comes from a NodeDeletionRequest. */
export type WorkScope = 'drain' | 'os' | 'delete'

export interface Snapshot {
  readonly objects: MaintenanceObjects
  readonly nodes: readonly ClusterNode[]
}

/** A node whose maintenance this controller has started: its lock is inactive, or `inner_state` says so. */
export interface StartedNode {
  readonly name: string
  /** Null if the cluster no longer lists the node, but its lock counts it as away. */
  readonly node: ClusterNode | null
  readonly lock: NodeWorkloadLock
}

export interface NodeWork {
  readonly node: ClusterNode
  readonly scope: WorkScope
  readonly world: ControllerWorld
  readonly clock: Clock
  readonly log: Logger
  /** Aborted when the request ends, returns or becomes uncertain, or the controllers stop. */
  readonly signal: AbortSignal
  /** The current cluster: nodes and objects change while a worker waits. */
  readonly snapshot: () => Snapshot
  readonly say: (what: Pick<Finding, 'message'>) => void
}

export type Progress =
  | { readonly kind: 'ready' }
  /** Not yet; the lock shows the text of `why` in Rockoon's words. Checked again soon, and at once when objects change. */
  | { readonly kind: 'waiting'; readonly why: Finding }
  | { readonly kind: 'stopped' }

export function waiting(why: Finding): Progress {
  return { kind: 'waiting', why }
}

/** One application's work in the node maintenance API (seed 000, seed 001). Every function reads the current state first and may be called again after a crash. */
export interface ApplicationController {
  readonly name: ControllerName
  /**
   * Whether the node carries this application and needs a lock; null if unknown, so a lock is created once someone requests the node. An existing lock stays,
   * unless `provesAbsent` removes it.
   */
  concerns(node: ClusterNode, snapshot: Snapshot): boolean | null
  /**
   * Whether the node provably lacks this application: a lock created in doubt is then removed once nobody requests the node. Without it, no lock of an existing
   * node is removed.
   */
  provesAbsent?(work: Pick<NodeWork, 'node' | 'world' | 'snapshot' | 'signal'>): Promise<boolean>
  /** Why a node waits for others in progress; null if it may start. Pure. */
  heldBack(node: ClusterNode, started: readonly StartedNode[]): Finding | null
  prepare(work: NodeWork): Promise<Progress>
  restore(work: NodeWork): Promise<Progress>
  /** Why the whole cluster is not ready for maintenance; null if it is. */
  clusterWaits(world: ControllerWorld, snapshot: Snapshot, signal: AbortSignal): Promise<Finding | null>
  clusterProgress?(snapshot: Snapshot): { readonly percentage: number; readonly description: string } | null
  refresh?(world: ControllerWorld, snapshot: Snapshot, signal: AbortSignal): Promise<void>
}
