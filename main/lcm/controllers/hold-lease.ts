import { CONTROLLERS_LEASE } from '../../../shared/domain/lease-name.ts'
import type { LeaseState } from '../../../shared/domain/lease-state.ts'
import { assertNever } from '../../../shared/domain/must.ts'
import type { RunDriver } from '../../../shared/domain/run.ts'
import { because } from '../../../shared/words/reasons.ts'
import { findingIn } from '../../../shared/words/refusal.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Logger } from '../../platform/log/logger.ts'
import type { LeasePort, LeaseRequest } from '../../ports/leases.ts'
import type { LockWriterPort } from '../../ports/maintenance-api.ts'
import type { PortAccess } from '../../ports/port-access.ts'
import type { ControllerWorld } from '../../ports/world.ts'
import { fencedPort, fencedWorld } from '../../procedures/steps/general/fenced-world.ts'
import { leaseHandle } from '../../procedures/steps/general/node-lease.ts'
import { createHeldLease } from '../../runs/engine/held-lease.ts'
import type { GateTrouble } from '../../runs/engine/lease-gate.ts'
import type { LeaseGate } from '../../runs/engine/lease-keeper.ts'
import { momentOf } from '../../runs/engine/lease-state.ts'

/** Long enough for a slow API server, short enough to replace a dead process soon. */
const DURATION_SECONDS = 30
/** How long to try to retake an expired Lease: controllers ask nobody, and another process may take over. */
const GIVE_UP_MS = 600_000
const LOOK_AGAIN_MS = 1_000

/** The Lease that allows one process at a time to run our controllers on a cluster. */
export interface ControllersLease {
  /** Whether a write is allowed now: the Lease is ours by our clocks. */
  mayAct(): boolean
  readonly gate: LeaseGate
  /** Renews until the signal aborts, then releases the Lease; resolves with why it was lost, or null. */
  keep(signal: AbortSignal): Promise<Finding | null>
}

/** Takes the Lease of a cluster's controllers, or returns its holder. */
export async function takeControllersLease(options: {
  readonly leases: LeasePort
  readonly identity: string
  readonly driver: RunDriver
  readonly clock: Clock
  readonly log: Logger
  /** Why writes are suspended while the Lease is retaken; null if it is back. */
  readonly onAway: (why: Finding | null) => void
}): Promise<
  | { readonly kind: 'held'; readonly lease: ControllersLease }
  | { readonly kind: 'elsewhere'; readonly by: LeaseState }
  | { readonly kind: 'failed'; readonly why: Finding }
> {
  const { leases, identity, driver, clock, log } = options
  const request: LeaseRequest = {
    name: CONTROLLERS_LEASE,
    identity,
    runId: 'controllers',
    operator: driver.operator,
    machine: driver.machine,
    durationSeconds: DURATION_SECONDS,
  }
  const askedAt = momentOf(clock)
  const answer = await leases.acquire(request)
  if (!answer.ok) return { kind: 'failed', why: findingIn(answer.failure) }
  switch (answer.value.kind) {
    case 'acquired':
      break
    case 'held':
      return { kind: 'elsewhere', by: answer.value.by }
    case 'journal-lacks':
      return { kind: 'failed', why: because('LeaseOfJournal') }
    default:
      return assertNever(answer.value, 'lease answer')
  }
  const over = new AbortController()
  const handle = leaseHandle(leases, request, 'the controllers')
  let gone: Finding | null = null
  // Controllers ask nobody: a write waits until the Lease is readable or lost.
  const transientRetry: GateTrouble['transientRetry'] = {
    after: async (_key, _trouble, signal) => {
      await clock.sleep(LOOK_AGAIN_MS, signal)
      return signal.aborted ? 'stopped' : 'again'
    },
    progressed: () => {},
  }
  const held = createHeldLease({
    handle,
    askedAt,
    clock,
    log,
    // Controllers check before each write, and work that waits for the Lease starts over when it is back.
    onAway: why => options.onAway(because('ControllersLeaseAway', { why })),
    onBack: () => options.onAway(null),
    onGone: why => {
      gone = because('ControllersLeaseLost', { why })
    },
    giveUpAfterMs: GIVE_UP_MS,
    until: over.signal,
  })
  return {
    kind: 'held',
    lease: {
      mayAct: () => held.isHeld(),
      gate: held.gateFor({ transientRetry, refuse: () => {} }),
      keep: async signal => {
        signal.addEventListener('abort', () => over.abort(), { once: true })
        if (signal.aborted) over.abort()
        await held.keep()
        over.abort()
        if (gone !== null) return gone
        const released = await leases.release(request)
        if (!released.ok) log.warn('controllers-lease-not-given-back', { code: released.failure.code })
        return null
      },
    },
  }
}

const LOCKS: PortAccess<LockWriterPort> = {
  createClusterLock: 'acts',
  createNodeLock: 'acts',
  setLockStatus: 'acts',
  annotateLock: 'acts',
  deleteLock: 'acts',
  setFinalizer: 'acts',
}

/** The world of controllers that hold the Lease: each write reads it first. */
export function fencedControllerWorld(world: ControllerWorld, gate: LeaseGate): ControllerWorld {
  return { ...world, ...fencedWorld(world, gate), locks: fencedPort(world.locks, LOCKS, gate) }
}
