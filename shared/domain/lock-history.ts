import { isSilenceOfEarlier } from './earlier-texts.ts'
import type { LockMessage } from './lock-message.ts'
import { LockState } from './maintenance-api.ts'
import type { RunFact } from './run.ts'
import { factName, factText, LOCK_WAITING, subjectName } from './run-facts.ts'

/** The latest reported state of a lock that a step waits for. */
export interface LockProgress {
  readonly name: string
  readonly controller: string
  readonly state: LockState
  readonly message: string
  readonly kind: LockMessage['kind']
  readonly isSilent: boolean
  readonly isOpen: boolean
  readonly since: string
}

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

/** The kind of message in a lock's fact (shared/domain/lock-message.ts). */
export function lockKindOf({ values }: Pick<RunFact, 'values'>): LockMessage['kind'] {
  return LOCK_KINDS.find(kind => kind === values.kind) ?? 'none'
}

const LOCK_KINDS = ['none', 'progress', 'blocked', 'trouble'] as const satisfies readonly LockMessage['kind'][]
