import type { Entry, NameOf, OfModel, Part } from '../../../../adapters/kubernetes/model-fields.ts'

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

/** A JSON object of which the compiler knows the field names (model-fields.ts). */
type Modelled<M> = JsonObject & OfModel<M>

/** What is looked into. */
type Value<M> = Json | undefined | Modelled<M>

/** A path of fields, as far as the model of what is looked into names them. */
type Path<M, P extends readonly string[]> = unknown extends M
  ? P
  : P extends readonly [infer N extends string, ...infer Rest extends readonly string[]]
    ? [N] extends [NameOf<M>]
      ? readonly [N, ...Path<Part<M, N>, Rest>]
      : readonly [NameOf<M>, ...Rest]
    : P

/** The model of what is at a path. */
type PartAt<M, P extends readonly string[]> = P extends readonly [
  infer N extends string,
  ...infer Rest extends readonly string[],
]
  ? PartAt<Part<M, N>, Rest>
  : M

/** An entry of a list at a path. */
type EntryAt<M, P extends readonly string[]> = P extends readonly [
  ...infer Before extends readonly string[],
  infer N extends string,
]
  ? EntryOf<Entry<PartAt<M, Before>, N>>
  : Json

type EntryOf<E> = unknown extends E ? Json : E extends object ? Modelled<E> : Json

/** The value at a path of fields; undefined where any of them is missing. */
export function at<M, const P extends readonly string[]>(value: Value<M>, ...path: P & Path<M, P>): Json | undefined {
  return valueAt(value, path)
}

function valueAt(value: Json | undefined, path: readonly string[]): Json | undefined {
  let current: Json | undefined = value
  for (const field of path) current = isJsonObject(current) ? current[field] : undefined
  return current
}

/** The text at a path, or undefined when there is no text. */
export function textAt<M, const P extends readonly string[]>(
  value: Value<M>,
  ...path: P & Path<M, P>
): string | undefined {
  const found = valueAt(value, path)
  return typeof found === 'string' ? found : undefined
}

/** The number at a path, or undefined when there is no number. */
export function numberAt<M, const P extends readonly string[]>(
  value: Value<M>,
  ...path: P & Path<M, P>
): number | undefined {
  const found = valueAt(value, path)
  return typeof found === 'number' ? found : undefined
}

/** Whether the value at a path is true. */
export function isTrueAt<M, const P extends readonly string[]>(value: Value<M>, ...path: P & Path<M, P>): boolean {
  return valueAt(value, path) === true
}

/** The list at a path, empty where there is none. */
export function listAt<M, const P extends readonly string[]>(
  value: Value<M>,
  ...path: P & Path<M, P>
): readonly EntryAt<M, P>[] {
  const found = valueAt(value, path)
  return isJsonList(found) ? (found as readonly EntryAt<M, P>[]) : []
}

/** The object at a path, empty where there is none. */
export function recordAt<M, const P extends readonly string[]>(
  value: Value<M>,
  ...path: P & Path<M, P>
): Modelled<PartAt<M, P>> {
  const found = valueAt(value, path)
  return isJsonObject(found) ? (found as Modelled<PartAt<M, P>>) : {}
}

/** The text values of an object such as labels. */
export function textsAt<M, const P extends readonly string[]>(
  value: Value<M>,
  ...path: P & Path<M, P>
): Readonly<Record<string, string>> {
  const texts: Record<string, string> = {}
  const found = valueAt(value, path)
  if (!isJsonObject(found)) return texts
  for (const [key, text] of Object.entries(found)) if (typeof text === 'string') texts[key] = text
  return texts
}
