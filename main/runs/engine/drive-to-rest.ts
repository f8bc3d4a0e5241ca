import type { MeasuredClock } from '../../../shared/domain/clock-skew.ts'
import type { Failure } from '../../../shared/domain/failure.ts'
import { type Plan, planSubject } from '../../../shared/domain/plan.ts'
import { ok } from '../../../shared/domain/result.ts'
import type { Fence, ProcessOfDriver, RunEvent, RunOutcome, RunView } from '../../../shared/domain/run.ts'
import type { RunControl } from '../../../shared/domain/run-control.ts'
import type { RunLeft } from '../../../shared/domain/run-left.ts'
import { unseenEnds } from '../../../shared/domain/run-progress.ts'
import { undoneSteps } from '../../../shared/domain/undone-steps.ts'
import { because } from '../../../shared/words/reasons.ts'
import { leftWords } from '../../../shared/words/run-left.ts'
import { unseenEndWords } from '../../../shared/words/unseen-ends.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Logger } from '../../platform/log/logger.ts'
import type { JournalPort } from '../../ports/journal.ts'
import { keepAlive } from './background.ts'
import { watchClocks } from './clock-watch.ts'
import { decideInstance } from './decide-instance.ts'
import { patienceOver } from './drive.ts'
import { passOver, retriesByStep } from './drive-run.ts'
import { createGates } from './gate.ts'
import { createHeldLease, type HeldLease, takeLease } from './held-lease.ts'
import type { LeaseKeeper } from './lease-keeper.ts'
import type { LivenessFacts } from './liveness.ts'
import { deadlineAfter } from './patience.ts'
import { hasTouched, isBehind, type RunRecord } from './run-record.ts'
import { codedOf, type Said } from './said.ts'
import { createSleepWatch } from './sleep-watch.ts'
import { type ReadingOf, type StepRegistry, StopStepping } from './step.ts'
import type { StopReason, StopSwitch } from './stop-switch.ts'
import {
  createTransientRetry,
  TRANSIENT_RETRY_MS,
  TRANSIENT_RETRY_UNTOUCHED_MS,
  type TransientRetry,
} from './transient-retry.ts'

/** Where a driven run came to rest. */
export type RestState =
  | { readonly kind: 'finished'; readonly outcome: RunOutcome }
  /** The driver left; the run can be resumed. `why`: the journal could not be written; null: for any other reason. */
  | { readonly kind: 'left'; readonly why: string | null }

const LEFT: RestState = { kind: 'left', why: null }

/** A run this process drives. */
export interface DrivenRun {
  readonly runId: string
  /** Resolves when this process no longer drives it. Never rejects. */
  readonly finished: Promise<RestState>
  control(control: RunControl): void
}

/** The parts that the engine is built of. */
export interface EngineOptions<World> {
  readonly journal: JournalPort
  readonly registry: StepRegistry<World>
  readonly lease: LeaseKeeper<World>
  readonly clock: Clock
  readonly log: Logger
  readonly driver: ProcessOfDriver
  readonly liveness: LivenessFacts
  /** The clocks of the servers of a world against this machine's; unless given, none is told. */
  readonly clocksOf?: (world: World, signal: AbortSignal) => Promise<readonly MeasuredClock[]>
  /** One reading of a world for a pass of checks, and since when: each fact is asked for once. Unless given, every check asks for itself. */
  readonly readingOf?: ReadingOf<World>
  readonly newId: () => string
  /** What whoever confirmed a plan binds to its run as it begins, such as the seal of a command; absent: nothing. */
  readonly bind?: (plan: Plan, runId: string) => Plan
  readonly onEvent: (event: RunEvent) => void
  /** How long a run waits for what may pass by itself before it asks; {@link TRANSIENT_RETRY_MS} unless given. */
  readonly retryForMs?: number
  /** The run opened a question, or goes on after one. */
  readonly onWaiting: (runId: string, waiting: boolean) => void
}

