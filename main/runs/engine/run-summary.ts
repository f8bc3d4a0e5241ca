import type { RunListState, RunSummary } from '../../../shared/contract/index.ts'
import { nodeOfPlan } from '../../../shared/domain/plan.ts'
import type { RunView } from '../../../shared/domain/run.ts'
import { conditionOf, conditionSentence } from '../../../shared/domain/run-condition.ts'

/** One line of the list of runs. `refused`: why the journal took no more of it from this process; null: it did, or another one drove it. */
export function summarizeRun(view: RunView, interrupted: boolean, refused: string | null = null): RunSummary {
  const condition = conditionOf(view, interrupted, refused)
  return {
    id: view.id,
    kind: view.plan.kind,
    cluster: view.plan.cluster,
    node: nodeOfPlan(view.plan),
    state: listState(view, interrupted),
    condition,
    operator: view.driver.operator,
    machine: view.driver.machine,
    createdAt: view.createdAt,
    endedAt: view.endedAt,
    summary: conditionSentence(condition),
  }
}

function listState({ state }: RunView, interrupted: boolean): RunListState {
  if (interrupted) return 'interrupted'
  switch (state.kind) {
    case 'finished':
      return state.outcome
    case 'left':
      return 'interrupted'
    default:
      return state.kind
  }
}
