import { z } from 'zod'
import type { InstanceMove } from './instance-moves.ts'
import type { ComputeService, Instance, InstanceAction, Migration } from './openstack.ts'
import type { RunFact } from './run.ts'
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
export interface ReportedByRun {
  readonly byControllers: boolean
  readonly facts: readonly RunFact[]
}

/**
 * Which instances runs took off a host and have not brought back, as their journal tells, in the order in which they left. A move that does not begin
 * where the last one ended says that somebody else moved the instance between: it is theirs, and left out.
 */
export function awayFrom(host: string, runs: readonly ReportedByRun[]): readonly AwayInstance[] {
  const away = new Map<string, AwayInstance>()
  for (const { byControllers, facts } of runs) {
    const { moves } = historyOfFacts({ facts })
    for (const move of moves) reportAway(away, move, { host, byControllers })
    if (!byControllers) continue
    // Whom controllers were to take off and that the run did not look for afterwards, as one that was killed before it could: Nova's records tell where each went.
    for (const [at, { kind, id, ...noted }] of moves.entries()) {
      if (kind !== 'noted' || away.has(id) || !('isNamed' in noted) || !noted.isNamed || noted.host !== host) continue
      const isSeenSince = moves.slice(at).some(later => later.kind === 'seen' && later.id === id)
      if (!isSeenSince) away.set(id, { id, name: noted.name, home: host, from: host, to: null, after: 0 })
    }
  }
  return [...away.values()]
}

function reportAway(
  away: Map<string, AwayInstance>,
  move: InstanceMove,
  { host, byControllers }: { readonly host: string; readonly byControllers: boolean },
): void {
  const { id, name } = move
  const known = away.get(id)
  const left = (from: string, to: string, after: number) => {
    if (from === host && to !== host) away.set(id, { id, name, home: host, from, to, after })
  }
  switch (move.kind) {
    case 'asked':
      // It counts until it is told what became of it.
      if (move.from === host && known === undefined)
        away.set(id, { id, name, home: host, from: host, to: null, after: move.after })
      return
    case 'in-vain':
      if (known?.to === null) away.delete(id)
      return
    case 'seen':
      // Where a run moves instances itself, one that is seen elsewhere went there by its owner's hand.
      if (byControllers && move.went !== null) reportAway(away, move.went, { host, byControllers })
      return
    case 'noted':
      return
    case 'moved': {
      const { from, to, after } = move
      // It was a guest here, and is home now: nobody takes it from there.
      if (move.isHomeward) away.delete(id)
      else if (known === undefined || known.to === null) left(from, to, after)
      else if (to === host || from !== known.to) {
        away.delete(id)
        left(from, to, after)
      } else away.set(id, { ...known, from, to, after })
    }
  }
}

/** The name under which Nova knows a node, as a run noted it; null: none did. */
export function notedHost(node: string, runs: readonly ReportedByRun[]): string | null {
  const { nodes } = historyOfFacts({ facts: runs.flatMap(({ facts }) => facts) })
  return nodes.get(node)?.noted.at(-1)?.host ?? null
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