/** By which claim a process drives a run, and whether another one did before. */
interface HowDriven {
  readonly fence: Fence
  readonly resumed: boolean
  /** Whether a driver of an earlier epoch is provably no more. */
  readonly isDriverGone: (driverId: string) => boolean
}

/** Drives a run from here until it rests; requests of other processes come in through `control`. */
export function driveRun<World>(
  record: RunRecord,
  world: World,
  how: HowDriven,
  stop: StopSwitch,
  options: EngineOptions<World>,
): DrivenRun {
  const { runId } = record
  const gates = createGates()
  // Shown as open already: an answer may come before the lease is held.
  for (const { gateId, choices } of record.view().openGates) gates.open(gateId, choices)
  const control = (request: RunControl): void => {
    switch (request.kind) {
      case 'pause':
        stop.stop({ kind: 'pause' })
        record.append({ kind: 'pause-requested', by: request.by })
        break
      case 'pause-after-node':
        stop.hold()
        record.append({ kind: 'pause-after-node-requested', by: request.by })
        break
      case 'skip-lane':
        if (!skipLane(record, request)) options.log.warn('begun-node-not-passed', { runId, lane: request.lane })
        break
      case 'decide-instance':
        if (!decideInstance(record, request))
          options.log.warn('decision-came-late', {
            runId,
            instance: request.instanceId,
          })
        break
      case 'unpause':
        record.append({ kind: 'resume-requested', by: request.by })
        stop.goOn()
        break
      case 'detach':
        stop.stop(
          request.handsOver === true
            ? { kind: 'detach', by: request.by, handsOver: true }
            : { kind: 'detach', by: request.by },
        )
        break
      case 'abort':
        // Stopping comes first: it must not be lost because the journal is busy.
        stop.stop({ kind: 'abort', by: request.by, reason: request.reason })
        record.append({ kind: 'abort-requested', by: request.by, reason: request.reason })
        break
      case 'answer':
        if (!gates.answer(request)) options.log.warn('answer-to-no-question', { runId, gateId: request.gateId })
    }
  }
  let over = false
  const finished = driveToRest(record, world, how, stop, gates, control, options)
    .catch((error: unknown): RestState => {
      const reason = stop.reason()
      if (reason?.kind === 'journal-refused') {
        options.log.error('run-stopped-by-journal', { runId, why: reason.why })
        return { kind: 'left', why: reason.why }
      }
      if (error instanceof StopStepping) return LEFT
      // The journal could not be written, or a bug: nothing more is begun; the run is found interrupted and can be resumed.
      options.log.error('run-crashed', { runId, error })
      return LEFT
    })
    .finally(() => {
      over = true
    })
  return {
    runId,
    finished,
    control: request => {
      if (!over) control(request)
    },
  }
}

/** Passes every step of a lane that was not begun; false when it was, or there is no such lane. */
export function skipLane(record: RunRecord, { lane, reason }: Extract<RunControl, { kind: 'skip-lane' }>): boolean {
  const own = record.view().steps.filter(({ step }) => step.lane?.name === lane)
  if (own.length === 0 || own.some(step => step.attempts > 0 || step.state === 'waiting')) return false
  for (const { step, state } of own) {
    if (state !== 'skipped') record.append({ kind: 'step-skipped', stepId: step.id, reason, by: 'operator' })
  }
  return true
}

