import { type AwayInstance, awayFrom, notedHost, type ReportedByRun } from '../../shared/domain/home.ts'
import { endsInService, isNodeRun, isWayBack } from '../../shared/domain/plan.ts'
import { ranBefore } from '../../shared/domain/ran-before.ts'
import { ok, type Result } from '../../shared/domain/result.ts'
import type { RunView } from '../../shared/domain/run.ts'
import { completedAllSteps } from '../../shared/domain/run-ending.ts'
import { factsInOrder, type NamedInstance } from '../../shared/domain/run-history.ts'
import { updateNodeOf } from '../../shared/domain/update-nodes.ts'
import { uncordonNode } from '../procedures/steps/general/uncordon-node.ts'
import type { RunService } from '../runs/run-service.ts'

/** How many runs of a cluster are searched for the one that took a node out of service. */
const RUNS_LOOKED_AT = 200

/** The instances on a node when its run began; null if the run is unknown, or the node has come back. */
export function ranWhenEntered(
  node: string,
  cluster: string,
  runs: Pick<RunService, 'list' | 'view'>,
): readonly NamedInstance[] | null {
  const listed = runs.list({ cluster, limit: RUNS_LOOKED_AT })
  if (!listed.ok) return null
  for (const { id, kind, node: of, state } of listed.value) {
    if (isNodeRun(kind) && of !== node) continue
    if (endsInService(kind) && completedAllSteps({ state })) return null
    const found = runs.view(id)
    if (found.ok && isBackAfter(node, found.value.view)) return null
    const ran = found.ok ? ranBefore(node, factsInOrder(found.value.view.steps)) : null
    if (ran !== null) return ran
  }
  return null
}

/** The instances that a node's last maintenance moved and nothing brought back. `mayBeBack`: the node may be in service again. */
export function awaySinceEntered(
  node: string,
  cluster: string,
  runs: Pick<RunService, 'list' | 'view'>,
  { mayBeBack }: { readonly mayBeBack: boolean },
): Result<readonly AwayInstance[]> {
  const listed = runs.list({ cluster, limit: RUNS_LOOKED_AT })
  if (!listed.ok) return listed
  const reported: ReportedByRun[] = []
  let hasEmptied = false
  let depth = 0
  for (const { id, kind, node: of, state } of listed.value) {
    const found = runs.view(id)
    if (!found.ok) return found
    const { view } = found.value
    const isBack = isWayBack(kind) && of === node && completedAllSteps({ state })
    if (isBack && (hasEmptied || !mayBeBack)) break
    reported.unshift({ byControllers: view.plan.flavour === 'mosk', facts: factsInOrder(view.steps) })
    if (emptied(node, view)) {
      hasEmptied = true
      depth = reported.length
    }
    // A run over many nodes starts and ends the node's maintenance.
    if (hasEmptied && isBackAfter(node, view)) break
  }
  const since = reported.slice(reported.length - depth)
  return ok(awayFrom(notedHost(node, since) ?? node, since))
}

/** Whether a run recorded the node's instances, which precedes emptying it. */
function emptied(node: string, view: RunView): boolean {
  return notedHost(node, [{ byControllers: false, facts: factsInOrder(view.steps) }]) !== null
}

/** Whether a maintenance run has brought this node back. */
function isBackAfter(node: string, { plan, steps }: RunView): boolean {
  if (plan.kind === 'maintain') {
    const wayBack = steps.filter(({ step }) => step.stage === 'returning')
    return wayBack.length > 0 && wayBack.every(({ state }) => BEHIND.has(state))
  }
  const isBack = ({ step, state }: RunView['steps'][number]) =>
    step.kind === uncordonNode.kind && updateNodeOf(step) === node && state === 'verified'
  return !isNodeRun(plan.kind) && steps.some(isBack)
}

const BEHIND: ReadonlySet<RunView['steps'][number]['state']> = new Set([
  'applied',
  'verified',
  'nothing-to-do',
  'skipped',
])
