import { isSilenceOfEarlier } from './earlier-texts.ts'
import type { LockMessage } from './lock-message.ts'
import { LockState } from './maintenance-api.ts'
import type { RunFact } from './run.ts'
import { factName, factText, LOCK_WAITING, subjectName } from './run-facts.ts'

/** Where a lock stands that a step waits for, as it last told. */
export interface LockProgress {
  readonly name: string
  readonly controller: string
  readonly state: LockState
  /** What its controller says. */
  readonly message: string
  readonly kind: LockMessage['kind']
  /** Whether its controller says nothing, and it has not moved for long. */
  readonly isSilent: boolean
  /** Whether the step still waits for it. */
  readonly isOpen: boolean
  /** Since when it says so. */
  readonly since: string
}

/** A lock as a fact about it tells. */
export function lockAfter(fact: RunFact): LockProgress {
  return {
    name: fact.subject.replace(/^lock\//, ''),
    controller: factText(fact, 'controller') ?? subjectName(fact),
    state: LockState.options.find(state => state === fact.values.state) ?? 'unknown',
    message: factText(fact, 'message') ?? '',
    kind: lockKindOf(fact),
    isSilent: fact.values.isSilent === true || isSilenceOfEarlier(factText(fact, 'message') ?? ''),
    isOpen: factName(fact) === LOCK_WAITING,
    since: fact.at,
  }
}

/** What kind of sentence a lock's fact told (shared/domain/lock-message.ts). */
export function lockKindOf({ values }: Pick<RunFact, 'values'>): LockMessage['kind'] {
  return LOCK_KINDS.find(kind => kind === values.kind) ?? 'none'
}

const LOCK_KINDS = ['none', 'progress', 'blocked', 'trouble'] as const satisfies readonly LockMessage['kind'][]
