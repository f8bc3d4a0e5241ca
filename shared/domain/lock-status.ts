import { parseLockMessage } from './lock-message.ts'
import type { NodeWorkloadLock } from './maintenance-api.ts'
import { assertNever } from './must.ts'

/**
 * Where a lock stands in a maintenance, for screens and terminals. `idle`: nobody asked. `asked`: its controller has not begun.
 * `preparing`, `blocked`, `trouble`: on the way, waiting for somebody, failing. `released`: the work may begin as far as it goes.
 * `returning`: its controller takes node or cluster back. `unknown`: the object does not say.
 */
export interface LockStatus {
  readonly kind: 'idle' | 'asked' | 'preparing' | 'blocked' | 'trouble' | 'released' | 'returning' | 'unknown'
  readonly code: LockStatusCode
  /** What its controller says, or what is wrong with a lock that says no state; empty: nothing. */
  readonly says: string
  /** How far its controller is; null: it does not say. */
  readonly progress: LockFields['progress']
}

/** Why a lock has its kind: `GaveUp` and `TriedAgain` are both trouble, and of `Begun` its controller says nothing yet. */
export type LockStatusCode =
  | 'StateNotKnown'
  | 'GaveUp'
  | 'Released'
  | 'TakenBack'
  | 'Idle'
  | 'Prepared'
  | 'Begun'
  | 'Asked'
  | 'Waits'
  | 'TriedAgain'

/** What of a lock its standing is told from; locks of nodes and of the cluster both have it. */
export type LockFields = Pick<NodeWorkloadLock, 'state' | 'errorMessage' | 'innerState' | 'progress' | 'faults'>

/** The standing of a lock under the request that it answers; null when there is no request for its node or cluster. */
export function lockStatus(lock: LockFields, request: { readonly deletingSince: string | null } | null): LockStatus {
  const { progress } = lock
  const said = { says: parseLockMessage(lock.errorMessage).text, progress }
  switch (lock.state) {
    case 'unknown': {
      const [fault] = lock.faults
      const why = fault === undefined ? said : { says: fault, progress: null }
      return { kind: 'unknown', code: 'StateNotKnown', ...why }
    }
    case 'failed':
      return { kind: 'trouble', code: 'GaveUp', ...said }
    case 'inactive':
      return request !== null && request.deletingSince === null
        ? { kind: 'released', code: 'Released', ...said }
        : { kind: 'returning', code: 'TakenBack', ...said }
    case 'active':
      return { ...activeLockStatus(lock, request), ...said }
    default:
      return assertNever(lock.state, 'lock state')
  }
}

function activeLockStatus(
  { errorMessage, innerState, progress }: LockFields,
  request: { readonly deletingSince: string | null } | null,
): Pick<LockStatus, 'kind' | 'code'> {
  const hasBegun = innerState === 'active'
  // Rockoon writes `state: active` last on the way back, so that a begun lock without a wish is still on its way (docs/domain.md A.3).
  if (request === null || request.deletingSince !== null) {
    return hasBegun ? { kind: 'returning', code: 'TakenBack' } : { kind: 'idle', code: 'Idle' }
  }
  const { kind } = parseLockMessage(errorMessage)
  switch (kind) {
    case 'none':
      if (progress !== null && (progress.percentage !== null || progress.description !== '')) {
        return { kind: 'preparing', code: 'Prepared' }
      }
      return hasBegun ? { kind: 'preparing', code: 'Begun' } : { kind: 'asked', code: 'Asked' }
    case 'progress':
      return { kind: 'preparing', code: 'Prepared' }
    case 'blocked':
      return { kind: 'blocked', code: 'Waits' }
    case 'trouble':
      return { kind: 'trouble', code: 'TriedAgain' }
    default:
      return assertNever(kind, 'lock message')
  }
}
