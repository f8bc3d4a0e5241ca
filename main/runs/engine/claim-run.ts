import type { Failure } from '../../../shared/domain/failure.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import type { Fence, OpenGate, RunEvent, RunView } from '../../../shared/domain/run.ts'
import type { RunControl } from '../../../shared/domain/run-control.ts'
import { foldRun } from '../../../shared/domain/run-fold.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import { fault } from '../../../shared/words/step-texts.ts'
import type { RunRow } from '../../ports/journal.ts'
import { decideInstance } from './decide-instance.ts'
import { type EngineOptions, skipLane } from './drive-to-rest.ts'
import { isInterrupted, isOwnAndLeft } from './liveness.ts'
import { createRunRecord, type RunRecord } from './run-record.ts'
import type { StopSwitch } from './stop-switch.ts'
import { recordAnswer } from './walk-step.ts'

/** The engine of this process: what it works with, and the runs that it drives now. */
export interface EngineState<World> {
  readonly options: EngineOptions<World>
  readonly driving: Set<string>
}

interface LoadedRun {
  readonly view: RunView
  readonly events: readonly RunEvent[]
}

export function loadRun<World>({ options: { journal } }: EngineState<World>, runId: string): Result<LoadedRun> {
  const events = journal.events(runId)
  if (!events.ok) return events
  const view = events.value.length === 0 ? null : foldRun(events.value)
  return view === null
    ? failed(refusal('not-found', fault('RunUnknown', { run: runId }), { target: `run/${runId}` }))
    : ok({ view, events: events.value })
}

/** Takes a run that ended or has no driver; returns the new epoch, and a failure that names the driver of any other run. */
export function claimRun<World>(
  { options, driving }: EngineState<World>,
  view: RunView,
  /** Read before the events: the claim then detects a process that takes the run in between. */
  row: RunRow | null,
): Result<number> {
  const { journal, driver, liveness } = options
  const hasNoDriver =
    row !== null &&
    (view.state.kind === 'finished' ||
      isInterrupted(view, row, liveness) ||
      (isOwnAndLeft(row, driver) && !driving.has(view.id)))
  const epoch = hasNoDriver ? journal.claim(view.id, driver, row) : null
  return epoch === null ? failed(drivenElsewhere(view)) : ok(epoch)
}

/** The record that the holder of this fence writes; `stop` hears when the journal takes no more from it. */
export function openRecord<World>(
  { options: { journal, onEvent } }: EngineState<World>,
  events: readonly RunEvent[],
  of: { readonly runId: string; readonly fence: Fence; readonly stop: StopSwitch },
): RunRecord {
  const { runId, fence, stop } = of
  return createRunRecord({
    runId,
    journal,
    fence,
    events,
    onEvent,
    onReplaced: () => stop.stop({ kind: 'replaced' }),
    onRefused: ({ message }) => stop.stop({ kind: 'journal-refused', why: message }),
  })
}

/** Carries out requests to a driver that had already gone. A pause no longer matters: the run was resumed since. */
export function obeyLateControls(
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
    else recordAnswer(gate, { choice, reason }, record)
  }
}

export function runChanged(runId: string): Failure {
  return refusal('conflict', fault('RunWentOn', { run: runId }), { target: `run/${runId}` })
}

export function runHandedOver({ id, handedTo }: RunView): Failure {
  const handedOver = fault('RunHandedOver', { run: id, object: handedTo?.object ?? null })
  return refusal('conflict', handedOver, { target: `run/${id}` })
}

function drivenElsewhere({ id, driver }: RunView): Failure {
  const { operator, machine, pid } = driver
  return refusal('held', fault('RunDrivenElsewhere', { run: id, operator, machine, pid }), { target: `run/${id}` })
}
