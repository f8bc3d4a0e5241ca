import { z } from 'zod'

/** Placement, and newer errors of others. */
const ErrorList = z.object({
  errors: z.tuple([z.object({ detail: z.string().optional(), title: z.string().optional() })], z.unknown()),
})

/** Watcher: a JSON text inside a JSON text, or plain text. */
const ErrorMessage = z.object({ error_message: z.union([z.string(), z.object({ faultstring: z.string() })]) })

const Fault = z.object({ faultstring: z.string() })

/** Keystone `error`, Nova `badRequest`, `forbidden`, `itemNotFound`, `conflictingRequest`, `computeFault` and so on, Neutron `NeutronError`. */
const Named = z.record(z.string(), z.object({ message: z.string().min(1) }))

/** The longest that is repeated of a server's words. */
const MOST_CHARACTERS = 500

/** The sentence in an error body of any OpenStack service; null when there is none (a proxy's page, nothing). */
export function serverWords(body: string): string | null {
  const words = wordsIn(parseJson(body))
  return words === null ? null : words.replaceAll(/\s+/g, ' ').trim().slice(0, MOST_CHARACTERS)
}

function wordsIn(document: unknown): string | null {
  const list = ErrorList.safeParse(document)
  if (list.success) return list.data.errors[0].detail ?? list.data.errors[0].title ?? null
  const inner = ErrorMessage.safeParse(document)
  if (inner.success) {
    const message = inner.data.error_message
    const fault = Fault.safeParse(typeof message === 'string' ? parseJson(message) : message)
    return fault.success ? fault.data.faultstring : typeof message === 'string' ? message : null
  }
  const named = Named.safeParse(document)
  return named.success ? (Object.values(named.data)[0]?.message ?? null) : null
}

/** JSON as a value; undefined when the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
