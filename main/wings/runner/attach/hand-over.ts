import type { RequestInput } from '../../../../shared/contract/index.ts'
import { seconds } from '../../../../shared/domain/durations.ts'
import type { Failure, FailureCode } from '../../../../shared/domain/failure.ts'
import {
  handOverState,
  type MaintenanceRun,
  type MaintenanceRunSpec,
} from '../../../../shared/domain/maintenance-run.ts'
import type { Plan } from '../../../../shared/domain/plan.ts'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import type { HandOverPlace, RunEvent, RunView } from '../../../../shared/domain/run.ts'
import { because } from '../../../../shared/words/reasons.ts'
import { refusal } from '../../../../shared/words/refusal.ts'
import { leftWords } from '../../../../shared/words/run-left.ts'
import type { Finding } from '../../../../shared/words/steps/coded.ts'
import type { ApiServices } from '../../../api/services.ts'
import { healthGates } from '../../../procedures/steps/general/health-gates.ts'
import { commandOfStep } from '../../../procedures/steps/rolling/commands-of-steps.ts'
import { whyNotTyped } from '../../../run-control/confirm-typed.ts'
import { codedTextOf } from '../../../runs/engine/said.ts'
import { packHistory } from '../../../runs/handed-over-history.ts'
import type { MaintenanceRunsPort } from '../ports/maintenance-runs.ts'
import type { Attached } from './attached.ts'
import { askerOf } from './remote-control.ts'
import { runOfPlan } from './run-of-plan.ts'
import { isSamePlace, type RunnerPod } from './runner-place.ts'

type HandOverServices = Pick<ApiServices, 'clock' | 'clusters' | 'runs'> & {
  readonly attached: Pick<Attached, 'runners' | 'worldOf'>
}

/** A runner that takes plans of a cloud from this operator, and the way to its objects. */
interface Offered {
  readonly pod: RunnerPod
  readonly objects: MaintenanceRunsPort
}

/** A driver leaves a run only when its current work is complete. */
const LEAVES_WITHIN_MS = seconds(30)
const LOOK_EVERY_MS = 200
/** A request with a lost answer may still be carried out within this time, not later. */
const LATE_REQUEST_MS = seconds(60)

/** Answers that prove that the object was not created. */
const REFUSALS: ReadonlySet<FailureCode> = new Set(['bad-input', 'not-found', 'not-permitted', 'unauthenticated'])

type HandOverWish = RequestInput<'runner.hand-over'>

interface HandOver {
  readonly view: RunView
  readonly pod: RunnerPod
  readonly objects: MaintenanceRunsPort
  readonly wish: HandOverWish
  readonly as: string
}

interface WantedObject {
  readonly name: string
  readonly spec: MaintenanceRunSpec
  /** The hash of the history of the run. */
  readonly hash: string
}

type HandedRun = Result<{ readonly place: HandOverPlace; readonly run: MaintenanceRun }>

/** What a failed request left behind. */
type Existing =
  | { readonly kind: 'made'; readonly run: MaintenanceRun }
  | { readonly kind: 'not-made' | 'not-known'; readonly why: Failure }

/**
 * Hands a run of this console's journal over to the runner that manages its cloud, at a quiet point: announces it in the journal, creates a
 * MaintenanceRun with the history of the run, and ends the run here once that object exists. A second call after a lost answer uses the same object.
 */
export async function handOver(
  wish: HandOverWish,
  services: HandOverServices,
  offered: (cluster: string) => Promise<Result<Offered>>,
): Promise<HandedRun> {
  const { runs, clusters } = services
  const found = runs.view(wish.runId)
  if (!found.ok) return found
  const { view, summary, interrupted } = found.value
  if (summary.runner !== undefined)
    return failed(refuseHandOver(view, because('RunnerHasRunAlready', { run: view.id, runner: summary.runner.name })))
  const refused = whyNotHandedOver(view)
  if (refused !== null) return failed(refused)
  if (wish.notAfter !== undefined && Date.parse(wish.notAfter) <= services.clock.now()) {
    return failed(refusal('bad-input', because('NotAfterPast', { notAfter: wish.notAfter })))
  }
  const cluster = clusters.get(view.plan.cluster)
  if (!cluster.ok) return cluster
  const untyped = whyNotTyped(view.plan, cluster.value.production, wish.typedCluster)
  if (untyped !== null) return failed(untyped)
  const where = await offered(view.plan.cluster)
  if (!where.ok) return where
  const { pod, objects } = where.value
  const as = await askerOf({ objects, ownWord: `${runs.driver.operator}@${runs.driver.machine}` })
  if (!as.ok) return as
  const given: HandOver = { view, pod, objects, wish, as: as.value }
  // A run that is too large stays here.
  const fits = objectFor(given, found.value.events)
  if (!fits.ok) return fits
  const moves = whyNotAtRest(view, interrupted)
  if (moves !== null) return failed(moves)
  const left = await leave(view.id, services)
  return left.ok ? announceAndCreate(given, left.value, services) : left
}

