import type { Entry, NameOf, OfModel, Part } from '../../../../adapters/kubernetes/model-fields.ts'

export type Json = null | boolean | number | string | readonly Json[] | JsonObject

/** A JSON object; an undefined field counts as missing. */
export interface JsonObject {
  readonly [key: string]: Json | undefined
}

/** Whether a value is a JSON object (not a list or null). */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isJsonList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value)
}

/** A JSON object whose field names the compiler knows (model-fields.ts). */
type Modelled<M> = JsonObject & OfModel<M>

type Value<M> = Json | undefined | Modelled<M>

/** A path of fields; the compiler checks it as far as the model goes. */
type Path<M, P extends readonly string[]> = unknown extends M
  ? P
  : P extends readonly [infer N extends string, ...infer Rest extends readonly string[]]
    ? [N] extends [NameOf<M>]
      ? readonly [N, ...Path<Part<M, N>, Rest>]
      : readonly [NameOf<M>, ...Rest]
    : P

type PartAt<M, P extends readonly string[]> = P extends readonly [
  infer N extends string,
  ...infer Rest extends readonly string[],
]
  ? PartAt<Part<M, N>, Rest>
  : M

type EntryAt<M, P extends readonly string[]> = P extends readonly [
  ...infer Before extends readonly string[],
  infer N extends string,
]
  ? EntryOf<Entry<PartAt<M, Before>, N>>
  : Json

type EntryOf<E> = unknown extends E ? Json : E extends object ? Modelled<E> : Json

/** Returns the value at a path; undefined if a field is missing. */
export function at<M, const P extends readonly string[]>(value: Value<M>, ...path: P & Path<M, P>): Json | undefined {
  return valueAt(value, path)
}

function valueAt(value: Json | undefined, path: readonly string[]): Json | undefined {
  let current: Json | undefined = value
  for (const field of path) current = isJsonObject(current) ? current[field] : undefined
  return current
}

/** Returns the text at a path; undefined if there is no text. */
export function textAt<M, const P extends readonly string[]>(
  value: Value<M>,
  ...path: P & Path<M, P>
): string | undefined {
  const found = valueAt(value, path)
  return typeof found === 'string' ? found : undefined
}

/** Returns the number at a path; undefined if there is no number. */
export function numberAt<M, const P extends readonly string[]>(
  value: Value<M>,
  ...path: P & Path<M, P>
): number | undefined {
  const found = valueAt(value, path)
  return typeof found === 'number' ? found : undefined
}

export function isTrueAt<M, const P extends readonly string[]>(value: Value<M>, ...path: P & Path<M, P>): boolean {
  return valueAt(value, path) === true
}

/** Returns the list at a path, or an empty one. */
export function listAt<M, const P extends readonly string[]>(
  value: Value<M>,
  ...path: P & Path<M, P>
): readonly EntryAt<M, P>[] {
  const found = valueAt(value, path)
  return isJsonList(found) ? (found as readonly EntryAt<M, P>[]) : []
}

/** Returns the object at a path, or an empty one. */
export function recordAt<M, const P extends readonly string[]>(
  value: Value<M>,
  ...path: P & Path<M, P>
): Modelled<PartAt<M, P>> {
  const found = valueAt(value, path)
  return isJsonObject(found) ? (found as Modelled<PartAt<M, P>>) : {}
}

/** Returns the text values of an object such as labels. */
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
