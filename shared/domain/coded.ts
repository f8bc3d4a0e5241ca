import { z } from 'zod'
import { Json } from './json.ts'

/** Each code with its values, as one of a union: what a rule answers. Its text is made in shared/words. */
export type Coded<Values, Code extends keyof Values = keyof Values> = {
  readonly [Each in Code]: { readonly code: Each; readonly values: Values[Each] }
}[Code]

/** The fields that a text of ours has beside it; absent: it is another program's, or an earlier version wrote it. */
export const CODED = { code: z.string().optional(), values: z.record(z.string(), Json).optional() }

/** What was found, by a code with values, and its text, as it crosses a boundary. */
export const Said = z.strictObject({ code: z.string(), values: z.record(z.string(), Json), message: z.string() })
