import { isNodePlan, nodeOfPlan } from '../../shared/domain/plan.ts'
import type { ReportRun } from '../../shared/domain/report.ts'
import { conditionOf } from '../../shared/domain/run-condition.ts'
import { endingOf, type RunEnding } from '../../shared/domain/run-ending.ts'
import { figuresOf } from '../../shared/domain/run-figures.ts'
import { listStateOf } from '../../shared/domain/run-list-state.ts'
import { conditionSentence, conditionWord } from '../../shared/words/conditions.ts'
import { hasBegun, isDone, type Material, type ReportedRun } from './material.ts'

/** Every run: who started it, and how it ended or what it is now. */
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
      state: listStateOf(view, condition),
      stands: conditionWord(condition),
      ...(condition.kind === 'over' ? { ending: condition.ending } : {}),
      operator: driver.operator,
      machine: driver.machine,
      version: driver.version,
      fromAt: view.createdAt,
      toAt: view.endedAt,
      summary: conditionSentence(condition),
      ...(condition.kind === 'over' ? { ending: condition.ending } : {}),
      figures: figuresOf(view, run.events),
      leftBehind: [...(finished?.leftBehind ?? [])],
      reason: isNodePlan(plan) ? plan.options.reason : plan.update.reason,
      outsideWindow: plan.window?.kind === 'outside' ? plan.window.reason : null,
    }
  })
}

/** How the newest run that started work at each node ended. A node is absent while that run has not ended. Runs that bring instances back do not count. */
export function nodeEndings(runs: readonly ReportedRun[]): ReadonlyMap<string, RunEnding> {
  const newest = new Map(
    runs.flatMap(run => {
      const { plan } = run.view
      return isNodePlan(plan) && plan.kind !== 'home' && (hasBegun(run) || isDone(run))
        ? [[plan.node, run.view] as const]
        : []
    }),
  )
  return new Map(
    [...newest].flatMap(([node, view]) =>
      view.state.kind === 'finished' ? [[node, endingOf(view, view.state)] as const] : [],
    ),
  )
}
