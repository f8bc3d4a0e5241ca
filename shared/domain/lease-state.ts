import type { LeaseHolder } from './kubernetes.ts'

/** What this process saw of a Lease record, by its own monotonic clock. */
export interface LeaseSeen {
  readonly sinceMs: number
  /** The record changed while this process watched: its holder was alive. */
  readonly renewed: boolean
}

/** Only {@link freeInMs} decides whether a Lease may be taken, never the holder's clock. */
export interface LeaseState extends LeaseHolder {
  readonly unchangedForMs: number
  readonly seenRenewed: boolean
  /** If it stays unchanged; 0 if its holder is gone. */
  readonly freeInMs: number
}

/** The duration of a record without a valid one. Others are clamped to these limits. */
const USUAL_SECONDS = 60
const SHORTEST_SECONDS = 15
const LONGEST_SECONDS = 3_600

/** How long a record must stay unchanged before its holder counts as gone. */
function lastsMs(durationSeconds: number): number {
  const seconds = Number.isFinite(durationSeconds) && durationSeconds > 0 ? durationSeconds : USUAL_SECONDS
  return Math.min(Math.max(seconds, SHORTEST_SECONDS), LONGEST_SECONDS) * 1000
}

/** Judges a Lease by this process's own observations (as in client-go's leader election). */
export function leaseStateOf(holder: LeaseHolder, seen: LeaseSeen, monotonicMs: number): LeaseState {
  const unchangedForMs = Math.max(0, monotonicMs - seen.sinceMs)
  const freeInMs = Math.max(0, lastsMs(holder.durationSeconds) - unchangedForMs)
  return { ...holder, unchangedForMs, seenRenewed: seen.renewed, freeInMs }
}

/** Certainly gone: the Lease counts as free. */
export function isGone(status: Pick<LeaseState, 'freeInMs'>): boolean {
  return status.freeInMs <= 0
}
