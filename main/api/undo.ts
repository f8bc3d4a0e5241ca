import type { PlanChoices, RunSummary } from '../../shared/contract/index.ts'
import { type Failure, failure } from '../../shared/domain/failure.ts'
import { isNodePlan, isNodeRun, type NodePlan, type Plan } from '../../shared/domain/plan.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import type { RunView } from '../../shared/domain/run.ts'
import { deedsOf, didNothing } from '../../shared/domain/run-deeds.ts'
import { nodesOfPlan } from '../../shared/domain/update-nodes.ts'
import { isoNow } from '../clock/clock.ts'
import type { MaintenanceWorld } from '../ports/world.ts'
import { completeOptions, makeUndoPlan } from '../procedures/plans/node/make-plan.ts'
import type { RunService } from '../runs/run-service.ts'
import type { ApiServices } from './services.ts'

type Runs = Pick<RunService, 'list' | 'view' | 'abortUndriven'>

/** A run that may be undone, and the plan that it ran. */
interface Undoable {
  readonly view: RunView
  readonly plan: NodePlan
}

/** The run to undo, where it can be undone: over before its end or driven by nobody, and the last that worked on its node. */
export function findUndoable(runId: string, runs: Runs): Result<Undoable> {
  const found = runs.view(runId)
  if (!found.ok) return found
  const { view, summary, interrupted } = found.value
  const { plan } = view
  const refuse = (message: string): Result<never> => failed(conflict(view.id, message))
  if (!isNodePlan(plan)) {
    return refuse(`Run ${view.id} works on many nodes. Bring each that is out back with \`lockkeeper leave --home\`.`)
  }
  if (plan.kind === 'leave' || plan.kind === 'home' || plan.kind === 'undo') {
    return refuse(
      `Run ${view.id} brings back, and is not undone. \`lockkeeper enter\` takes ${plan.node} out of service again.`,
    )
  }
  if (plan.kind === 'rescue') {
    return refuse(
      `Run ${view.id} rescued the instances of a machine that was off. Once it runs again, \`lockkeeper leave\` takes back the force-down and the taint.`,
    )
  }
  if (view.state.kind !== 'finished' && !interrupted) {
    return refuse(
      `Run ${view.id} is driven by ${view.driver.operator} on ${view.driver.machine}. Abort it or detach from it first.`,
    )
  }
  if (summary.state === 'done') {
    return refuse(`Run ${view.id} is done. \`lockkeeper leave --home\` brings ${plan.node} and its instances back.`)
  }
  if (didNothing(deedsOf(plan.node, view))) return refuse(`Run ${view.id} changed nothing that is still to be undone.`)
  const later = laterRun(view, plan, runs)
  if (!later.ok) return later
  if (later.value === null) return ok({ view, plan })
  const { id, kind, state } = later.value
  return kind === 'undo'
    ? refuse(
        state === 'done'
          ? `Run ${view.id} was undone already, by run ${id}.`
          : `Run ${id} undoes it and is not over. \`lockkeeper run resume ${id}\` goes on.`,
      )
    : refuse(`Run ${id} worked on ${plan.node} since: what is there now is not this run's alone to take back.`)
}

/** The newest run that worked on the node after this one; null: none did. An undo of this run that came to an end short of it may be tried again. */
function laterRun(view: RunView, plan: NodePlan, runs: Runs): Result<RunSummary | null> {
  const listed = runsAfter(view.id, plan.cluster, runs)
  if (!listed.ok) return listed
  for (const summary of listed.value) {
    if (summary.state === 'checks-failed' || (isNodeRun(summary.kind) && summary.node !== plan.node)) continue
    const found = runs.view(summary.id)
    if (!found.ok) return found
    const { plan: other } = found.value.view
    const isRetry =
      other.kind === 'undo' && other.undoes === view.id && (summary.state === 'failed' || summary.state === 'aborted')
    if (!isRetry && worksOn(plan.node, other)) return ok(summary)
  }
  return ok(null)
}

function worksOn(node: string, plan: Plan): boolean {
  return isNodePlan(plan) ? plan.node === node : nodesOfPlan(plan).some(each => each.node === node)
}

/** Makes the plan of the way back of a run, by the operator's choices. Touches nothing. */
export async function planUndo(
  { view, plan }: Undoable,
  choices: PlanChoices,
  world: MaintenanceWorld,
  { clock, newId }: Pick<ApiServices, 'clock' | 'newId'>,
): Promise<Result<Plan>> {
  const options = completeOptions(choices, world.cluster)
  const wish = { id: newId(), node: plan.node, madeAt: isoNow(clock), options }
  return makeUndoPlan(wish, { id: view.id, deeds: deedsOf(plan.node, view) }, world)
}

/** Before an undo begins: the run is still to be undone, and one that only waits is ended, so that nobody drives it on. */
export function endUndone(plan: Plan, runs: Runs): Result<void> {
  if (plan.kind !== 'undo') return ok(undefined)
  const found = findUndoable(plan.undoes, runs)
  if (!found.ok) return found
  const { view } = found.value
  if (Date.parse(view.lastEventAt) > Date.parse(plan.madeAt)) {
    return failed(
      conflict(
        view.id,
        `Run ${view.id} went on since this plan was made, which does not know what it did then. Make the plan anew.`,
      ),
    )
  }
  if (view.state.kind === 'finished') return ok(undefined)
  return runs.abortUndriven(plan.undoes, 'to be undone')
}

/** Why a run is not gone on with: another one took back what it did, or is about to; null: none does. */
export function whyNotResumed(runId: string, cluster: string, runs: Pick<RunService, 'list' | 'view'>): Failure | null {
  const later = runsAfter(runId, cluster, runs)
  if (!later.ok) return later.failure
  for (const { id, kind, state } of later.value) {
    if (kind !== 'undo' || state === 'checks-failed') continue
    const found = runs.view(id)
    if (!found.ok) return found.failure
    const { plan } = found.value.view
    if (plan.kind === 'undo' && plan.undoes === runId) {
      return conflict(runId, `Run ${id} undoes run ${runId}, which is not gone on with. Start a new run.`)
    }
  }
  return null
}

/** The runs of a cluster that were made after this one, newest first. One that is not in the list says nothing of them. */
function runsAfter(runId: string, cluster: string, runs: Pick<RunService, 'list'>): Result<readonly RunSummary[]> {
  const listed = runs.list({ cluster })
  if (!listed.ok) return listed
  const at = listed.value.findIndex(({ id }) => id === runId)
  return at < 0
    ? failed(conflict(runId, `Run ${runId} is not in the list of runs, so what came after it is not known.`))
    : ok(listed.value.slice(0, at))
}

function conflict(runId: string, message: string): Failure {
  return failure('conflict', message, { target: `run/${runId}` })
}
