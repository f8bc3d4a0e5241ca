import type { Failure } from '../../../shared/domain/failure.ts'
import { markedSince } from '../../../shared/domain/lifted-blockers.ts'
import { must } from '../../../shared/domain/must.ts'
import { overrideFor, type PlannedStep } from '../../../shared/domain/plan.ts'
import type { Fence, RunEvent, RunEventBody, RunFact, RunView, StepView } from '../../../shared/domain/run.ts'
import type { RunFactName } from '../../../shared/domain/run-facts.ts'
import { applyRunEvent, foldRun } from '../../../shared/domain/run-fold.ts'
import { type Clock, isoNow } from '../../platform/clock/clock.ts'
import { DriverReplaced, type JournalPort, JournalRefused } from '../../ports/journal.ts'
import { type StepContext, StopStepping } from './step.ts'
import type { StopReason } from './stop-switch.ts'
import { retryRead, type TransientRetry } from './transient-retry.ts'

/** A run's events and its view, kept in step: an event is on disk before the view changes. */
export interface RunRecord {
  readonly runId: string
  view(): RunView
  append(body: RunEventBody): void
}

export function createRunRecord(options: {
  readonly runId: string
  readonly journal: JournalPort
  readonly fence: Fence
  readonly onReplaced: () => void
  /** The journal rejected an event, so nothing more may start. */
  readonly onRefused: (why: Failure) => void
  readonly events: readonly RunEvent[]
  readonly onEvent: (event: RunEvent) => void
}): RunRecord {
  const { runId, journal, fence, onEvent, onReplaced, onRefused } = options
  let view = foldRun(options.events)
  // Events after a lost one would give a false history: this process writes no more, and the next driver reads the world again.
  let refused: JournalRefused | null = null
  const write = (body: RunEventBody): RunEvent => {
    if (refused !== null) throw refused
    try {
      return journal.append(runId, body, fence)
    } catch (error) {
      if (error instanceof JournalRefused) {
        refused = error
        onRefused(error.failure)
      }
      if (!(error instanceof DriverReplaced)) throw error
      onReplaced()
      throw new StopStepping(error.message)
    }
  }
  return {
    runId,
    view: () => view,
    append: body => {
      const event = write(body)
      view = applyRunEvent(view, event)
      onEvent(event)
    },
  }
}

export function stepView(record: RunRecord, stepId: string): StepView {
  return must(
    record.view().steps.find(step => step.step.id === stepId),
    'steps are looked up by ids of the run’s own plan',
  )
}

/** Whether a step was carried out, by this or an earlier driver. */
export function isCarriedOut(record: RunRecord, step: PlannedStep): boolean {
  if (!step.verbs.includes('apply')) return false
  const view = stepView(record, step.id)
  const applied = view.state === 'applied' || view.state === 'verified'
  return view.state === 'skipped' || view.state === 'nothing-to-do' || (applied && view.attempts > 0)
}

/** Whether a step was carried out and, where later steps depend on it, verified: a driver may be killed between the two. */
export function isCarriedOutAndVerified(record: RunRecord, step: PlannedStep): boolean {
  const isLookOwed = step.verifyEarly && step.verbs.includes('verify') && stepView(record, step.id).state === 'applied'
  return isCarriedOut(record, step) && !isLookOwed
}

export function hasOpenQuestion(record: RunRecord, step: PlannedStep): boolean {
  return record.view().openGates.some(({ stepId }) => stepId === step.id)
}

export function hasTouched(record: RunRecord): boolean {
  return record.view().steps.some(step => step.attempts > 0)
}

/** The context of a step: facts go to the journal before their effect, and nothing is announced after the run stops. */
export function stepContext<World>(options: {
  readonly record: RunRecord
  readonly step: PlannedStep
  readonly world: World
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly resumed: boolean
  /** Whether the run may act now: it holds the Lease by the clock, however slow a renewal is. */
  readonly mayAct: () => boolean
  readonly stoppedBy: () => StopReason['kind'] | null
  readonly transientRetry: TransientRetry
}): StepContext<World> {
  const { record, step, world, clock, signal, resumed, mayAct, stoppedBy, transientRetry } = options
  const keep =
    (announces: boolean) =>
    (fact: RunFactName, subject: string, values: RunFact['values'] = {}) => {
      if (announces && (!mayAct() || signal.aborted)) throw new StopStepping('the run stops: no new effect may start')
      record.append({ kind: 'fact', stepId: step.id, fact, subject, announces, values: { ...values } })
    }
  return {
    world,
    clock,
    runId: record.runId,
    operator: record.view().driver.operator,
    stepId: step.id,
    options: record.view().plan.options,
    liftedBy: blocker => {
      const { lifted, options } = record.view().plan
      return overrideFor(markedSince(step.id, blocker, lifted), options.overrides)
    },
    signal,
    resumed,
    counted: () => stepView(record, step.id).counted,
    history: () => stepView(record, step.id).facts,
    runHistory: () => record.view().steps.flatMap(({ facts }) => facts),
    window: record.view().plan.window,
    announce: keep(true),
    report: keep(false),
    stoppedBy,
    retryTransient: (what, read) => retryRead(what, read, transientRetry, signal),
    at: () => isoNow(clock),
  }
}
