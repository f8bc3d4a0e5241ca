import type { ClusterNode, WatchState } from '../../shared/domain/kubernetes.ts'
import type {
  ClusterWorkloadLock,
  LockState,
  MaintenanceObjects,
  NodeWorkloadLock,
} from '../../shared/domain/maintenance-api.ts'
import type { Result } from '../../shared/domain/result.ts'
import type { UpdatePhase } from '../../shared/domain/update.ts'
import type { MaintenanceWorld } from '../maintenance/ports.ts'

/** A lock to write to, with the UID so that a lock made anew under the same name is never mistaken for it. */
export type LockTarget =
  | { readonly kind: 'ClusterWorkloadLock'; readonly name: string; readonly uid: string }
  | { readonly kind: 'NodeWorkloadLock'; readonly name: string; readonly uid: string }

/** What of a lock's status changes; what is absent stays. */
export interface LockStatusChange {
  readonly state?: LockState & ('active' | 'inactive' | 'failed')
  /** Empty: nothing to say. */
  readonly errorMessage?: string
  readonly release?: string
  /** Null: removed. */
  readonly inactivationProgress?: { readonly percentage: number; readonly description: string } | null
}

/**
 * What only application controllers may do with the objects of the node maintenance API (the LCM side never writes locks: domain.md G.2).
 * main/kubernetes implements it. A write that changes nothing sends nothing. `not-found` when the object is gone, `conflict` when its UID is another.
 */
export interface LockWriterPort {
  createClusterLock(
    lock: {
      readonly name: string
      readonly controller: string
      readonly annotations: Readonly<Record<string, string>>
    },
    signal?: AbortSignal,
  ): Promise<Result<ClusterWorkloadLock>>
  /** A lock that is there already under this name (`conflict`) is left alone. */
  createNodeLock(
    lock: {
      readonly name: string
      readonly controller: string
      readonly nodeName: string
      readonly nodeDeletionRequestSupported: boolean
      readonly annotations: Readonly<Record<string, string>>
    },
    signal?: AbortSignal,
  ): Promise<Result<NodeWorkloadLock>>
  /** Merge-patches the status subresource. */
  setLockStatus(target: LockTarget, change: LockStatusChange, signal?: AbortSignal): Promise<Result<void>>
  /** Merge-patches annotations; null removes one. */
  annotateLock(
    target: LockTarget,
    annotations: Readonly<Record<string, string | null>>,
    signal?: AbortSignal,
  ): Promise<Result<void>>
  deleteLock(target: LockTarget, signal?: AbortSignal): Promise<Result<void>>
  /** Adds or removes one finalizer of a request, leaving the others: optimistic, retried on conflict. A request that is gone is fine when removing. */
  setFinalizer(
    request: {
      readonly kind: 'ClusterMaintenanceRequest' | 'NodeMaintenanceRequest' | 'NodeDeletionRequest'
      readonly name: string
      readonly uid: string
    },
    finalizer: string,
    present: boolean,
    signal?: AbortSignal,
  ): Promise<Result<void>>
}

/** Watches all six kinds: first everything, then everything as it is after each change (coalesced); runs until the signal aborts. */
export type WatchMaintenance = (
  listener: {
    readonly onObjects: (objects: MaintenanceObjects) => void
    readonly onState: (state: WatchState | { readonly kind: 'absent'; readonly why: string }) => void
  },
  signal: AbortSignal,
) => Promise<void>

/** Watches the nodes: all of them at first, then all as they are after each change; runs until the signal aborts. */
export type WatchNodes = (
  listener: {
    readonly onNodes: (nodes: readonly ClusterNode[]) => void
    readonly onState: (state: WatchState) => void
  },
  signal: AbortSignal,
) => Promise<void>

/** The world of application controllers: what procedures have, and the locks. */
export interface ControllerWorld extends MaintenanceWorld {
  readonly locks: LockWriterPort
  readonly watchMaintenance: WatchMaintenance
  readonly watchNodes: WatchNodes
}

/** What LCM itself says of an update, where it can be read (docs/domain.md A.8). */
export interface LcmReport {
  /** One line a ClusterUpdatePlan, and a status object of LCM's. */
  readonly lines: readonly string[]
  /** By the step that is in progress in the only plan that is; null: it does not say. */
  readonly phase: UpdatePhase | null
  /** Machines whose update is through, and since when. */
  readonly upgraded: readonly { readonly machine: string; readonly at: string }[]
  /** Phases of which every step of its plan is Completed, and when the last one was. */
  readonly done: readonly { readonly phase: UpdatePhase; readonly at: string }[]
}

/** Reads LCM's own objects; a cluster that has none, or shows us none, answers with nothing. main/kubernetes implements it. */
export type ReadLcmReport = (signal?: AbortSignal) => Promise<Result<LcmReport>>
