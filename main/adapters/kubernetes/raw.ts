/** A JSON object of the API as it came, before its fields are read. */
export type RawObject = Readonly<Record<string, unknown>>

/** Reads a field that should be an object; anything else reads as empty, because servers of other versions leave fields out. */
export function rawObject(value: unknown): RawObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as RawObject) : {}
}

/** Reads a field that should be a list; anything else reads as empty. */
export function rawList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** Reads a field that should be text; empty when it is absent. */
export function rawText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Reads a field that may be text; null when it is absent or empty. */
export function rawTextOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

/** Reads a field that should be a number; `absent` when it is not there. */
export function rawNumber(value: unknown, absent = 0): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : absent
}

/** Reads labels or annotations: names to text. */
export function rawStringMap(value: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(rawObject(value)).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}
