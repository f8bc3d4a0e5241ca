import { z } from 'zod'
import type { ComputeService, Instance, InstanceAction, Migration } from './openstack.ts'
import type { RunFact } from './run.ts'
import {
  ATTEMPTS_EXHAUSTED,
  factText,
  INSTANCE_MOVED,
  INSTANCE_SEEN,
  INSTANCE_SETTLED,
  INSTANCES_NOTED,
  instanceIdOf,
  MIGRATION_FAILED,
  MIGRATION_REQUESTED,
  WATCHER_ACTION,
} from './run-facts.ts'
import { historyOfFacts } from './run-history.ts'

/**
 * An instance that a maintenance took off its host: `from` and `to` are the hosts of its last move that is known. Where several of our own runs moved it on,
 * `home` stays the first of them. `to` null: it was asked to move and nobody saw it arrive; Nova's record after number `after` tells where it went.
 */
export const AwayInstance = z.object({
  id: z.string(),
  name: z.string(),
  home: z.string(),
  from: z.string(),
  to: z.string().nullable(),
  after: z.number(),
})
export type AwayInstance = z.infer<typeof AwayInstance>

/** The same once it is known where it went. */
export type LocatedAway = AwayInstance & { readonly to: string }

/** What one run told, oldest first; `byControllers`: on this flavour they move the instances, and the run only notes before and after. */
export interface ToldByRun {
  readonly byControllers: boolean
  readonly facts: readonly RunFact[]
}

/**
 * Which instances runs took off a host and have not brought back, as their journal tells, in the order in which they left. A move that does not begin
 * where the last one ended says that somebody else moved the instance between: it is theirs, and left out.
 */
export function awayFrom(host: string, runs: readonly ToldByRun[]): readonly AwayInstance[] {
  const away = new Map<string, AwayInstance>()
  for (const run of runs) {
    for (const fact of run.facts) {
      const asked = askedIn(fact, host)
      const id = instanceIdOf(fact.subject)
      const known = away.get(id)
      if (asked !== null && known === undefined) away.set(id, asked)
      if (known?.to === null && isInVain(fact)) away.delete(id)
    }
    for (const { id, name, from, to, after, isHomeward } of run.facts.flatMap(fact => moveIn(fact, run))) {
      const known = away.get(id)
      // It was a guest here, and is home now: nobody takes it from there.
      if (isHomeward) {
        away.delete(id)
        continue
      }
      if (known === undefined || known.to === null) {
        if (from === host && to !== host) away.set(id, { id, name, home: host, from, to, after })
      } else if (to === host || from !== known.to) {
        away.delete(id)
        if (from === host && to !== host) away.set(id, { id, name, home: host, from, to, after })
      } else {
        away.set(id, { ...known, from, to, after })
      }
    }
    for (const unseen of unseenOf(host, run)) if (!away.has(unseen.id)) away.set(unseen.id, unseen)
  }
  return [...away.values()]
}

/** The name under which Nova knows a node, as a run noted it; null: none did. */
export function notedHost(node: string, runs: readonly ToldByRun[]): string | null {
  const { nodes } = historyOfFacts({ facts: runs.flatMap(({ facts }) => facts) })
  return nodes.get(node)?.noted.at(-1)?.host ?? null
}

interface ToldMove {
  readonly id: string
  readonly name: string
  readonly from: string
  readonly to: string
  /** The newest record of it that was known when the move was asked for; 0: that was not told. */
  readonly after: number
  /** It was brought home: its move named the host. */
  readonly isHomeward: boolean
}

/**
 * Those that controllers were to take off a host and that the run did not look for afterwards, as one that was killed before it could: Nova's records tell where
 * each went, and one that never left is home.
 */
function unseenOf(host: string, { byControllers, facts }: ToldByRun): readonly AwayInstance[] {
  if (!byControllers) return []
  const noted = [...historyOfFacts({ facts }).nodes.values()].flatMap(node => node.noted)
  return noted.flatMap(({ at, host: on, instances }) => {
    return (on === host ? instances : [])
      .filter(({ id }) => !facts.some(told => isSeenSince(told, id, at)))
      .map(({ id, name }): AwayInstance => ({ id, name, home: host, from: host, to: null, after: 0 }))
  })
}

