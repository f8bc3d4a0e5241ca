import { seconds } from '../../../../shared/domain/durations.ts'
import type { Failure, FailureCode } from '../../../../shared/domain/failure.ts'
import { handOverState, type MaintenanceRun } from '../../../../shared/domain/maintenance-run.ts'
import type { Plan } from '../../../../shared/domain/plan.ts'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import type { HandOverPlace, RunEvent, RunView } from '../../../../shared/domain/run.ts'
import { because } from '../../../../shared/words/reasons.ts'
import { refusal } from '../../../../shared/words/refusal.ts'
import { leftWords } from '../../../../shared/words/run-left.ts'
import type { Finding } from '../../../../shared/words/steps/coded.ts'
import type { Handlers } from '../../../api/serve.ts'
import type { ApiServices } from '../../../api/services.ts'
import type { MaintenanceRunsPort } from '../../../ports/maintenance-runs.ts'
import { healthGates } from '../../../procedures/steps/general/health-gates.ts'
import { commandOfStep } from '../../../procedures/steps/rolling/commands-of-steps.ts'
import { whyNotTyped } from '../../../run-control/confirm-typed.ts'
import { codedTextOf } from '../../../runs/engine/said.ts'
import { packHistory } from '../../../runs/handed-over-history.ts'
import type { Attached } from './attached.ts'
import { askerOf } from './remote-control.ts'
import { runOfPlan } from './run-of-plan.ts'
import { isSamePlace, type RunnerPod } from './runner-place.ts'

/** What a hand-over needs from the console. */
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

/**
 * Hands a run of this console's journal over to the runner that looks after its cloud, at a quiet point: it is announced in the journal, asked for by a
 * MaintenanceRun that holds its story, and over here once that object is there. Asked again after an answer that was lost, it is one and the same object.
 */
export async function handOver(
  { runId, typedCluster, ...asked }: Parameters<Handlers['runner.hand-over']>[0],
  services: HandOverServices,
  offered: (cluster: string) => Promise<Result<Offered>>,
): Promise<Result<{ readonly place: HandOverPlace; readonly run: MaintenanceRun }>> {
  const { runs, clusters } = services
  const found = runs.view(runId)
  if (!found.ok) return found
  const { view, summary, interrupted } = found.value
  if (summary.runner !== undefined)
    return failed(not(view, because('RunnerHasRunAlready', { run: view.id, runner: summary.runner.name })))
  const refused = whyNotHandedOver(view)
  if (refused !== null) return failed(refused)
  if (asked.notAfter !== undefined && Date.parse(asked.notAfter) <= services.clock.now()) {
    return failed(refusal('bad-input', because('NotAfterPast', { notAfter: asked.notAfter })))
  }
  const cluster = clusters.get(view.plan.cluster)
  if (!cluster.ok) return cluster
  const untyped = whyNotTyped(view.plan, cluster.value.production, typedCluster)
  if (untyped !== null) return failed(untyped)
  const where = await offered(view.plan.cluster)
  if (!where.ok) return where
  const { pod, objects } = where.value
  const by = `${runs.driver.operator}@${runs.driver.machine}`
  const as = await askerOf({ objects, ownWord: by })
  if (!as.ok) return as
  const asRun = (events: readonly RunEvent[]) => {
    const story = packHistory(events)
    if (!story.ok) return story
    const run = runOfPlan(view.plan, as.value, asked, story.value)
    return run.ok ? ok({ ...run.value, storyHash: story.value.storyHash }) : run
  }
  // A run that is too large stays here.
  const fits = asRun(found.value.events)
  if (!fits.ok) return fits
  const moves = whyNotAtRest(view, interrupted)
  if (moves !== null) return failed(moves)
  const left = await leave(view.id, services)
  if (!left.ok) return left
  /** The run has no driver any more: the journal records that, with the reason. */
  const leftHere = (why: Failure, lastSeq: number): Result<never> => {
    const ended = runs.endHandOver(view.id, { kind: 'not-handed-over', said: codedTextOf(why), lastSeq })
    return failed(
      ended.ok ? refusal(why.code, because('RunLeftHere', { run: view.id, cause: why.message }), why) : ended.failure,
    )
  }
  const isAnnounced = view.handedTo !== null
  const lastSeq = left.value.at(-1)?.seq ?? 0
  const wanted = asRun(left.value)
  if (!wanted.ok) return isAnnounced ? wanted : leftHere(wanted.failure, lastSeq)
  const place = { by: pod.by, namespace: pod.namespace, object: wanted.value.name }
  const before = view.handedTo
  if (before !== null && (before.object !== place.object || before.by !== place.by)) {
    return failed(not(view, because('HandedOverElsewhere', { run: view.id, object: before.object, by: before.by })))
  }
  const { storyHash } = wanted.value
  const announced = runs.announceHandOver(view.id, { by: runs.driver.operator, to: place, storyHash }, lastSeq)
  if (!announced.ok) return announced
  const made = await objects.createRun(wanted.value)
  const there = made.ok ? ({ kind: 'made', run: made.value } as const) : await whatIsThere(made.failure)
  switch (there.kind) {
    case 'made':
      break
    case 'not-known':
      return failed(notKnown(view, place, there.why))
    case 'not-made':
      // An earlier attempt with a lost answer may have created it: only the object itself shows that.
      return isAnnounced ? failed(notKnown(view, place, there.why)) : leftHere(there.why, announced.value)
  }
  const handedOver = because('HandedOverBy', { run: view.id, operator: runs.driver.operator, ...place })
  const ended = runs.endHandOver(view.id, { kind: 'handed-over', said: handedOver })
  return ended.ok ? ok({ place, run: there.run }) : (refusedMeanwhile() ?? ended)

  /** The refusal of the runner, if it arrived before the answer of the API server; null: no refusal. */
  function refusedMeanwhile(): Result<never> | null {
    const now = runs.view(view.id)
    if (!now.ok || now.value.view.handedTo !== null || now.value.view.state.kind !== 'left') return null
    const cause = leftWords(now.value.view.state.left)
    return failed(not(view, because('HandOverRefused', { run: view.id, cause }), 'checks-failed'))
  }

  /** What a failed request left behind. An object of this name with this same story is from an earlier attempt. */
  async function whatIsThere(
    why: Failure,
  ): Promise<
    | { readonly kind: 'made'; readonly run: MaintenanceRun }
    | { readonly kind: 'not-made' | 'not-known'; readonly why: Failure }
  > {
    if (why.code !== 'conflict') return { kind: REFUSALS.has(why.code) ? 'not-made' : 'not-known', why }
    const read = await objects.run(place.object)
    if (!read.ok) return { kind: 'not-known', why: read.failure }
    // The installed definition may not store this: a conflict without an object.
    if (read.value === null) return { kind: 'not-made', why }
    const { spec } = read.value
    if ('unreadable' in spec) return { kind: 'not-known', why }
    return spec.handedOver?.storyHash === storyHash ? { kind: 'made', run: read.value } : { kind: 'not-made', why }
  }
}

