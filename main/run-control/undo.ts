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
import type { ControlServices } from './control-services.ts'

type Runs = Pick<RunService, 'list' | 'view' | 'abortUndriven'>

interface Undoable {
  readonly view: RunView
  readonly node: string
}

/** The run to undo, on its node or a named one of many; screen and terminal use the same rule ({@link whyNotUndone}). */
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

function driverOf({ state, operator, machine }: RunSummary) {
  return state === 'interrupted' ? null : { operator, machine }
}

/** The node to undo. A run over many nodes needs a name; `undoable` lists the choices. */
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
  // No node can be undone, so a name would not help.
  return failed(
    left.length === 0
      ? conflict(view.id, because('NoNodeToUndo', which))
      : refusal('bad-input', because('NameNodeToUndo', { ...which, nodes: namesOf(left) }), {
          target: `run/${view.id}`,
        }),
  )
}

/** Plans the undo of a run by the operator's choices. Changes nothing. */
export async function planUndo(
  { view, node }: Undoable,
  choices: PlanChoices,
  world: MaintenanceWorld,
  { clock, newId }: Pick<ControlServices, 'clock' | 'newId'>,
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

/** Before an undo starts: checks that the run can still be undone, and ends a waiting run, so that nobody continues it. */
export function endUndone(plan: Plan, runs: Runs): Result<void> {
  if (plan.kind !== 'undo') return ok(undefined)
  const found = findUndoable(plan.undoes, plan.node, runs)
  if (!found.ok) return found
  const { view } = found.value
  if (Date.parse(view.lastEventAt) > Date.parse(plan.madeAt))
    return failed(whatHappenedSince(plan.undoes, plan.madeAt, runs))
  if (view.state.kind === 'finished') return ok(undefined)
  const ended = runs.abortUndriven(plan.undoes, because('ToBeUndone').message, { forUndo: true })
  // Another console may have taken the run since, to undo or continue it.
  return ended.ok ? ended : failed(takenMeanwhile(plan, ended.failure, runs))
}

function takenMeanwhile({ undoes, madeAt }: Extract<Plan, { kind: 'undo' }>, why: Failure, runs: Runs): Failure {
  const found = runs.view(undoes)
  if (!found.ok) return found.failure
  return Date.parse(found.value.view.lastEventAt) > Date.parse(madeAt) ? whatHappenedSince(undoes, madeAt, runs) : why
}

/** What happened to a run after its undo was planned: another console ended it, or it did more than the plan covers. */
function whatHappenedSince(runId: string, madeAt: string, runs: Runs): Failure {
  const found = runs.view(runId)
  if (!found.ok) return found.failure
  const { view, events } = found.value
  const since = events.filter(({ at }) => Date.parse(at) > Date.parse(madeAt)).map(({ body }) => body)
  const abort = since.find(body => body.kind === 'abort-requested')
  if (abort?.kind === 'abort-requested' && abort.forUndo === true && since.every(isEnding)) {
    return conflict(view.id, because('RunEndedForUndo', { run: view.id, by: abort.by }))
  }
  return conflict(view.id, because('RunWentOnSincePlan', { run: view.id }))
}

function isEnding({ kind }: RunEventBody): boolean {
  return kind === 'abort-requested' || kind === 'run-finished'
}

/** Why a run may not resume: another one has undone it or is about to; null if it may. */
export function whyNotResumed(view: RunView, runs: Pick<RunService, 'list'>): Failure | null {
  const list = runs.list({ cluster: view.plan.cluster })
  if (!list.ok) return list.failure
  const later = runsAfter(view, list.value)
  if (later === null) return conflict(view.id, because('RunNotListed', { run: view.id }))
  const touched = ({ kind, state }: Pick<RunSummary, 'kind' | 'state'>) => kind === 'undo' && state !== 'checks-failed'
  // A run that names it counts wherever it is listed: after a clock change an undo may be listed below its run.
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
