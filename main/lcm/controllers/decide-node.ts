import type {
  NodeDeletionRequest,
  NodeMaintenanceRequest,
  NodeWorkloadLock,
} from '../../../shared/domain/maintenance-api.ts'
import type { WorkScope } from './application-controller.ts'

/** Everything a controller's next move on one node depends on. */
export interface NodeFacts {
  /** The cluster has a node of this name. */
  readonly exists: boolean
  /** The node carries this controller's application. */
  readonly concerned: boolean
  readonly lock: NodeWorkloadLock | null
  /** The requests that mean this node, oldest first. */
  readonly requests: readonly NodeMaintenanceRequest[]
  readonly deletion: NodeDeletionRequest | null
  /** A NodeDisableNotification exists for it. */
  readonly disabledOnPurpose: boolean
  /** The release this controller announces; null: none. */
  readonly release: string | null
  readonly finalizer: string
}

/** A request that a controller follows on a node. */
export interface FollowedRequest {
  readonly kind: 'NodeMaintenanceRequest' | 'NodeDeletionRequest'
  readonly name: string
  readonly uid: string
  readonly scope: WorkScope
  readonly release: string | null
}

/** What a controller does next on one node (docs/domain.md A.2, A.3, A.9). */
export type NodeDecision =
  | { readonly kind: 'rest' }
  | { readonly kind: 'create-lock' }
  | { readonly kind: 'delete-lock' }
  /** No status yet, or another release: the lock says active, with the release. */
  | { readonly kind: 'set-active' }
  /** Somebody asks for the node: finalizer, limits, preparation, inactive. */
  | { readonly kind: 'enter'; readonly request: FollowedRequest }
  /** The request is going or gone, and the node was begun: bring it back, then let the requests go. */
  | { readonly kind: 'exit' }
  /** The request is going, and there is nothing to bring back. */
  | { readonly kind: 'let-go' }

/** The one next move; calling it again after the move is made gives the next one. Pure. */
export function decideNode(facts: NodeFacts): NodeDecision {
  const { exists, concerned, lock, requests, deletion, release } = facts
  const held = requests.some(request => request.deletingSince !== null && request.finalizers.includes(facts.finalizer))
  const heldDeletion = deletion?.deletingSince != null && deletion.finalizers.includes(facts.finalizer)
  if (!exists) {
    if (held || heldDeletion) return { kind: 'let-go' }
    // While a NodeDisableNotification exists, the deletion of the node does not delete its locks (A.9).
    return lock === null || facts.disabledOnPurpose ? { kind: 'rest' } : { kind: 'delete-lock' }
  }
  if (!concerned && lock === null) return held || heldDeletion ? { kind: 'let-go' } : { kind: 'rest' }
  if (lock === null) return { kind: 'create-lock' }
  const live = requests.find(request => request.deletingSince === null)
  const liveDeletion = deletion !== null && deletion.deletingSince === null ? deletion : null
  const begun = isBegun(lock)
  if (lock.state === 'unknown' && !begun) return { kind: 'set-active' }
  // A controller of another release starts from active, with its release; what was begun stays marked (A.2 rule 3).
  if (release !== null && lock.release !== release) return { kind: 'set-active' }
  if (liveDeletion !== null) {
    const { name, uid } = liveDeletion
    return { kind: 'enter', request: { kind: 'NodeDeletionRequest', name, uid, scope: 'delete', release: null } }
  }
  if (live !== undefined && concerned) {
    const { name, uid } = live
    // A request that says no scope asks for no reboot.
    const scope = live.scope ?? 'drain'
    return { kind: 'enter', request: { kind: 'NodeMaintenanceRequest', name, uid, scope, release: live.release } }
  }
  if (begun) return { kind: 'exit' }
  return held || heldDeletion ? { kind: 'let-go' } : { kind: 'rest' }
}

/** Whether the controller has begun with a node: its lock is inactive, or marked before it flips (docs/domain.md A.2, inner_state). */
export function isBegun(lock: Pick<NodeWorkloadLock, 'state' | 'innerState'>): boolean {
  return lock.state === 'inactive' || lock.state === 'failed' || lock.innerState === 'inactive'
}
