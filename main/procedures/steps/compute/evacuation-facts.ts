import type { ChosenPolicy } from '../../../../shared/domain/chosen-policy.ts'
import { InstanceChoice, leavesItThere } from '../../../../shared/domain/instance-choice.ts'
import type { RunFact } from '../../../../shared/domain/run.ts'
import {
  ATTEMPTS_EXHAUSTED,
  factNumber,
  factText,
  INSTANCE_DECIDED,
  INSTANCE_MOVED,
  INSTANCE_SETTLED,
  INSTANCE_STOPPED,
  instanceIdOf,
  MIGRATION_FAILED,
  MIGRATION_REQUESTED,
  OPERATOR_ANSWERED,
  OPERATOR_RESUMED,
  STOP_REQUESTED,
  subjectName,
  TRY_AGAIN,
} from '../../../../shared/domain/run-facts.ts'

/** What was announced for an instance and has not come to an outcome in the journal: an earlier process may have sent it. */
export interface PendingRequest {
  readonly how: 'live' | 'cold' | 'stop'
  readonly attempt: number
  readonly statusBefore: string
  readonly knownMigrationId: number
  /** Of a stop: how often Nova had been asked to stop the instance before, by whomever; null: that was not told. */
  readonly stopsBefore: number | null
}

/** Attempts made for an instance, by whatever process, since a person last said that it is to be tried again. */
export function attemptsMade(history: readonly RunFact[], subject: string): number {
  return sinceAnswered(history, subject).filter(fact => fact.subject === subject && isAttempt(fact)).length
}

/**
 * Whether another attempt may be made for an instance. The budget is the run's, not the process's: only a person's answer renews it, and a
 * person who resumes a run that had failed gets one attempt more.
 */
export function mayAttempt(history: readonly RunFact[], subject: string, attempts: number): boolean {
  if (attemptsMade(history, subject) < attempts) return true
  const last = history.findLast(fact => fact.fact === OPERATOR_RESUMED || (fact.subject === subject && isAttempt(fact)))
  return last?.fact === OPERATOR_RESUMED
}

/** Why the last attempt for an instance came to nothing; null when none was told. */
export function lastWhy(history: readonly RunFact[], subject: string): string | null {
  const last = history.findLast(fact => fact.subject === subject && fact.fact === MIGRATION_FAILED)
  return last === undefined ? null : factText(last, 'why')
}

/** When an instance was changed last before a request that Nova agreed to and that never showed, so far as this run knows; null: none. */
export function lastUnseen(history: readonly RunFact[], subject: string): string | null {
  const told = history.findLast(fact => fact.subject === subject && typeof fact.values.unseenSince === 'string')
  return told === undefined ? null : factText(told, 'unseenSince')
}

function isAttempt({ fact, values }: RunFact): boolean {
  return REQUESTS.has(fact) && values.again !== true
}

/** The last announced request of an instance, when no outcome of it was journaled. */
export function pendingRequest(history: readonly RunFact[], subject: string): PendingRequest | null {
  const own = history.filter(fact => fact.subject === subject)
  const last = own.findLast(fact => OUTCOMES.has(fact.fact) || REQUESTS.has(fact.fact))
  if (last === undefined || !REQUESTS.has(last.fact)) return null
  const { attempt, statusBefore, how } = last.values
  const stops = last.fact === STOP_REQUESTED
  const knownMigrationId = stops ? 0 : last.values.knownMigrationId
  if (typeof attempt !== 'number' || typeof statusBefore !== 'string' || typeof knownMigrationId !== 'number')
    return null
  const stopsBefore = stops ? factNumber(last, 'stopsBefore') : null
  return {
    how: stops ? 'stop' : how === 'cold' ? 'cold' : 'live',
    attempt,
    statusBefore,
    knownMigrationId,
    stopsBefore,
  }
}

/** Whether something was announced for an instance that has not come to an outcome. */
export function isPending(history: readonly RunFact[], subject: string): boolean {
  return pendingRequest(history, subject) !== null
}

/** Ids of the instances for which something was announced that has not come to an outcome. */
export function pendingIds(history: readonly RunFact[]): ReadonlySet<string> {
  const subjects = new Set(history.flatMap(({ fact, subject }) => (REQUESTS.has(fact) ? [subject] : [])))
  return new Set([...subjects].filter(subject => isPending(history, subject)).map(instanceIdOf))
}

