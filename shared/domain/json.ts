import { z } from 'zod'

/** Only values that survive JSON cross a process boundary or enter the journal (style G10). */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

/** Schema of {@link Json}. */
export const Json: z.ZodType<Json> = z.json() as z.ZodType<Json>
