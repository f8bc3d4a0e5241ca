import { z } from 'zod'

/** Only these values cross a process boundary or enter the journal (style G10). */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

export const Json: z.ZodType<Json, Json> = z.json() as z.ZodType<Json, Json>

/** No server nests its answers this deeply; a deeper one would overflow the stack of its reader. */
const DEEPEST = 200

/** Throws a SyntaxError if a server's JSON is invalid or nested too deeply. */
export function jsonIn(text: string): unknown {
  // Most answers have fewer brackets and need no scan.
  if (openings(text) > DEEPEST) refuseTooDeep(text)
  return JSON.parse(text)
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

/** Counts openings, including those within strings; stops above the limit. */
function openings(text: string): number {
  let count = 0
  for (const bracket of ['{', '[']) {
    for (let at = text.indexOf(bracket); at >= 0 && count <= DEEPEST; at = text.indexOf(bracket, at + 1)) count += 1
  }
  return count
}

function refuseTooDeep(text: string): void {
  let depth = 0
  let isQuoted = false
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at)
    if (isQuoted) {
      if (sign === BACKSLASH) at += 1
      else if (sign === QUOTE) isQuoted = false
    } else if (sign === QUOTE) isQuoted = true
    else if (sign === BRACKET || sign === BRACE) {
      depth += 1
      if (depth > DEEPEST) throw new SyntaxError(`nested more than ${DEEPEST} deep`)
    } else if (sign === BRACKET_END || sign === BRACE_END) depth -= 1
  }
}

const [QUOTE, BACKSLASH, BRACKET, BRACKET_END, BRACE, BRACE_END] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d] as const
