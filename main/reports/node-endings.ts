import { isNodePlan } from '../../shared/domain/plan.ts'
import { endingOf, type RunEnding } from '../../shared/domain/run-ending.ts'
import { hasBegun, isDone, type ReportedRun } from './material.ts'

/**
 * How the newest run of each node ended that began anything there; a node is absent while that run is not over. Whether its instances were brought home
 * says nothing of where the node itself is.
 */
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
