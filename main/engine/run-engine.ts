import { failure } from '../../shared/domain/failure.ts'
import type { CheckedPlan, Plan } from '../../shared/domain/plan.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import type { RunDriver, RunEvent, RunOutcome, RunView } from '../../shared/domain/run.ts'
import { foldRun } from '../../shared/domain/run-fold.ts'
import type { Clock } from '../clock/clock.ts'
import type { Logger } from '../log/logger.ts'
import { keepAlive } from './background.ts'
import { checkPlan } from './check-plan.ts'
import { passOver } from './drive-run.ts'
import { createGate } from './gate.ts'
import type { JournalPort, RunControl } from './journal-port.ts'
import type { LeaseKeeper } from './lease-keeper.ts'
import { isInterrupted, type Surroundings } from './liveness.ts'
import { createRunRecord, type RunRecord } from './run-record.ts'
import type { StepRegistry } from './step.ts'
import { createStopSwitch, type StopReason } from './stop-switch.ts'

/** Where a driven run came to rest. */
export type RestState =
  | { readonly kind: 'finished'; readonly outcome: RunOutcome }
  /** The driver left; the run can be resumed. */
  | { readonly kind: 'left' }

/** A run this process drives. */
export interface DrivenRun {
  readonly runId: string
  /** Resolves when this process no longer drives it. Never rejects. */
  readonly finished: Promise<RestState>
  control(control: RunControl): void
}

/** Starts, resumes and drives runs. */
export interface RunEngine<World> {
  check(plan: Plan, world: World, signal?: AbortSignal): Promise<CheckedPlan>
  start(plan: Plan, world: World): Result<DrivenRun>
  resume(runId: string, world: World): Result<DrivenRun>
  /** Ends a run that nobody drives, saying what stays changed. */
  abortUndriven(runId: string, reason: string): Result<void>
}

export interface EngineOptions<World> {
  readonly journal: JournalPort
  readonly registry: StepRegistry<World>
  readonly lease: LeaseKeeper<World>
  readonly clock: Clock
  readonly log: Logger
  readonly driver: RunDriver
  readonly surroundings: Surroundings
  readonly newId: () => string
  readonly onEvent: (event: RunEvent) => void
  /** The run opened a question, or goes on after one. */
  readonly onWaiting: (runId: string, waiting: boolean) => void
}

export function createRunEngine<World>(options: EngineOptions<World>): RunEngine<World> {
  const { journal, clock, log, driver, newId, onEvent } = options

  const load = (runId: string): Result<{ readonly view: RunView; readonly events: readonly RunEvent[] }> => {
    const events = journal.events(runId)
    if (!events.ok) return events
    const view = events.value.length === 0 ? null : foldRun(events.value)
    return view === null
      ? failed(failure('not-found', `There is no run ${runId}.`, { target: `run/${runId}` }))
      : ok({ view, events: events.value })
  }

  return {
    check: (plan, world, signal) =>
      checkPlan({ plan, registry: options.registry, world, clock, log, ...(signal === undefined ? {} : { signal }) }),
    start: (plan, world) => {
      const runId = newId()
      const event = journal.createRun(runId, { kind: 'run-created', plan, driver })
      onEvent(event)
      const record = createRunRecord({ runId, journal, events: [event], onEvent })
      record.append({ kind: 'run-driven', driver, resumed: false })
      return ok(drive(record, world, false, options))
    },
    resume: (runId, world) => {
      const loaded = load(runId)
      if (!loaded.ok) return loaded
      const { view, events } = loaded.value
      if (view.state.kind === 'finished' && view.state.outcome !== 'failed') {
        return failed(
          failure('conflict', `Run ${runId} is over; there is nothing to resume. Start a new one.`, {
            target: `run/${runId}`,
          }),
        )
      }
      const row = journal.row(runId)
      const finishedFailed = view.state.kind === 'finished'
      if (
        row === null ||
        (!finishedFailed && !isInterrupted(view, row, options.surroundings)) ||
        !journal.claim(runId, driver, row)
      ) {
        return failed(
          failure(
            'held',
            `Run ${runId} is driven by ${view.driver.operator} on ${view.driver.machine} (process ${view.driver.pid}). Pause or abort it there, or with \`lockkeeper run pause|abort\`.`,
            {
              target: `run/${runId}`,
            },
          ),
        )
      }
      // Requests that nobody was there to take were meant for the driver that is gone.
      journal.takeControls(runId)
      const record = createRunRecord({ runId, journal, events, onEvent })
      record.append({ kind: 'run-driven', driver, resumed: true })
      return ok(drive(record, world, true, options))
    },
    abortUndriven: (runId, reason) => {
      const loaded = load(runId)
      if (!loaded.ok) return loaded
      if (loaded.value.view.state.kind === 'finished') {
        return failed(
          failure('conflict', `Run ${runId} is over; there is nothing to abort.`, { target: `run/${runId}` }),
        )
      }
      const record = createRunRecord({ runId, journal, events: loaded.value.events, onEvent })
      record.append({ kind: 'abort-requested', by: driver.operator, reason })
      finish(record, 'aborted', `Aborted by ${driver.operator}: ${reason}`)
      return ok(undefined)
    },
  }
}

