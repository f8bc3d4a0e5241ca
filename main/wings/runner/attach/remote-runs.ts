import type { RunnerOfRun, RunSummary } from '../../../../shared/contract/index.ts'
import type { RunCondition } from '../../../../shared/domain/run-condition.ts'
import { conditionSentence, conditionWord } from '../../../../shared/words/conditions.ts'

/**
 * A run of a runner as this console shows it: which runner drives it and, while the runner does not answer, its last known state. An old state is never
 * shown as the current one; a finished run stays as it is.
 */
export function asMirrored(summary: RunSummary, runner: RunnerOfRun): RunSummary {
  if (runner.connected || summary.condition.kind === 'over') return { ...summary, runner }
  const { condition: was } = summary
  const condition: RunCondition = {
    kind: 'unheard',
    since: runner.asOf,
    runner: runner.name,
    // `waits for you` then is `waiting for you` of a time that is past.
    was: conditionWord(was).replace(/^waits/, 'waiting'),
    waits: 'waits' in was ? [...was.waits] : [],
  }
  return { ...summary, runner, state: 'unheard', condition, summary: conditionSentence(condition) }
}
