import { retryAfterMs } from '../../../shared/domain/retry-after.ts'
import type { Clock } from '../../clock/clock.ts'
import type { HttpOutcome, HttpRequest, Transport } from './transport.ts'

/** How often and how long apart a request is repeated (style G25). */
interface RetryPolicy {
  readonly attempts: number
  readonly firstMs: number
  readonly factor: number
  readonly maxMs: number
}

/** Reads: three attempts, about a quarter and three quarters of a second apart. */
export const READ_RETRY: RetryPolicy = { attempts: 3, firstMs: 250, factor: 3, maxMs: 5_000 }

/** A server that asks for more patience than this gets the operator's instead of ours. */
const LONGEST_RETRY_AFTER_MS = 30_000

/**
 * Sends a request, again where that is safe: a repeatable one (a read) after 413, 429, 5xx or a broken connection or an answer of the past; any other one
 * only when the connection was never made. A time-out is not repeated: it was long enough.
 */
export async function sendWithRetry(
  transport: Pick<Transport, 'send'>,
  request: HttpRequest,
  more: {
    readonly repeatable: boolean
    readonly policy: RetryPolicy
    readonly clock: Clock
    readonly onSent: (attempt: number, outcome: HttpOutcome, tookMs: number) => void
  },
): Promise<HttpOutcome> {
  const { clock, policy } = more
  for (let attempt = 1; ; attempt += 1) {
    const began = clock.now()
    const outcome = await transport.send(request)
    more.onSent(attempt, outcome, clock.now() - began)
    if (attempt >= policy.attempts || !mayRepeat(outcome, more.repeatable)) return outcome
    const asked = outcome.kind === 'answer' ? (retryAfterMs(outcome.headers, clock.now()) ?? 0) : 0
    if (asked > LONGEST_RETRY_AFTER_MS) return outcome
    const backoff = Math.min(policy.maxMs, policy.firstMs * policy.factor ** (attempt - 1))
    await clock.sleep(Math.max(asked, backoff) * (1 + 0.25 * clock.random()), request.signal)
    if (request.signal?.aborted) return { kind: 'aborted' }
  }
}

/** TLS and name faults do not mend themselves within seconds. */
function mayRepeat(outcome: HttpOutcome, repeatable: boolean): boolean {
  if (outcome.kind === 'broken') return isPassing(outcome.code) && (repeatable || !outcome.sent)
  if (outcome.kind === 'past') return repeatable
  if (outcome.kind !== 'answer' || !repeatable) return false
  return outcome.status === 413 || outcome.status === 429 || (outcome.status >= 500 && outcome.status !== 501)
}

const PASSING: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
])

function isPassing(code: string): boolean {
  return PASSING.has(code)
}
