import { z } from 'zod'
import { minutes } from './durations.ts'

/** A decision about one instance of a run while the others continue. */
export const InstanceChoice = z.enum([
  'wait',
  'abort-and-retry',
  /** Abort its migration and leave it: it goes down with the host. */
  'abort-and-leave',
  'force-complete',
  /** Abort its migration and move it cold: it is down meanwhile. */
  'cold',
  'stop',
  /** Do not move it: it stays and goes down with the host. Aborts a migration under way. */
  'skip',
])
export type InstanceChoice = z.infer<typeof InstanceChoice>

/** What happens to a live migration without progress for this time, as confirmed with the plan. */
export const StuckRule = z.strictObject({
  afterMs: z.number().int().min(minutes(1)),
  do: z.enum(['ask', 'force-complete', 'abort-and-retry', 'abort-and-leave', 'cold']),
})
export type StuckRule = z.infer<typeof StuckRule>

/** The default: after ten minutes without progress, ask the operator. */
export const DEFAULT_STUCK_RULE: StuckRule = { afterMs: minutes(10), do: 'ask' }

export function leavesItThere(choice: InstanceChoice): boolean {
  return choice === 'abort-and-leave' || choice === 'skip'
}

/** Whether a choice needs a reason: it takes the instance down, now or with the host. */
export function needsReason(choice: InstanceChoice): boolean {
  return choice !== 'wait' && choice !== 'abort-and-retry'
}
