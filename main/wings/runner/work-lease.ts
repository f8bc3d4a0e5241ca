import { seconds } from '../../../shared/domain/durations.ts'
import { campaignLease, type LeaseName, runnerLease } from '../../../shared/domain/lease-name.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Logger } from '../../platform/log/logger.ts'
import type { LeasePort, LeaseRequest } from '../../ports/leases.ts'
import { leaseHandle } from '../../procedures/steps/general/node-lease.ts'
import { createHeldLease } from '../../runs/engine/held-lease.ts'
import { momentOf } from '../../runs/engine/lease-state.ts'

/** Long enough for a slow API server, short enough that another runner takes over soon. */
const DURATION_SECONDS = 30
/** How often a Lease is asked for that somebody else holds, or that could not be asked for. */
const ASK_AGAIN_MS = seconds(5)
const RELEASE_LIMIT_MS = seconds(10)

/** The Lease that a runner holds while it works on a cloud or drives a campaign. */
export interface HeldWorkLease {
  /** Higher with each taking by this process, of whatever cloud or campaign. */
  readonly epoch: number
  /** Whether something may be begun, obeyed or written at this instant. */
  isHeld(): boolean
  /** Aborts when it is lost, or ran out: nothing may be driven under it any more. */
  readonly lost: AbortSignal
  whyLost(): string
  /** Stops renewing and, unless it was lost, gives it back. */
  release(): Promise<void>
}

/** Who takes it: names of the runner that are the same over restarts (`runner`), and of this process alone (`driverId`). */
interface LeaseTaker {
  /** The journal on the runner's volume: whoever else bears it is gone, for one process at a time has the volume. */
  readonly journalId: string
  readonly driverId: string
  readonly machine: string
}

/** What taking a Lease leans on. */
interface LeaseParts {
  readonly leases: LeasePort
  readonly taker: LeaseTaker
  readonly nextEpoch: () => number
  readonly clock: Clock
  readonly log: Logger
  readonly onWaiting: (why: string) => void
}

/**
 * Takes the Lease by which one runner at a time works on a cloud, and waits for it as long as somebody else holds it; null when the signal aborts.
 * Each taking has an epoch of its own: what an earlier one still does is known for it. `onWaiting` is told who holds it.
 */
export function takeCloudLease(
  cloud: string | null,
  parts: LeaseParts,
  signal: AbortSignal,
): Promise<HeldWorkLease | null> {
  return takeLease({ name: runnerLease(cloud), subject: cloud ?? 'the runner', of: 'cloud' }, parts, signal)
}

/** Takes the Lease by which one runner at a time drives a campaign, in the same way. */
export function takeCampaignLease(
  campaign: string,
  parts: LeaseParts,
  signal: AbortSignal,
): Promise<HeldWorkLease | null> {
  return takeLease({ name: campaignLease(campaign), subject: campaign, of: 'campaign' }, parts, signal)
}

async function takeLease(
  { name, subject, of }: { readonly name: LeaseName; readonly subject: string; readonly of: 'cloud' | 'campaign' },
  parts: LeaseParts,
  signal: AbortSignal,
): Promise<HeldWorkLease | null> {
  const { leases, taker, clock, log, onWaiting } = parts
  const prefix = `lockkeeper-runner/${taker.journalId}/`
  while (!signal.aborted) {
    const epoch = parts.nextEpoch()
    const identity = `${prefix}${taker.driverId}/${epoch}`
    const request: LeaseRequest = {
      name,
      identity,
      runId: 'runner',
      operator: 'runner',
      machine: taker.machine,
      durationSeconds: DURATION_SECONDS,
      isPredecessor: other => other.startsWith(prefix) && other !== identity,
    }
    const handle = leaseHandle(leases, request, subject)
    const askedAt = momentOf(clock)
    const answer = await handle.acquire(signal)
    if (signal.aborted) {
      if (answer.ok && answer.value.kind === 'acquired') await handle.release(new AbortController().signal)
      return null
    }
    if (answer.ok && answer.value.kind === 'acquired') return holding(askedAt, handle, epoch)
    onWaiting(answer.ok ? messageIn(answer.value) : answer.failure.message)
    const freeInMs = answer.ok && answer.value.kind === 'held' ? answer.value.freeInMs : null
    await clock.sleep(Math.min(freeInMs ?? ASK_AGAIN_MS, ASK_AGAIN_MS) + 100, signal)
  }
  return null

  function holding(
    askedAt: ReturnType<typeof momentOf>,
    handle: ReturnType<typeof leaseHandle>,
    epoch: number,
  ): HeldWorkLease {
    const over = new AbortController()
    const lost = new AbortController()
    let why = ''
    const lose = (reason: string) => {
      if (lost.signal.aborted || over.signal.aborted) return
      why = reason
      log.warn(`${of}-lease-lost`, { [of]: subject, why: reason })
      lost.abort()
      over.abort()
    }
    // What ran out may be another's at any moment: nothing is driven on in the hope of getting it back.
    const held = createHeldLease({
      handle,
      askedAt,
      clock,
      log,
      onAway: ({ message }) => lose(message),
      onBack: () => {},
      onGone: ({ message }) => lose(message),
      until: over.signal,
    })
    const kept = held.keep()
    return {
      epoch,
      isHeld: () => !lost.signal.aborted && !over.signal.aborted && held.isHeld(),
      lost: lost.signal,
      whyLost: () => why,
      release: async () => {
        const wasLost = lost.signal.aborted
        over.abort()
        await kept
        if (wasLost) return
        const limit = new AbortController()
        const timer = clock.sleep(RELEASE_LIMIT_MS, limit.signal).then(() => limit.abort())
        const released = await handle.release(limit.signal)
        limit.abort()
        await timer
        if (!released.ok) log.warn(`${of}-lease-not-given-back`, { [of]: subject, code: released.failure.code })
      },
    }
  }
}

function messageIn(answer: { readonly kind: string; readonly message?: string }): string {
  return answer.message ?? ''
}
