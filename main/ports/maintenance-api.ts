import type { FeedState } from '../../shared/domain/kubernetes.ts'
import type {
  ClusterMaintenanceRequest,
  ClusterWorkloadLock,
  DefinitionStatus,
  DeploymentStatus,
  LockState,
  MaintenanceKind,
  MaintenanceObjects,
  NodeMaintenanceRequest,
  NodeWorkloadLock,
} from '../../shared/domain/maintenance-api.ts'
import type { Result } from '../../shared/domain/result.ts'

/**
 * The node maintenance API as LCM and as onlookers use it (seed 001; domain.md A.1): read everything, create and remove requests. It never
 * writes a lock. Every call asks the API server afresh.
 */
export interface MaintenanceApiPort {
  /** Where the six definitions stand on this cluster, against ours. */
  definitions(signal?: AbortSignal): Promise<Result<readonly DefinitionStatus[]>>
  /** Installs those that are missing and waits until they are served; those that are there are never changed. */
  installDefinitions(signal?: AbortSignal): Promise<Result<readonly DefinitionStatus[]>>
  /** Every object of the six kinds. `not-found` when the cluster does not have the API at all. */
  objects(signal?: AbortSignal): Promise<Result<MaintenanceObjects>>
  /** The UID of the object of this name, asked for by itself; null: there is none. A list that does not show it proves nothing. */
  uidOf(
    object: { readonly kind: MaintenanceKind; readonly name: string },
    signal?: AbortSignal,
  ): Promise<Result<string | null>>
  /** `conflict` when one of this name is there. */
  createNodeRequest(
    request: {
      readonly name: string
      readonly nodeName: string
      readonly scope: 'drain' | 'os'
      readonly release: string | null
      readonly annotations: Readonly<Record<string, string>>
    },
    signal?: AbortSignal,
  ): Promise<Result<NodeMaintenanceRequest>>
  createClusterRequest(
    request: {
      readonly name: string
      readonly scope: 'drain' | 'os'
      readonly release: string | null
      readonly annotations: Readonly<Record<string, string>>
    },
    signal?: AbortSignal,
  ): Promise<Result<ClusterMaintenanceRequest>>
  /** Deletes exactly this object (UID as precondition); one that is gone already is fine. Controllers hold it by finalizers meanwhile. */
  deleteRequest(
    request: {
      readonly kind: 'NodeMaintenanceRequest' | 'ClusterMaintenanceRequest'
      readonly name: string
      readonly uid: string
    },
    signal?: AbortSignal,
  ): Promise<Result<void>>
  /** The OpenStackDeploymentStatus of the namespace; null when the cluster does not serve the kind. One that is served and not there is `unreadable`. */
  deploymentStatus(namespace: string, signal?: AbortSignal): Promise<Result<DeploymentStatus | null>>
}

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
 * main/adapters/kubernetes implements it. A write that changes nothing sends nothing. `not-found` when the object is gone, `conflict` when its UID is another.
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
    readonly onState: (state: FeedState) => void
  },
  signal: AbortSignal,
) => Promise<void>
