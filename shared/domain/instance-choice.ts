import { z } from 'zod'
import { minutes } from './durations.ts'

export const InstanceChoice = z.enum([
  'wait',
  'abort-and-retry',
  /** It goes down with the host. */
  'abort-and-leave',
  'force-complete',
  /** It is down meanwhile. */
  'cold',
  'stop',
  /** It stays and goes down with the host; its migration is aborted. */
  'skip',
])
export type InstanceChoice = z.infer<typeof InstanceChoice>

/** The rule for a live migration without progress, as confirmed with the plan. */
export const StuckRule = z.strictObject({
  afterMs: z.number().int().min(minutes(1)),
  do: z.enum(['ask', 'force-complete', 'abort-and-retry', 'abort-and-leave', 'cold']),
})
export type StuckRule = z.infer<typeof StuckRule>

export const DEFAULT_STUCK_RULE: StuckRule = { afterMs: minutes(10), do: 'ask' }

export function leavesItThere(choice: InstanceChoice): boolean {
  return choice === 'abort-and-leave' || choice === 'skip'
}

/** It takes the instance down, now or with the host: a production cloud wants a reason. */
export function needsReason(choice: InstanceChoice): boolean {
  return choice !== 'wait' && choice !== 'abort-and-retry'
}
