import type { PlanChoices, RunSummary } from '../../shared/contract/index.ts'
import { type Failure, failure } from '../../shared/domain/failure.ts'
import { isNodePlan, type Plan } from '../../shared/domain/plan.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import type { RunEventBody, RunView } from '../../shared/domain/run.ts'
import { deedsOf } from '../../shared/domain/run-deeds.ts'
import { runsAfter, undoableNodes, type WhyNotUndone, whyNotUndone } from '../../shared/domain/undoable.ts'
import { nodesOfPlan } from '../../shared/domain/update-nodes.ts'
import { shellWord } from '../../shared/grammar/shell-word.ts'
import { whereDriven } from '../../shared/words/runners.ts'
import { isoNow } from '../clock/clock.ts'
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
    : failed(conflict(view.id, whyNotUndoneWords(why, view, meant.value, found.value.summary.runner)))
}

function whyNotUndoneWords(
  why: WhyNotUndone<RunSummary>,
  { id, plan, driver, handedTo }: RunView,
  node: string,
  runner: RunSummary['runner'],
): string {
  const where = isNodePlan(plan) ? '' : ` on ${node}`
  const place = `${shellWord(plan.cluster)} ${shellWord(node)}`
  switch (why.kind) {
    case 'brings-back':
      return `Run ${id} brings back, and is not undone. \`lockkeeper enter ${place}\` takes it out of service again.`
    case 'rescue':
      return `Run ${id} rescued the instances of a machine that was off. Once it runs again, \`lockkeeper leave ${place}\` takes back the force-down and the taint.`
    case 'driven':
      return runner === undefined
        ? `Run ${id} is driven by ${driver.operator} on ${driver.machine}. Abort it or detach from it first.`
        : `Run ${id} is driven ${whereDriven(runner)}. Abort it first: \`lockkeeper run abort ${shellWord(id)}\`.`
    case 'handed-over':
      return `Run ${id} was handed over${handedTo === null ? '' : ` as MaintenanceRun ${handedTo.object} of ${handedTo.by}`}, and a runner may go on with it. It is undone once that runner tells how it ended, or it is taken back (\`lockkeeper run resume ${shellWord(id)}\`).`
    case 'done':
      return plan.kind === 'maintain'
        ? `Run ${id} is done, and ${node} is back. \`lockkeeper home ${place}\` brings its instances back.`
        : `Run ${id} is done. \`lockkeeper leave ${place} --home\` brings ${node} and its instances back.`
    case 'nothing-left':
      return `Run ${id} changed nothing${where} that is still to be undone.`
    case 'later-unknown':
      return notListed(id)
    case 'undone':
      return `Run ${id} was undone already${where}, by run ${why.by.id}.`
    case 'being-undone':
      return `Run ${why.by.id} undoes it and is not over. ${whoGoesOn(why.by)}`
    case 'worked-since':
      return `Run ${why.by.id} worked on ${node} since: what is there now is not this run's alone to take back. \`lockkeeper leave ${place} --home\` brings it and its instances back, if it is still out of service.`
    case 'unread-since':
      return `Run ${why.by.id} may have worked on ${node} since: its history cannot be read.`
  }
}

function notListed(runId: string): string {
  return `Run ${runId} is not in the list of runs, so what came after it is not known.`
}

/** Who goes on with an undo that is not over: whoever drives it, or whoever takes it up. */
function whoGoesOn({ id, state, operator, machine }: RunSummary): string {
  return state === 'interrupted'
    ? `Nobody drives it: \`lockkeeper run resume ${id}\` goes on.`
    : `${operator} drives it on ${machine}.`
}

/** The node whose way back is planned. Of a run over many it has to be named, and `undoable` says which there are. */
function nodeMeant(view: RunView, node: string | null, undoable: () => readonly string[]): Result<string> {
  const { plan } = view
  if (isNodePlan(plan)) {
    return node === null || node === plan.node
      ? ok(plan.node)
      : failed(conflict(view.id, `Run ${view.id} worked on ${plan.node}, not on ${node}.`))
  }
  if (node !== null && nodesOfPlan(plan).some(each => each.node === node)) return ok(node)
  const left = undoable()
  const why =
    node === null
      ? `Run ${view.id} works on many nodes, and is undone node by node (\`lockkeeper undo ${view.id} NODE\`).`
      : `Run ${view.id} does not work on ${node}.`
  // With nothing to choose from, it is not for want of a name.
  return failed(
    left.length === 0
      ? conflict(
          view.id,
          `${why} Nothing of it is left to undo node by node: it changed nothing that stays, or a later run worked on what it changed. \`lockkeeper leave\` with \`--home\` brings a node back that is still out of service.`,
        )
      : failure('bad-input', `${why} NODE is one of ${left.join(', ')}.`, { target: `run/${view.id}` }),
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
  return makeUndoPlan(wish, { id: view.id, isOfMany: !isNodePlan(view.plan), deeds: deedsOf(node, view) }, world)
}

/** Before an undo begins: the run is still to be undone, and one that only waits is ended, so that nobody drives it on. */
export function endUndone(plan: Plan, runs: Runs): Result<void> {
  if (plan.kind !== 'undo') return ok(undefined)
  const found = findUndoable(plan.undoes, plan.node, runs)
  if (!found.ok) return found
  const { view } = found.value
  if (Date.parse(view.lastEventAt) > Date.parse(plan.madeAt)) return failed(wentOn(plan.undoes, plan.madeAt, runs))
  if (view.state.kind === 'finished') return ok(undefined)
  const ended = runs.abortUndriven(plan.undoes, TO_BE_UNDONE)
  // Between the look at it and its end another console may have taken it: to undo it, or to drive it on.
  return ended.ok ? ended : failed(takenMeanwhile(plan, ended.failure, runs))
}

const TO_BE_UNDONE = 'to be undone'

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
  if (abort?.kind === 'abort-requested' && abort.reason === TO_BE_UNDONE && since.every(endsIt)) {
    return conflict(
      view.id,
      `Run ${view.id} was ended by ${abort.by} since this plan was made, to be undone: another undo of it begins, or came no further. Look at the runs of its node, then make the plan anew.`,
    )
  }
  return conflict(
    view.id,
    `Run ${view.id} went on since this plan was made, which does not know what it did then. Make the plan anew.`,
  )
}

function endsIt({ kind }: RunEventBody): boolean {
  return kind === 'abort-requested' || kind === 'run-finished'
}

/** Why a run is not gone on with: another one took back what it did, or is about to; null: none does. */
export function whyNotResumed(view: RunView, runs: Pick<RunService, 'list'>): Failure | null {
  const list = runs.list({ cluster: view.plan.cluster })
  if (!list.ok) return list.failure
  const later = runsAfter(view, list.value)
  if (later === null) return conflict(view.id, notListed(view.id))
  const touched = ({ kind, state }: Pick<RunSummary, 'kind' | 'state'>) => kind === 'undo' && state !== 'checks-failed'
  // One that names it is one wherever it is listed: a clock that was set back lists an undo below what it undid.
  const by = list.value.find(run => touched(run) && run.undoes === view.id)
  if (by !== undefined) {
    return conflict(view.id, `Run ${by.id} undoes run ${view.id}, which is not gone on with. Start a new run.`)
  }
  const unread = later.find(run => touched(run) && run.undoes === null)
  return unread === undefined
    ? null
    : conflict(view.id, `Run ${unread.id} may undo run ${view.id}: its history cannot be read. Start a new run.`)
}

function conflict(runId: string, message: string): Failure {
  return failure('conflict', message, { target: `run/${runId}` })
}
