import type { RunFact } from '../../../../shared/domain/run.ts'
import { factNumber, factText, type RunFactName } from '../../../../shared/domain/run-facts.ts'

/** Which attempt at the work it is: what was asked for and did not fail is gone on with, after a restart too; after one that failed it is the next one's turn. */
export function workAttempt(
  history: readonly RunFact[],
  { requested, failed }: { readonly requested: RunFactName; readonly failed: RunFactName },
): number {
  const last = history.findLast(({ fact }) => fact === requested)
  if (last === undefined) return 1
  const hasFailed = history.some(fact => fact.fact === failed && factText(fact, 'name') === factText(last, 'name'))
  return (factNumber(last, 'attempt') ?? 1) + (hasFailed ? 1 : 0)
}