function objectFor({ view, as, wish }: HandOver, events: readonly RunEvent[]): Result<WantedObject> {
  const { runId: _runId, typedCluster: _typed, ...asked } = wish
  const history = packHistory(events)
  if (!history.ok) return history
  const run = runOfPlan(view.plan, as, asked, history.value)
  return run.ok ? ok({ ...run.value, hash: history.value.storyHash }) : run
}

/** For a run that has no driver any longer; `events`: all of its events. */
async function announceAndCreate(
  given: HandOver,
  events: readonly RunEvent[],
  { runs }: HandOverServices,
): Promise<HandedRun> {
  const { view, pod, objects } = given
  const { operator } = runs.driver
  const lastSeq = events.at(-1)?.seq ?? 0
  const isAnnounced = view.handedTo !== null
  const wanted = objectFor(given, events)
  if (!wanted.ok) return isAnnounced ? wanted : endHere(view, wanted.failure, lastSeq, runs)
  const { name, spec, hash } = wanted.value
  const place = { by: pod.by, namespace: pod.namespace, object: name }
  const before = view.handedTo
  if (before !== null && (before.object !== place.object || before.by !== place.by)) {
    const why = because('HandedOverElsewhere', { run: view.id, object: before.object, by: before.by })
    return failed(refuseHandOver(view, why))
  }
  const announced = runs.announceHandOver(view.id, { by: operator, to: place, storyHash: hash }, lastSeq)
  if (!announced.ok) return announced
  const made = await objects.createRun({ name, spec })
  const there: Existing = made.ok
    ? { kind: 'made', run: made.value }
    : await findExisting(made.failure, wanted.value, objects)
  if (there.kind !== 'made') {
    // An earlier attempt with a lost answer may have created it: only the object itself shows that.
    return there.kind === 'not-known' || isAnnounced
      ? failed(unknownHandOver(view, place, there.why))
      : endHere(view, there.why, announced.value, runs)
  }
  const handedOver = because('HandedOverBy', { run: view.id, operator, ...place })
  const ended = runs.endHandOver(view.id, { kind: 'handed-over', said: handedOver })
  return ended.ok ? ok({ place, run: there.run }) : (refusedMeanwhile(view, runs) ?? ended)
}

function endHere(view: RunView, why: Failure, lastSeq: number, runs: HandOverServices['runs']): Result<never> {
  const ended = runs.endHandOver(view.id, { kind: 'not-handed-over', said: codedTextOf(why), lastSeq })
  return failed(
    ended.ok ? refusal(why.code, because('RunLeftHere', { run: view.id, cause: why.message }), why) : ended.failure,
  )
}

/** What a failed request left behind: an object of this name with the same history is from an earlier attempt. */
async function findExisting(
  why: Failure,
  { name, hash }: WantedObject,
  objects: MaintenanceRunsPort,
): Promise<Existing> {
  if (why.code !== 'conflict') return { kind: REFUSALS.has(why.code) ? 'not-made' : 'not-known', why }
  const read = await objects.run(name)
  if (!read.ok) return { kind: 'not-known', why: read.failure }
  // The installed definition may not store this: a conflict without an object.
  if (read.value === null) return { kind: 'not-made', why }
  const { spec } = read.value
  if ('unreadable' in spec) return { kind: 'not-known', why }
  return spec.handedOver?.storyHash === hash ? { kind: 'made', run: read.value } : { kind: 'not-made', why }
}

/** The refusal of the runner, if it arrived before the answer of the API server; null if there is no refusal. */
function refusedMeanwhile({ id }: RunView, runs: HandOverServices['runs']): Result<never> | null {
  const now = runs.view(id)
  if (!now.ok || now.value.view.handedTo !== null || now.value.view.state.kind !== 'left') return null
  const cause = leftWords(now.value.view.state.left)
  return failed(refuseHandOver({ id }, because('HandOverRefused', { run: id, cause }), 'checks-failed'))
}

/** Why a run cannot be handed over as it is now; null if it can. */
function whyNotHandedOver(view: RunView): Failure | null {
  const { id: run, plan, state } = view
  if (state.kind === 'finished')
    return refuseHandOver(view, because('NothingToHandOver', { run, outcome: state.outcome }))
  const why = whyNoRunner(plan)
  return why === null ? null : refuseHandOver(view, because(why, { run }))
}

