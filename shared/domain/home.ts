import { z } from 'zod'
import type { InstanceMove } from './instance-moves.ts'
import type { ComputeService, Instance, InstanceAction, Migration } from './openstack.ts'
import type { RunFact } from './run.ts'
import { historyOfFacts } from './run-history.ts'

/** An instance that a maintenance moved off its host. `to` null: its arrival was not observed; Nova's records after number `after` show it. */
export const AwayInstance = z.object({
  id: z.string(),
  name: z.string(),
  home: z.string(),
  from: z.string(),
  to: z.string().nullable(),
  after: z.number(),
})
export type AwayInstance = z.infer<typeof AwayInstance>

export type LocatedAway = AwayInstance & { readonly to: string }

/** Reports of a run, oldest first. With `byControllers`, controllers move the instances, and the run notes them before and after. */
export interface ReportedByRun {
  readonly byControllers: boolean
  readonly facts: readonly RunFact[]
}

/** Moved off a host by runs and not brought back. A move that does not start where the last one ended was somebody else's: it is left out. */
export function awayFrom(host: string, runs: readonly ReportedByRun[]): readonly AwayInstance[] {
  const away = new Map<string, AwayInstance>()
  for (const { byControllers, facts } of runs) {
    const { moves } = historyOfFacts({ facts })
    for (const move of moves) followMove(away, move, { host, byControllers })
    if (!byControllers) continue
    // A killed run did not see where controllers moved these: Nova's records say it.
    for (const [at, { kind, id, ...noted }] of moves.entries()) {
      if (kind !== 'noted' || away.has(id) || !('isNamed' in noted) || !noted.isNamed || noted.host !== host) continue
      const isSeenSince = moves.slice(at).some(later => later.kind === 'seen' && later.id === id)
      if (!isSeenSince) away.set(id, { id, name: noted.name, home: host, from: host, to: null, after: 0 })
    }
  }
  return [...away.values()]
}

function followMove(
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
      // It counts until a fact says how it ended.
      if (move.from === host && known === undefined)
        away.set(id, { id, name, home: host, from: host, to: null, after: move.after })
      return
    case 'in-vain':
      if (known?.to === null) away.delete(id)
      return
    case 'seen':
      // In a run that moves instances itself, one that is found on another host was moved by its owner.
      if (byControllers && move.went !== null) followMove(away, move.went, { host, byControllers })
      return
    case 'noted':
      return
    case 'moved': {
      const { from, to, after } = move
      // It was a guest here and is now at home: no run moves it from there.
      if (move.isHomeward) away.delete(id)
      else if (known === undefined || known.to === null) left(from, to, after)
      else if (to === host || from !== known.to) {
        away.delete(id)
        left(from, to, after)
      } else away.set(id, { ...known, from, to, after })
    }
  }
}

/** Nova's name for a node, as a run recorded it; null if not recorded. */
export function notedHost(node: string, runs: readonly ReportedByRun[]): string | null {
  const { nodes } = historyOfFacts({ facts: runs.flatMap(({ facts }) => facts) })
  return nodes.get(node)?.noted.at(-1)?.host ?? null
}

export interface HomeSeen {
  readonly instance: Instance
  readonly records: readonly Migration[]
  /** Nova's log of actions on it; null if not read, because {@link needsActions} does not need it. */
  readonly actions: readonly InstanceAction[] | null
}

export function isLeaving(away: AwayInstance, { instance, records }: Omit<HomeSeen, 'actions'>): boolean {
  if (away.to !== null || instance.host !== away.home) return false
  if (instance.taskState === 'migrating') return true
  // Without a task, any record beyond this status is a leftover.
  return records.some(({ id, status, sourceHost }) => id > away.after && sourceHost === away.home && BEGINS.has(status))
}

/** Statuses before the instance shows its migration. */
const BEGINS: ReadonlySet<string> = new Set(['accepted', 'queued'])

/** Its destination, by the journal or by Nova's records; null if there is no record of its move. */
export function located(away: AwayInstance, records: readonly Migration[]): LocatedAway | null {
  if (away.to !== null) return { ...away, to: away.to }
  const own = lastSucceeded(records.filter(({ id, sourceHost }) => sourceHost === away.from && id > away.after))
  return own === null || own.destHost === null ? null : { ...away, to: own.destHost }
}

/** Nova contradicts our own move, or another move led there too. */
export type MovedSince =
  | { readonly kind: 'elsewhere'; readonly host: string | null; readonly to: string }
  | { readonly kind: 'no-record'; readonly from: string; readonly to: string }
  /** It went that way more than once, and nobody knows which move was ours. */
  | { readonly kind: 'more-than-once'; readonly from: string; readonly to: string }
  | { readonly kind: 'moved'; readonly from: string | null; readonly to: string | null }
  /** An unshelve or an evacuation, without a migration. */
  | { readonly kind: 'placed-anew'; readonly action: string; readonly at: string }

/** Somebody moved it since our own move: another host, a later migration, or a rebuild. Its owner's newer move wins. */
export function movedSince(away: LocatedAway, { instance, records, actions }: HomeSeen): MovedSince | null {
  const { from, to } = away
  if (instance.host !== to) return { kind: 'elsewhere', host: instance.host, to }
  const own = ownRecord(away, records)
  const last = lastSucceeded(records)
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

/** A rebuild leaves no migration record, but changes the launch time. */
export function needsActions(away: LocatedAway, { instance, records }: Omit<HomeSeen, 'actions'>): boolean {
  const own = ownRecord(away, records)
  if (own === null || instance.host !== away.to) return false
  const { launchedAt } = instance
  return launchedAt === null || own.updatedAt === null || Date.parse(launchedAt) > Date.parse(own.updatedAt)
}

/** The first with the same hosts after the request. */
function ownRecord(away: LocatedAway, records: readonly Migration[]): Migration | null {
  return alikeRecords(away, records)[0] ?? null
}

/** Since our request; if its time is unknown, of all time. */
function alikeRecords(away: LocatedAway, records: readonly Migration[]): readonly Migration[] {
  return records
    .filter(({ id, sourceHost, destHost, status }) => {
      return id > away.after && sourceHost === away.from && destHost === away.to && !FAILED_STATUSES.has(status)
    })
    .toSorted((a, b) => a.id - b.id)
}

/** The newest that did not fail: the instance is at its destination, or on its way. */
function lastSucceeded(records: readonly Migration[]): Migration | null {
  return records
    .filter(({ status }) => !FAILED_STATUSES.has(status))
    .reduce<Migration | null>((last, each) => (last === null || each.id > last.id ? each : last), null)
}

const FAILED_STATUSES: ReadonlySet<string> = new Set(['failed', 'error', 'cancelled', 'reverted'])

/** They place an instance on a host without a migration record, or with somebody else's. */
const REPLACING: ReadonlySet<string> = new Set(['unshelve', 'evacuate'])

/** Null if it takes instances. */
export function whyNoHost({ status, state }: Pick<ComputeService, 'status' | 'state'>): 'down' | 'disabled' | null {
  if (state === 'down') return 'down'
  return status === 'enabled' ? null : 'disabled'
}
