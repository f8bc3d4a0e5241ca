import { seconds } from '../../../shared/domain/durations.ts'
import { retryAfterMs } from '../../../shared/domain/retry-after.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { HttpAnswer, HttpOutcome, HttpStream } from './exchange.ts'
import { isPassing } from './faults.ts'

const ATTEMPTS = 4
const FIRST_WAIT_MS = 250

/** If the server asks for a longer wait, the request fails instead of waiting. */
const LONGEST_RETRY_AFTER_MS = seconds(30)

/**
 * Repeats reads after a broken connection, 413, 429, 5xx or an outdated answer; writes only if no byte was sent, or on a 429 with Retry-After (client-go
 * rest/with_retry.go).
 */
export async function sendWithRetry<A extends HttpAnswer | HttpStream>(
  send: (attempt: number) => Promise<HttpOutcome<A>>,
  how: {
    readonly isRead: boolean
    readonly clock: Clock
    readonly signal?: AbortSignal | undefined
    /** The wait that an answer asks for outside its headers. */
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

export function discard<A extends HttpAnswer | HttpStream>(outcome: HttpOutcome<A>): void {
  if ('cancel' in outcome && typeof outcome.cancel === 'function') outcome.cancel()
}
