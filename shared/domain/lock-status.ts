import { parseLockMessage } from './lock-message.ts'
import type { NodeWorkloadLock } from './maintenance-api.ts'
import { assertNever } from './must.ts'

/**
 * `asked`: not started yet. `preparing`, `blocked`, `trouble`: at work, waiting, failing. `released`: the work may begin. `returning`: on the way
 * back.
 */
export interface LockStatus {
  readonly kind: 'idle' | 'asked' | 'preparing' | 'blocked' | 'trouble' | 'released' | 'returning' | 'unknown'
  readonly code: LockStatusCode
  /** Its controller's message, or the problem of a lock without a state; may be empty. */
  readonly says: string
  /** Null if its controller does not say. */
  readonly progress: LockFields['progress']
}

/** `GaveUp` and `TriedAgain` are both trouble; in `Begun` the controller gives no details yet. */
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

export type LockFields = Pick<NodeWorkloadLock, 'state' | 'errorMessage' | 'innerState' | 'progress' | 'faults'>

/** Null if its node or cluster has no request. */
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
  // Rockoon writes `state: active` last on the way back: a started lock without a request still returns (docs/domain.md A.3).
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
