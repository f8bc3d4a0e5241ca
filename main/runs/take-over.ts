import type { AcceptedRun, HandedOver } from '../../shared/domain/maintenance-run.ts'
import type { Plan } from '../../shared/domain/plan.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import type { ProcessOfDriver, RunEvent } from '../../shared/domain/run.ts'
import { because } from '../../shared/words/reasons.ts'
import { refusal } from '../../shared/words/refusal.ts'
import type { Journal } from '../journal/journal.ts'
import type { Clock } from '../platform/clock/clock.ts'
import type { Logger } from '../platform/log/logger.ts'
import { JournalRefused } from '../ports/journal.ts'
import { readHistory } from './handed-over-history.ts'
import type { RunService } from './run-service.ts'

/** An unfinished run that a console hands over, its MaintenanceRun, and who confirmed it. */
export interface GivenRun {
  readonly handedOver: HandedOver
  readonly plan: Plan
  readonly asked: AcceptedRun
  readonly operator: string
}

/** Stores a run that a console hands over, under its own id, to resume it as after a crash. A failure `bad-input` is permanent. */
export function takeOverRun(
  { handedOver, plan, asked, operator }: GivenRun,
  parts: {
    readonly journal: Pick<Journal, 'row' | 'takeOverRun'>
    readonly driver: ProcessOfDriver
    readonly clock: Pick<Clock, 'now'>
    readonly knowsWindow: (id: string) => boolean
    readonly onEvent: (event: RunEvent) => void
  },
): Result<string> {
  const { journal, driver, knowsWindow, onEvent, clock } = parts
  const { run, storyHash } = handedOver
  if (journal.row(run) !== null) {
    return failed(refusal('bad-input', because('RunInRunnersJournal', { run })))
  }
  const read = readHistory(handedOver, plan, clock.now())
  if (!read.ok) return read
  const body = {
    kind: 'run-taken-over',
    driver: { ...driver, operator, epoch: 1 },
    asked,
    storyHash,
  } as const
  try {
    const kept = journal.takeOverRun(
      read.value.map(event => withoutUnknownWindow(event, knowsWindow)),
      body,
    )
    for (const event of kept) onEvent(event)
    return ok(run)
  } catch (error) {
    if (error instanceof JournalRefused) return failed(error.failure)
    throw error
  }
}

/** Ends a run here that a runner reports as taken over, where the answer to the hand-over was lost; only if the announced history is the same. */
export function endTakenOver(
  { runId, body }: RunEvent,
  own: Pick<RunService, 'endHandOver' | 'view'>,
  log: Pick<Logger, 'warn'>,
): void {
  if (body.kind !== 'run-taken-over') return
  const found = own.view(runId)
  if (!found.ok) return
  const { handedTo, state } = found.value.view
  if (handedTo === null || handedTo.storyHash !== body.storyHash || state.kind === 'finished') return
  const { object, namespace, by } = handedTo
  const ended = own.endHandOver(runId, {
    kind: 'handed-over',
    said: because('RunnerGoesOn', { object, namespace, by }),
  })
  if (!ended.ok) log.warn('taken-over-run-not-ended', { runId, why: ended.failure.message })
}

/** Drops a window of the console's journal, which this journal does not know. */
function withoutUnknownWindow(event: RunEvent, knowsWindow: (id: string) => boolean): RunEvent {
  const { body } = event
  if (body.kind !== 'run-created' || body.plan.window?.kind !== 'in' || knowsWindow(body.plan.window.id)) return event
  return { ...event, body: { ...body, plan: { ...body.plan, window: null } } }
}