function isSeenSince({ at, fact, subject }: RunFact, id: string, since: string): boolean {
  return fact === INSTANCE_SEEN && instanceIdOf(subject) === id && Date.parse(at) >= Date.parse(since)
}

/** One that was asked to move off a host: it counts until it is told what became of it. */
function askedIn({ fact, subject, values }: RunFact, host: string): AwayInstance | null {
  if (fact !== MIGRATION_REQUESTED || values.source !== host) return null
  const id = instanceIdOf(subject)
  const { name, knownMigrationId: after } = values
  return {
    id,
    name: typeof name === 'string' ? name : id,
    home: host,
    from: host,
    to: null,
    after: typeof after === 'number' ? after : 0,
  }
}

/** What says that a move that was asked for came to nothing, or was not needed. */
const IN_VAIN_FACTS: ReadonlySet<string> = new Set([MIGRATION_FAILED, ATTEMPTS_EXHAUSTED, INSTANCE_SETTLED])

/** Where an instance is that nobody can tell is for Nova to say: it may be away. */
function isInVain({ fact, values }: RunFact): boolean {
  return IN_VAIN_FACTS.has(fact) && values.isUnknown !== true
}

function moveIn(fact: RunFact, { byControllers, facts }: ToldByRun): readonly ToldMove[] {
  const id = instanceIdOf(fact.subject)
  const name = factText(fact, 'name') ?? id
  const move = (from: string | null, to: string | null): readonly ToldMove[] => {
    if (from === null || to === null || from === to) return []
    const asked = requestBefore(fact, facts)
    const known = asked?.values.knownMigrationId
    const isHomeward = typeof asked?.values.to === 'string'
    return [{ id, name, from, to, after: typeof known === 'number' ? known : 0, isHomeward }]
  }
  switch (fact.fact) {
    case INSTANCE_MOVED:
      return move(factText(fact, 'from'), factText(fact, 'to'))
    case WATCHER_ACTION:
      return factText(fact, 'state') === 'SUCCEEDED' ? move(factText(fact, 'source'), factText(fact, 'to')) : []
    case INSTANCE_SEEN:
      // Where a run moves instances itself, one that is seen elsewhere went there by its owner's hand.
      return byControllers ? move(notedOn(id, fact.at, facts), factText(fact, 'host')) : []
    default:
      return []
  }
}

/** The request by which the run asked for the move that a fact tells of; undefined: it did not ask itself. */
function requestBefore({ at, subject }: RunFact, facts: readonly RunFact[]): RunFact | undefined {
  return facts.findLast(
    told => told.fact === MIGRATION_REQUESTED && told.subject === subject && Date.parse(told.at) <= Date.parse(at),
  )
}

/** The host on which a run noted an instance last before it was seen again: of many nodes it may have left two. */
function notedOn(id: string, seenAt: string, facts: readonly RunFact[]): string | null {
  const noted = facts.findLast(({ at, fact, values }) => {
    const isEarlier = Date.parse(at) <= Date.parse(seenAt)
    return isEarlier && fact === INSTANCES_NOTED && Array.isArray(values.ids) && values.ids.includes(id)
  })
  return noted === undefined ? null : factText(noted, 'host')
}

/** What was read of an instance that may go home. */
export interface HomeSeen {
  readonly instance: Instance
  /** Nova's records of its migrations. */
  readonly records: readonly Migration[]
  /** Nova's log of what was asked of it; null: it was not read, because {@link needsActions} says that nothing depends on it. */
  readonly actions: readonly InstanceAction[] | null
}

/** Whether a move that a run asked for is still to take an instance away: it is home, but not for long. */
export function isLeaving(away: AwayInstance, { instance, records }: Omit<HomeSeen, 'actions'>): boolean {
  if (away.to !== null || instance.host !== away.home) return false
  if (instance.taskState === 'migrating') return true
  // A record that says more than this of an instance without a task was left behind.
  return records.some(({ id, status, sourceHost }) => id > away.after && sourceHost === away.home && BEGINS.has(status))
}

/** How Nova's record of a migration is before the instance shows it. */
const BEGINS: ReadonlySet<string> = new Set(['accepted', 'queued'])

