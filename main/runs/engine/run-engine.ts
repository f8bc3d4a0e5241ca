import type { Failure } from '../../../shared/domain/failure.ts'
import type { AcceptedRun } from '../../../shared/domain/maintenance-run.ts'
import type { CheckedPlan, Plan } from '../../../shared/domain/plan.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import type { Fence, OpenGate, RunDriver, RunEvent, RunEventBody, RunView } from '../../../shared/domain/run.ts'
import type { RunControl } from '../../../shared/domain/run-control.ts'
import { OPERATOR_RESUMED } from '../../../shared/domain/run-facts.ts'
import { foldRun } from '../../../shared/domain/run-fold.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import { fault } from '../../../shared/words/step-texts.ts'
import { JournalRefused, type RunRow } from '../../ports/journal.ts'
import { checkPlan } from './check-plan.ts'
import { decideInstance } from './decide-instance.ts'
import { type DrivenRun, driveRun, type EngineOptions, skipLane } from './drive-to-rest.ts'
import { isInterrupted, isOwnAndLeft, isProcessGone, type LivenessFacts } from './liveness.ts'
import { createRunRecord, type RunRecord } from './run-record.ts'
import { finishAborted } from './run-rest.ts'
import { codedOf, type Said } from './said.ts'
import { createStopSwitch, type StopSwitch } from './stop-switch.ts'
import { keepAnswer } from './walk-step.ts'

/** Starts, resumes and drives runs. */
export interface RunEngine<World> {
  check(plan: Plan, world: World, signal?: AbortSignal): Promise<CheckedPlan>
  start(plan: Plan, world: World, as?: StartedAs): Result<DrivenRun>
  /** A run that is handed over, or may be, is not resumed unless its caller knows that no runner has it (`takesBack`). */
  resume(runId: string, world: World, as?: ResumedAs): Result<DrivenRun>
  /** Ends a run that has no driver, and records what stays changed. */
  abortUndriven(runId: string, reason: string, how?: EndedAs): Result<void>
  /**
   * Records the MaintenanceRun that a run without driver is handed over to, before the request is sent, if `lastSeq` is still its last event. From
   * then on no process here resumes it. Returns the number of the new event.
   */
  announceHandOver(runId: string, announced: Omit<HandOverAnnounced, 'kind'>, lastSeq: number): Result<number>
  /** Journals the pending requests to a run that has no driver, as its next driver would, so that a history to hand over contains them. */
  receiveLate(runId: string): Result<void>
  /** Records the result: a runner has the run, and it has ended here; or no runner has it, and it may resume here. */
  endHandOver(runId: string, end: HandOverEnd): Result<void>
}

type HandOverAnnounced = Extract<RunEventBody, { kind: 'hand-over-announced' }>

/** The result of a hand-over. `said`: where the run continues, or why it does not. */
type HandOverEnd =
  | { readonly kind: 'handed-over'; readonly said: Said }
  /** `lastSeq`: the number of the run's last event at that time. */
  | { readonly kind: 'not-handed-over'; readonly said: Said; readonly lastSeq: number }

/** How a run without driver ends. */
export interface EndedAs {
  /** The person who ends it; by default the operator of this process. */
  readonly by?: string
  /** Whether it ends because the operator undoes it; absent: no. */
  readonly forUndo?: boolean
}

/** How a run is resumed. */
export interface ResumedAs {
  /** The person who resumes it; by default the operator of this process. */
  readonly operator?: string
  /** It was handed over and no runner has it; the value is the number of its last event when that was established. */
  readonly takesBack?: number
}

/** The name in which a run starts, if not the operator of this process. */
export interface StartedAs {
  readonly operator: string
  /** The MaintenanceRun that requests it. */
  readonly asked?: AcceptedRun
}

