import type { PlanChoices, RunSummary } from '../../shared/contract/index.ts'
import { appliedChangesOf } from '../../shared/domain/applied-changes.ts'
import type { Failure } from '../../shared/domain/failure.ts'
import { isNodePlan, type Plan } from '../../shared/domain/plan.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import type { RunEventBody, RunView } from '../../shared/domain/run.ts'
import { runsAfter, undoableNodes, type WhyNotUndone, whyNotUndone } from '../../shared/domain/undoable.ts'
import { nodesOfPlan } from '../../shared/domain/update-nodes.ts'
import { because } from '../../shared/words/reasons.ts'
import { refusal } from '../../shared/words/refusal.ts'
import { type Finding, namesOf } from '../../shared/words/steps/coded.ts'
import { isoNow } from '../platform/clock/clock.ts'
import type { MaintenanceWorld } from '../ports/world.ts'
import { completeOptions, makeUndoPlan, whyNoCommandHere } from '../procedures/plans/node/make-plan.ts'
import type { RunService } from '../runs/run-service.ts'
import type { ApiServices } from './services.ts'

type Runs = Pick<RunService, 'list' | 'view' | 'abortUndriven'>

/** What a run did to one node, where that may be undone. */
interface Undoable {
  readonly view: RunView
  readonly node: string
}

/** The run to undo on its node, or on the one that is named of many: by the rule that screen and terminal show it by ({@link whyNotUndone}). */
export function findUndoable(runId: string, node: string | null, runs: Runs): Result<Undoable> {
  const found = runs.view(runId)
  if (!found.ok) return found
  const { view, interrupted } = found.value
  const list = runs.list({ cluster: view.plan.cluster })
  if (!list.ok) return list
  const undoing = {
    view,
    isDriven: view.state.kind !== 'finished' && !interrupted,
    later: runsAfter(view, list.value),
  }
  const meant = nodeMeant(view, node, () => undoableNodes(undoing))
  if (!meant.ok) return meant
  const why = whyNotUndone(undoing, meant.value)
  return why === null
    ? ok({ view, node: meant.value })
    : failed(conflict(view.id, reasonOf(why, view, meant.value, found.value.summary.runner)))
}

function reasonOf(
  why: WhyNotUndone<RunSummary>,
  { id: run, plan, driver, handedTo }: RunView,
  node: string,
  runner: RunSummary['runner'],
): Finding {
  const { cluster } = plan
  const part = isNodePlan(plan) ? null : node
  switch (why.kind) {
    case 'brings-back':
      return because('RunBringsBack', { run, cluster, node })
    case 'rescue':
      return because('RunRescued', { run, cluster, node })
    case 'driven':
      return runner === undefined
        ? because('RunDrivenByConsole', { run, operator: driver.operator, machine: driver.machine })
        : because('RunDrivenByRunner', { run, runner: runner.name })
    case 'handed-over':
      return because('RunWithRunner', {
        run,
        to: handedTo === null ? null : { object: handedTo.object, by: handedTo.by },
      })
    case 'done':
      return because(plan.kind === 'maintain' ? 'RunMaintained' : 'RunTookOut', { run, cluster, node })
    case 'nothing-left':
      return because('RunLeftNothing', { run, node: part })
    case 'later-unknown':
      return because('RunNotListed', { run })
    case 'undone':
      return because('RunUndone', { run, by: why.by.id, node: part })
    case 'being-undone':
      return because('RunBeingUndone', { run, by: why.by.id, driver: driverOf(why.by) })
    case 'worked-since':
      return because('NodeWorkedOnSince', { run, by: why.by.id, cluster, node })
    case 'unread-since':
      return because('NodeMayBeWorkedOnSince', { run, by: why.by.id, node })
  }
}

/** Who drives an undo that is not over; null: nobody does. */
function driverOf({ state, operator, machine }: RunSummary) {
  return state === 'interrupted' ? null : { operator, machine }
}

/** The node whose way back is planned. Of a run over many it has to be named, and `undoable` says which there are. */
function nodeMeant(view: RunView, node: string | null, undoable: () => readonly string[]): Result<string> {
  const { plan } = view
  if (isNodePlan(plan)) {
    return node === null || node === plan.node
      ? ok(plan.node)
      : failed(conflict(view.id, because('RunOfOtherNode', { run: view.id, node: plan.node, asked: node })))
  }
  if (node !== null && nodesOfPlan(plan).some(each => each.node === node)) return ok(node)
  const left = undoable()
  const which = { run: view.id, node }
  // With nothing to choose from, it is not for want of a name.
  return failed(
    left.length === 0
      ? conflict(view.id, because('NoNodeToUndo', which))
      : refusal('bad-input', because('NameNodeToUndo', { ...which, nodes: namesOf(left) }), {
          target: `run/${view.id}`,
        }),
  )
}

