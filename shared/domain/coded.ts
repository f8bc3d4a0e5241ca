import { z } from 'zod'
import { Json } from './json.ts'

/** One code with its values, as a tagged union. shared/words makes its text. */
export type Coded<Values, Code extends keyof Values = keyof Values> = {
  readonly [Each in Code]: { readonly code: Each; readonly values: Values[Each] }
}[Code]

/** Beside a text of this program; absent means another program's text, or one of an earlier version. */
export const CODED = { code: z.string().optional(), values: z.record(z.string(), Json).optional() }

export const Said = z.strictObject({ code: z.string(), values: z.record(z.string(), Json), message: z.string() })
