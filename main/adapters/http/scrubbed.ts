import type { Json } from '../../../shared/domain/json.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'

export type Scrub = (text: string) => string

/** A finding about an invalid answer, without secrets; it may quote the server. */
export function scrubbed({ code, values, message }: Finding, scrub: Scrub): Finding {
  return { code, values: scrubbedFields(values, scrub), message: scrub(message) }
}

/** Parsed JSON with every text scrubbed: in raw JSON text a secret can be escaped in many ways. */
export function scrubbedJson(value: Json, scrub: Scrub): Json {
  if (typeof value === 'string') return scrub(value)
  if (typeof value !== 'object' || value === null) return value
  if (isList(value)) return value.map(each => scrubbedJson(each, scrub))
  return scrubbedFields(value, scrub)
}

function scrubbedFields(fields: { readonly [name: string]: Json }, scrub: Scrub): { readonly [name: string]: Json } {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [scrub(name), scrubbedJson(value, scrub)]))
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value)
}