/** Why a run cannot be handed over as it is now; null: it can. */
function whyNotHandedOver(view: RunView): Failure | null {
  const { id: run, plan, state } = view
  if (state.kind === 'finished') return not(view, because('NothingToHandOver', { run, outcome: state.outcome }))
  const why = whyNoRunner(plan)
  return why === null ? null : not(view, because(why, { run }))
}

/** Why a run is not at a point where it can be handed over; null: it is. */
function whyNotAtRest(view: RunView, interrupted: boolean): Failure | null {
  const { id, state } = view
  if (state.kind === 'paused' || (interrupted && state.kind === 'left')) return null
  return not(view, because(interrupted ? 'LeftWithLease' : 'NotAtRest', { run: id }), 'held')
}

/** The part of a plan that no runner can do; null: a runner can do all of it. */
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
        ? failed(not(view, because('AbortedMeanwhile', { run: runId })))
        : ok(then.value.events)
    }
    if (view.state.kind !== 'paused' && view.state.kind !== 'left')
      return failed(not(view, because('GoesOnAgain', { run: runId })))
    if (clock.monotonicMs() >= until) return failed(not(view, because('NotLeftInTime', { run: runId })))
    if (!asked) {
      const request = runs.request(runId, { kind: 'detach', handsOver: true })
      if (!request.ok) return request
      asked = true
    }
    await clock.sleep(LOOK_EVERY_MS)
  }
}

/**
 * Why this console does not continue a run that was handed over, or may have been; null: no runner has it or ever will. Only an answer of the API server about the
 * very object tells that.
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
  if (!world.ok) return not(view, because('RunnerUnread', { run, cause: world.failure.message }))
  const read = await world.value.maintenanceRuns(namespace).run(object)
  if (!read.ok) return not(view, because('RunnerUnread', { run, cause: read.failure.message }))
  const status = handOverState(read.value, storyHash)
  switch (status.kind) {
    case 'not-taken':
      return null
    case 'taken': {
      const { phase, message } = status.status
      return not(view, because('RunnerHasRun', { ...named, phase, said: message }))
    }
    case 'untold':
      return not(view, because('NoRunnerRefused', named))
    case 'other':
      return not(view, because('OtherStoryThere', named))
    case 'gone':
      break
  }
  if (view.state.kind === 'finished') return not(view, because('RunObjectWasDeleted', named))
  const received = (await attached.runners(view.plan.cluster)).filter(
    each => isSamePlace(each, handedTo) && each.connection.kind === 'connected',
  )
  if (received.length === 0) return not(view, because('RunObjectMayHaveBeen', named))
  const restMs = Date.parse(announcedAt) + LATE_REQUEST_MS - clock.now()
  return restMs > 0 ? not(view, because('RunObjectMayCome', { ...named, restMs })) : null
}

function notKnown(
  { id: run }: RunView,
  { object, namespace, by }: HandOverPlace,
  { message: cause }: Failure,
): Failure {
  return refusal('unreadable', because('HandOverUnknown', { run, object, namespace, by, cause }), {
    retryable: true,
    target: `run/${run}`,
  })
}

function not({ id }: Pick<RunView, 'id'>, why: Finding, code: FailureCode = 'conflict'): Failure {
  return refusal(code, why, { target: `run/${id}` })
}
