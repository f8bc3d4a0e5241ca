import type { MeasuredClock } from '../../../shared/domain/clock-skew.ts'
import type { Failure } from '../../../shared/domain/failure.ts'
import { type Plan, planSubject } from '../../../shared/domain/plan.ts'
import { ok } from '../../../shared/domain/result.ts'
import type { Fence, ProcessOfDriver, RunEvent } from '../../../shared/domain/run.ts'
import type { RunControl } from '../../../shared/domain/run-control.ts'
import { because } from '../../../shared/words/reasons.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Logger } from '../../platform/log/logger.ts'
import type { JournalPort } from '../../ports/journal.ts'
import { keepAlive, watchClocks } from './background.ts'
import { decideInstance } from './decide-instance.ts'
import type { Drive } from './drive.ts'
import { type DrivenLease, takeRunLease, waitUntilContinues } from './drive-lease.ts'
import { passOver, retriesByStep } from './drive-run.ts'
import { createGates, type Gates } from './gate.ts'
import type { HeldLease } from './held-lease.ts'
import type { LeaseKeeper } from './lease-keeper.ts'
import type { LivenessFacts } from './liveness.ts'
import { deadlineAfter } from './patience.ts'
import type { RunRecord } from './run-record.ts'
import { finish, LEFT, type RestState } from './run-rest.ts'
import { createSleepWatch, type SleepWatch } from './sleep-watch.ts'
import { type ReadingOf, type StepRegistry, StopStepping } from './step.ts'
import type { StopSwitch } from './stop-switch.ts'
import { TRANSIENT_RETRY_MS } from './transient-retry.ts'

export interface DrivenRun {
  readonly runId: string
  /** Resolves when this process no longer drives it. Never rejects. */
  readonly finished: Promise<RestState>
  control(control: RunControl): void
}

export interface EngineOptions<World> {
  readonly journal: JournalPort
  readonly registry: StepRegistry<World>
  readonly lease: LeaseKeeper<World>
  readonly clock: Clock
  readonly log: Logger
  readonly driver: ProcessOfDriver
  readonly liveness: LivenessFacts
  /** Compares the clocks of a world's servers with this machine's; absent if there is no comparison. */
  readonly clocksOf?: (world: World, signal: AbortSignal) => Promise<readonly MeasuredClock[]>
  /** One reading of a world for a pass of checks, and its time: each fact is read once. Absent if every check reads for itself. */
  readonly readingOf?: ReadingOf<World>
  readonly newId: () => string
  /** Binds data to a confirmed plan when its run starts, such as the seal of a command; absent if it binds nothing. */
  readonly bind?: (plan: Plan, runId: string) => Plan
  readonly onEvent: (event: RunEvent) => void
  /** How long a run retries a transient failure before it asks; {@link TRANSIENT_RETRY_MS} by default. */
  readonly retryForMs?: number
  /** The run opened a question, or continues after one. */
  readonly onWaiting: (runId: string, waiting: boolean) => void
}

/** The claim by which a process drives a run, and whether another process did before. */
export interface HowDriven {
  readonly fence: Fence
  readonly resumed: boolean
  /** Whether a driver of an earlier epoch has provably ended. */
  readonly isDriverGone: (driverId: string) => boolean
}

interface Driving<World> {
  readonly record: RunRecord
  readonly world: World
  readonly how: HowDriven
  readonly stop: StopSwitch
  readonly gates: Gates
  readonly options: EngineOptions<World>
}

/** Drives a run from here until it ends or is left; requests of other processes come in through `control`. */
export function driveRun<World>(
  record: RunRecord,
  world: World,
  how: HowDriven,
  stop: StopSwitch,
  options: EngineOptions<World>,
): DrivenRun {
  const { runId } = record
  const driving = { record, world, how, stop, gates: createGates(), options }
  // Shown as open already: an answer may come before the Lease is held.
  for (const { gateId, choices } of record.view().openGates) driving.gates.open(gateId, choices)
  let hasEnded = false
  const finished = driveToRest(driving)
    .catch((error: unknown): RestState => {
      const reason = stop.reason()
      if (reason?.kind === 'journal-refused') {
        options.log.error('run-stopped-by-journal', { runId, why: reason.why })
        return { kind: 'left', why: reason.why }
      }
      if (error instanceof StopStepping) return LEFT
      // The journal could not be written, or a bug: nothing more starts; the run is found interrupted and can be resumed.
      options.log.error('run-crashed', { runId, error })
      return LEFT
    })
    .finally(() => {
      hasEnded = true
    })
  return {
    runId,
    finished,
    control: request => {
      if (!hasEnded) carryOut(request, driving)
    },
  }
}

function carryOut<World>(request: RunControl, { record, stop, gates, options: { log } }: Driving<World>): void {
  const { runId } = record
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
      if (!skipLane(record, request)) log.warn('begun-node-not-passed', { runId, lane: request.lane })
      break
    case 'decide-instance':
      if (!decideInstance(record, request)) log.warn('decision-came-late', { runId, instance: request.instanceId })
      break
    case 'unpause':
      record.append({ kind: 'resume-requested', by: request.by })
      stop.unpause()
      break
    case 'detach':
      stop.stop(
        request.handsOver === true
          ? { kind: 'detach', by: request.by, handsOver: true }
          : { kind: 'detach', by: request.by },
      )
      break
    case 'abort':
      // Stopping comes first: a busy journal must not lose it.
      stop.stop({ kind: 'abort', by: request.by, reason: request.reason })
      record.append({ kind: 'abort-requested', by: request.by, reason: request.reason })
      break
    case 'answer':
      if (!gates.answer(request)) log.warn('answer-to-no-question', { runId, gateId: request.gateId })
  }
}

