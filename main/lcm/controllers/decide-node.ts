import type {
  NodeDeletionRequest,
  NodeMaintenanceRequest,
  NodeWorkloadLock,
} from '../../../shared/domain/maintenance-api.ts'
import { because } from '../../../shared/words/reasons.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import type { WorkScope } from './application-controller.ts'

/** On our lock: the scope that the node was prepared for, so that a drain's lock is never taken for a reboot's. */
export const PREPARED_SCOPE_ANNOTATION = 'lockkeeper.dev/prepared-scope'

/** An annotation on our lock: it was unknown at its creation whether the node carries the application. */
export const MADE_IN_DOUBT_ANNOTATION = 'lockkeeper.dev/made-in-doubt'

export interface NodeFacts {
  readonly exists: boolean
  /** Whether the node carries this controller's application; null if unknown. */
  readonly concerned: boolean | null
  readonly lock: NodeWorkloadLock | null
  /** Lockkeeper created the lock, and this controller can prove the absence of its application. */
  readonly mayTakeBack: boolean
  /** This process started with the node, even if the watch has not shown the mark yet. */
  readonly begunHere: boolean
  readonly requests: readonly NodeMaintenanceRequest[]
  readonly deletion: NodeDeletionRequest | null
  readonly disabledOnPurpose: boolean
  readonly release: string | null
  readonly finalizer: string
}

type FollowedRequest = Pick<NodeMaintenanceRequest, 'name' | 'uid'>

/** A controller's next action on one node (docs/domain.md A.2, A.3, A.9). */
export type NodeDecision =
  | { readonly kind: 'rest' }
  /** `inDoubt`: it is unknown whether the node carries the application. */
  | { readonly kind: 'create-lock'; readonly inDoubt: boolean }
  | { readonly kind: 'delete-lock' }
  /** Nobody requests the node, and it lacks the application: remove the lock created in doubt, after another proof. */
  | { readonly kind: 'take-back-lock' }
  /** No status yet, another release, or a smaller scope than requested: set the lock active. */
  | { readonly kind: 'set-active' }
  /** LCM has another release than this controller. */
  | { readonly kind: 'refuse'; readonly why: Finding }
  | { readonly kind: 'enter'; readonly scope: WorkScope; readonly requests: readonly FollowedRequest[] }
  /** The request ends, and the node was started: restore it, then release the requests. */
  | { readonly kind: 'exit' }
  /** The request ends, with nothing to restore. */
  | { readonly kind: 'let-go' }
  /** The request is gone: clear the message. */
  | { readonly kind: 'clear-message' }

export function decideNode(facts: NodeFacts): NodeDecision {
  const { exists, concerned, lock, release, finalizer } = facts
  const isGoing = facts.requests.some(({ deletingSince, finalizers }) => {
    return deletingSince !== null && finalizers.includes(finalizer)
  })
  if (!exists) {
    if (isGoing) return { kind: 'let-go' }
    // While a NodeDisableNotification exists, deleting the node keeps its locks (A.9).
    return lock === null || facts.disabledOnPurpose ? { kind: 'rest' } : { kind: 'delete-lock' }
  }
  if (lock === null) {
    // A requested node needs a lock until the application has been checked.
    const isAsked = [...facts.requests, ...(facts.deletion === null ? [] : [facts.deletion])].some(
      ({ deletingSince }) => deletingSince === null,
    )
    if (concerned === true || (concerned === null && isAsked))
      return { kind: 'create-lock', inDoubt: concerned === null }
    return isGoing ? { kind: 'let-go' } : { kind: 'rest' }
  }
  // Status absent: active. A controller of another release starts from active, with its own (A.2 rule 3). Others wait for an explicit state, so it is written
  // even if absent.
  if (lock.stateGiven === false || lock.state === 'unknown' || (release !== null && lock.release !== release))
    return { kind: 'set-active' }
  const begun = isBegun(lock) || facts.begunHere
  // A request that ends requires the full restore, even if another is there: that one may want more.
  if (begun && isGoing) return { kind: 'exit' }
  const live = facts.requests.filter(request => request.deletingSince === null)
  const answered = live.filter(request => request.release === null || release === null || request.release === release)
  const scope = strongestScope(facts.deletion, answered)
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

const SCOPES: readonly WorkScope[] = ['drain', 'os', 'delete']

function strongestScope(
  deletion: NodeDeletionRequest | null,
  requests: readonly NodeMaintenanceRequest[],
): WorkScope | null {
  if (deletion !== null && deletion.deletingSince === null) return 'delete'
  if (requests.length === 0) return null
  // A request without a scope does not ask for a reboot.
  return requests.some(request => request.scope === 'os') ? 'os' : 'drain'
}

function preparedScope(lock: NodeWorkloadLock): WorkScope | null {
  return SCOPES.find(scope => scope === lock.annotations[PREPARED_SCOPE_ANNOTATION]) ?? null
}

/** Whether the controller has started with a node: its lock is not active, or `inner_state` says so earlier (docs/domain.md A.2). */
export function isBegun(lock: Pick<NodeWorkloadLock, 'state' | 'innerState'>): boolean {
  return lock.state === 'inactive' || lock.state === 'failed' || lock.innerState === 'active'
}
