import type {
  NodeDeletionRequest,
  NodeMaintenanceRequest,
  NodeWorkloadLock,
} from '../../../shared/domain/maintenance-api.ts'
import { because } from '../../../shared/words/reasons.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import type { WorkScope } from './application-controller.ts'

/** On a lock of ours: what the node was prepared for, so that a drain's lock is never taken for a reboot's. */
export const PREPARED_SCOPE_ANNOTATION = 'lockkeeper.dev/prepared-scope'

/** On a lock of ours: it was made while nobody could tell whether the node carries the application. */
export const MADE_IN_DOUBT_ANNOTATION = 'lockkeeper.dev/made-in-doubt'

/** Everything a controller's next move on one node depends on. */
export interface NodeFacts {
  /** The cluster has a node of this name. */
  readonly exists: boolean
  /** The node carries this controller's application; null: nobody can tell. */
  readonly concerned: boolean | null
  readonly lock: NodeWorkloadLock | null
  /** The lock is one that Lockkeeper made, and this controller can prove that a node does not carry its application. */
  readonly mayTakeBack: boolean
  /** This process began with the node; the watch may not have shown the mark yet. */
  readonly begunHere: boolean
  /** The requests that mean this node, oldest first. */
  readonly requests: readonly NodeMaintenanceRequest[]
  readonly deletion: NodeDeletionRequest | null
  /** A NodeDisableNotification exists for it. */
  readonly disabledOnPurpose: boolean
  /** The release this controller announces; null: none. */
  readonly release: string | null
  readonly finalizer: string
}

/** A request by what writes to it need. */
type FollowedRequest = Pick<NodeMaintenanceRequest, 'name' | 'uid'>

/** What a controller does next on one node (docs/domain.md A.2, A.3, A.9). */
export type NodeDecision =
  | { readonly kind: 'rest' }
  /** `inDoubt`: nobody could tell whether the node carries the application. */
  | { readonly kind: 'create-lock'; readonly inDoubt: boolean }
  | { readonly kind: 'delete-lock' }
  /** Nobody asks for the node, and it does not carry the application: the lock that was made in doubt goes, once that is proved afresh. */
  | { readonly kind: 'take-back-lock' }
  /** No status yet, another release, or prepared for less than is asked now: the lock says active. */
  | { readonly kind: 'set-active' }
  /** LCM is of another release than this controller. */
  | { readonly kind: 'refuse'; readonly why: Finding }
  /** Somebody asks for the node: finalizers, limits, preparation, inactive. */
  | { readonly kind: 'enter'; readonly scope: WorkScope; readonly requests: readonly FollowedRequest[] }
  /** The request is going or gone, and the node was begun: bring it back, then let the requests go. */
  | { readonly kind: 'exit' }
  /** The request is going, and there is nothing to bring back. */
  | { readonly kind: 'let-go' }
  /** Nobody asks any more: what was said about it is taken back. */
  | { readonly kind: 'clear-message' }

/** The one next move; calling it again after the move is made gives the next one. Pure. */
export function decideNode(facts: NodeFacts): NodeDecision {
  const { exists, concerned, lock, release, finalizer } = facts
  const isGoing = facts.requests.some(({ deletingSince, finalizers }) => {
    return deletingSince !== null && finalizers.includes(finalizer)
  })
  if (!exists) {
    if (isGoing) return { kind: 'let-go' }
    // While a NodeDisableNotification exists, the deletion of the node does not delete its locks (A.9).
    return lock === null || facts.disabledOnPurpose ? { kind: 'rest' } : { kind: 'delete-lock' }
  }
  if (lock === null) {
    // Of a node that somebody asks for it has to be told: the lock holds it until the application could be asked.
    const isAsked = [...facts.requests, ...(facts.deletion === null ? [] : [facts.deletion])].some(
      ({ deletingSince }) => deletingSince === null,
    )
    if (concerned === true || (concerned === null && isAsked))
      return { kind: 'create-lock', inDoubt: concerned === null }
    return isGoing ? { kind: 'let-go' } : { kind: 'rest' }
  }
  // Status absent: active. A controller of another release starts from active, with its own (A.2 rule 3).
  // Its status may never have been written: what others wait for is its state in so many words.
  if (lock.stateGiven === false || lock.state === 'unknown' || (release !== null && lock.release !== release))
    return { kind: 'set-active' }
  const begun = isBegun(lock) || facts.begunHere
  // A request that goes is answered by the whole way back, also where another one asks already: what it asks for may be more.
  if (begun && isGoing) return { kind: 'exit' }
  const live = facts.requests.filter(request => request.deletingSince === null)
  const answered = live.filter(request => request.release === null || release === null || request.release === release)
  const scope = strongest(facts.deletion, answered)
  if (scope !== null) return enterOrHold(lock, scope, answered, finalizer)
  const other = live[0]
  if (other !== undefined) {
    return { kind: 'refuse', why: because('ReleaseDiffers', { theirs: other.release ?? '', ours: release ?? '' }) }
  }
  if (begun) return { kind: 'exit' }
  if (isGoing) return { kind: 'let-go' }
  const isAskedBySomebody = facts.requests.length > 0 || facts.deletion !== null || facts.disabledOnPurpose
  if (concerned === false && facts.mayTakeBack && !isAskedBySomebody) return { kind: 'take-back-lock' }
  return lock.state === 'active' && lock.errorMessage !== '' ? { kind: 'clear-message' } : { kind: 'rest' }
}

function enterOrHold(
  lock: NodeWorkloadLock,
  scope: WorkScope,
  requests: readonly NodeMaintenanceRequest[],
  finalizer: string,
): NodeDecision {
  if (lock.state === 'inactive') {
    const prepared = preparedScope(lock)
    if (prepared !== null && SCOPES.indexOf(prepared) < SCOPES.indexOf(scope)) return { kind: 'set-active' }
    if (requests.every(request => request.finalizers.includes(finalizer))) return { kind: 'rest' }
  }
  return { kind: 'enter', scope, requests: requests.map(({ name, uid }) => ({ name, uid })) }
}

/** From the least that may happen to the node to the most. */
const SCOPES: readonly WorkScope[] = ['drain', 'os', 'delete']

function strongest(
  deletion: NodeDeletionRequest | null,
  requests: readonly NodeMaintenanceRequest[],
): WorkScope | null {
  if (deletion !== null && deletion.deletingSince === null) return 'delete'
  if (requests.length === 0) return null
  // A request that says no scope asks for no reboot.
  return requests.some(request => request.scope === 'os') ? 'os' : 'drain'
}

function preparedScope(lock: NodeWorkloadLock): WorkScope | null {
  return SCOPES.find(scope => scope === lock.annotations[PREPARED_SCOPE_ANNOTATION]) ?? null
}

/**
 * Whether the controller has begun with a node: its lock is not active, or `inner_state` says so before the lock flips (docs/domain.md A.2:
 * inner_state `active` means that its controller is at work on the node, `inactive` that it is done with it).
 */
export function isBegun(lock: Pick<NodeWorkloadLock, 'state' | 'innerState'>): boolean {
  return lock.state === 'inactive' || lock.state === 'failed' || lock.innerState === 'active'
}
