import type { ActiveNodeRun } from '../view/node-summaries.ts'
import type { RunService } from './services.ts'

/** The runs of a cluster that are not over, in the order they were made: the newest of a node says where it is going. */
export function activeNodeRuns(runs: Pick<RunService, 'unfinished'>, cluster: string): readonly ActiveNodeRun[] {
  const unfinished = runs.unfinished(cluster)
  return (unfinished.ok ? unfinished.value : [])
    .map(({ view }) => ({ runId: view.id, node: view.plan.node, kind: view.plan.kind }))
    .reverse()
}
