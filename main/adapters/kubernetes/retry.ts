import { seconds } from '../../../shared/domain/durations.ts'
import { GivenUp } from './errors.ts'
import { rawObject, rawText } from './raw.ts'

/** Longest wait that one request accepts from a server; longer ones are the caller's decision. */
const LONGEST_WAIT_MS = seconds(30)

/** Errors of a connection that broke before an answer: a server restart, a forgotten idle connection. */
const BROKEN: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'ECONNREFUSED', 'ECONNABORTED'])

/**
 * How long to wait before sending a request again; null when it must not be. Reads are repeated after broken connections, 429 and
 * 5xx. Writes only where the server says with a 429 and Retry-After that it did not even look at them (client-go rest/with_retry.go).
 */
export function retryDelayMs(of: {
  readonly method: string
  readonly attempt: number
  /** What was thrown instead of an answer. */
  readonly trouble: unknown
  readonly status: number | null
  /** Whether the answer was given before we asked: it is none. */
  readonly past: boolean
  readonly retryAfterMs: number | null
  /** In [0, 1). */
  readonly random: number
}): number | null {
  const backoff = 200 * 2 ** (of.attempt - 1) * (0.5 + of.random)
  if (of.status === null) {
    const broken = !(of.trouble instanceof GivenUp) && BROKEN.has(rawText(rawObject(of.trouble).code))
    return of.method === 'GET' && broken ? backoff : null
  }
  if (of.past) return of.method === 'GET' ? backoff : null
  const asked = of.retryAfterMs === null ? null : of.retryAfterMs + of.random * 500
  if (asked !== null && asked > LONGEST_WAIT_MS) return null
  if (of.status === 429) return of.method === 'GET' || asked !== null ? (asked ?? backoff) : null
  return of.status >= 500 && of.method === 'GET' ? (asked ?? backoff) : null
}