async function driveToRest<World>(
  record: RunRecord,
  world: World,
  how: HowDriven,
  stop: StopSwitch,
  gates: ReturnType<typeof createGates>,
  control: (request: RunControl) => void,
  options: EngineOptions<World>,
): Promise<RestState> {
  const { journal, registry, lease, clock, log, newId } = options
  const { runId } = record
  const { plan } = record.view()
  const node = planSubject(plan)
  const handle = lease.of(plan, { runId, ...how }, world)
  const beside = new AbortController()
  const { fence } = how
  let hold: HeldLease | null = null
  const sleep = createSleepWatch(clock, slept => {
    try {
      record.append({ kind: 'machine-slept', ...slept })
      hold?.retake(because('MachineSlept', { ms: slept.ms }))
    } catch (error) {
      // Replaced meanwhile, or the journal cannot be written: the next word of the run finds that out too.
      log.warn('sleep-not-journaled', { runId, error })
    }
  })
  const retryForMs = options.retryForMs ?? TRANSIENT_RETRY_MS
  const retryOf = retriesByStep(record, retryForMs, sleep.clock)
  const onTick = sleep.look
  const alive = keepAlive({ runId, journal, fence, clock, log, onControl: control, onTick, until: beside.signal })
  let kept: Promise<void> | null = null
  let watched: Promise<void> | null = null
  let whyAway = ''
  /** The question about a Lease that stays away. */
  let leaseQuestion: string | null = null
  try {
    const taken = await takeItsLease()
    if (taken.kind !== 'held') return taken
    const held = taken.hold
    hold = held
    watched = watchItsClocks()
    const onWaiting = (waiting: boolean) => options.onWaiting(runId, waiting)
    const { resumed } = how
    const worldFor = (stepId: string, refuse: (why: Failure) => void, seen = world) =>
      lease.fenced(seen, held.gateFor({ transientRetry: retryOf(stepId), refuse, stop: stop.signal }))
    const read = (signal: AbortSignal) => options.readingOf?.(world, signal) ?? null
    const mayAct = () => {
      sleep.look()
      if (held.isHeld()) return true
      held.retake()
      return false
    }
    for (;;) {
      const pass = await passOver({
        record,
        registry,
        worldFor,
        read,
        sleep,
        retryForMs,
        retryOf,
        log,
        stop,
        gates,
        resumed,
        mayAct,
        onWaiting,
        newId,
      })
      if (pass.kind === 'ended') return finish(record, pass.outcome, pass.said)
      const rest = await untilItContinues(held)
      if (rest !== null) return rest
    }
  } finally {
    beside.abort()
    // Clean-up runs whatever stopped the run (style G24); a lease that stays behind runs out by itself.
    const gone =
      (kept === null && stop.reason() === null) ||
      stop.reason()?.kind === 'lease-lost' ||
      stop.reason()?.kind === 'replaced'
    const limit = deadlineAfter(RELEASE_LIMIT_MS, clock)
    const released = gone ? ok(undefined) : await handle.release(limit.signal)
    await limit.callOff()
    if (!released.ok) log.warn('lease-not-released', { runId, code: released.failure.code })
    await Promise.all([alive, kept, watched])
  }

  /** A measurement that cannot be journaled ends the watch: the run's next event finds that out too. */
  async function watchItsClocks(): Promise<void> {
    const { clocksOf } = options
    if (clocksOf === undefined) return
    const measure = (signal: AbortSignal) => clocksOf(world, signal)
    const report = (clocks: readonly MeasuredClock[]) => record.append({ kind: 'clocks-measured', clocks: [...clocks] })
    await watchClocks({ measure, report, clock, until: beside.signal }).catch((error: unknown) =>
      log.warn('clocks-not-journaled', { runId, error }),
    )
  }

  /** Takes the Lease; where the run rests instead when it cannot. */
  async function takeItsLease(): Promise<RestState | { readonly kind: 'held'; readonly hold: HeldLease }> {
    const taken = await takeLease(handle, {
      clock,
      signal: leaving(),
      onWatching: (message, forMs) => record.append({ kind: 'lease-watched', node, message, forMs }),
      transientRetry: retryOfLease(),
    })
    if (taken.ok && taken.value.kind === 'acquired') {
      record.append({ kind: 'lease-acquired', node, identity: lease.identityOf({ runId, fence }) })
      const hold = createHeldLease({
        handle,
        askedAt: taken.value.askedAt,
        clock,
        log,
        onAway: why => {
          whyAway = why.message
          stop.stop({ kind: 'lease-away' })
          record.append({ kind: 'lease-away', node, why: why.message, ...codedOf(why) })
        },
        onBack: awayMs => record.append({ kind: 'lease-back', node, awayMs: Math.round(awayMs) }),
        onGone: why => stop.stop({ kind: 'lease-lost', why }),
        until: beside.signal,
      })
      kept = hold.keep().catch((error: unknown) => {
        // The journal took no word of it: nothing more is begun (run-record.ts), and the run is found interrupted.
        log.error('lease-kept-no-longer', { runId, error })
        stop.stop({ kind: 'lease-lost', why: because('JournalUnwritten') })
      })
      return { kind: 'held', hold }
    }
    const reason = stop.reason()
    const rest = reason === null ? null : restFor(reason, record)
    if (rest !== null) return rest
    const why = taken.ok ? (taken.value.kind === 'held' ? taken.value.message : '') : taken.failure.message
    if (!how.resumed) return finish(record, 'checks-failed', because('NothingTouched', { causes: [why] }))
    return leave(record, { code: 'LeaseNotTaken', node, cause: why })
  }

  /** A run that can as well begin later waits less long. The step that comes first waits for the Lease. */
  function retryOfLease(): TransientRetry {
    const first = plan.steps.find(step => !isBehind(record, step)) ?? plan.steps[0]
    return createTransientRetry({
      clock: sleep.clock,
      patienceMs: () => (how.resumed ? retryForMs : Math.min(retryForMs, TRANSIENT_RETRY_UNTOUCHED_MS)),
      report: (fact, values) => {
        if (first === undefined) return
        record.append({
          kind: 'fact',
          stepId: first.id,
          fact,
          subject: first.id,
          announces: false,
          values: { ...values },
        })
      },
    })
  }

  /** Aborted once the run stops for good; a pause waits until the Lease is there. */
  function leaving(): AbortSignal {
    const scope = new AbortController()
    const follow = async () => {
      while (!beside.signal.aborted && !scope.signal.aborted) {
        const reason = stop.reason()
        if (reason !== null && reason.kind !== 'pause') scope.abort()
        else await stop.changed()
      }
    }
    void follow()
    return scope.signal
  }

  /**
   * Waits out a pause and an absence of the Lease; where the run rests when it does not go on. All its steps have come to rest before. A Lease that
   * stays away is asked about; it is asked for on, and what nobody took is taken back whether or not somebody answered.
   */
  async function untilItContinues(hold: HeldLease): Promise<RestState | null> {
    let saidPaused = false
    let sinceMs = sleep.clock.monotonicMs()
    for (;;) {
      const reason = stop.reason()
      // After a pause the Lease may still be away: the pause was the more urgent reason and took its place.
      if (reason === null && hold.isHeld()) return null
      const rest = reason === null ? null : restFor(reason, record)
      if (rest !== null) return rest
      if (reason?.kind === 'pause' && !saidPaused) {
        record.append({ kind: 'paused' })
        saidPaused = true
      }
      if (reason?.kind === 'lease-away' && hold.isHeld()) stop.leaseIsBack()
      else if (reason?.kind === 'pause') {
        await stop.changed()
        sinceMs = sleep.clock.monotonicMs()
      } else {
        if (sleep.clock.monotonicMs() - sinceMs >= patienceMs()) askAboutLease()
        if (await isReportedToRetry()) sinceMs = sleep.clock.monotonicMs()
        await clock.sleep(LOOK_AT_LEASE_MS, beside.signal)
      }
    }
  }

  /** Before anything was touched a run can as well begin later. */
  function patienceMs(): number {
    return hasTouched(record) ? retryForMs : Math.min(retryForMs, TRANSIENT_RETRY_UNTOUCHED_MS)
  }

  /** Asks at the step that comes next, unless the run waits for an answer already. */
  function askAboutLease(): void {
    const next = plan.steps.find(step => !isBehind(record, step)) ?? plan.steps[0]
    if (next === undefined || record.view().openGates.length > 0) return
    const gateId = newId()
    const asked = patienceOver({ kind: 'lease-away', node, cause: whyAway }, { retryForMs: patienceMs() })
    gates.open(gateId, LEASE_CHOICES)
    record.append({ kind: 'gate-opened', stepId: next.id, gateId, ...asked, choices: [...LEASE_CHOICES] })
    leaseQuestion = gateId
    options.onWaiting(runId, true)
  }

  /**
   * Hears what is answered while the Lease is away: an abort needs none, whatever it answers; that the Lease is to be waited for again is kept with
   * its question. All other answers are taken when the run goes on.
   */
  async function isReportedToRetry(): Promise<boolean> {
    for (const gate of record.view().openGates) {
      const answer = await gates.wait(gate.gateId, Promise.resolve())
      if (answer === null) continue
      const { gateId, choice, reason, by } = answer
      if (choice !== 'abort' && gateId !== leaseQuestion) continue
      record.append({ kind: 'gate-answered', stepId: gate.stepId, gateId, choice, reason, by })
      gates.close(gateId)
      options.onWaiting(runId, gates.isAnyOpen())
      if (choice === 'abort') stop.stop({ kind: 'abort', by, reason })
      else return true
    }
    return false
  }
}

