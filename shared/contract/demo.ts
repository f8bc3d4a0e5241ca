import { z } from 'zod'
import { DemoTrouble, Trouble } from '../domain/demo-troubles.ts'

/** The demo as it is now: its troubles, the history that is being prepared, and its runner. */
export const DemoState = z.strictObject({
  troubles: z.array(DemoTrouble),
  /** Runs of the history that are played, and how many there will be; null when the history is there, or there is none. */
  history: z.strictObject({ played: z.number().int(), of: z.number().int() }).nullable(),
})
export type DemoState = z.infer<typeof DemoState>

/** Refused by a console of real clouds. */
export const demoRequests = {
  'demo.show': { effect: 'read', input: z.strictObject({}), output: DemoState },
  'demo.change': { effect: 'write', input: z.strictObject({ name: Trouble, on: z.boolean() }), output: DemoState },
} as const

export const demoEvents = {
  'demo.changed': DemoState,
} as const
