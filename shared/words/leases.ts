import { isGone, type LeaseState } from '../domain/lease-state.ts'
import { ageWords, atMostWords } from '../grammar/durations.ts'
import { instantWords } from '../grammar/times.ts'

export type HolderSeen = Pick<
  LeaseState,
  'identity' | 'runId' | 'operator' | 'machine' | 'since' | 'renewedAt' | 'unchangedForMs' | 'seenRenewed' | 'freeInMs'
>

/** The holder of a node's Lease, its start and machine, and what this console saw of it. */
export function heldMessage(node: string, by: HolderSeen): string {
  const who = `${by.operator ?? by.identity} on ${by.machine ?? 'another machine'}`
  return `${who} has worked on ${node} since ${sinceWords(by)} (run ${by.runId ?? by.identity}). ${seenWords(by)}`
}

/** The holder of the Lease for several nodes, which may be an update or a batch. */
export function severalNodesHeld(cluster: string, by: HolderSeen): string {
  return `Another run works on several nodes of this cloud. ${heldMessage(cluster, by)}`
}

/** The remedy while such a run blocks one node. */
export function afterMany(node: string): string {
  return `Maintain ${node} when that run has ended.`
}

/** The run that works on something, its start, and what this console saw of it. */
export function worksOn(what: string, by: HolderSeen): string {
  return `${by.operator ?? 'Another operator'} on ${by.machine ?? 'another machine'} has worked on ${what} since ${sinceWords(by)}: run ${by.runId ?? by.identity}. ${seenWords(by)}`
}

/** The start of a holder's Lease: without the day if it is surely today. */
export function sinceWords(by: Pick<HolderSeen, 'since' | 'seenRenewed' | 'renewedAt'>): string {
  if (by.since === null) return 'an unknown time'
  const isToday = by.seenRenewed && by.renewedAt !== null && dayOf(by.since) === dayOf(by.renewedAt)
  return isToday ? instantWords(by.since).slice(DAY_LENGTH) : instantWords(by.since)
}

function dayOf(at: string): string {
  return instantWords(at).slice(0, DAY_LENGTH)
}

const DAY_LENGTH = '2026-11-22 '.length

/** What a run does about a holder that seems to have stopped. */
export function seemsGoneWords(subject: string, by: HolderSeen): string {
  return `${heldMessage(subject, by)} Its console seems to have stopped: the run first watches its Lease, up to ${atMostWords(by.freeInMs)}, and takes it only if nobody renews it.`
}

/** What the checks of a run watch before they answer, and how long at most. */
export function watchedFor(subject: string, by: HolderSeen, ms: number): string {
  return `${heldMessage(subject, by)} Lockkeeper watches for up to ${Math.ceil(ms / 1000)} s whether its Lease is renewed.`
}

/** When a Lease becomes free if its holder has stopped: the advice for an operator. */
export function waitRemedy(by: Pick<HolderSeen, 'freeInMs'>): string {
  return `Let that run finish or stop it. If its console has stopped, the Lease may be free in ${atMostWords(by.freeInMs)}: try again then.`
}

/** What this console saw of the holder of a Lease; the holder's clock may be wrong. */
export function seenWords(by: Pick<HolderSeen, 'unchangedForMs' | 'freeInMs' | 'seenRenewed' | 'renewedAt'>): string {
  const unchanged = ageWords(by.unchangedForMs)
  if (isGone(by)) return `Its Lease did not change for ${unchanged}: its console has stopped.`
  if (by.seenRenewed) return `Its Lease was renewed ${unchanged} ago, as this console saw.`
  return `Its Lease was last renewed at ${by.renewedAt === null ? 'an unknown time' : instantWords(by.renewedAt)} by its own clock; this console has seen no change for ${unchanged} so far.`
}
