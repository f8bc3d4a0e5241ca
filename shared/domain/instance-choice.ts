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

/** It interrupts the instance: a production cloud wants a reason. */
export function needsReason(choice: InstanceChoice): boolean {
  return choice === 'force-complete' || choice === 'cold' || choice === 'stop'
}

/** How much a choice harms the instance, from 0 (it costs time only) to 3 (it is down until somebody starts it). */
export const HARM_OF: Readonly<Record<InstanceChoice, 0 | 1 | 2 | 3>> = {
  wait: 0,
  'abort-and-retry': 0,
  'abort-and-leave': 1,
  skip: 1,
  'force-complete': 2,
  cold: 2,
  stop: 3,
}
