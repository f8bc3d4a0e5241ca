import type { LeaseHolder } from './kubernetes.ts'

/** What this process has seen of a record of a Lease. Its times are of the clock that never jumps, and of no other process. */
export interface LeaseSeen {
  /** When the record was first seen as it is. */
  readonly sinceMs: number
  /** Whether it was seen to change before that: somebody took or renewed it while this process looked, so its holder lived then. */
  readonly renewed: boolean
}

/** A held Lease and what is known of its holder. Whether it may be taken is judged by {@link freeInMs} alone, never by the holder's clock. */
export interface LeaseState extends LeaseHolder {
  readonly unchangedForMs: number
  /** Whether its holder was seen to take or renew it. */
  readonly seenRenewed: boolean
  /** When it may be taken, if it stays unchanged; 0: its holder is gone. */
  readonly freeInMs: number
}

/** A record that names no lasting, or a senseless one, is taken to last as long as ours; none is shorter or longer than these. */
const USUAL_SECONDS = 60
const SHORTEST_SECONDS = 15
const LONGEST_SECONDS = 3_600

/** How long a record has to be seen unchanged before its holder counts as gone, in milliseconds. */
function lastsMs(durationSeconds: number): number {
  const seconds = Number.isFinite(durationSeconds) && durationSeconds > 0 ? durationSeconds : USUAL_SECONDS
  return Math.min(Math.max(seconds, SHORTEST_SECONDS), LONGEST_SECONDS) * 1000
}

/** Where a held Lease stands now, by what this process saw of it (client-go's leader election judges so too). */
export function leaseStateOf(holder: LeaseHolder, seen: LeaseSeen, monotonicMs: number): LeaseState {
  const unchangedForMs = Math.max(0, monotonicMs - seen.sinceMs)
  const freeInMs = Math.max(0, lastsMs(holder.durationSeconds) - unchangedForMs)
  return { ...holder, unchangedForMs, seenRenewed: seen.renewed, freeInMs }
}

/** Whether the holder of a Lease is gone for certain, so that it counts as free. */
export function isGone(status: Pick<LeaseState, 'freeInMs'>): boolean {
  return status.freeInMs <= 0
}
