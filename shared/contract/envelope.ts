import { z } from 'zod'
import { Failure } from '../domain/failure.ts'

/** The answer to every request (style G11). */
export const Envelope = z.discriminatedUnion('ok', [
  z.strictObject({ ok: z.literal(true), value: z.unknown() }),
  z.strictObject({ ok: z.literal(false), failure: Failure }),
])
export type Envelope<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: Failure }
