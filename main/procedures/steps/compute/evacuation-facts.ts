import type { ChosenPolicy } from '../../../../shared/domain/chosen-policy.ts'
import type { InstanceChoice } from '../../../../shared/domain/instance-choice.ts'
import { instanceHistory } from '../../../../shared/domain/instance-history.ts'
import { isLeftHere } from '../../../../shared/domain/instance-state.ts'
import type { RunFact } from '../../../../shared/domain/run.ts'
import { historyOfFacts } from '../../../../shared/domain/run-history.ts'
import type { WordedPolicy } from '../../../../shared/words/instance-policies.ts'
import { found } from '../../../../shared/words/step-texts.ts'

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
  return instanceHistory(history, subject).attemptsSinceAnswer
}

/**
 * Whether another attempt may be made for an instance. The budget is the run's, not the process's: only a person's answer renews it, and a
 * person who resumes a run that had failed gets one attempt more.
 */
export function mayAttempt(history: readonly RunFact[], subject: string, attempts: number): boolean {
  const { attemptsSinceAnswer, mayTryOnceMore } = instanceHistory(history, subject)
  return attemptsSinceAnswer < attempts || mayTryOnceMore
}

/** Why the last attempt for an instance came to nothing; null when none was told. */
export function lastWhy(history: readonly RunFact[], subject: string): string | null {
  return instanceHistory(history, subject).lastFailure
}

/** When an instance was changed last before a request that Nova agreed to and that never showed, so far as this run knows; null: none. */
export function lastUnseen(history: readonly RunFact[], subject: string): string | null {
  return instanceHistory(history, subject).unseenSince
}

/** The last announced request of an instance, when no outcome of it was journaled. */
export function pendingRequest(history: readonly RunFact[], subject: string): PendingRequest | null {
  const { pending } = instanceHistory(history, subject)
  if (pending === null) return null
  const { how, attempt, statusBefore } = pending
  const knownMigrationId = how === 'stop' ? 0 : pending.knownMigrationId
  if (attempt === null || statusBefore === null || knownMigrationId === null) return null
  // An evacuation is no way of these steps: whoever reads of one follows it as a live migration.
  const { stopsBefore } = pending
  return { how: how === 'evacuate' ? 'live' : how, attempt, statusBefore, knownMigrationId, stopsBefore }
}

/** Whether something was announced for an instance that has not come to an outcome. */
export function isPending(history: readonly RunFact[], subject: string): boolean {
  return pendingRequest(history, subject) !== null
}

/** Ids of the instances for which something was announced that has not come to an outcome. */
export function pendingIds(history: readonly RunFact[]): ReadonlySet<string> {
  const ids = [...historyOfFacts({ facts: history }).instances.values()].map(({ id }) => id)
  return new Set(ids.filter(id => isPending(history, `server/${id}`)))
}

/** The status each instance had before this run first moved it, by server id: what verify compares with. */
export function statusesBefore(history: readonly RunFact[]): ReadonlyMap<string, string> {
  const instances = [...historyOfFacts({ facts: history }).instances.values()]
  return new Map(instances.flatMap(({ id, statusBefore }) => (statusBefore === null ? [] : [[id, statusBefore]])))
}

/** What was decided about an instance, by a person or by the rule of the plan. */
export interface InstanceDecision {
  readonly choice: InstanceChoice
  /** Who decided; null: nobody is named. */
  readonly by: string | null
  /** Why; empty: nobody said. */
  readonly reason: string
  readonly isByRule: boolean
  /** Whether it was decided after the instance was last asked to move. */
  readonly isOfThisMove: boolean
  readonly at: string
}

/** What was decided last about an instance; null: nothing was. */
export function decisionAbout(history: readonly RunFact[], subject: string): InstanceDecision | null {
  const { decision } = instanceHistory(history, subject)
  if (decision === null || decision.choice === null) return null
  const { choice, by, reason, isByRule, isOfThisMove, at } = decision
  return { choice, by, reason, isByRule, isOfThisMove, at }
}

/** What is to be done to an instance by what was decided about it; null: what would be done anyway. */
export function decidedPolicy(
  decision: InstanceDecision | null,
): Pick<WordedPolicy<ChosenPolicy>, 'action' | 'reason'> | null {
  if (decision === null) return null
  const { choice, by, reason, isByRule } = decision
  const decided = { by, reason, isByRule }
  switch (choice) {
    case 'cold':
      return { action: 'cold_migrate', reason: found('DecidedToMigrateCold', decided).message }
    case 'stop':
      return { action: 'stop', reason: found('DecidedToStop', decided).message }
    case 'skip':
    case 'abort-and-leave':
      return { action: 'ignore', reason: found('DecidedToStay', decided).message }
    default:
      return null
  }
}

/** Ids of the instances that stay on their host because it was decided so: they go down with it. */
export function decidedToStay(history: readonly RunFact[]): ReadonlySet<string> {
  const instances = [...historyOfFacts({ facts: history }).instances.values()]
  return new Set(instances.filter(isLeftHere).map(({ id }) => id))
}

/** The instances that this run stopped where they are, by name and id: their owners start them again. */
export function stoppedByRun(history: readonly RunFact[]): readonly string[] {
  const stopped = [...historyOfFacts({ facts: history }).instances.values()].filter(({ down }) => down !== null)
  return stopped.map(({ id, name }) => `${name ?? id} (${id})`)
}
