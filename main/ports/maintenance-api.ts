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
 * The node maintenance API for LCM and observers (seed 001; domain.md A.1): reads everything, creates and removes requests, never writes a lock. Every call
 * asks the API server again.
 */
export interface MaintenanceApiPort {
  /** The state of the six definitions compared with ours. */
  definitions(signal?: AbortSignal): Promise<Result<readonly DefinitionStatus[]>>
  /** Whether the API server serves each of the six kinds: one request, where `definitions` needs six. */
  servedKinds(
    signal?: AbortSignal,
  ): Promise<Result<readonly (Pick<DefinitionStatus, 'kind' | 'name'> & { readonly isServed: boolean })[]>>
  /** Installs missing definitions and waits until they are served; never changes existing ones. */
  installDefinitions(signal?: AbortSignal): Promise<Result<readonly DefinitionStatus[]>>
  /** Every object of the six kinds. `not-found` if the cluster lacks the API. */
  objects(signal?: AbortSignal): Promise<Result<MaintenanceObjects>>
  /** The UID of the object of this name, by its own read; null if it does not exist. A list without it proves nothing. */
  uidOf(
    object: { readonly kind: MaintenanceKind; readonly name: string },
    signal?: AbortSignal,
  ): Promise<Result<string | null>>
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
  /** Deletes exactly this object (UID as precondition); if it is gone, that is fine. Finalizers may delay it. */
  deleteRequest(
    request: {
      readonly kind: 'NodeMaintenanceRequest' | 'ClusterMaintenanceRequest'
      readonly name: string
      readonly uid: string
    },
    signal?: AbortSignal,
  ): Promise<Result<void>>
  /** The OpenStackDeploymentStatus of the namespace; null if the kind is not served. A missing object of a served kind is `unreadable`. */
  deploymentStatus(namespace: string, signal?: AbortSignal): Promise<Result<DeploymentStatus | null>>
}

/** A lock with its UID, so that a recreated one is never mistaken for it. */
export type LockTarget =
  | { readonly kind: 'ClusterWorkloadLock'; readonly name: string; readonly uid: string }
  | { readonly kind: 'NodeWorkloadLock'; readonly name: string; readonly uid: string }

/** Changes of a lock's status; absent fields stay. */
export interface LockStatusChange {
  readonly state?: LockState & ('active' | 'inactive' | 'failed')
  readonly errorMessage?: string
  readonly release?: string
  readonly inactivationProgress?: { readonly percentage: number; readonly description: string } | null
}

/** Writes that only application controllers may make (docs/domain.md G.2). `not-found` if the object is gone, `conflict` if its UID differs. */
export interface LockWriterPort {
  createClusterLock(
    lock: {
      readonly name: string
      readonly controller: string
      readonly annotations: Readonly<Record<string, string>>
    },
    signal?: AbortSignal,
  ): Promise<Result<ClusterWorkloadLock>>
  /** An existing lock of this name (`conflict`) is left alone. */
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
  setLockStatus(target: LockTarget, change: LockStatusChange, signal?: AbortSignal): Promise<Result<void>>
  annotateLock(
    target: LockTarget,
    annotations: Readonly<Record<string, string | null>>,
    signal?: AbortSignal,
  ): Promise<Result<void>>
  deleteLock(target: LockTarget, signal?: AbortSignal): Promise<Result<void>>
  /** Adds or removes one finalizer of a request; others stay. Retried on conflict. Removing it from a missing request is fine. */
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

/** Watches all six kinds: first all objects, then all after each change (coalesced); runs until the signal aborts. */
export type WatchMaintenance = (
  listener: {
    readonly onObjects: (objects: MaintenanceObjects) => void
    readonly onState: (state: FeedState) => void
  },
  signal: AbortSignal,
) => Promise<void>
