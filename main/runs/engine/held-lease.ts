import type { Failure } from '../../../shared/domain/failure.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import { findingIn, refusal } from '../../../shared/words/refusal.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { keptBack, sentWhile } from '../../platform/clock/sent-while.ts'
import type { Logger } from '../../platform/log/logger.ts'
import type { LeaseGate, LeaseHandle } from './lease-keeper.ts'
import { type TransientRetry, troubleOf } from './transient-retry.ts'

/** Delay before a failed renewal, or a look without an answer, is repeated; a little more by chance. */
const RETRY_MS = 1_000
/** Limit of one request about a Lease; after it the request counts as unanswered and is repeated. */
const REQUEST_LIMIT_MS = 5_000
/** A look at the Lease older than this, by either clock, does not permit an effect: the process may have been suspended since. */
const FRESH_MS = 5_000
/** Limit of repeated looks for one effect, when each look is too old by the time the request can be sent. */
const MOST_LOOKS = 5
/** Longest watch of a Lease whose holder may be gone; a longer Lease is refused at once, with its holder. */
const LONGEST_WATCH_MS = 90_000
const LOOK_AGAIN_MS = 2_000

/** An instant by both clocks: the monotonic clock stops while the machine sleeps, the wall clock shows that it slept. */
export interface Moment {
  readonly monotonicMs: number
  readonly wallMs: number
}

export function momentOf(clock: Clock): Moment {
  return { monotonicMs: clock.monotonicMs(), wallMs: clock.now() }
}

/** A wall clock that is set back by less than this is only being synchronized. */
const SET_BACK_MS = 1_000

/** The greatest possible time since a moment, by either clock. */
function elapsedMs(since: Moment, clock: Clock): number {
  return Math.max(clock.monotonicMs() - since.monotonicMs, clock.now() - since.wallMs)
}

/** Whether a moment is at most that long ago. A wall clock that was set back since hides how long the machine slept: then false. */
function isWithin(ms: number, since: Moment, clock: Clock): boolean {
  const wasSetBack = clock.now() - since.wallMs < clock.monotonicMs() - since.monotonicMs - SET_BACK_MS
  return !wasSetBack && elapsedMs(since, clock) <= ms
}

/** The result of requesting a Lease. */
type LeaseTaken =
  | { readonly kind: 'acquired'; readonly askedAt: Moment }
  | { readonly kind: 'held'; readonly message: string }

/**
 * Takes a Lease. If its holder may be gone, watches it until it stayed unchanged for its whole duration, or is renewed; `onWatching` receives the
 * holder and the longest wait once. Retries an API server that does not answer properly, and returns the last failure when the time is up. Resolves
 * when the signal aborts.
 */
export async function takeLease(
  handle: LeaseHandle,
  more: {
    readonly clock: Clock
    readonly signal: AbortSignal
    readonly onWatching: (message: string, forMs: number) => void
    readonly transientRetry: TransientRetry
  },
): Promise<Result<LeaseTaken>> {
  const { clock, signal, transientRetry } = more
  let reported = false
  for (;;) {
    const askedAt = momentOf(clock)
    const answer = await handle.acquire(signal)
    const trouble = answer.ok ? null : troubleOf(answer.failure)
    if (trouble === null) transientRetry.settled(answer.ok)
    else if ((await transientRetry.after('lease', trouble, signal)) === 'again') continue
    if (!answer.ok) return answer
    if (answer.value.kind === 'acquired') return ok({ kind: 'acquired', askedAt })
    const { message, freeInMs } = answer.value
    if (freeInMs === null) return ok({ kind: 'held', message })
    if (signal.aborted || freeInMs > LONGEST_WATCH_MS) {
      return ok({ kind: 'held', message: because('LeaseMayBeFreed', { held: message, freeInMs }).message })
    }
    if (!reported) more.onWatching(message, freeInMs)
    reported = true
    await clock.sleep(Math.min(freeInMs, LOOK_AGAIN_MS), signal)
  }
}

/** A Lease that was taken, until it is released. */
export interface HeldLease {
  /** Whether it is valid now by our own clocks, counted from before the last answered request. */
  isHeld(): boolean
  /** The gate before each effect. If the look at the Lease fails for good, or for longer than the retry limit, it refuses the effect by name. */
  gateFor(trouble: GateTrouble): LeaseGate
  /**
   * Stops all work under the Lease until it is checked again: for callers that learn that it may be gone, for example after a sleep of the machine.
   * It goes away ({@link HeldLeaseOptions.onAway}) and, unless another holder took it, comes back.
   */
  reacquire(why?: Finding): void
  /** Renews until the signal aborts or the Lease is gone. Never rejects. */
  keep(): Promise<void>
}

