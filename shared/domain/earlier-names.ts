import { z } from 'zod'

/** Also reads names of earlier versions: `names` maps an old key, or an old value of `kind`, to the current one. */
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
  // Writers use current names; the type of a preprocess accepts anything.
  return read as unknown as z.ZodType<z.output<Schema>, z.input<Schema>>
}
