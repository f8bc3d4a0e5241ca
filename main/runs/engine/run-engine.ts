import type { AcceptedRun } from '../../../shared/domain/maintenance-run.ts'
import type { CheckedPlan, Plan } from '../../../shared/domain/plan.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import type { RunDriver, RunEvent, RunView } from '../../../shared/domain/run.ts'
import { OPERATOR_RESUMED } from '../../../shared/domain/run-facts.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import { fault } from '../../../shared/words/step-texts.ts'
import { JournalRefused } from '../../ports/journal.ts'
import { checkPlan } from './check-plan.ts'
import {
  claimRun,
  type EngineState,
  loadRun,
  obeyLateControls,
  openRecord,
  runChanged,
  runHandedOver,
} from './claim-run.ts'
import { type DrivenRun, driveRun, type EngineOptions, type HowDriven } from './drive-to-rest.ts'
import { isProcessGone, type LivenessFacts } from './liveness.ts'
import type { RunRecord } from './run-record.ts'
import { createStopSwitch, type StopSwitch } from './stop-switch.ts'
import {
  abortUndriven,
  announceHandOver,
  type EndedAs,
  endHandOver,
  type HandOverAnnounced,
  type HandOverEnd,
  receiveLate,
} from './undriven-run.ts'

export interface RunEngine<World> {
  check(plan: Plan, world: World, signal?: AbortSignal): Promise<CheckedPlan>
  start(plan: Plan, world: World, as?: StartedAs): Result<DrivenRun>
  /** A run that is handed over, or may be, is not resumed unless its caller knows that no runner has it (`takesBack`). */
  resume(runId: string, world: World, as?: ResumedAs): Result<DrivenRun>
  /** Ends a run that has no driver, and records what stays changed. */
  abortUndriven(runId: string, reason: string, how?: EndedAs): Result<void>
  /** Records, before it is requested, the MaintenanceRun that takes a run without driver; then no process here resumes it. Returns the new event's number. */
  announceHandOver(runId: string, announced: HandOverAnnounced, lastSeq: number): Result<number>
  /** Journals the pending requests to a run that has no driver, as its next driver would, so that a history to hand over contains them. */
  receiveLate(runId: string): Result<void>
  /** Records the result: a runner has the run, and it has ended here; or no runner has it, and it may resume here. */
  endHandOver(runId: string, end: HandOverEnd): Result<void>
}

export interface ResumedAs {
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
  const engine: EngineState<World> = { options, driving: new Set() }
  const { registry, readingOf, clock, log } = options
  return {
    check: (plan, world, signal) =>
      checkPlan({
        plan,
        registry,
        world,
        clock,
        log,
        ...(readingOf === undefined ? {} : { readingOf }),
        ...(signal === undefined ? {} : { signal }),
      }),
    start: (plan, world, as) => start(engine, plan, world, as),
    resume: (runId, world, as) => resume(engine, runId, world, as),
    abortUndriven: (...ended) => abortUndriven(engine, ...ended),
    announceHandOver: (...announced) => announceHandOver(engine, ...announced),
    receiveLate: runId => receiveLate(engine, runId),
    endHandOver: (...ended) => endHandOver(engine, ...ended),
  }
}

function start<World>(engine: EngineState<World>, confirmed: Plan, world: World, as?: StartedAs): Result<DrivenRun> {
  const { journal, log, driver, newId, onEvent, bind } = engine.options
  const runId = newId()
  const plan = bind?.(confirmed, runId) ?? confirmed
  try {
    const first = { ...driver, operator: as?.operator ?? driver.operator, epoch: 1 }
    const asked = as?.asked === undefined ? {} : { asked: as.asked }
    const event = journal.createRun(runId, { kind: 'run-created', plan, driver: first, ...asked })
    onEvent(event)
    const stop = createStopSwitch()
    const record = openRecord(engine, [event], { runId, fence: first, stop })
    record.append({ kind: 'run-driven', driver: first, resumed: false })
    return ok(drive(engine, record, world, { fence: first, resumed: false, isDriverGone: () => false }, stop))
  } catch (error) {
    log.error('run-not-journaled', { error })
    if (error instanceof JournalRefused) return failed(error.failure)
    return failed(refusal('server-fault', fault('JournalNotWritten')))
  }
}

function resume<World>(
  engine: EngineState<World>,
  runId: string,
  world: World,
  { operator = engine.options.driver.operator, takesBack }: ResumedAs = {},
): Result<DrivenRun> {
  const { journal, driver, liveness } = engine.options
  const row = journal.row(runId)
  const loaded = loadRun(engine, runId)
  if (!loaded.ok) return loaded
  const { view } = loaded.value
  if (view.handedTo !== null && takesBack === undefined) return failed(runHandedOver(view))
  if (view.state.kind === 'finished' && view.state.outcome !== 'failed' && view.state.outcome !== 'handed-over') {
    return failed(refusal('conflict', fault('RunOverNotResumed', { run: runId }), { target: `run/${runId}` }))
  }
  const epoch = claimRun(engine, view, row)
  if (!epoch.ok) return epoch
  // Another process may have announced a hand-over between the read and the claim.
  const now = loadRun(engine, runId)
  if (!now.ok) return now
  const { events } = now.value
  if (takesBack !== undefined && events.at(-1)?.seq !== takesBack) return failed(runChanged(runId))
  if (now.value.view.handedTo !== null && takesBack === undefined) return failed(runHandedOver(now.value.view))
  const claimed = { ...driver, operator, epoch: epoch.value }
  const stop = createStopSwitch()
  const record = openRecord(engine, events, { runId, fence: claimed, stop })
  record.append({ kind: 'run-driven', driver: claimed, resumed: true })
  if (view.state.kind === 'finished' && view.state.outcome === 'failed') allowOneMoreTry(view, record)
  obeyLateControls(journal.takeControls(runId), view.openGates, record, stop)
  const how = { fence: claimed, resumed: true, isDriverGone: goneDrivers(events, liveness) }
  return ok(drive(engine, record, world, how, stop))
}

/** Drives a run, which counts as driven by this process until it rests. */
function drive<World>(
  { driving, options }: EngineState<World>,
  record: RunRecord,
  world: World,
  how: HowDriven,
  stop: StopSwitch,
): DrivenRun {
  const run = driveRun(record, world, how, stop, options)
  driving.add(run.runId)
  void run.finished.then(() => driving.delete(run.runId))
  return run
}

/** Finds earlier drivers of a resumed run that have provably ended: their Leases need not expire first. */
function goneDrivers(events: readonly RunEvent[], liveness: LivenessFacts): (driverId: string) => boolean {
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

/** Resuming a failed run allows one more try, whatever used up its attempts. */
function allowOneMoreTry(view: RunView, record: RunRecord): void {
  for (const { step, state } of view.steps) {
    if (state !== 'failed') continue
    const fact = { fact: OPERATOR_RESUMED, subject: step.id, announces: false, values: {} }
    record.append({ kind: 'fact', stepId: step.id, ...fact })
  }
}
