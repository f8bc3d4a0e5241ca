import type { LeaseHolder } from '../../../shared/domain/kubernetes.ts'
import type { LeaseSeen } from '../../../shared/domain/lease-state.ts'
import type { Clock } from '../../platform/clock/clock.ts'

export interface LeaseRecord {
  readonly uid: string
  readonly resourceVersion: string
  readonly holder: LeaseHolder | null
}

/** How long this process saw each Lease unchanged. All its reads and watches share this, so that a console can take over from a dead one without another wait. */
export interface LeaseObserver {
  /** Records a sight of a Lease (`lease` is unique in the process); null if it does not exist. Returns since when it is unchanged. */
  see(lease: string, record: LeaseRecord | null): LeaseSeen
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
