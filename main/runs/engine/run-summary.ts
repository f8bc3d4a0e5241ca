import type { RunSummary } from '../../../shared/contract/index.ts'
import { isNodePlan, nodeOfPlan } from '../../../shared/domain/plan.ts'
import type { RunView } from '../../../shared/domain/run.ts'
import { conditionOf } from '../../../shared/domain/run-condition.ts'
import { listStateOf } from '../../../shared/domain/run-list-state.ts'
import { nodesOfPlan } from '../../../shared/domain/update-nodes.ts'
import { conditionSentence } from '../../../shared/words/conditions.ts'

/** One row of the list of runs. `refused`: why the journal rejected events from this process; null if it did not, or another process drove the run. */
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
    state: listStateOf(view, condition),
    condition,
    operator: view.driver.operator,
    machine: view.driver.machine,
    createdAt: view.createdAt,
    endedAt: view.endedAt,
    summary: conditionSentence(condition),
  }
}