/** How to wait while the Lease cannot be read, and what to notify. */
export interface GateTrouble {
  readonly transientRetry: Pick<TransientRetry, 'after' | 'gotOn'>
  /** The look failed and is not repeated: nothing was sent. */
  readonly refuse: (why: Failure) => void
  /**
   * Aborts when the run stops: nothing was sent yet, so an effect that waits for a look is held back. An effect requested after the stop, to clean
   * up, waits like any other.
   */
  readonly stop?: AbortSignal
}

/** The retry key of looks at the Lease. */
const LOOK = 'lease'

interface HeldLeaseOptions {
  readonly handle: LeaseHandle
  readonly askedAt: Moment
  readonly clock: Clock
  readonly log: Logger
  /** It expired, or nobody holds it: nothing may be done until {@link onBack}. The run tries to take it back meanwhile. */
  readonly onAway: (why: Finding) => void
  /** Nobody had taken it, so it is ours again. All earlier reads are old. */
  readonly onBack: (awayMs: number) => void
  /** Another holder took it, or it was away for {@link giveUpAfterMs}: final. */
  readonly onGone: (why: Finding) => void
  /** How long to try to take it back; absent: as long as nobody else has it. */
  readonly giveUpAfterMs?: number
  readonly until: AbortSignal
}

function takenBy({ message }: { readonly message: string }): Finding {
  return because('LeaseTakenByOther', { held: message })
}

