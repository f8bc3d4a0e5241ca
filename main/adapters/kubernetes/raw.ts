export type RawObject = Readonly<Record<string, unknown>>

/** An object field; any other value reads as empty, because other server versions omit fields. */
export function rawObject(value: unknown): RawObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as RawObject) : {}
}

/** A list field; any other value reads as empty. */
export function rawList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function rawText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function rawTextOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

export function rawNumber(value: unknown, absent = 0): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : absent
}

export function rawStringMap(value: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(rawObject(value)).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}
