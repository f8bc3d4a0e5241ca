import type { RunEvent } from '../../../shared/domain/run.ts'

/** Why steps were skipped and who skipped them, by step id. */
export function skipReasons(events: readonly RunEvent[]): ReadonlyMap<string, string> {
  const reasons = new Map<string, string>()
  for (const { body } of events) {
    if (body.kind === 'step-skipped' && body.by === 'operator') reasons.set(body.stepId, body.reason)
    if (body.kind === 'step-started') reasons.delete(body.stepId)
  }
  return reasons
}

const STOPPING: ReadonlySet<RunEvent['body']['kind']> = new Set([
  'pause-requested',
  'paused',
  'resume-requested',
  'run-driven',
  'driver-left',
  'abort-requested',
  'run-finished',
])

/** Whether a pause was requested and has not happened yet. */
export function isPausing(events: readonly RunEvent[]): boolean {
  return events.findLast(({ body }) => STOPPING.has(body.kind))?.body.kind === 'pause-requested'
}
