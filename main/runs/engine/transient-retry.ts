import { minutes, seconds } from '../../../shared/domain/durations.ts'
import type { Failure } from '../../../shared/domain/failure.ts'
import type { Result } from '../../../shared/domain/result.ts'
import type { RunFact } from '../../../shared/domain/run.ts'
import { type RunFactName, TRANSIENT_RECOVERED, TRANSIENT_RETRYING } from '../../../shared/domain/run-facts.ts'
import type { Clock } from '../../platform/clock/clock.ts'

/** How long a run waits for a transient failure before it asks the operator, counted in awake time without progress. */
export const TRANSIENT_RETRY_MS = minutes(5)

/** The same before the run has changed anything: the operator can just as well start later. */
export const TRANSIENT_RETRY_UNTOUCHED_MS = minutes(1)

/** Delays between tries: 1, 2, 4, 8, 16 and then always 20 seconds, each up to a quarter longer. */
const BACKOFF = { firstMs: seconds(1), factor: 2, maxMs: seconds(20), jitter: 0.25 } as const

/** Why a request failed now, and when to repeat it. */
export interface TransientFailure {
  readonly reason: string
  /** The delay that the server asked for; 0: no such request. */
  readonly retryAfterMs: number
}

/** Whether a failure may pass without an operator: the service is down, busy or answers nonsense, or credentials are renewed. A refusal by a rule never passes. */
export function isPassing(failure: Failure): boolean {
  return failure.retryable || failure.code === 'unauthenticated'
}

/** The transient part of a failure; null for one that is permanent. */
export function transientFailureOf(failure: Failure): TransientFailure | null {
  return isPassing(failure) ? { reason: failure.message, retryAfterMs: failure.retryAfterMs ?? 0 } : null
}

/** The delay after the `tries`th failure in a row, at least what the server asked for; null when the time is up. */
export function waitBeforeTryingMs(of: {
  readonly tries: number
  readonly lastedMs: number
  readonly patienceMs: number
  readonly retryAfterMs: number
  readonly random: number
}): number | null {
  const left = of.patienceMs - of.lastedMs
  if (left <= 0) return null
  const backoff = Math.min(BACKOFF.maxMs, BACKOFF.firstMs * BACKOFF.factor ** (of.tries - 1))
  return Math.min(left, Math.max(of.retryAfterMs, backoff * (1 + BACKOFF.jitter * of.random)))
}

type AfterTrouble = 'again' | 'patience-over' | 'stopped'

/** Retries transient failures of one step: its checks, its apply, its verifies and the reads within them. */
export interface TransientRetry {
  after(key: string, trouble: TransientFailure, signal: AbortSignal): Promise<AfterTrouble>
  /** The work that `key` names made progress: its time limit restarts. */
  progressed(key: string): void
  /** The step succeeded, or the operator said to try again: retries end. */
  settled(passed: boolean): void
}

/** `tell` journals a fact of the step: once when waiting begins and once when it ends, however many tries are between. */
export function createTransientRetry(options: {
  readonly clock: Clock
  readonly patienceMs: () => number
  readonly report: (fact: RunFactName, values: RunFact['values']) => void
}): TransientRetry {
  const { clock, patienceMs, report } = options
  const troubled = new Map<string, { readonly sinceMs: number; tries: number }>()
  let reported: { readonly sinceMs: number; readonly since: string } | null = null
  let hasEnded = false

  const printEnd = (passed: boolean): void => {
    if (reported === null) return
    report(TRANSIENT_RECOVERED, {
      since: reported.since,
      waitedMs: Math.round(clock.monotonicMs() - reported.sinceMs),
      passed,
    })
    reported = null
  }
  /** A process that resumes later starts a new wait and reports it. */
  const stopped = (): AfterTrouble => {
    troubled.clear()
    hasEnded = false
    reported = null
    return 'stopped'
  }
  return {
    after: async (key, { reason, retryAfterMs }, signal) => {
      if (signal.aborted) return stopped()
      const nowMs = clock.monotonicMs()
      const trouble = troubled.get(key) ?? { sinceMs: nowMs, tries: 0 }
      troubled.set(key, trouble)
      trouble.tries += 1
      const lastedMs = nowMs - trouble.sinceMs
      const random = clock.random()
      const waitMs = hasEnded
        ? null
        : waitBeforeTryingMs({ tries: trouble.tries, lastedMs, patienceMs: patienceMs(), retryAfterMs, random })
      if (waitMs === null) {
        // Other failures of this step do not get the same time again.
        hasEnded = true
        printEnd(false)
        return 'patience-over'
      }
      if (reported === null) {
        const [now, leftMs] = [clock.now(), patienceMs() - lastedMs]
        reported = { sinceMs: trouble.sinceMs, since: new Date(now - lastedMs).toISOString() }
        report(TRANSIENT_RETRYING, { reason, since: reported.since, until: new Date(now + leftMs).toISOString() })
      }
      await clock.sleep(waitMs, signal)
      return signal.aborted ? stopped() : 'again'
    },
    progressed: key => {
      if (!troubled.delete(key) || troubled.size > 0) return
      hasEnded = false
      printEnd(true)
    },
    settled: passed => {
      troubled.clear()
      hasEnded = false
      printEnd(passed)
    },
  }
}

/** Repeats a read while it fails transiently; returns the last failure when the time is up or the run stops. */
export async function retryRead<T>(
  key: string,
  read: () => Promise<Result<T>>,
  transientRetry: TransientRetry,
  signal: AbortSignal,
): Promise<Result<T>> {
  for (;;) {
    const answer = await read()
    if (answer.ok) {
      transientRetry.progressed(key)
      return answer
    }
    const trouble = transientFailureOf(answer.failure)
    // A permanent failure ends the waiting as well: it is another answer.
    if (trouble === null && !signal.aborted) transientRetry.progressed(key)
    if (trouble === null || (await transientRetry.after(key, trouble, signal)) !== 'again') return answer
  }
}

/** Whether a failed attempt had made progress: it reported something new. Announcements and waits do not count. */
export function hasProgressed(before: readonly RunFact[], after: readonly RunFact[]): boolean {
  const known = new Set(before.map(fingerprintOf))
  return after
    .slice(before.length)
    .some(
      fact =>
        !fact.announces &&
        fact.fact !== TRANSIENT_RETRYING &&
        fact.fact !== TRANSIENT_RECOVERED &&
        !known.has(fingerprintOf(fact)),
    )
}

function fingerprintOf({ fact, subject, values }: RunFact): string {
  return JSON.stringify([fact, subject, values])
}
