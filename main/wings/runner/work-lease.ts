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
/** How often to try a Lease that another process holds, or that could not be read. */
const ASK_AGAIN_MS = seconds(5)
const RELEASE_LIMIT_MS = seconds(10)

/** The Lease that a runner holds while it works on a cloud or drives a campaign. */
export interface HeldWorkLease {
  /** Counts the Leases that this process took, of all clouds and campaigns. */
  readonly epoch: number
  /** Whether this process may start, control or write anything now. */
  isHeld(): boolean
  /** Aborts when it is lost or has expired: then no run may continue under it. */
  readonly lost: AbortSignal
  whyLost(): string
  /** Stops renewing and, unless it was lost, releases it. */
  release(): Promise<void>
}

interface LeaseTaker {
  /** The journal on the runner's volume, which only one process at a time has: any other holder with this id has ended. */
  readonly journalId: string
  readonly driverId: string
  readonly machine: string
}

interface LeaseParts {
  readonly leases: LeasePort
  readonly taker: LeaseTaker
  readonly nextEpoch: () => number
  readonly clock: Clock
  readonly log: Logger
  readonly onWaiting: (why: string) => void
}

interface LeaseOf {
  readonly name: LeaseName
  readonly subject: string
  readonly of: 'cloud' | 'campaign'
}

interface AcquiredLease {
  readonly askedAt: ReturnType<typeof momentOf>
  readonly handle: ReturnType<typeof leaseHandle>
  readonly epoch: number
}

/**
 * Takes the Lease by which one runner at a time works on a cloud, and waits while another process holds it; null when the signal aborts. Each Lease has its
 * own epoch, which shows late writes of an earlier one. `onWaiting` gets the name of the holder.
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

async function takeLease(lease: LeaseOf, parts: LeaseParts, signal: AbortSignal): Promise<HeldWorkLease | null> {
  const { name, subject } = lease
  const { leases, taker, clock, onWaiting } = parts
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
    if (answer.ok && answer.value.kind === 'acquired') return holdLease(lease, parts, { askedAt, handle, epoch })
    onWaiting(answer.ok ? messageIn(answer.value) : answer.failure.message)
    const freeInMs = answer.ok && answer.value.kind === 'held' ? answer.value.freeInMs : null
    await clock.sleep(Math.min(freeInMs ?? ASK_AGAIN_MS, ASK_AGAIN_MS) + 100, signal)
  }
  return null
}

/** Keeps an acquired Lease until it is lost or released. */
function holdLease(
  { of, subject }: LeaseOf,
  { clock, log }: LeaseParts,
  { askedAt, handle, epoch }: AcquiredLease,
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
  // Another runner may take an expired Lease at any moment: this one does not try to get it back.
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

function messageIn(answer: { readonly kind: string; readonly message?: string }): string {
  return answer.message ?? ''
}
