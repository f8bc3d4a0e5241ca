import type { RunListState, RunSummary } from '../../../shared/contract/index.ts'
import { isNodePlan, nodeOfPlan } from '../../../shared/domain/plan.ts'
import type { RunView } from '../../../shared/domain/run.ts'
import { conditionOf, type RunCondition } from '../../../shared/domain/run-condition.ts'
import { endState } from '../../../shared/domain/run-ending.ts'
import { nodesOfPlan } from '../../../shared/domain/update-nodes.ts'
import { conditionSentence } from '../../../shared/words/conditions.ts'

/** One line of the list of runs. `refused`: why the journal took no more of it from this process; null: it did, or another one drove it. */
export function summarizeRun(view: RunView, interrupted: boolean, refused: string | null = null): RunSummary {
  const { plan } = view
  const condition = conditionOf(view, interrupted, refused)
  return {
    id: view.id,
    kind: plan.kind,
    cluster: plan.cluster,
    node: nodeOfPlan(plan),
    nodes: isNodePlan(plan) ? [plan.node] : nodesOfPlan(plan).map(({ node }) => node),
    undoes: plan.kind === 'undo' ? plan.undoes : null,
    state: listState(view, condition, interrupted),
    condition,
    operator: view.driver.operator,
    machine: view.driver.machine,
    createdAt: view.createdAt,
    endedAt: view.endedAt,
    summary: conditionSentence(condition),
  }
}

function listState({ state }: RunView, condition: RunCondition, interrupted: boolean): RunListState {
  if (interrupted) return 'interrupted'
  switch (state.kind) {
    case 'finished':
      return condition.kind === 'over' ? endState(state.outcome, condition.ending) : state.outcome
    case 'left':
      return 'interrupted'
    default:
      return state.kind
  }
}
