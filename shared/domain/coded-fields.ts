import { z } from 'zod'
import { Json } from './json.ts'

/** The code and the values that a text is made of, beside it; absent where it has none, and in what earlier versions wrote. */
export const CODED_FIELDS = { code: z.string().optional(), values: z.record(z.string(), Json).optional() }