/** Skips every step of a lane that has not started; false when it has, or there is no such lane. */
export function skipLane(record: RunRecord, { lane, reason }: Extract<RunControl, { kind: 'skip-lane' }>): boolean {
  const own = record.view().steps.filter(({ step }) => step.lane?.name === lane)
  if (own.length === 0 || own.some(step => step.attempts > 0 || step.state === 'waiting')) return false
  for (const { step, state } of own) {
    if (state !== 'skipped') record.append({ kind: 'step-skipped', stepId: step.id, reason, by: 'operator' })
  }
  return true
}

async function driveToRest<World>(driving: Driving<World>): Promise<RestState> {
  const { record, options, how } = driving
  const beside = new AbortController()
  const lease = leaseOf(driving, beside.signal)
  const alive = keepAlive({
    runId: record.runId,
    journal: options.journal,
    fence: how.fence,
    clock: options.clock,
    log: options.log,
    onControl: request => carryOut(request, driving),
    onTick: lease.sleep.look,
    until: beside.signal,
  })
  let watched: Promise<void> | null = null
  try {
    const taken = await takeRunLease(lease)
    if (taken.kind !== 'held') return taken
    watched = watchServerClocks(driving, beside.signal)
    const drive = driveWith(driving, lease, taken.hold)
    for (;;) {
      const pass = await passOver(drive)
      if (pass.kind === 'ended') return finish(record, pass.outcome, pass.said)
      const rest = await waitUntilContinues(lease, taken.hold)
      if (rest !== null) return rest
    }
  } finally {
    beside.abort()
    await release(lease)
    await Promise.all([alive, lease.kept, watched])
  }
}

/** The Lease of a run before it is taken. */
function leaseOf<World>({ record, world, how, stop, gates, options }: Driving<World>, until: AbortSignal): DrivenLease {
  const { runId } = record
  const { plan } = record.view()
  const { clock, log, newId } = options
  const sleep = createSleepWatch(clock, slept => {
    try {
      record.append({ kind: 'machine-slept', ...slept })
      lease.hold?.reacquire(because('MachineSlept', { ms: slept.ms }))
    } catch (error) {
      // Replaced meanwhile, or the journal cannot be written: the run's next event detects that too.
      log.warn('sleep-not-journaled', { runId, error })
    }
  })
  const lease: DrivenLease = {
    record,
    plan,
    node: planSubject(plan),
    handle: options.lease.of(plan, { runId, ...how }, world),
    identity: options.lease.identityOf({ runId, fence: how.fence }),
    resumed: how.resumed,
    stop,
    gates,
    sleep,
    clock,
    log,
    newId,
    onWaiting: waiting => options.onWaiting(runId, waiting),
    retryForMs: options.retryForMs ?? TRANSIENT_RETRY_MS,
    until,
    hold: null,
    kept: null,
    whyAway: '',
    question: null,
  }
  return lease
}

/** What the passes over the plan use while the Lease is held. */
function driveWith<World>(
  { record, world, how, stop, gates, options }: Driving<World>,
  { sleep, retryForMs, onWaiting }: DrivenLease,
  held: HeldLease,
): Drive<World> {
  const { lease, registry, log, newId, readingOf } = options
  const retryOf = retriesByStep(record, retryForMs, sleep.clock)
  return {
    record,
    registry,
    worldFor: (stepId: string, refuse: (why: Failure) => void, seen = world) =>
      lease.fenced(seen, held.gateFor({ transientRetry: retryOf(stepId), refuse, stop: stop.signal })),
    read: signal => readingOf?.(world, signal) ?? null,
    sleep,
    retryForMs,
    retryOf,
    log,
    stop,
    gates,
    resumed: how.resumed,
    mayAct: () => mayAct(sleep, held),
    onWaiting,
    newId,
  }
}

function mayAct(sleep: SleepWatch, held: HeldLease): boolean {
  sleep.look()
  if (held.isHeld()) return true
  held.reacquire()
  return false
}

/** Releases the Lease after any end of the run (style G24); a Lease that stays expires. */
async function release({ record, handle, clock, log, kept, stop }: DrivenLease): Promise<void> {
  const kind = stop.reason()?.kind
  const isGone = (kept === null && kind === undefined) || kind === 'lease-lost' || kind === 'replaced'
  const limit = deadlineAfter(RELEASE_LIMIT_MS, clock)
  const released = isGone ? ok(undefined) : await handle.release(limit.signal)
  await limit.cancel()
  if (!released.ok) log.warn('lease-not-released', { runId: record.runId, code: released.failure.code })
}

/** A measurement that cannot be journaled ends the watch: the run's next event detects that too. */
async function watchServerClocks<World>(
  { record, world, options: { clocksOf, clock, log } }: Driving<World>,
  until: AbortSignal,
): Promise<void> {
  if (clocksOf === undefined) return
  const measure = (signal: AbortSignal) => clocksOf(world, signal)
  const report = (clocks: readonly MeasuredClock[]) => record.append({ kind: 'clocks-measured', clocks: [...clocks] })
  await watchClocks({ measure, report, clock, until }).catch((error: unknown) =>
    log.warn('clocks-not-journaled', { runId: record.runId, error }),
  )
}

const RELEASE_LIMIT_MS = 15_000
