import type { Failure } from '../../../shared/domain/failure.ts'
import { because } from '../../../shared/words/reasons.ts'
import { findingIn } from '../../../shared/words/refusal.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import { type GateTrouble, leaseGate } from './lease-gate.ts'
import type { LeaseGate } from './lease-keeper.ts'
import {
  giveUp,
  goAway,
  type HeldLeaseOptions,
  type HeldLeaseState,
  hasEnded,
  isHeld,
  isInTime,
  momentOf,
  proved,
  requestInTime,
  takenBy,
  whyOut,
} from './lease-state.ts'

/** Delay before a failed renewal is repeated; a little more by chance. */
const RETRY_MS = 1_000

/** A Lease that was taken, until it is released. */
export interface HeldLease {
  /** Whether it is valid now by our own clocks, counted from before the last answered request. */
  isHeld(): boolean
  gateFor(trouble: GateTrouble): LeaseGate
  /** Stops all work under the Lease until it is checked again, such as after a sleep of the machine. */
  reacquire(why?: Finding): void
  /** Renews until the signal aborts or the Lease is gone. Never rejects. */
  keep(): Promise<void>
}

/** Keeps a Lease: renews it early, retries within a second, and takes it back when nobody took it. */
export function createHeldLease(options: HeldLeaseOptions): HeldLease {
  const lease: HeldLeaseState = {
    options,
    askedAt: options.askedAt,
    awaySince: null,
    isGone: false,
    wake: new AbortController(),
  }
  return {
    isHeld: () => isHeld(lease),
    gateFor: trouble => leaseGate(lease, trouble),
    reacquire: (why = whyOut(lease)) => goAway(lease, why),
    keep: async () => {
      await Promise.all([renewAgainAndAgain(lease), watchTime(lease)])
    },
  }
}

async function renewAgainAndAgain(lease: HeldLeaseState): Promise<void> {
  const { handle, clock, until } = lease.options
  let waitMs: number | null = handle.durationMs / 6
  while (waitMs !== null && !hasEnded(lease)) {
    await clock.sleep(waitMs, AbortSignal.any([until, lease.wake.signal]))
    if (hasEnded(lease)) return
    waitMs = await renewOnce(lease)
    // This renewal also serves a request to take it back that arrived meanwhile.
    lease.wake = new AbortController()
  }
}

async function renewOnce(lease: HeldLeaseState): Promise<number | null> {
  const { handle, clock } = lease.options
  const at = momentOf(clock)
  const renewed = await requestInTime(lease, handle.renew)
  if (hasEnded(lease)) return null
  if (!renewed.ok) return retryIn(lease, renewed.failure)
  if (renewed.value.kind === 'lost') giveUp(lease, takenBy(renewed.value))
  else if (renewed.value.kind === 'renewed') proved(lease, at)
  else {
    goAway(lease, because('LeaseHeldByNobody'))
    const taken = await requestInTime(lease, handle.acquire)
    if (hasEnded(lease)) return null
    if (!taken.ok) return retryIn(lease, taken.failure)
    if (taken.value.kind === 'held') giveUp(lease, takenBy(taken.value))
    else proved(lease, at)
  }
  return lease.isGone ? null : (handle.durationMs / 6) * (0.9 + clock.random() * 0.2)
}

/** The delay after a failed request; a Lease that stays away for the limit is given up. */
function retryIn(lease: HeldLeaseState, why: Failure): number {
  const { clock, log, giveUpAfterMs = Number.POSITIVE_INFINITY } = lease.options
  log.warn('lease-not-renewed', { code: why.code })
  if (!isInTime(lease)) goAway(lease, because('LeaseNotRenewed', { why: whyOut(lease), trouble: findingIn(why) }))
  if (lease.awaySince !== null && clock.monotonicMs() - lease.awaySince.monotonicMs >= giveUpAfterMs) {
    giveUp(lease, because('LeaseNotTakenBack', { forMs: giveUpAfterMs, trouble: findingIn(why) }))
  }
  return RETRY_MS * (1 + clock.random())
}

/** A renewal that hangs must not hide that the Lease has expired. */
async function watchTime(lease: HeldLeaseState): Promise<void> {
  const { clock, until } = lease.options
  while (!hasEnded(lease)) {
    await clock.sleep(RETRY_MS, until)
    if (!until.aborted && !isInTime(lease)) goAway(lease, whyOut(lease))
  }
}
