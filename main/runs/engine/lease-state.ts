import { failed, type Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Logger } from '../../platform/log/logger.ts'
import type { LeaseHandle } from './lease-keeper.ts'

/** Limit of one request about a Lease; after it the request counts as unanswered and is repeated. */
const REQUEST_LIMIT_MS = 5_000
/** A wall clock that is set back by less than this is only being synchronized. */
const SET_BACK_MS = 1_000

/** An instant by both clocks: the monotonic clock stops while the machine sleeps, the wall clock shows that it slept. */
export interface Moment {
  readonly monotonicMs: number
  readonly wallMs: number
}

export function momentOf(clock: Clock): Moment {
  return { monotonicMs: clock.monotonicMs(), wallMs: clock.now() }
}

/** The greatest possible time since a moment, by either clock. */
function elapsedMs(since: Moment, clock: Clock): number {
  return Math.max(clock.monotonicMs() - since.monotonicMs, clock.now() - since.wallMs)
}

/** Whether a moment is at most that long ago. A wall clock that was set back since hides how long the machine slept: then false. */
export function isWithin(ms: number, since: Moment, clock: Clock): boolean {
  const wasSetBack = clock.now() - since.wallMs < clock.monotonicMs() - since.monotonicMs - SET_BACK_MS
  return !wasSetBack && elapsedMs(since, clock) <= ms
}

export interface HeldLeaseOptions {
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
  /** How long to try to take it back; absent means as long as nobody else has it. */
  readonly giveUpAfterMs?: number
  readonly until: AbortSignal
}

/** A Lease that was taken, and what this process knows of it now. */
export interface HeldLeaseState {
  readonly options: HeldLeaseOptions
  /** When the last answered request that proved it was sent. */
  askedAt: Moment
  /** Since when nobody holds it, or it has expired; null if it is held. */
  awaySince: Moment | null
  /** Another holder has it, or it stayed away too long. */
  isGone: boolean
  wake: AbortController
}

/** Whether its time has not expired by our own clocks. */
export function isInTime({ options: { handle, clock }, askedAt }: HeldLeaseState): boolean {
  return isWithin(handle.durationMs, askedAt, clock)
}

export function isHeld(lease: HeldLeaseState): boolean {
  return !isAwayOrGone(lease) && isInTime(lease)
}

export function isAwayOrGone({ isGone, awaySince }: HeldLeaseState): boolean {
  return isGone || awaySince !== null
}

/** Whether nobody asks about it any more. */
export function hasEnded({ isGone, options: { until } }: HeldLeaseState): boolean {
  return isGone || until.aborted
}

export function whyOut({ options: { handle, clock }, askedAt }: HeldLeaseState): Finding {
  return elapsedMs(askedAt, clock) >= handle.durationMs ? because('LeaseRanOut') : because('LeaseClockSetBack')
}

export function takenBy({ message }: { readonly message: string }): Finding {
  return because('LeaseTakenByOther', { held: message })
}

/** Called before each look and each request: detects a Lease that has expired. */
export function mayAct(lease: HeldLeaseState): boolean {
  if (!isInTime(lease)) goAway(lease, whyOut(lease))
  return isHeld(lease)
}

export function goAway(lease: HeldLeaseState, why: Finding): void {
  const { clock, log, onAway } = lease.options
  if (hasEnded(lease) || lease.awaySince !== null) return
  lease.awaySince = momentOf(clock)
  log.warn('lease-away', { code: why.code, why: why.message })
  onAway(why)
  lease.wake.abort()
}

/** Records that a request proved the Lease to be ours. */
export function proved(lease: HeldLeaseState, since: Moment): void {
  lease.askedAt = since
  if (lease.awaySince === null || lease.isGone) return
  const awayMs = elapsedMs(lease.awaySince, lease.options.clock)
  lease.awaySince = null
  lease.options.onBack(awayMs)
}

export function giveUp(lease: HeldLeaseState, why: Finding): void {
  if (hasEnded(lease)) return
  lease.isGone = true
  lease.options.onGone(why)
}

/** Sends one request about it. An answer that does not come in time is a failure; the request is cancelled. */
export async function requestInTime<T>(
  { options: { clock, until } }: HeldLeaseState,
  request: (signal: AbortSignal) => Promise<Result<T>>,
  signal?: AbortSignal,
): Promise<Result<T>> {
  const over = new AbortController()
  const scope = AbortSignal.any([until, over.signal, ...(signal === undefined ? [] : [signal])])
  const late = clock
    .sleep(REQUEST_LIMIT_MS, scope)
    .then(() => failed(refusal('timed-out', because('LeaseSilent'), { retryable: true })))
  const answer = await Promise.race([request(scope), late])
  over.abort()
  return answer
}
