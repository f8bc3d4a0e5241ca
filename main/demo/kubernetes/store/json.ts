/** Any JSON value, as the API carries it. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject

/** A JSON object; a missing field and an undefined one are the same. */
export interface JsonObject {
  readonly [key: string]: Json | undefined
}

/** Whether a value is a JSON object (and not a list or null). */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether a value is a JSON list. */
export function isJsonList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value)
}

/** The value at a path of fields; undefined where any of them is missing. */
export function at(value: Json | undefined, ...path: readonly string[]): Json | undefined {
  let current: Json | undefined = value
  for (const field of path) current = isJsonObject(current) ? current[field] : undefined
  return current
}

/** The text at a path, or undefined when there is no text. */
export function textAt(value: Json | undefined, ...path: readonly string[]): string | undefined {
  const found = at(value, ...path)
  return typeof found === 'string' ? found : undefined
}

/** The number at a path, or undefined when there is no number. */
export function numberAt(value: Json | undefined, ...path: readonly string[]): number | undefined {
  const found = at(value, ...path)
  return typeof found === 'number' ? found : undefined
}

/** Whether the value at a path is true. */
export function isTrueAt(value: Json | undefined, ...path: readonly string[]): boolean {
  return at(value, ...path) === true
}

/** The list at a path, empty where there is none. */
export function listAt(value: Json | undefined, ...path: readonly string[]): readonly Json[] {
  const found = at(value, ...path)
  return isJsonList(found) ? found : []
}

/** The object at a path, empty where there is none. */
export function recordAt(value: Json | undefined, ...path: readonly string[]): JsonObject {
  const found = at(value, ...path)
  return isJsonObject(found) ? found : {}
}

/** The text values of an object such as labels. */
export function textsAt(value: Json | undefined, ...path: readonly string[]): Readonly<Record<string, string>> {
  const texts: Record<string, string> = {}
  for (const [key, text] of Object.entries(recordAt(value, ...path))) if (typeof text === 'string') texts[key] = text
  return texts
}