export function createRunEngine<World>(options: EngineOptions<World>): RunEngine<World> {
  const { journal, clock, log, driver, newId, onEvent } = options

  const load = (runId: string): Result<{ readonly view: RunView; readonly events: readonly RunEvent[] }> => {
    const events = journal.events(runId)
    if (!events.ok) return events
    const view = events.value.length === 0 ? null : foldRun(events.value)
    return view === null
      ? failed(refusal('not-found', fault('RunUnknown', { run: runId }), { target: `run/${runId}` }))
      : ok({ view, events: events.value })
  }

  const openRecord = (runId: string, events: readonly RunEvent[], stop: StopSwitch, fence: Fence): RunRecord =>
    createRunRecord({
      runId,
      journal,
      fence,
      events,
      onEvent,
      onReplaced: () => stop.stop({ kind: 'replaced' }),
      onRefused: ({ message }) => stop.stop({ kind: 'journal-refused', why: message }),
    })

  const driving = new Set<string>()
  const drive: typeof driveRun<World> = (record, ...rest) => {
    const run = driveRun(record, ...rest)
    driving.add(run.runId)
    void run.finished.then(() => driving.delete(run.runId))
    return run
  }
  const nobodyDrives = (view: RunView, row: RunRow) =>
    isInterrupted(view, row, options.liveness) || (isOwnAndLeft(row, driver) && !driving.has(view.id))

  /** Writes to a run that has no driver, as its driver; `doing` names the purpose. */
  const writeUndriven = (
    runId: string,
    doing: string,
    write: (record: RunRecord, events: readonly RunEvent[]) => Result<void>,
    /** Whether to write to a run that has ended here. */
    alsoOver: (view: RunView) => boolean = () => false,
  ): Result<void> => {
    // Read before the events: the claim then detects a process that takes the run in between.
    const row = journal.row(runId)
    const loaded = load(runId)
    if (!loaded.ok) return loaded
    const { view } = loaded.value
    const hasEnded = view.state.kind === 'finished'
    if (hasEnded && !alsoOver(view)) {
      return failed(refusal('conflict', fault('RunIsOver', { run: runId, doing }), { target: `run/${runId}` }))
    }
    const free = row !== null && (hasEnded || nobodyDrives(view, row))
    const epoch = free ? journal.claim(runId, driver, row) : null
    if (epoch === null) return failed(drivenElsewhere(view))
    const now = load(runId)
    if (!now.ok) return now
    const { events } = now.value
    return write(openRecord(runId, events, createStopSwitch(), { id: driver.id, epoch }), events)
  }

  return {
    check: (plan, world, signal) => {
      const { registry, readingOf } = options
      return checkPlan({
        plan,
        registry,
        world,
        clock,
        log,
        ...(readingOf === undefined ? {} : { readingOf }),
        ...(signal === undefined ? {} : { signal }),
      })
    },
    start: (confirmed, world, as) => {
      const runId = newId()
      const plan = options.bind?.(confirmed, runId) ?? confirmed
      try {
        const first = { ...driver, operator: as?.operator ?? driver.operator, epoch: 1 }
        const asked = as?.asked === undefined ? {} : { asked: as.asked }
        const event = journal.createRun(runId, { kind: 'run-created', plan, driver: first, ...asked })
        onEvent(event)
        const stop = createStopSwitch()
        const record = openRecord(runId, [event], stop, first)
        record.append({ kind: 'run-driven', driver: first, resumed: false })
        return ok(drive(record, world, { fence: first, resumed: false, isDriverGone: () => false }, stop, options))
      } catch (error) {
        log.error('run-not-journaled', { error })
        if (error instanceof JournalRefused) return failed(error.failure)
        return failed(refusal('server-fault', fault('JournalNotWritten')))
      }
    },
    resume: (runId, world, { operator = driver.operator, takesBack } = {}) => {
      const row = journal.row(runId)
      const loaded = load(runId)
      if (!loaded.ok) return loaded
      const { view } = loaded.value
      if (view.handedTo !== null && takesBack === undefined) return failed(isHandedOver(view))
      if (view.state.kind === 'finished' && view.state.outcome !== 'failed' && view.state.outcome !== 'handed-over') {
        return failed(refusal('conflict', fault('RunOverNotResumed', { run: runId }), { target: `run/${runId}` }))
      }
      const isFinished = view.state.kind === 'finished'
      const free = row !== null && (isFinished || nobodyDrives(view, row))
      const epoch = free ? journal.claim(runId, driver, row) : null
      if (epoch === null) return failed(drivenElsewhere(view))
      // Another process may have announced a hand-over between the read and the claim.
      const now = load(runId)
      if (!now.ok) return now
      const { events } = now.value
      if (takesBack !== undefined && events.at(-1)?.seq !== takesBack) return failed(wentOn(runId))
      if (now.value.view.handedTo !== null && takesBack === undefined) return failed(isHandedOver(now.value.view))
      const claimed = { ...driver, operator, epoch }
      const stop = createStopSwitch()
      const record = openRecord(runId, events, stop, claimed)
      record.append({ kind: 'run-driven', driver: claimed, resumed: true })
      if (view.state.kind === 'finished' && view.state.outcome === 'failed') allowOneMore(view, record)
      obeyLate(journal.takeControls(runId), loaded.value.view.openGates, record, stop)
      return ok(
        drive(
          record,
          world,
          { fence: claimed, resumed: true, isDriverGone: goneAmong(events, options.liveness) },
          stop,
          options,
        ),
      )
    },
    abortUndriven: (runId, reason, { by = driver.operator, forUndo = false } = {}) =>
      writeUndriven(runId, 'abort', record => {
        if (record.view().handedTo !== null) return failed(isHandedOver(record.view()))
        record.append({ kind: 'abort-requested', by, reason, ...(forUndo ? { forUndo } : {}) })
        finishAborted(record, { by, reason })
        return ok(undefined)
      }),
    announceHandOver: (runId, announced, lastSeq) => {
      const received = writeUndriven(runId, 'hand over', (record, events) => {
        if (events.at(-1)?.seq !== lastSeq) return failed(wentOn(runId))
        record.append({ kind: 'hand-over-announced', ...announced })
        return ok(undefined)
      })
      const now = received.ok ? load(runId) : received
      return now.ok ? ok(now.value.events.at(-1)?.seq ?? 0) : now
    },
    receiveLate: runId =>
      writeUndriven(runId, 'hand over', record => {
        const stop = createStopSwitch()
        obeyLate(journal.takeControls(runId), record.view().openGates, record, stop)
        const reason = stop.reason()
        // The run has no driver that would carry out the abort.
        if (reason?.kind === 'abort') finishAborted(record, reason)
        return ok(undefined)
      }),
    endHandOver: (runId, end) => {
      const loaded = load(runId)
      const state = loaded.ok ? loaded.value.view.state : null
      // The runner may have reported that it has the run before the API server answered.
      if (end.kind === 'handed-over' && state?.kind === 'finished' && state.outcome === 'handed-over')
        return ok(undefined)
      if (end.kind === 'handed-over') {
        return writeUndriven(runId, 'hand over', record => {
          // The report of a runner's refusal may arrive before the answer of the API server.
          if (record.view().handedTo === null) return failed(wentOn(runId))
          const { said } = end
          const ending = { summary: said.message, ...codedOf(said) }
          record.append({ kind: 'run-finished', outcome: 'handed-over', ...ending, leftBehind: [] })
          return ok(undefined)
        })
      }
      const write = (record: RunRecord, events: readonly RunEvent[]) => {
        if (events.at(-1)?.seq !== end.lastSeq) return failed(wentOn(runId))
        record.append({ kind: 'hand-over-failed', why: end.said.message, ...codedOf(end.said) })
        return ok(undefined)
      }
      return writeUndriven(runId, 'take back', write, ({ handedTo }) => handedTo !== null)
    },
  }
}

