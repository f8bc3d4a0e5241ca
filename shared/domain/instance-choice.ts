import { z } from 'zod'
import { minutes } from './durations.ts'

/** What may be decided about one instance of a run, while the others go on. */
export const InstanceChoice = z.enum([
  /** Its migration is waited for on. */
  'wait',
  /** Its migration is aborted, and it is moved again. */
  'abort-and-retry',
  /** Its migration is aborted, and it stays where it is: it goes down with the host. */
  'abort-and-leave',
  /** Nova is told to end its migration now. */
  'force-complete',
  /** Its migration is aborted, and it is moved cold: it is down meanwhile. */
  'cold',
  /** Its migration is aborted, and it is stopped where it is. */
  'stop',
  /** It is not moved: it stays where it is and goes down with the host. A migration under way is aborted. */
  'skip',
])
export type InstanceChoice = z.infer<typeof InstanceChoice>

/** What is done about a live migration that gets nowhere for so long, as confirmed with the plan. */
export const StuckRule = z.strictObject({
  afterMs: z.number().int().min(minutes(1)),
  do: z.enum(['ask', 'force-complete', 'abort-and-retry', 'abort-and-leave', 'cold']),
})
export type StuckRule = z.infer<typeof StuckRule>

/** What is done where nobody said otherwise: after ten minutes without progress a person is asked. */
export const DEFAULT_STUCK_RULE: StuckRule = { afterMs: minutes(10), do: 'ask' }

/** Whether a choice leaves an instance on a host that is to be emptied. */
export function leavesItThere(choice: InstanceChoice): boolean {
  return choice === 'abort-and-leave' || choice === 'skip'
}

/** Whether it has to be said why: somebody's instance is down by it, or goes down with the host. */
export function needsReason(choice: InstanceChoice): boolean {
  return choice !== 'wait' && choice !== 'abort-and-retry'
}
