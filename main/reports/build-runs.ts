import { isNodePlan, nodeOfPlan } from '../../shared/domain/plan.ts'
import type { ReportRun } from '../../shared/domain/report.ts'
import { conditionOf, type RunCondition } from '../../shared/domain/run-condition.ts'
import { endState } from '../../shared/domain/run-ending.ts'
import { conditionSentence, conditionWord } from '../../shared/words/conditions.ts'
import type { Material, ReportedRun } from './material.ts'

/** Every run with who drove it and how it ended; of one that is not over what it is, as every face says it. */
export function buildRuns({ runs }: Pick<Material, 'runs'>): readonly ReportRun[] {
  return runs.map(run => {
    const { view } = run
    const { plan, state, driver } = view
    const finished = state.kind === 'finished' ? state : null
    const condition = conditionOf(view, run.interrupted)
    return {
      id: view.id,
      kind: plan.kind,
      node: nodeOfPlan(plan) ?? '',
      outcome: finished?.outcome ?? null,
      state: stateName(run, condition),
      stands: conditionWord(condition),
      ...(condition.kind === 'over' ? { ending: condition.ending } : {}),
      operator: driver.operator,
      machine: driver.machine,
      version: driver.version,
      fromAt: view.createdAt,
      toAt: view.endedAt,
      summary: conditionSentence(condition),
      leftBehind: [...(finished?.leftBehind ?? [])],
      reason: isNodePlan(plan) ? plan.options.reason : plan.update.reason,
      outsideWindow: plan.window?.kind === 'outside' ? plan.window.reason : null,
    }
  })
}

/**
 * A run's state for programs, the same as the list of runs has. A report that is made again to verify it learns from `interrupted` that nobody
 * drove the run (verify-report.ts).
 */
function stateName({ view: { state }, interrupted }: ReportedRun, condition: RunCondition): string {
  if (condition.kind === 'over') return endState(condition.outcome, condition.ending)
  return interrupted || state.kind === 'left' ? 'interrupted' : state.kind
}