/** Finds earlier drivers of a resumed run that have provably ended: their Leases need not expire first. */
function goneAmong(events: readonly RunEvent[], liveness: LivenessFacts): (driverId: string) => boolean {
  const drivers = new Map<string, RunDriver>()
  // What another console recorded about its drivers proves nothing here.
  const takenOver = events.findLastIndex(({ body: { kind } }) => kind === 'run-taken-over')
  for (const { body } of events.slice(takenOver + 1)) {
    if ((body.kind === 'run-created' || body.kind === 'run-driven') && body.driver.id !== undefined)
      drivers.set(body.driver.id, body.driver)
  }
  return driverId => {
    const driver = drivers.get(driverId)
    // This very process left the run before it resumes it.
    return driver !== undefined && (driverId === liveness.self.id || isProcessGone(driver, liveness))
  }
}

function wentOn(runId: string): Failure {
  return refusal('conflict', fault('RunWentOn', { run: runId }), { target: `run/${runId}` })
}

function isHandedOver({ id, handedTo }: RunView): Failure {
  const handedOver = fault('RunHandedOver', { run: id, object: handedTo?.object ?? null })
  return refusal('conflict', handedOver, { target: `run/${id}` })
}

function drivenElsewhere({ id, driver }: RunView): Failure {
  const { operator, machine, pid } = driver
  return refusal('held', fault('RunDrivenElsewhere', { run: id, operator, machine, pid }), { target: `run/${id}` })
}

/** Resuming a failed run allows one more try, whatever used up its attempts. */
function allowOneMore(view: RunView, record: RunRecord): void {
  for (const { step, state } of view.steps) {
    if (state !== 'failed') continue
    const fact = { fact: OPERATOR_RESUMED, subject: step.id, announces: false, values: {} }
    record.append({ kind: 'fact', stepId: step.id, ...fact })
  }
}

/**
 * Carries out requests to a driver that had already gone: an abort, the answer to its open question, a node to skip, a decision about an instance,
 * and the request to start no other node. A pause no longer matters: the run was resumed since.
 */
function obeyLate(
  controls: readonly RunControl[],
  asked: readonly OpenGate[],
  record: RunRecord,
  stop: StopSwitch,
): void {
  for (const request of controls) {
    if (request.kind === 'abort') {
      stop.stop({ kind: 'abort', by: request.by, reason: request.reason })
      record.append({ kind: 'abort-requested', by: request.by, reason: request.reason })
    }
    if (request.kind === 'pause-after-node') {
      stop.hold()
      record.append({ kind: 'pause-after-node-requested', by: request.by })
    }
    if (request.kind === 'skip-lane') skipLane(record, request)
    if (request.kind === 'decide-instance') decideInstance(record, request)
    if (request.kind !== 'answer') continue
    const { gateId, choice, reason, by } = request
    const gate = asked.find(open => open.gateId === gateId)
    if (gate === undefined) continue
    const { stepId } = gate
    record.append({ kind: 'gate-answered', stepId, gateId, choice, reason, by })
    if (choice === 'abort') stop.stop({ kind: 'abort', by, reason })
    else keepAnswer(gate, { choice, reason }, record)
  }
}
