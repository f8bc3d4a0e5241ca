import type { Failure } from '../../../shared/domain/failure.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import { findingIn, refusal } from '../../../shared/words/refusal.ts'
import { keptBack, sentWhile } from '../../platform/clock/sent-while.ts'
import type { LeaseGate } from './lease-keeper.ts'
import {
  giveUp,
  goAway,
  type HeldLeaseState,
  isAwayOrGone,
  isInTime,
  isWithin,
  type Moment,
  mayAct,
  momentOf,
  requestInTime,
  takenBy,
} from './lease-state.ts'
import { type TransientRetry, transientFailureOf } from './transient-retry.ts'

/** A look at the Lease older than this, by either clock, does not permit an effect: the process may have been suspended since. */
const FRESH_MS = 5_000
/** How often one effect may read again when each read is too old by the time the request can be sent. */
const MOST_LOOKS = 5
const LOOK = 'lease'

export interface GateTrouble {
  readonly transientRetry: Pick<TransientRetry, 'after' | 'progressed'>
  /** The look failed and is not repeated: nothing was sent. */
  readonly refuse: (why: Failure) => void
  /** Aborts when the run stops: a waiting effect is held back. An effect requested after the stop, to clean up, waits like any other. */
  readonly stop?: AbortSignal
}

/** The gate before each effect under a Lease. If the look fails for good, or for longer than the retry limit, it refuses the effect by name. */
export function leaseGate(lease: HeldLeaseState, trouble: GateTrouble): LeaseGate {
  const { clock } = lease.options
  return async (effect, signal) => {
    for (let left = MOST_LOOKS; left > 0; left -= 1) {
      const looked = await look(lease, trouble, signal)
      if (!looked.ok) return looked
      let isSent = false
      let isOld = false
      const mayBeSentNow = () => {
        if (!mayAct(lease)) return false
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
}

/** When the Lease was seen as this run's, or why nothing may be sent. */
async function look(lease: HeldLeaseState, trouble: GateTrouble, signal?: AbortSignal): Promise<Result<Moment>> {
  const { handle, clock, until } = lease.options
  const { stop } = trouble
  const stopping = stop === undefined || stop.aborted ? [] : [stop]
  const scope = AbortSignal.any([until, ...(signal === undefined ? [] : [signal]), ...stopping])
  /** A look gave no answer: the server may lag, and its old answer about our Lease would look like a new one. */
  let isDoubted = false
  for (;;) {
    if (scope.aborted || !mayAct(lease)) return failed(keptBack())
    const at = momentOf(clock)
    // A renewal names the version that it changes: the server refuses it where another client changed the Lease since.
    const seen = isDoubted
      ? await requestInTime(lease, handle.renew, signal)
      : await requestInTime(lease, handle.confirm, signal)
    if (scope.aborted || isAwayOrGone(lease)) return failed(keptBack())
    if (!seen.ok) {
      isDoubted = true
      const why = await whyUnread(lease, trouble, { failure: seen.failure, scope })
      if (why !== null) return failed(why)
      continue
    }
    trouble.transientRetry.progressed(LOOK)
    if (seen.value.kind === 'lost') {
      giveUp(lease, takenBy(seen.value))
      return failed(keptBack())
    }
    if (seen.value.kind === 'free') {
      goAway(lease, because('LeaseHeldByNobody'))
      return failed(keptBack())
    }
    if (isWithin(FRESH_MS, at, clock) && isInTime(lease)) return ok(at)
  }
}

/** After a failed read, waits before the next one (null), or says why nothing is sent. */
async function whyUnread(
  lease: HeldLeaseState,
  { transientRetry, refuse }: GateTrouble,
  { failure, scope }: { readonly failure: Failure; readonly scope: AbortSignal },
): Promise<Failure | null> {
  lease.options.log.warn('lease-unread', { code: failure.code })
  const trouble = transientFailureOf(failure)
  const next = trouble === null ? 'patience-over' : await transientRetry.after(LOOK, trouble, scope)
  if (next === 'again') return null
  if (next === 'stopped' || isAwayOrGone(lease)) return keptBack()
  const why = refusal(failure.code, because('LeaseUnread', { trouble: findingIn(failure) }), failure)
  refuse(why)
  return why
}
