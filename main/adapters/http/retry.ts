import { seconds } from '../../../shared/domain/durations.ts'
import { retryAfterMs } from '../../../shared/domain/retry-after.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { HttpAnswer, HttpOutcome, HttpStream } from './exchange.ts'
import { isPassing } from './faults.ts'

/** How often one request is sent at most (style G25). */
const ATTEMPTS = 4
const FIRST_WAIT_MS = 250

/** A server that asks for more patience than this gets the caller's, or the operator's, instead of ours. */
const LONGEST_RETRY_AFTER_MS = seconds(30)

/**
 * Sends a request, again where that is safe. A read: after a connection that broke, 413, 429, 5xx, or an answer of the past. Anything else only
 * when no byte of it was sent, or the server says with a 429 and Retry-After that it did not even look at it (client-go rest/with_retry.go). A
 * time-out is not repeated: it was long enough. Neither are TLS and credentials that are wrong.
 */
export async function sendWithRetry<A extends HttpAnswer | HttpStream>(
  /** Makes one attempt; counts from 1. */
  send: (attempt: number) => Promise<HttpOutcome<A>>,
  how: {
    readonly isRead: boolean
    readonly clock: Clock
    readonly signal?: AbortSignal | undefined
    /** How long an answer asks to wait, where it says so elsewhere than in its headers. */
    readonly askedMs?: (answer: A) => number | null
  },
): Promise<HttpOutcome<A>> {
  const { clock, signal } = how
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await send(attempt)
    if (attempt === ATTEMPTS || signal?.aborted) return outcome
    const asked =
      outcome.kind === 'answer' ? (retryAfterMs(outcome.headers, clock.now()) ?? how.askedMs?.(outcome) ?? null) : null
    if (!mayRepeat(outcome, how.isRead, asked)) return outcome
    discard(outcome)
    const backoffMs = FIRST_WAIT_MS * 2 ** (attempt - 1)
    await clock.sleep(Math.max(asked ?? 0, backoffMs) * (1 + 0.25 * clock.random()), signal)
    if (signal?.aborted) return { kind: 'aborted' }
  }
}

function mayRepeat<A extends HttpAnswer | HttpStream>(
  outcome: HttpOutcome<A>,
  isRead: boolean,
  askedMs: number | null,
): boolean {
  switch (outcome.kind) {
    case 'broken':
      return isPassing(outcome.code) && (isRead || !outcome.sent)
    case 'past':
      return isRead
    case 'answer':
      if (askedMs !== null && askedMs > LONGEST_RETRY_AFTER_MS) return false
      if (outcome.status === 429) return isRead || askedMs !== null
      return isRead && (outcome.status === 413 || (outcome.status >= 500 && outcome.status !== 501))
    default:
      return false
  }
}

/** Ends the body of an answer that nobody reads. */
export function discard<A extends HttpAnswer | HttpStream>(outcome: HttpOutcome<A>): void {
  if ('cancel' in outcome && typeof outcome.cancel === 'function') outcome.cancel()
}