/** Giving a Lease back may take this long. */
const RELEASE_LIMIT_MS = 15_000
/** The choices of the question about a Lease that stays away. */
const LEASE_CHOICES = ['retry', 'abort'] as const
/** How often a run whose Lease is away looks whether it is back. */
const LOOK_AT_LEASE_MS = 500

/** The end of a run that was stopped for good; null when it may go on. */
function restFor(reason: StopReason, record: RunRecord): RestState | null {
  switch (reason.kind) {
    case 'lease-away':
    case 'pause':
      return null
    case 'detach':
      return leave(record, { code: reason.handsOver === true ? 'HandingOver' : 'Detached', by: reason.by })
    case 'abort':
      return finishAborted(record, reason)
    case 'replaced':
      return LEFT
    case 'journal-refused':
      return { kind: 'left', why: reason.why }
    case 'lease-lost': {
      const node = planSubject(record.view().plan)
      record.append({ kind: 'lease-lost', node, why: reason.why.message, ...codedOf(reason.why) })
      return leave(record, { code: 'LeaseLost', node, cause: reason.why.message })
    }
  }
}

/** Stops driving a run that has not ended. */
function leave(record: RunRecord, left: RunLeft): RestState {
  const handsOver = left.code === 'HandingOver' ? { handsOver: true as const } : {}
  record.append({ kind: 'driver-left', why: leftWords(left), left, ...handsOver })
  return LEFT
}

/** Ends a run because somebody said so. */
export function finishAborted(record: RunRecord, abort: { readonly by: string; readonly reason: string }): RestState {
  return finish(record, 'aborted', because('StoppedBy', { by: abort.by, reason: abort.reason }))
}

/** Ends a run, saying what stays changed. */
function finish(record: RunRecord, outcome: RunOutcome, said: Said): RestState {
  const leftBehind = outcome === 'done' || outcome === 'checks-failed' ? [] : whatStays(record.view())
  record.append({ kind: 'run-finished', outcome, summary: said.message, ...codedOf(said), leftBehind })
  return { kind: 'finished', outcome }
}

/** Steps that were begun and stay as they are, with how to undo them: an abort says so instead of pretending (style G24). */
function whatStays(view: RunView): string[] {
  const undone = undoneSteps(view)
  return view.steps
    .filter(step => step.attempts > 0 && !undone.has(step.step.id) && step.facts.some(fact => fact.announces))
    .flatMap(step => [`${step.step.title}: ${step.step.undo}`, ...unseenEnds(step).map(unseenEndWords)])
}
