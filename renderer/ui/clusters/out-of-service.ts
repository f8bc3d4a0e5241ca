import type { RunSummary } from '../../../shared/contract/index.ts'
import type { NodeView } from '../../../shared/domain/cluster-view.ts'
import { disablerOf, typedReasonIn } from '../../../shared/domain/disabled-reason.ts'
import { staysOut } from '../../../shared/domain/plan.ts'
import { completedAllSteps } from '../../../shared/domain/run-ending.ts'

/** Since when a node is out of service, who took it out and why, as far as the journal and Nova say. */
interface OutBy {
  readonly since: string | null
  readonly by: string | null
  readonly why: string
  readonly runId: string | null
}

/** Whether a node is out of service, and not by chance: no run works on it, and it is not only a moment without an answer. */
export function isOutOfService(cluster: string, node: NodeView, runs: readonly RunSummary[]): boolean {
  if (node.runId !== null || node.heldBy !== null) return false
  switch (node.state) {
    case 'maintenance':
    case 'partial':
      return true
    case 'unknown':
      // The operator who takes a machine out may power it off: its silence is then no news.
      return lastOutOf(cluster, node, runs).runId !== null
    case 'active':
    case 'entering':
    case 'leaving':
    case 'decommissioned':
      return false
  }
}

/** The run that left the node out of service; only its last run counts. */
export function lastOutOf(
  cluster: string,
  { name, computeService }: Pick<NodeView, 'name' | 'computeService'>,
  runs: readonly RunSummary[],
): OutBy {
  const run = runs.find(
    each =>
      each.cluster === cluster && each.state !== 'checks-failed' && (each.node === name || each.nodes?.includes(name)),
  )
  const why = whyIn(computeService?.disabledReason ?? null)
  if (run === undefined || run.endedAt === null || (completedAllSteps(run) && !staysOut(run.kind)))
    return { since: null, by: null, why, runId: null }
  return { since: run.endedAt, by: run.operator, why, runId: run.id }
}

/** What a person typed; what a program writes by default says nothing. */
function whyIn(disabledReason: string | null): string {
  if (disabledReason === null) return ''
  const by = disablerOf(disabledReason)
  const typed = typedReasonIn(disabledReason)
  return by === 'person' || (by === 'lockkeeper' && typed !== disabledReason) ? typed : ''
}
