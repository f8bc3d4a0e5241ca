import type { LeaseHolder } from '../../../shared/domain/kubernetes.ts'
import type { LeaseSeen } from '../../../shared/domain/lease-state.ts'
import type { Clock } from '../../platform/clock/clock.ts'

/** A Lease as it was read or heard. */
export interface LeaseRecord {
  readonly uid: string
  readonly resourceVersion: string
  readonly holder: LeaseHolder | null
}

/**
 * What a process has seen of Leases: since when each record is as it is. One for the whole process, fed by every read and every watch, so that a
 * console that has looked for a minute need not wait another before it takes what a dead one left behind.
 */
export interface LeaseObserver {
  /** Tells of a look at a Lease (`lease` names it among all of the process); null: there was none. Answers since when it is so. */
  see(lease: string, record: LeaseRecord | null): LeaseSeen
  /** The Leases whose name begins so and that were there when they were looked at last. */
  there(prefix: string): readonly string[]
}

export function createLeaseObserver(clock: Clock): LeaseObserver {
  const known = new Map<
    string,
    LeaseSeen & { readonly version: string; readonly held: string; readonly there: boolean }
  >()
  return {
    see: (lease, record) => {
      const { identity = '', renewedAt = null } = record?.holder ?? {}
      const held = JSON.stringify([identity, renewedAt])
      const version = JSON.stringify([record?.uid ?? null, record?.resourceVersion ?? null, held])
      const before = known.get(lease)
      if (before?.version === version) return before
      const renewed = before !== undefined && (before.held !== held || before.renewed)
      const seen = { sinceMs: clock.monotonicMs(), renewed, version, held, there: record !== null }
      known.set(lease, seen)
      return seen
    },
    there: prefix => [...known].flatMap(([lease, { there }]) => (there && lease.startsWith(prefix) ? [lease] : [])),
  }
}
