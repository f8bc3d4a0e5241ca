import { isGone, type LeaseState } from '../domain/lease-state.ts'
import { ageWords, atMostWords } from '../grammar/durations.ts'
import { instantWords } from '../grammar/times.ts'

/** What is said of the holder of a Lease. */
export type HolderSeen = Pick<
  LeaseState,
  'identity' | 'runId' | 'operator' | 'machine' | 'since' | 'renewedAt' | 'unchangedForMs' | 'seenRenewed' | 'freeInMs'
>

/** Who holds the node, since when, from which machine, and what was seen of it. */
export function heldMessage(node: string, by: HolderSeen): string {
  const who = `${by.operator ?? by.identity} on ${by.machine ?? 'another machine'}`
  return `${who} holds ${node} since ${sinceWords(by)} (run ${by.runId ?? by.identity}). ${seenWords(by)}`
}

/** Who holds the Lease of work on many nodes; it does not say whether an update or a rolling maintenance. */
export function manyUnderWay(cluster: string, by: HolderSeen): string {
  return `Work on many nodes of this cluster is under way. ${heldMessage(cluster, by)}`
}

/** What to do about work on many nodes that is in the way of one. */
export function afterMany(node: string): string {
  return `Maintain ${node} when that run is over.`
}

/** Who works on something, since when, and what was seen of it. */
export function worksOn(what: string, by: HolderSeen): string {
  return `${by.operator ?? 'Somebody'} on ${by.machine ?? 'another machine'} works on ${what} since ${sinceWords(by)}: run ${by.runId ?? by.identity}. ${seenWords(by)}`
}

/** Since when a Lease is held by one holder, in words: an instant of today without its day, as far as that is sure. */
export function sinceWords(by: Pick<HolderSeen, 'since' | 'seenRenewed' | 'renewedAt'>): string {
  if (by.since === null) return 'an unknown time'
  const isToday = by.seenRenewed && by.renewedAt !== null && dayOf(by.since) === dayOf(by.renewedAt)
  return isToday ? instantWords(by.since).slice(DAY_LENGTH) : instantWords(by.since)
}

function dayOf(at: string): string {
  return instantWords(at).slice(0, DAY_LENGTH)
}

const DAY_LENGTH = '2026-11-22 '.length

/** What a run does about a holder that seems gone. */
export function seemsGoneWords(subject: string, by: HolderSeen): string {
  return `${heldMessage(subject, by)} Its console seems gone: the run first watches whether it still is renewed, up to ${atMostWords(by.freeInMs)}, and takes nothing that is.`
}

/** What the checks of a run watch before they answer, and for how long at most. */
export function watchedFor(subject: string, by: HolderSeen, ms: number): string {
  return `${heldMessage(subject, by)} Its Lease is watched for up to ${Math.ceil(ms / 1000)} s: whether it is renewed.`
}

/** When a held Lease comes free if its holder is gone: what an operator can do about it. */
export function waitRemedy(by: Pick<HolderSeen, 'freeInMs'>): string {
  return `Let that run finish or abort it. If its console is gone for good, it may be free in ${atMostWords(by.freeInMs)}: try again then.`
}

/** What was seen of the holder of a Lease: a sentence. Only what this console saw counts; the holder's clock may be wrong. */
export function seenWords(by: Pick<HolderSeen, 'unchangedForMs' | 'freeInMs' | 'seenRenewed' | 'renewedAt'>): string {
  const unchanged = ageWords(by.unchangedForMs)
  if (isGone(by)) return `It was seen unchanged for ${unchanged}: its console is gone.`
  if (by.seenRenewed) return `It was seen to be renewed ${unchanged} ago.`
  return `Last renewed at ${by.renewedAt === null ? 'an unknown time' : instantWords(by.renewedAt)} by its own clock; seen unchanged for ${unchanged} so far.`
}
