import { z } from 'zod'

/** Only these values cross a process boundary or enter the journal (style G10). */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

export const Json: z.ZodType<Json, Json> = z.json() as z.ZodType<Json, Json>

/** No server nests its answers this deeply; a deeper one would overflow the stack of its reader. */
const DEEPEST = 200

/** Throws a SyntaxError if a server's JSON is invalid or nested too deeply. */
export function jsonIn(text: string): unknown {
  // The parser of the engine does not recurse. The value is walked, not the text: that takes a fifteenth of the time.
  const value: unknown = JSON.parse(text)
  refuseTooDeep(value, 0)
  return value
}

/** Parses JSON from a server; undefined if it is invalid or nested too deeply. */
export function serverJsonOf(text: string): unknown {
  try {
    return jsonIn(text)
  } catch {
    return undefined
  }
}

/** JSON written earlier, or by another program; undefined if invalid. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A value as JSON with the keys of every object in order, so that equal values have equal texts. An undefined field is missing. */
export function sortedJson(value: unknown): string {
  return JSON.stringify(inOrder(value))
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, held]) => [key, inOrder(held)]),
  )
}

function refuseTooDeep(value: unknown, depth: number): void {
  if (typeof value !== 'object' || value === null) return
  if (depth === DEEPEST) throw new SyntaxError(`nested more than ${DEEPEST} deep`)
  if (Array.isArray(value)) for (const each of value) refuseTooDeep(each, depth + 1)
  else for (const each of Object.values(value)) refuseTooDeep(each, depth + 1)
}