/** Makes the plan of the way back of a run, by the operator's choices. Touches nothing. */
export async function planUndo(
  { view, node }: Undoable,
  choices: PlanChoices,
  world: MaintenanceWorld,
  { clock, newId }: Pick<ApiServices, 'clock' | 'newId'>,
): Promise<Result<Plan>> {
  const command = whyNoCommandHere(choices)
  if (command !== null) return failed(command)
  const options = completeOptions(choices, world.cluster)
  const wish = { id: newId(), node, madeAt: isoNow(clock), options }
  return makeUndoPlan(
    wish,
    { id: view.id, isOfMany: !isNodePlan(view.plan), effects: appliedChangesOf(node, view) },
    world,
  )
}

/** Before an undo begins: the run is still to be undone, and one that only waits is ended, so that nobody drives it on. */
export function endUndone(plan: Plan, runs: Runs): Result<void> {
  if (plan.kind !== 'undo') return ok(undefined)
  const found = findUndoable(plan.undoes, plan.node, runs)
  if (!found.ok) return found
  const { view } = found.value
  if (Date.parse(view.lastEventAt) > Date.parse(plan.madeAt)) return failed(wentOn(plan.undoes, plan.madeAt, runs))
  if (view.state.kind === 'finished') return ok(undefined)
  const ended = runs.abortUndriven(plan.undoes, because('ToBeUndone').message, { forUndo: true })
  // Between the look at it and its end another console may have taken it: to undo it, or to drive it on.
  return ended.ok ? ended : failed(takenMeanwhile(plan, ended.failure, runs))
}

function takenMeanwhile({ undoes, madeAt }: Extract<Plan, { kind: 'undo' }>, why: Failure, runs: Runs): Failure {
  const found = runs.view(undoes)
  if (!found.ok) return found.failure
  return Date.parse(found.value.view.lastEventAt) > Date.parse(madeAt) ? wentOn(undoes, madeAt, runs) : why
}

/** What became of a run since the plan of its undo was made: another console ended it to undo it, or it did more than the plan knows. */
function wentOn(runId: string, madeAt: string, runs: Runs): Failure {
  const found = runs.view(runId)
  if (!found.ok) return found.failure
  const { view, events } = found.value
  const since = events.filter(({ at }) => Date.parse(at) > Date.parse(madeAt)).map(({ body }) => body)
  const abort = since.find(body => body.kind === 'abort-requested')
  if (abort?.kind === 'abort-requested' && abort.forUndo === true && since.every(endsIt)) {
    return conflict(view.id, because('RunEndedForUndo', { run: view.id, by: abort.by }))
  }
  return conflict(view.id, because('RunWentOnSincePlan', { run: view.id }))
}

function endsIt({ kind }: RunEventBody): boolean {
  return kind === 'abort-requested' || kind === 'run-finished'
}

/** Why a run is not gone on with: another one took back what it did, or is about to; null: none does. */
export function whyNotResumed(view: RunView, runs: Pick<RunService, 'list'>): Failure | null {
  const list = runs.list({ cluster: view.plan.cluster })
  if (!list.ok) return list.failure
  const later = runsAfter(view, list.value)
  if (later === null) return conflict(view.id, because('RunNotListed', { run: view.id }))
  const touched = ({ kind, state }: Pick<RunSummary, 'kind' | 'state'>) => kind === 'undo' && state !== 'checks-failed'
  // One that names it is one wherever it is listed: a clock that was set back lists an undo below what it undid.
  const by = list.value.find(run => touched(run) && run.undoes === view.id)
  if (by !== undefined) return conflict(view.id, because('UndoneNotResumed', { run: view.id, by: by.id }))
  const unread = later.find(run => touched(run) && run.undoes === null)
  return unread === undefined
    ? null
    : conflict(view.id, because('MayBeUndoneNotResumed', { run: view.id, by: unread.id }))
}

function conflict(runId: string, why: Finding): Failure {
  return refusal('conflict', why, { target: `run/${runId}` })
}
