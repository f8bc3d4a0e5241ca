import type { LeaseHolder } from './kubernetes.ts'

/** This process's observations of a Lease record. Times are of this process's monotonic clock. */
export interface LeaseSeen {
  /** When this process first saw the current record. */
  readonly sinceMs: number
  /** Whether the record changed while this process watched: its holder was alive at that time. */
  readonly renewed: boolean
}

/** A held Lease and its holder. Only {@link freeInMs} decides whether it may be taken, never the holder's clock. */
export interface LeaseState extends LeaseHolder {
  readonly unchangedForMs: number
  readonly seenRenewed: boolean
  /** When it may be taken if it stays unchanged; 0: its holder is gone. */
  readonly freeInMs: number
}

/** Default for a record without a valid duration; longer and shorter durations are clamped to these limits. */
const USUAL_SECONDS = 60
const SHORTEST_SECONDS = 15
const LONGEST_SECONDS = 3_600

/** How long a record must stay unchanged before its holder counts as gone, in milliseconds. */
function lastsMs(durationSeconds: number): number {
  const seconds = Number.isFinite(durationSeconds) && durationSeconds > 0 ? durationSeconds : USUAL_SECONDS
  return Math.min(Math.max(seconds, SHORTEST_SECONDS), LONGEST_SECONDS) * 1000
}

/** The state of a held Lease by this process's own observations (as in client-go's leader election). */
export function leaseStateOf(holder: LeaseHolder, seen: LeaseSeen, monotonicMs: number): LeaseState {
  const unchangedForMs = Math.max(0, monotonicMs - seen.sinceMs)
  const freeInMs = Math.max(0, lastsMs(holder.durationSeconds) - unchangedForMs)
  return { ...holder, unchangedForMs, seenRenewed: seen.renewed, freeInMs }
}

/** Whether the holder of a Lease is certainly gone, so that the Lease counts as free. */
export function isGone(status: Pick<LeaseState, 'freeInMs'>): boolean {
  return status.freeInMs <= 0
}