/** Where an instance went, as the journal or, where nobody saw it arrive, Nova's records tell; null: no record tells of its move. */
export function located(away: AwayInstance, records: readonly Migration[]): LocatedAway | null {
  if (away.to !== null) return { ...away, to: away.to }
  const own = lastThrough(records.filter(({ id, sourceHost }) => sourceHost === away.from && id > away.after))
  return own === null || own.destHost === null ? null : { ...away, to: own.destHost }
}

/** What Nova tells of an instance that is not where our own move of it left it, or may not be there by that move. */
export type MovedSince =
  | { readonly kind: 'elsewhere'; readonly host: string | null; readonly to: string }
  /** There is no record of our own move. */
  | { readonly kind: 'no-record'; readonly from: string; readonly to: string }
  /** It went that way more than once, and which time was ours is not known. */
  | { readonly kind: 'more-than-once'; readonly from: string; readonly to: string }
  | { readonly kind: 'moved'; readonly from: string | null; readonly to: string | null }
  /** It was put on a host without a move: unshelved, evacuated. */
  | { readonly kind: 'placed-anew'; readonly action: string; readonly at: string }

/**
 * Whether somebody moved an instance since our own move, by Nova's word: it is elsewhere, or a later migration of it went through, or it was built anew on a host
 * (unshelved, evacuated) since. Its owner's newer move stands.
 */
export function movedSince(away: LocatedAway, { instance, records, actions }: HomeSeen): MovedSince | null {
  const { from, to } = away
  if (instance.host !== to) return { kind: 'elsewhere', host: instance.host, to }
  const own = ownRecord(away, records)
  const last = lastThrough(records)
  if (own === null || last === null) return { kind: 'no-record', from, to }
  if (away.after === 0 && alikeRecords(away, records).length > 1) {
    return { kind: 'more-than-once', from, to }
  }
  if (last.id !== own.id) return { kind: 'moved', from: last.sourceHost, to: last.destHost }
  const { updatedAt } = own
  const later = (actions ?? []).find(({ action, startedAt }) => {
    return REPLACING.has(action) && updatedAt !== null && Date.parse(startedAt) > Date.parse(updatedAt)
  })
  return later === undefined ? null : { kind: 'placed-anew', action: later.action, at: later.startedAt }
}

/** Whether the log of actions has to be read: no record is left by an instance that is built anew, but Nova tells when it was launched last. */
export function needsActions(away: LocatedAway, { instance, records }: Omit<HomeSeen, 'actions'>): boolean {
  const own = ownRecord(away, records)
  if (own === null || instance.host !== away.to) return false
  const { launchedAt } = instance
  return launchedAt === null || own.updatedAt === null || Date.parse(launchedAt) > Date.parse(own.updatedAt)
}

/** The record of our own move: the first that went the same way after it was asked for. */
function ownRecord(away: LocatedAway, records: readonly Migration[]): Migration | null {
  return alikeRecords(away, records)[0] ?? null
}

/** Those that went as our own move did, since it was asked for; where that is not told, those of all times. */
function alikeRecords(away: LocatedAway, records: readonly Migration[]): readonly Migration[] {
  return records
    .filter(({ id, sourceHost, destHost, status }) => {
      return id > away.after && sourceHost === away.from && destHost === away.to && !IN_VAIN.has(status)
    })
    .toSorted((a, b) => a.id - b.id)
}

/** The newest record of a migration that did not come to nothing: the instance is where it says, or on its way there. */
function lastThrough(records: readonly Migration[]): Migration | null {
  return records
    .filter(({ status }) => !IN_VAIN.has(status))
    .reduce<Migration | null>((last, each) => (last === null || each.id > last.id ? each : last), null)
}

/** How Nova's records of migrations that came to nothing end. */
const IN_VAIN: ReadonlySet<string> = new Set(['failed', 'error', 'cancelled', 'reverted'])

/** Actions that put an instance on a host without a record of a migration, or by somebody else's. */
const REPLACING: ReadonlySet<string> = new Set(['unshelve', 'evacuate'])

/** Why no instance can be brought to a host now: its nova-compute is down or disabled; null: it takes them. */
export function whyNoHost({ status, state }: Pick<ComputeService, 'status' | 'state'>): 'down' | 'disabled' | null {
  if (state === 'down') return 'down'
  return status === 'enabled' ? null : 'disabled'
}
