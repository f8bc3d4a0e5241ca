import { z } from 'zod'

/** Reads also what an earlier version wrote into the journal under other names: `names` has for each old key, or old value of `kind`, the one of today. */
export function alsoUnder<Schema extends z.ZodType>(names: Readonly<Record<string, string>>, schema: Schema) {
  const read = z.preprocess(value => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, held]) => [
        names[key] ?? key,
        key === 'kind' && typeof held === 'string' ? (names[held] ?? held) : held,
      ]),
    )
  }, schema)
  // What callers write is of today; a preprocess says that it takes anything.
  return read as unknown as z.ZodType<z.output<Schema>, z.input<Schema>>
}