/** The status each instance had before this run first moved it, by server id: what verify compares with. */
export function statusesBefore(history: readonly RunFact[]): ReadonlyMap<string, string> {
  const before = new Map<string, string>()
  for (const fact of history) {
    const status = fact.values.statusBefore
    const id = instanceIdOf(fact.subject)
    if (fact.fact === MIGRATION_REQUESTED && typeof status === 'string' && !before.has(id)) before.set(id, status)
  }
  return before
}

/** What was decided about an instance, by a person or by the rule of the plan. */
export interface InstanceDecision {
  readonly choice: InstanceChoice
  /** Who decided and why, as the end of a sentence. */
  readonly words: string
  /** Whether it was decided after the instance was last asked to move. */
  readonly isOfThisMove: boolean
  readonly at: string
}

/** What was decided last about an instance; null: nothing was. */
export function decisionAbout(history: readonly RunFact[], subject: string): InstanceDecision | null {
  const own = history.filter(fact => fact.subject === subject)
  const index = own.findLastIndex(({ fact }) => fact === INSTANCE_DECIDED)
  const decided = own[index]
  const choice = InstanceChoice.safeParse(decided?.values.choice)
  if (decided === undefined || !choice.success) return null
  const reason = factText(decided, 'reason') ?? ''
  const who =
    decided.values.rule === true ? 'by the rule of the plan' : `as ${factText(decided, 'by') ?? 'somebody'} decided`
  return {
    choice: choice.data,
    words: reason === '' ? who : `${who}: ${reason}`,
    isOfThisMove: own.findLastIndex(({ fact }) => fact === MIGRATION_REQUESTED) < index,
    at: decided.at,
  }
}

/** What is to be done to an instance by what was decided about it; null: what would be done anyway. */
export function decidedPolicy(decision: InstanceDecision | null): Pick<ChosenPolicy, 'action' | 'reason'> | null {
  switch (decision?.choice) {
    case 'cold':
      return { action: 'cold_migrate', reason: `it is migrated cold, ${decision.words}` }
    case 'stop':
      return { action: 'stop', reason: `it is stopped, ${decision.words}` }
    case 'skip':
    case 'abort-and-leave':
      return { action: 'ignore', reason: `it stays, ${decision.words}` }
    default:
      return null
  }
}

/** Ids of the instances that stay on their host because it was decided so: they go down with it. */
export function decidedToStay(history: readonly RunFact[]): ReadonlySet<string> {
  const subjects = new Set(history.flatMap(({ fact, subject }) => (fact === INSTANCE_DECIDED ? [subject] : [])))
  const stay = [...subjects].filter(subject => {
    const choice = decisionAbout(history, subject)?.choice
    // It was away before what was decided could be done.
    const last = history.findLast(told => told.subject === subject && LAST_WORDS.has(told.fact))
    return choice !== undefined && leavesItThere(choice) && last?.fact !== INSTANCE_MOVED
  })
  return new Set(stay.map(subject => instanceIdOf(subject)))
}

const LAST_WORDS: ReadonlySet<string> = new Set([INSTANCE_MOVED, INSTANCE_DECIDED, MIGRATION_REQUESTED])

function sinceAnswered(history: readonly RunFact[], subject: string): readonly RunFact[] {
  const isAnswer = (fact: RunFact) =>
    fact.fact === OPERATOR_ANSWERED ||
    // A person who decides about an instance knows what was tried; the rule of the plan does not, but another way to move it begins afresh.
    (fact.fact === INSTANCE_DECIDED &&
      fact.subject === subject &&
      (fact.values.rule !== true || fact.values.choice === 'cold')) ||
    (fact.fact === TRY_AGAIN && (fact.subject === subject || !fact.subject.startsWith('server/')))
  return history.slice(history.findLastIndex(isAnswer) + 1)
}

/** The instances that this run stopped where they are, by name and id: their owners start them again. */
export function stoppedByRun(history: readonly RunFact[]): readonly string[] {
  const labels = history.flatMap(fact =>
    fact.fact === INSTANCE_STOPPED ? [`${subjectName(fact)} (${instanceIdOf(fact.subject)})`] : [],
  )
  return [...new Set(labels)]
}

const REQUESTS: ReadonlySet<string> = new Set([MIGRATION_REQUESTED, STOP_REQUESTED])
const OUTCOMES: ReadonlySet<string> = new Set([
  INSTANCE_MOVED,
  INSTANCE_STOPPED,
  MIGRATION_FAILED,
  ATTEMPTS_EXHAUSTED,
  INSTANCE_SETTLED,
])
