import type { RunDriver } from '../../../shared/domain/run.ts'
import type { Clock } from '../../clock/clock.ts'
import type { Logger } from '../../log/logger.ts'
import { CONTROLLERS_LEASE, type LeasePort, type LeaseRequest } from '../../maintenance/ports.ts'
import { holderWords } from './holder-words.ts'

/** Long enough to survive a slow API server, short enough that a dead process is followed by another soon. */
const DURATION_SECONDS = 30

/** The Lease by which one process at a time runs our controllers on a cluster. */
export interface HeldLease {
  /** Whether a write may be made at this instant: the Lease is ours by our own clock. */
  mayAct(): boolean
  /** Renews until the signal aborts, then gives the Lease back; resolves with why it was lost, or null. */
  keep(signal: AbortSignal): Promise<string | null>
}

/** Takes the Lease of a cluster's controllers; who holds it, in words, when somebody else does. */
export async function takeControllersLease(options: {
  readonly leases: LeasePort
  readonly identity: string
  readonly driver: RunDriver
  readonly clock: Clock
  readonly log: Logger
}): Promise<
  | { readonly kind: 'held'; readonly lease: HeldLease }
  | { readonly kind: 'elsewhere'; readonly by: string }
  | { readonly kind: 'failed'; readonly why: string }
> {
  const { leases, identity, driver, clock, log } = options
  const request: LeaseRequest = {
    node: CONTROLLERS_LEASE,
    identity,
    runId: 'controllers',
    operator: driver.operator,
    machine: driver.machine,
    durationSeconds: DURATION_SECONDS,
  }
  const durationMs = DURATION_SECONDS * 1000
  const askedAt = clock.now()
  const answer = await leases.acquire(request)
  if (!answer.ok) return { kind: 'failed', why: answer.failure.message }
  if (answer.value.kind === 'held') {
    return {
      kind: 'elsewhere',
      by: holderWords(answer.value.by),
    }
  }
  let goodUntil = askedAt + durationMs
  /** Null: no answer while the Lease was ours. */
  const renewInTime = async (leftMs: number) => {
    const patience = new AbortController()
    const answered = await Promise.race([leases.renew(request), clock.sleep(leftMs, patience.signal).then(() => null)])
    patience.abort()
    return answered
  }
  return {
    kind: 'held',
    lease: {
      mayAct: () => clock.now() < goodUntil,
      keep: async signal => {
        while (!signal.aborted) {
          await clock.sleep(durationMs / 3, signal)
          if (signal.aborted) break
          const renewedAt = clock.now()
          const renewed = await renewInTime(goodUntil - renewedAt)
          if (renewed === null) return 'The Lease of the controllers could not be renewed in time.'
          if (renewed.ok && renewed.value.kind === 'renewed') {
            goodUntil = renewedAt + durationMs
            continue
          }
          if (renewed.ok) return 'Another process took the Lease of the controllers.'
          log.warn('the Lease of the controllers could not be renewed', { code: renewed.failure.code })
          if (clock.now() >= goodUntil) return `The Lease could not be renewed in time: ${renewed.failure.message}`
        }
        goodUntil = 0
        const released = await leases.release(request)
        if (!released.ok)
          log.warn('the Lease of the controllers could not be given back', { code: released.failure.code })
        return null
      },
    },
  }
}
