import { needsOf, RESOURCES } from '../../../../shared/domain/destinations.ts'
import {
  AwayInstance,
  awayFrom,
  type HomeSeen,
  isLeaving,
  located,
  type MovedSince,
  movedSince,
  needsActions,
} from '../../../../shared/domain/home.ts'
import { mapLimited } from '../../../../shared/domain/map-limited.ts'
import { must } from '../../../../shared/domain/must.ts'
import type { ComputeService, Instance, ResourceProvider } from '../../../../shared/domain/openstack.ts'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import type { RunFact } from '../../../../shared/domain/run.ts'
import { found } from '../../../../shared/words/step-texts.ts'
import type { Finding } from '../../../../shared/words/steps/coded.ts'
import type { StepInput } from '../../../runs/engine/step.ts'
import { cloudOf, type MaintenanceContext } from '../../node-input.ts'
import { instanceSubject, movePolicyOf, movesAway } from './classify-instances.ts'
import { pendingRequest } from './evacuation-facts.ts'
import { placeForecast } from './forecast.ts'
import type { MovePolicy } from './move-source.ts'
import { cloudAsked, type Destinations, readDestinations } from './read-destinations.ts'

/** What becomes of one instance that a maintenance took off its host; the text of `why` goes on after its name. */
type HomeVerdict =
  | { readonly kind: 'there'; readonly instance: Instance }
  /** A move that the maintenance asked for still takes it away: it is judged when that is over. */
  | { readonly kind: 'leaving'; readonly instance: Instance }
  /** This step asked for it already, and it is followed to its end. */
  | { readonly kind: 'coming'; readonly instance: Instance }
  | {
      readonly kind: 'comes'
      readonly instance: Instance
      readonly policy: MovePolicy
      readonly notes: readonly Finding[]
    }
  | { readonly kind: 'stays'; readonly instance: Instance | null; readonly why: Finding }

/** An instance that is away, and what becomes of it. */
export interface Judged {
  /** Where it went is known of whoever may come. */
  readonly away: AwayInstance
  readonly verdict: HomeVerdict
}

/** Who is away from a host, by what the plan knows or, where the same run emptied it, by what this run told before. */
export function awayInstances(input: StepInput, home: string, ctx: MaintenanceContext): readonly AwayInstance[] {
  if (Array.isArray(input.away)) return input.away.map(each => AwayInstance.parse(each))
  const keyOf = ({ at, fact, subject }: RunFact) => `${at} ${fact} ${subject}`
  const own = new Set(ctx.history().map(keyOf))
  // Step by step is not the order in which they happened.
  const before = ctx
    .runHistory()
    .filter(fact => !own.has(keyOf(fact)))
    .toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))
  return awayFrom(home, [{ byControllers: ctx.world.cluster.flavour === 'mosk', facts: before }])
}

/** What is to be done to an instance that may go home: its tags and the operator's choices count, the mode of no host does. */
export function homePolicyOf(instance: Instance, ctx: MaintenanceContext): MovePolicy {
  return movePolicyOf(instance, { annotations: {} }, ctx)
}

/**
 * Judges, one after the other, who goes home, by Nova's word and its records of migrations. Who was taken in before takes room of those
 * after it. The host is judged as it is once it takes instances. `unread` names what could not be weighed.
 */
export async function judgeHome(
  aways: readonly AwayInstance[],
  home: ComputeService,
  services: readonly ComputeService[],
  ctx: MaintenanceContext,
): Promise<Result<{ readonly judged: readonly Judged[]; readonly unread: readonly Finding[] }>> {
  const reads = await readAways(aways, home.host, ctx)
  if (!reads.ok) return reads
  const first = aways.map((away, at) => bySelf(away, must(reads.value[at], 'each was read'), home.host, ctx))
  const leaving = first.flatMap(({ verdict }) =>
    verdict.kind === 'comes'
      ? [
          {
            instance: verdict.instance,
            way: verdict.policy.action === 'cold_migrate' ? ('cold' as const) : ('live' as const),
          },
        ]
      : [],
  )
  const open: ComputeService = { ...home, status: 'enabled', state: 'up' }
  const { known, unread } = await readDestinations(
    { source: home, services: [open], leaving },
    cloudAsked(ctx),
    ctx.signal,
  )
  let room: Destinations = { ...known, isHome: true }
  const judged = first.map(({ away, verdict }): Judged => {
    if (verdict.kind !== 'comes') return { away, verdict }
    const { instance } = verdict
    const from = services.find(({ host }) => host === away.to)
    if (from?.state === 'down') {
      const why = found('ComputeOfItsHostDown', { host: from.host })
      return { away, verdict: { kind: 'stays', instance, why } }
    }
    const source = { host: away.to ?? home.host, zone: from?.zone ?? null }
    const { mayGoTo, notes } = placeForecast(instance, { ...room, source })
    if (!mayGoTo.includes(home.host)) {
      const why = found('DoesNotFitAtHome', { home: home.host, notes })
      return { away, verdict: { kind: 'stays', instance, why } }
    }
    room = withGuest(room, instance, home.host)
    return { away, verdict: { ...verdict, notes } }
  })
  return ok({ judged, unread })
}

const READ_AT_ONCE = 8

/** What Nova tells of an instance that may go home; `gone`: it is deleted. */
type Seen = HomeSeen | 'gone'

/**
 * What Nova tells of those that are away. One list of instances and one of migrations a host serve all that are where their own move took them, or home; who
 * is in neither is asked for by itself.
 */
