import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import type { RunEvent, RunEventBody, RunView } from '../../../shared/domain/run.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import { fault } from '../../../shared/words/step-texts.ts'
import {
  claimRun,
  type EngineState,
  loadRun,
  obeyLateControls,
  openRecord,
  runChanged,
  runHandedOver,
} from './claim-run.ts'
import type { RunRecord } from './run-record.ts'
import { finishAborted } from './run-rest.ts'
import { type CodedText, codedOf } from './said.ts'
import { createStopSwitch } from './stop-switch.ts'

export type HandOverAnnounced = Omit<Extract<RunEventBody, { kind: 'hand-over-announced' }>, 'kind'>

/** The result of a hand-over. `said`: where the run continues, or why it does not. */
export type HandOverEnd =
  | { readonly kind: 'handed-over'; readonly said: CodedText }
  /** `lastSeq`: the number of the run's last event at that time. */
  | { readonly kind: 'not-handed-over'; readonly said: CodedText; readonly lastSeq: number }

export interface EndedAs {
  readonly by?: string
  /** Whether it ends because the operator undoes it; absent if not. */
  readonly forUndo?: boolean
}

interface Write {
  readonly runId: string
  /** The purpose, as a failure names it. */
  readonly doing: 'abort' | 'hand over' | 'resume'
  readonly write: (record: RunRecord, events: readonly RunEvent[]) => Result<void>
  /** Whether to write to a run that has ended here; absent means never. */
  readonly alsoOver?: (view: RunView) => boolean
}

/** Writes to a run that has no driver, as its driver. */
function writeUndriven<World>(engine: EngineState<World>, { runId, doing, write, alsoOver }: Write): Result<void> {
  const row = engine.options.journal.row(runId)
  const loaded = loadRun(engine, runId)
  if (!loaded.ok) return loaded
  const { view } = loaded.value
  if (view.state.kind === 'finished' && alsoOver?.(view) !== true) {
    return failed(refusal('conflict', fault('RunIsOver', { run: runId, doing }), { target: `run/${runId}` }))
  }
  const epoch = claimRun(engine, view, row)
  if (!epoch.ok) return epoch
  const now = loadRun(engine, runId)
  if (!now.ok) return now
  const { events } = now.value
  const fence = { id: engine.options.driver.id, epoch: epoch.value }
  return write(openRecord(engine, events, { runId, fence, stop: createStopSwitch() }), events)
}

export function abortUndriven<World>(
  engine: EngineState<World>,
  runId: string,
  reason: string,
  { by = engine.options.driver.operator, forUndo = false }: EndedAs = {},
): Result<void> {
  return writeUndriven(engine, {
    runId,
    doing: 'abort',
    write: record => {
      if (record.view().handedTo !== null) return failed(runHandedOver(record.view()))
      record.append({ kind: 'abort-requested', by, reason, ...(forUndo ? { forUndo } : {}) })
      finishAborted(record, { by, reason })
      return ok(undefined)
    },
  })
}

export function announceHandOver<World>(
  engine: EngineState<World>,
  runId: string,
  announced: HandOverAnnounced,
  lastSeq: number,
): Result<number> {
  const received = writeUndriven(engine, {
    runId,
    doing: 'hand over',
    write: (record, events) => {
      if (events.at(-1)?.seq !== lastSeq) return failed(runChanged(runId))
      record.append({ kind: 'hand-over-announced', ...announced })
      return ok(undefined)
    },
  })
  const now = received.ok ? loadRun(engine, runId) : received
  return now.ok ? ok(now.value.events.at(-1)?.seq ?? 0) : now
}

export function receiveLate<World>(engine: EngineState<World>, runId: string): Result<void> {
  return writeUndriven(engine, {
    runId,
    doing: 'hand over',
    write: record => {
      const stop = createStopSwitch()
      obeyLateControls(engine.options.journal.takeControls(runId), record.view().openGates, record, stop)
      const reason = stop.reason()
      // The run has no driver that would carry out the abort.
      if (reason?.kind === 'abort') finishAborted(record, reason)
      return ok(undefined)
    },
  })
}

export function endHandOver<World>(engine: EngineState<World>, runId: string, end: HandOverEnd): Result<void> {
  return end.kind === 'handed-over' ? endHandedOver(engine, runId, end.said) : failHandOver(engine, runId, end)
}

/** A runner has the run: it has ended here. */
function endHandedOver<World>(engine: EngineState<World>, runId: string, said: CodedText): Result<void> {
  const loaded = loadRun(engine, runId)
  const state = loaded.ok ? loaded.value.view.state : null
  // The runner may have reported that it has the run before the API server answered.
  if (state?.kind === 'finished' && state.outcome === 'handed-over') return ok(undefined)
  return writeUndriven(engine, {
    runId,
    doing: 'hand over',
    write: record => {
      // The report of a runner's refusal may arrive before the answer of the API server.
      if (record.view().handedTo === null) return failed(runChanged(runId))
      const ending = { summary: said.message, ...codedOf(said) }
      record.append({ kind: 'run-finished', outcome: 'handed-over', ...ending, leftBehind: [] })
      return ok(undefined)
    },
  })
}

/** No runner has the run: it may resume here. */
function failHandOver<World>(
  engine: EngineState<World>,
  runId: string,
  { said, lastSeq }: Extract<HandOverEnd, { readonly kind: 'not-handed-over' }>,
): Result<void> {
  return writeUndriven(engine, {
    runId,
    doing: 'resume',
    write: (record, events) => {
      if (events.at(-1)?.seq !== lastSeq) return failed(runChanged(runId))
      record.append({ kind: 'hand-over-failed', why: said.message, ...codedOf(said) })
      return ok(undefined)
    },
    alsoOver: ({ handedTo }) => handedTo !== null,
  })
}
