import { z } from 'zod'
import { Json } from './json.ts'

/** Each code with its values, as one of a union: what a rule answers. Its text is made in shared/words. */
export type Coded<Values, Code extends keyof Values = keyof Values> = {
  readonly [Each in Code]: { readonly code: Each; readonly values: Values[Each] }
}[Code]

/** What was found, by a code with values, and its text, as it crosses a boundary. */
export const Said = z.strictObject({ code: z.string(), values: z.record(z.string(), Json), message: z.string() })