async function readAways(
  aways: readonly AwayInstance[],
  home: string,
  ctx: MaintenanceContext,
): Promise<Result<readonly Seen[]>> {
  const listed = await listAways(aways, home, ctx)
  const reads = await mapLimited(aways, READ_AT_ONCE, away => {
    const known = away.to === null ? undefined : listed.get(away.id)
    return known === undefined ? readAway(away, ctx) : withActions(away, known, ctx)
  })
  const seen: Seen[] = []
  for (const read of reads) {
    if (!read.ok) return read
    seen.push(read.value)
  }
  return ok(seen)
}

/** Who is listed, with the records that touch the host it is on: no later move of it can be without. Empty where lists would be no fewer requests, or one was not read. */
async function listAways(
  aways: readonly AwayInstance[],
  home: string,
  ctx: MaintenanceContext,
): Promise<ReadonlyMap<string, Listed>> {
  const hosts = [...new Set([home, ...aways.flatMap(({ to }) => (to === null ? [] : [to]))])]
  if (aways.length <= hosts.length) return new Map()
  const cloud = cloudOf(ctx)
  const reads = await mapLimited(hosts, READ_AT_ONCE, host =>
    Promise.all([cloud.instancesOnHost(host, ctx.signal), cloud.migrations({ host }, ctx.signal)]),
  )
  const known = new Map<string, Listed>()
  for (const [instances, migrations] of reads) {
    if (!instances.ok || !migrations.ok) return new Map()
    const recordsOf = Map.groupBy(migrations.value, ({ instanceId }) => instanceId)
    for (const instance of instances.value.items) {
      if (!instance.partial) known.set(instance.id, { instance, records: recordsOf.get(instance.id) ?? [] })
    }
  }
  return known
}

type Listed = Omit<HomeSeen, 'actions'>

/** What Nova tells of one that is asked for by itself. */
async function readAway(away: AwayInstance, ctx: MaintenanceContext): Promise<Result<Seen>> {
  const cloud = cloudOf(ctx)
  const [instance, records] = await Promise.all([
    cloud.getInstance(away.id, ctx.signal),
    cloud.migrations({ instanceId: away.id }, ctx.signal),
  ])
  if (!instance.ok) return instance.failure.code === 'not-found' ? ok('gone') : failed(instance.failure)
  if (!records.ok) return records
  return withActions(away, { instance: instance.value, records: records.value }, ctx)
}

/** The same with the log of what was asked of it, where something depends on that. */
async function withActions(away: AwayInstance, seen: Listed, ctx: MaintenanceContext): Promise<Result<HomeSeen>> {
  const known = located(away, seen.records)
  if (known === null || !needsActions(known, seen)) return ok({ ...seen, actions: null })
  const actions = await cloudOf(ctx).instanceActions(away.id, ctx.signal)
  return actions.ok ? ok({ ...seen, actions: actions.value }) : actions
}

/** What is told by the instance alone, whatever room there is. */
function bySelf(away: AwayInstance, seen: Seen, home: string, ctx: MaintenanceContext): Judged {
  if (seen === 'gone') return { away, verdict: { kind: 'stays', instance: null, why: found('NoLongerExists') } }
  const { instance, records } = seen
  const known = located(away, records)
  const isAsked = pendingRequest(ctx.history(), instanceSubject(away.id)) !== null
  if (isAsked && known !== null) return { away: known, verdict: { kind: 'coming', instance } }
  if (isLeaving(away, seen)) return { away, verdict: { kind: 'leaving', instance } }
  if (instance.host === home) return { away, verdict: { kind: 'there', instance } }
  const stays = (why: Finding): Judged => ({ away, verdict: { kind: 'stays', instance, why } })
  if (known === null) return stays(found('NoRecordOfItsMove', { from: away.from, to: null }))
  const since = movedSince(known, seen)
  if (since !== null) return stays(whyMoved(since))
  const policy = homePolicyOf(instance, ctx)
  return movesAway(policy)
    ? { away: known, verdict: { kind: 'comes', instance, policy, notes: [] } }
    : stays(found('StaysByPolicy', { policy: policy.code, cause: policy.reason }))
}

function whyMoved(since: MovedSince): Finding {
  switch (since.kind) {
    case 'elsewhere':
      return found('IsElsewhereSince', { host: since.host, to: since.to })
    case 'no-record':
      return found('NoRecordOfItsMove', { from: since.from, to: since.to })
    case 'more-than-once':
      return found('WentThereMoreThanOnce', { from: since.from, to: since.to })
    case 'moved':
      return found('MovedSince', { from: since.from, to: since.to })
    case 'placed-anew':
      return found('PlacedAnewSince', { action: since.action, at: since.at })
  }
}

/** What is left of a host's room once an instance is there too. */
function withGuest(room: Destinations, instance: Instance, host: string): Destinations {
  return {
    ...room,
    hostOf: new Map(room.hostOf).set(instance.id, host),
    providers:
      room.providers?.map(provider => (provider.name === host ? fuller(provider, instance) : provider)) ?? null,
  }
}

function fuller(provider: ResourceProvider, instance: Instance): ResourceProvider {
  const needs = needsOf(instance)
  if (needs === null) return provider
  const usages = { ...provider.usages }
  for (const resource of RESOURCES) usages[resource] = (usages[resource] ?? 0) + needs[resource]
  return { ...provider, usages }
}
