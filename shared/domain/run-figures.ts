import { z } from 'zod'
import type { RunEvent, RunView } from './run.ts'
import { talliesOf } from './run-progress.ts'
import { RunWaitFor } from './run-wait.ts'
import { waitedOf } from './run-waited.ts'
import { stepTally } from './step-tally.ts'

const count = z.number().int()

/** A run in numbers, for programs: the same as on screen, terminal and report. */
export const RunFigures = z.strictObject({
  instances: z.strictObject({
    moved: count,
    stopped: count,
    started: count,
    settled: count,
    left: count,
    failed: count,
  }),
  podsLeft: count,
  steps: z.strictObject({ verified: count, notVerified: count, onlyDone: count, skipped: count }),
  /** The waits, grouped by who can end them, each moment counted once; `since` means it still waits. */
  waited: z.array(z.strictObject({ for: RunWaitFor, ms: z.number(), since: z.string().nullable() })),
})
export type RunFigures = z.infer<typeof RunFigures>

export function figuresOf(view: RunView, events: readonly RunEvent[]): RunFigures {
  const { moves, pods } = talliesOf(view)
  const { moved = 0, stopped = 0, started = 0, settled = 0, left = 0, failed = 0 } = moves ?? {}
  return {
    instances: { moved, stopped, started, settled, left, failed },
    podsLeft: pods?.done ?? 0,
    steps: { ...stepTally(view.steps), skipped: view.steps.filter(({ state }) => state === 'skipped').length },
    waited: [...waitedOf(view, events).whom].map(([whom, { ms, since }]) => ({ for: whom, ms, since })),
  }
}