/** Keeps a Lease: renews it early, retries within a second, and takes it back when nobody took it. */
export function createHeldLease(options: HeldLeaseOptions): HeldLease {
  const { handle, clock, log, until, giveUpAfterMs = Number.POSITIVE_INFINITY } = options
  let askedAt = options.askedAt
  let awaySince: Moment | null = null
  let isGone = false
  let wake = new AbortController()

  const whyOut = () =>
    elapsedMs(askedAt, clock) >= handle.durationMs ? because('LeaseRanOut') : because('LeaseClockSetBack')
  const isInTime = () => isWithin(handle.durationMs, askedAt, clock)
  const isHeld = () => !isGone && awaySince === null && isInTime()

  function goAway(why: Finding): void {
    if (isGone || awaySince !== null || until.aborted) return
    awaySince = momentOf(clock)
    log.warn('lease-away', { code: why.code, why: why.message })
    options.onAway(why)
    wake.abort()
  }

  function held(since: Moment): void {
    askedAt = since
    if (awaySince === null || isGone) return
    const awayMs = elapsedMs(awaySince, clock)
    awaySince = null
    options.onBack(awayMs)
  }

  function giveUp(why: Finding): void {
    if (isGone || until.aborted) return
    isGone = true
    options.onGone(why)
  }

  /** An answer that does not come in time is a failure; the request is cancelled. */
  async function asked<T>(ask: (signal: AbortSignal) => Promise<Result<T>>, signal?: AbortSignal): Promise<Result<T>> {
    const over = new AbortController()
    const scope = AbortSignal.any([until, over.signal, ...(signal === undefined ? [] : [signal])])
    const late = clock
      .sleep(REQUEST_LIMIT_MS, scope)
      .then(() => failed(refusal('timed-out', because('LeaseSilent'), { retryable: true })))
    const answer = await Promise.race([ask(scope), late])
    over.abort()
    return answer
  }

  /** Renews once; returns the delay before the next renewal, null when it has ended. */
  async function renewOnce(): Promise<number | null> {
    const at = momentOf(clock)
    const renewed = await asked(handle.renew)
    if (until.aborted || isGone) return null
    if (renewed.ok && renewed.value.kind === 'free') {
      goAway(because('LeaseHeldByNobody'))
      const taken = await asked(handle.acquire)
      if (until.aborted || isGone) return null
      if (!taken.ok) return retryIn(taken.failure)
      if (taken.value.kind === 'held') giveUp(takenBy(taken.value))
      else held(at)
    } else if (renewed.ok && renewed.value.kind === 'lost') giveUp(takenBy(renewed.value))
    else if (renewed.ok) held(at)
    else return retryIn(renewed.failure)
    return isGone ? null : (handle.durationMs / 6) * (0.9 + clock.random() * 0.2)
  }

  function retryIn(why: Failure): number {
    log.warn('lease-not-renewed', { code: why.code })
    if (!isInTime()) goAway(because('LeaseNotRenewed', { why: whyOut(), trouble: findingIn(why) }))
    if (awaySince !== null && clock.monotonicMs() - awaySince.monotonicMs >= giveUpAfterMs) {
      giveUp(because('LeaseNotTakenBack', { forMs: giveUpAfterMs, trouble: findingIn(why) }))
    }
    return RETRY_MS * (1 + clock.random())
  }

  async function renewAgainAndAgain(): Promise<void> {
    let waitMs: number | null = handle.durationMs / 6
    while (waitMs !== null && !until.aborted && !isGone) {
      await clock.sleep(waitMs, AbortSignal.any([until, wake.signal]))
      if (until.aborted || isGone) return
      waitMs = await renewOnce()
      // This renewal also serves a request to take it back that arrived meanwhile.
      wake = new AbortController()
    }
  }

  /** A renewal that hangs must not hide that the Lease has expired. */
  async function watchTime(): Promise<void> {
    while (!until.aborted && !isGone) {
      await clock.sleep(RETRY_MS, until)
      if (!until.aborted && !isInTime()) goAway(whyOut())
    }
  }

  const refused = () => keptBack()

  /** Called before each look: detects a Lease that has expired. */
  function mayAct(): boolean {
    if (!isInTime()) goAway(whyOut())
    return isHeld()
  }

  return {
    isHeld,
    reacquire: (why = whyOut()) => goAway(why),
    keep: async () => {
      await Promise.all([renewAgainAndAgain(), watchTime()])
    },
    gateFor: ({ transientRetry, refuse, stop }) => {
      /** When the Lease was seen as this run's, or why nothing may be sent. */
      async function look(signal?: AbortSignal): Promise<Result<Moment>> {
        const stopping = stop === undefined || stop.aborted ? [] : [stop]
        const scope = AbortSignal.any([until, ...(signal === undefined ? [] : [signal]), ...stopping])
        /** A look gave no answer: the server may lag, and its old answer about our Lease would look like a new one. */
        let isDoubted = false
        for (;;) {
          if (scope.aborted || !mayAct()) return failed(refused())
          const at = momentOf(clock)
          // A renewal names the version that it changes: the server refuses it where another client changed the Lease since.
          const seen = isDoubted ? await asked(handle.renew, signal) : await asked(handle.confirm, signal)
          if (scope.aborted || isGone || awaySince !== null) return failed(refused())
          if (!seen.ok) {
            log.warn('lease-unread', { code: seen.failure.code })
            isDoubted = true
            const trouble = troubleOf(seen.failure)
            const next = trouble === null ? 'patience-over' : await transientRetry.after(LOOK, trouble, scope)
            if (next === 'again') continue
            if (next === 'stopped' || isGone || awaySince !== null) return failed(refused())
            const unread = because('LeaseUnread', { trouble: findingIn(seen.failure) })
            const why = refusal(seen.failure.code, unread, seen.failure)
            refuse(why)
            return failed(why)
          }
          transientRetry.gotOn(LOOK)
          if (seen.value.kind === 'lost') {
            giveUp(takenBy(seen.value))
            return failed(refused())
          }
          if (seen.value.kind === 'free') {
            goAway(because('LeaseHeldByNobody'))
            return failed(refused())
          }
          if (isWithin(FRESH_MS, at, clock) && isInTime()) return ok(at)
        }
      }
      return async (effect, signal) => {
        for (let left = MOST_LOOKS; left > 0; left -= 1) {
          const looked = await look(signal)
          if (!looked.ok) return looked
          let isSent = false
          let isOld = false
          const mayBeSentNow = () => {
            if (!mayAct()) return false
            // After its first request an effect needs only a valid Lease: stopping half-way is worse.
            isOld ||= !isSent && !isWithin(FRESH_MS, looked.value, clock)
            isSent ||= !isOld
            return isSent
          }
          const made = await sentWhile(mayBeSentNow, effect)
          if (!isOld) return made
        }
        return failed(refusal('timed-out', because('LeaseLookTooOld'), { retryable: true }))
      }
    },
  }
}
