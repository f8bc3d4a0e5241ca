import type { ChosenPolicy } from '../../../../shared/domain/chosen-policy.ts'
import type { InstanceChoice } from '../../../../shared/domain/instance-choice.ts'
import { instanceHistory } from '../../../../shared/domain/instance-history.ts'
import { isLeftHere } from '../../../../shared/domain/instance-state.ts'
import type { RunFact } from '../../../../shared/domain/run.ts'
import { historyOfFacts } from '../../../../shared/domain/run-history.ts'
import type { WordedPolicy } from '../../../../shared/words/instance-policies.ts'
import { found } from '../../../../shared/words/step-texts.ts'

/** An announced request for an instance without an outcome in the journal: an earlier process may have sent it. */
export interface PendingRequest {
  readonly how: 'live' | 'cold' | 'stop'
  readonly attempt: number
  readonly statusBefore: string
  readonly knownMigrationId: number
  /** For a stop: how many stops Nova's log had before; null if unknown. */
  readonly stopsBefore: number | null
}

/** Attempts for an instance, by any process, since the operator last chose to try again. */
export function attemptsMade(history: readonly RunFact[], subject: string): number {
  return instanceHistory(history, subject).attemptsSinceAnswer
}

/** The budget belongs to the run, not the process: an operator's answer renews it, and a resumed failed run gets one more attempt. */
export function mayAttempt(history: readonly RunFact[], subject: string, attempts: number): boolean {
  const { attemptsSinceAnswer, mayTryOnceMore } = instanceHistory(history, subject)
  return attemptsSinceAnswer < attempts || mayTryOnceMore
}

/** Why the last attempt failed; null if no reason is recorded. */
export function lastWhy(history: readonly RunFact[], subject: string): string | null {
  return instanceHistory(history, subject).lastFailure
}

/** The instance's last change before a request that Nova accepted and never showed; null if there is no such request. */
export function lastUnseen(history: readonly RunFact[], subject: string): string | null {
  return instanceHistory(history, subject).unseenSince
}

export function pendingRequest(history: readonly RunFact[], subject: string): PendingRequest | null {
  const { pending } = instanceHistory(history, subject)
  if (pending === null) return null
  const { how, attempt, statusBefore } = pending
  const knownMigrationId = how === 'stop' ? 0 : pending.knownMigrationId
  if (attempt === null || statusBefore === null || knownMigrationId === null) return null
  // These steps never evacuate: an evacuation found here is followed like a live migration.
  const { stopsBefore } = pending
  return { how: how === 'evacuate' ? 'live' : how, attempt, statusBefore, knownMigrationId, stopsBefore }
}

export function isPending(history: readonly RunFact[], subject: string): boolean {
  return pendingRequest(history, subject) !== null
}

export function pendingIds(history: readonly RunFact[]): ReadonlySet<string> {
  const ids = [...historyOfFacts({ facts: history }).instances.values()].map(({ id }) => id)
  return new Set(ids.filter(id => isPending(history, `server/${id}`)))
}

/** What verify compares with: each instance's status before this run first moved it, by id. One that the run then stopped in place is off. */
export function statusesBefore(history: readonly RunFact[]): ReadonlyMap<string, string> {
  const instances = [...historyOfFacts({ facts: history }).instances.values()]
  return new Map(
    instances.flatMap(({ id, statusBefore, down }) =>
      statusBefore === null || (down !== null && down.to === null) ? [] : [[id, statusBefore]],
    ),
  )
}

export interface InstanceDecision {
  readonly choice: InstanceChoice
  /** Null if not recorded. */
  readonly by: string | null
  readonly reason: string
  readonly isByRule: boolean
  /** Whether the decision is newer than the last request to move it. */
  readonly isOfThisMove: boolean
  readonly at: string
}

export function decisionAbout(history: readonly RunFact[], subject: string): InstanceDecision | null {
  const { decision } = instanceHistory(history, subject)
  if (decision === null || decision.choice === null) return null
  const { choice, by, reason, isByRule, isOfThisMove, at } = decision
  return { choice, by, reason, isByRule, isOfThisMove, at }
}

/** What the decision about an instance requires; null if the default applies. */
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

/** Instances that stop with their host by decision. */
export function decidedToStay(history: readonly RunFact[]): ReadonlySet<string> {
  const instances = [...historyOfFacts({ facts: history }).instances.values()]
  return new Set(instances.filter(isLeftHere).map(({ id }) => id))
}

/** The instances that this run stopped in place, by name and id: their owners start them again. */
export function stoppedByRun(history: readonly RunFact[]): readonly string[] {
  const stopped = [...historyOfFacts({ facts: history }).instances.values()].filter(({ down }) => down !== null)
  return stopped.map(({ id, name }) => `${name ?? id} (${id})`)
}
