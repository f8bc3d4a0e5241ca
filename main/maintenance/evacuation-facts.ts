import type { RunFact } from '../../shared/domain/run.ts'
import {
  ATTEMPTS_EXHAUSTED,
  INSTANCE_MOVED,
  INSTANCE_SETTLED,
  MIGRATION_FAILED,
  MIGRATION_REQUESTED,
} from '../../shared/domain/run-facts.ts'

/** What was announced for an instance and has not come to an outcome in the journal: an earlier process may have sent it. */
export interface PendingRequest {
  readonly attempt: number
  readonly statusBefore: string
  readonly knownMigrationId: number
}

/** Attempts made for an instance since an operator was last asked about it. */
export function attemptsMade(history: readonly RunFact[], subject: string): number {
  return sinceExhausted(history, subject).filter(
    fact => fact.fact === MIGRATION_REQUESTED && fact.values.again !== true,
  ).length
}

/** The last announced request of an instance, when no outcome of it was journaled. */
export function pendingRequest(history: readonly RunFact[], subject: string): PendingRequest | null {
  const own = history.filter(fact => fact.subject === subject)
  const last = own.findLast(fact => OUTCOMES.has(fact.fact) || fact.fact === MIGRATION_REQUESTED)
  if (last?.fact !== MIGRATION_REQUESTED) return null
  const { attempt, statusBefore, knownMigrationId } = last.values
  if (typeof attempt !== 'number' || typeof statusBefore !== 'string' || typeof knownMigrationId !== 'number')
    return null
  return { attempt, statusBefore, knownMigrationId }
}

/** The status each instance had before this run first moved it, by server id: what verify compares with. */
export function statusesBefore(history: readonly RunFact[]): ReadonlyMap<string, string> {
  const before = new Map<string, string>()
  for (const fact of history) {
    const status = fact.values.statusBefore
    const id = fact.subject.replace(/^server\//, '')
    if (fact.fact === MIGRATION_REQUESTED && typeof status === 'string' && !before.has(id)) before.set(id, status)
  }
  return before
}

function sinceExhausted(history: readonly RunFact[], subject: string): readonly RunFact[] {
  const own = history.filter(fact => fact.subject === subject)
  return own.slice(own.findLastIndex(fact => fact.fact === ATTEMPTS_EXHAUSTED) + 1)
}

const OUTCOMES: ReadonlySet<string> = new Set([INSTANCE_MOVED, MIGRATION_FAILED, ATTEMPTS_EXHAUSTED, INSTANCE_SETTLED])