/** Why a run is not at a point where it can be handed over; null if it is. */
function whyNotAtRest(view: RunView, interrupted: boolean): Failure | null {
  const { id, state } = view
  if (state.kind === 'paused' || (interrupted && state.kind === 'left')) return null
  return refuseHandOver(view, because(interrupted ? 'LeftWithLease' : 'NotAtRest', { run: id }), 'held')
}

/** The part of a plan that no runner can do; null if a runner can do all of it. */
function whyNoRunner(plan: Plan) {
  if (plan.kind === 'undo') return 'UndoNotHandedOver'
  if (plan.steps.some(step => commandOfStep(step) !== null)) return 'CommandNotHandedOver'
  if (plan.options.work?.kind === 'job') return 'JobNotHandedOver'
  return plan.steps.some(({ kind }) => kind === healthGates.kind) ? 'HealthGatesNotHandedOver' : null
}

/** Asks the driver of a run to leave it, and waits until it has none; returns the events until then. */
async function leave(runId: string, { runs, clock }: HandOverServices): Promise<Result<readonly RunEvent[]>> {
  const until = clock.monotonicMs() + LEAVES_WITHIN_MS
  let asked = false
  for (;;) {
    const now = runs.view(runId)
    if (!now.ok) return now
    const { view, interrupted } = now.value
    if (interrupted) {
      // Requests that came while it had no driver are handed over too.
      const received = view.handedTo === null ? runs.receiveLate(runId) : ok(undefined)
      if (!received.ok) return received
      const then = runs.view(runId)
      if (!then.ok) return then
      return then.value.view.state.kind === 'finished'
        ? failed(refuseHandOver(view, because('AbortedMeanwhile', { run: runId })))
        : ok(then.value.events)
    }
    if (view.state.kind !== 'paused' && view.state.kind !== 'left')
      return failed(refuseHandOver(view, because('GoesOnAgain', { run: runId })))
    if (clock.monotonicMs() >= until) return failed(refuseHandOver(view, because('NotLeftInTime', { run: runId })))
    if (!asked) {
      const request = runs.request(runId, { kind: 'detach', handsOver: true })
      if (!request.ok) return request
      asked = true
    }
    await clock.sleep(LOOK_EVERY_MS)
  }
}

/**
 * Why this console does not continue a run that was handed over, or may have been; null if no runner has it or ever will, as the API server answers about the
 * object itself.
 */
export async function whyNotTakenBack(
  view: RunView,
  { attached, clock }: Pick<HandOverServices, 'attached' | 'clock'>,
): Promise<Failure | null> {
  const { handedTo } = view
  if (handedTo === null) return null
  const { by, namespace, object, storyHash, announcedAt } = handedTo
  const run = view.id
  const named = { run, object, namespace, by }
  const world = await attached.worldOf({ by, namespace })
  if (!world.ok) return refuseHandOver(view, because('RunnerUnread', { run, cause: world.failure.message }))
  const read = await world.value.maintenanceRuns(namespace).run(object)
  if (!read.ok) return refuseHandOver(view, because('RunnerUnread', { run, cause: read.failure.message }))
  const status = handOverState(read.value, storyHash)
  switch (status.kind) {
    case 'not-taken':
      return null
    case 'taken': {
      const { phase, message } = status.status
      return refuseHandOver(view, because('RunnerHasRun', { ...named, phase, said: message }))
    }
    case 'untold':
      return refuseHandOver(view, because('NoRunnerRefused', named))
    case 'other':
      return refuseHandOver(view, because('OtherStoryThere', named))
    case 'gone':
      break
  }
  if (view.state.kind === 'finished') return refuseHandOver(view, because('RunObjectWasDeleted', named))
  const received = (await attached.runners(view.plan.cluster)).filter(
    each => isSamePlace(each, handedTo) && each.connection.kind === 'connected',
  )
  if (received.length === 0) return refuseHandOver(view, because('RunObjectMayHaveBeen', named))
  const restMs = Date.parse(announcedAt) + LATE_REQUEST_MS - clock.now()
  return restMs > 0 ? refuseHandOver(view, because('RunObjectMayCome', { ...named, restMs })) : null
}

function unknownHandOver(
  { id: run }: RunView,
  { object, namespace, by }: HandOverPlace,
  { message: cause }: Failure,
): Failure {
  return refusal('unreadable', because('HandOverUnknown', { run, object, namespace, by, cause }), {
    retryable: true,
    target: `run/${run}`,
  })
}

function refuseHandOver({ id }: Pick<RunView, 'id'>, why: Finding, code: FailureCode = 'conflict'): Failure {
  return refusal(code, why, { target: `run/${id}` })
}