function drive<World>(record: RunRecord, world: World, resumed: boolean, options: EngineOptions<World>): DrivenRun {
  const { runId } = record
  const stop = createStopSwitch()
  const gate = createGate()
  const control = (request: RunControl): void => {
    switch (request.kind) {
      case 'pause':
        record.append({ kind: 'pause-requested', by: request.by })
        stop.stop({ kind: 'pause' })
        break
      case 'unpause':
        record.append({ kind: 'resume-requested', by: request.by })
        stop.goOn()
        break
      case 'detach':
        stop.stop({ kind: 'detach', why: `${request.by} left it` })
        break
      case 'abort':
        record.append({ kind: 'abort-requested', by: request.by, reason: request.reason })
        stop.stop({ kind: 'abort', by: request.by, reason: request.reason })
        break
      case 'answer':
        if (!gate.answer(request))
          options.log.warn('an answer to a question that is not open', { runId, gateId: request.gateId })
    }
  }
  let over = false
  const finished = driveToRest(record, world, resumed, stop, gate, control, options)
    .catch((error: unknown): RestState => {
      // The journal could not be written, or a bug: nothing more is begun; the run is found interrupted and can be resumed.
      options.log.error('a run stopped on our own side', { runId, error })
      return { kind: 'left' }
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

async function driveToRest<World>(
  record: RunRecord,
  world: World,
  resumed: boolean,
  stop: ReturnType<typeof createStopSwitch>,
  gate: ReturnType<typeof createGate>,
  control: (request: RunControl) => void,
  options: EngineOptions<World>,
): Promise<RestState> {
  const { journal, registry, lease, clock, log, newId } = options
  const { runId } = record
  const { plan } = record.view()
  const acquired = await lease.acquire(plan, runId, world)
  if (!acquired.ok || acquired.value.kind === 'held') {
    const why = acquired.ok ? (acquired.value.kind === 'held' ? acquired.value.message : '') : acquired.failure.message
    if (!resumed) return finish(record, 'checks-failed', `Nothing was touched: ${why}`)
    record.append({ kind: 'driver-left', why: `The lease of ${plan.node} could not be taken: ${why}` })
    return { kind: 'left' }
  }
  record.append({ kind: 'lease-acquired', node: plan.node, identity: lease.identityOf(runId) })
  const beside = new AbortController()
  const kept = keepAlive({
    plan,
    runId,
    world,
    journal,
    lease,
    clock,
    log,
    onControl: control,
    onLost: why => stop.stop({ kind: 'lease-lost', why }),
    until: beside.signal,
  })
  try {
    const onWaiting = (waiting: boolean) => options.onWaiting(runId, waiting)
    for (;;) {
      const pass = await passOver({ record, registry, world, clock, log, stop, gate, resumed, onWaiting, newId })
      if (pass.kind === 'ended') return finish(record, pass.outcome, pass.summary)
      const rest = await restFor(stop.reason(), record)
      if (rest !== null) return rest
      while (stop.reason()?.kind === 'pause') await stop.changed()
      const rest2 = await restFor(stop.reason(), record)
      if (rest2 !== null) return rest2
    }
  } finally {
    beside.abort()
    // Clean-up runs whatever stopped the run (style G24); a lease that stays behind runs out by itself.
    const released = stop.reason()?.kind === 'lease-lost' ? ok(undefined) : await lease.release(plan, runId, world)
    if (!released.ok) log.warn('the lease could not be released', { runId, code: released.failure.code })
    await kept
  }
}

/** What a stopped run comes to; null when it is paused (and journals so) or goes on. */
async function restFor(reason: StopReason | null, record: RunRecord): Promise<RestState | null> {
  switch (reason?.kind) {
    case undefined:
      return null
    case 'pause':
      record.append({ kind: 'paused' })
      return null
    case 'detach':
      record.append({ kind: 'driver-left', why: reason.why })
      return { kind: 'left' }
    case 'abort':
      return finish(record, 'aborted', `Aborted by ${reason.by}: ${reason.reason}`)
    case 'lease-lost':
      record.append({ kind: 'lease-lost', node: record.view().plan.node, why: reason.why })
      return finish(
        record,
        'failed',
        `The lease of ${record.view().plan.node} was lost, so nothing more was begun. ${reason.why}`,
      )
  }
}

function finish(record: RunRecord, outcome: RunOutcome, summary: string): RestState {
  const leftBehind = outcome === 'done' || outcome === 'checks-failed' ? [] : whatStays(record.view())
  record.append({ kind: 'run-finished', outcome, summary, leftBehind })
  return { kind: 'finished', outcome }
}

/** What was begun and stays as it is, with how to undo it: an abort says so instead of pretending (style G24). */
function whatStays(view: RunView): string[] {
  return view.steps
    .filter(step => step.attempts > 0 && step.facts.some(fact => fact.announces))
    .map(({ step }) => `${step.title}: ${step.undo}`)
}
