import type { PlanChoices, RunSummary } from '../../shared/contract/index.ts'
import { type Failure, failure } from '../../shared/domain/failure.ts'
import { isNodePlan, isNodeRun, type Plan } from '../../shared/domain/plan.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import type { RunView } from '../../shared/domain/run.ts'
import { deedsOf, isLeftChanged } from '../../shared/domain/run-deeds.ts'
import { nodesOfPlan } from '../../shared/domain/update-nodes.ts'
import { listed } from '../../shared/grammar/counts.ts'
import { isoNow } from '../clock/clock.ts'
import type { MaintenanceWorld } from '../ports/world.ts'
import { completeOptions, makeUndoPlan } from '../procedures/plans/node/make-plan.ts'
import type { RunService } from '../runs/run-service.ts'
import type { ApiServices } from './services.ts'

type Runs = Pick<RunService, 'list' | 'view' | 'abortUndriven'>

/** What a run did to one node, where that may be undone. */
interface Undoable {
  readonly view: RunView
  readonly node: string
}

/**
 * The run to undo, where it can be undone: over before its end or driven by nobody, and the last that worked on the node. A run over many nodes is undone node
 * by node: `node` names the one.
 */
export function findUndoable(runId: string, node: string | null, runs: Runs): Result<Undoable> {
  const found = runs.view(runId)
  if (!found.ok) return found
  const { view, summary, interrupted } = found.value
  const { plan } = view
  const refuse = (message: string): Result<never> => failed(conflict(view.id, message))
  const laterOn = laterRuns(view, runs)
  const meant = nodeMeant(view, node, laterOn)
  if (!meant.ok) return meant
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
    return refuse(`Run ${view.id} is done. \`lockkeeper leave --home\` brings ${meant.value} and its instances back.`)
  }
  if (!isLeftChanged(meant.value, view)) {
    const where = isNodePlan(plan) ? '' : ` on ${meant.value}`
    return refuse(`Run ${view.id} changed nothing${where} that is still to be undone.`)
  }
  const later = laterOn(meant.value)
  if (!later.ok) return later
  if (later.value === null) return ok({ view, node: meant.value })
  const { id, kind, state } = later.value
  return kind === 'undo'
    ? refuse(
        state === 'done'
          ? `Run ${view.id} was undone already${isNodePlan(plan) ? '' : ` on ${meant.value}`}, by run ${id}.`
          : `Run ${id} undoes it and is not over. \`lockkeeper run resume ${id}\` goes on.`,
      )
    : refuse(`Run ${id} worked on ${meant.value} since: what is there now is not this run's alone to take back.`)
}

/** The node whose way back is planned. */
function nodeMeant(view: RunView, node: string | null, laterOn: ReturnType<typeof laterRuns>): Result<string> {
  const { plan } = view
  if (isNodePlan(plan)) {
    return node === null || node === plan.node
      ? ok(plan.node)
      : failed(conflict(view.id, `Run ${view.id} worked on ${plan.node}, not on ${node}.`))
  }
  const names = nodesOfPlan(plan).map(each => each.node)
  if (node !== null && names.includes(node)) return ok(node)
  const isFree = (name: string) => {
    const later = laterOn(name)
    return !later.ok || later.value === null
  }
  const touched = names.filter(name => isLeftChanged(name, view) && isFree(name))
  const told =
    touched.length === 0
      ? 'It changed nothing that is still to be undone.'
      : `Something of it is still to be undone on ${listed(touched)}.`
  return failed(
    conflict(
      view.id,
      node === null
        ? `Run ${view.id} works on many nodes, and is undone node by node (\`lockkeeper undo ${view.id} NODE\`). ${told}`
        : `Run ${view.id} does not work on ${node}. ${told}`,
    ),
  )
}

/**
 * Asks for the newest run that worked on a node after this one; null: none did. An undo of this run that came to an end short of it may be tried again. The list
 * and each run are read once, however many nodes are asked about.
 */
function laterRuns(view: RunView, runs: Runs): (node: string) => Result<RunSummary | null> {
  let since: Result<readonly RunSummary[]> | null = null
  const plans = new Map<string, Result<Plan>>()
  const planOf = (id: string): Result<Plan> => {
    const known = plans.get(id)
    if (known !== undefined) return known
    const found = runs.view(id)
    const plan = found.ok ? ok(found.value.view.plan) : found
    plans.set(id, plan)
    return plan
  }
  return node => {
    since ??= runsAfter(view.id, view.plan.cluster, runs)
    if (!since.ok) return since
    for (const summary of since.value) {
      if (summary.state === 'checks-failed' || (isNodeRun(summary.kind) && summary.node !== node)) continue
      const plan = planOf(summary.id)
      if (!plan.ok) return plan
      const other = plan.value
      const isRetry =
        other.kind === 'undo' && other.undoes === view.id && (summary.state === 'failed' || summary.state === 'aborted')
      if (!isRetry && worksOn(node, other)) return ok(summary)
    }
    return ok(null)
  }
}

function worksOn(node: string, plan: Plan): boolean {
  return isNodePlan(plan) ? plan.node === node : nodesOfPlan(plan).some(each => each.node === node)
}

/** Makes the plan of the way back of a run, by the operator's choices. Touches nothing. */
export async function planUndo(
  { view, node }: Undoable,
  choices: PlanChoices,
  world: MaintenanceWorld,
  { clock, newId }: Pick<ApiServices, 'clock' | 'newId'>,
): Promise<Result<Plan>> {
  const options = completeOptions(choices, world.cluster)
  const wish = { id: newId(), node, madeAt: isoNow(clock), options }
  return makeUndoPlan(wish, { id: view.id, isOfMany: !isNodePlan(view.plan), deeds: deedsOf(node, view) }, world)
}

/** Before an undo begins: the run is still to be undone, and one that only waits is ended, so that nobody drives it on. */
export function endUndone(plan: Plan, runs: Runs): Result<void> {
  if (plan.kind !== 'undo') return ok(undefined)
  const found = findUndoable(plan.undoes, plan.node, runs)
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
  const all = runs.list({ cluster })
  if (!all.ok) return all
  const at = all.value.findIndex(({ id }) => id === runId)
  return at < 0
    ? failed(conflict(runId, `Run ${runId} is not in the list of runs, so what came after it is not known.`))
    : ok(all.value.slice(0, at))
}

function conflict(runId: string, message: string): Failure {
  return failure('conflict', message, { target: `run/${runId}` })
}
