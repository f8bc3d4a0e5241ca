import { needsOf, providersOf, RESOURCES } from '../../../../shared/domain/destinations.ts'
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

/** Whether one instance may return to its host, and why not. */
type HomeVerdict =
  | { readonly kind: 'there'; readonly instance: Instance }
  /** The maintenance's own move still takes it away. */
  | { readonly kind: 'leaving'; readonly instance: Instance }
  /** This step already requested its return. */
  | { readonly kind: 'coming'; readonly instance: Instance }
  | {
      readonly kind: 'comes'
      readonly instance: Instance
      readonly policy: MovePolicy
      readonly notes: readonly Finding[]
    }
  | { readonly kind: 'stays'; readonly instance: Instance | null; readonly why: Finding }

export interface Judged {
  /** Its host is known if it may return. */
  readonly away: AwayInstance
  readonly verdict: HomeVerdict
}

/** From the plan or, where this run emptied the host, from its own facts. */
export function awayInstances(input: StepInput, home: string, ctx: MaintenanceContext): readonly AwayInstance[] {
  if (Array.isArray(input.away)) return input.away.map(each => AwayInstance.parse(each))
  const keyOf = ({ at, fact, subject }: RunFact) => `${at} ${fact} ${subject}`
  const own = new Set(ctx.history().map(keyOf))
  // The order of steps is not the order of events.
  const before = ctx
    .runHistory()
    .filter(fact => !own.has(keyOf(fact)))
    .toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))
  return awayFrom(home, [{ byControllers: ctx.world.cluster.flavour === 'mosk', facts: before }])
}

/** The instance's tags and the operator's choices count, the host's mode does not. */
export function homePolicyOf(instance: Instance, ctx: MaintenanceContext): MovePolicy {
  return movePolicyOf(instance, { annotations: {} }, ctx)
}

/** Judges one after another, because each takes room from the next, with the host taken as enabled. `unread`: what could not be read. */
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

type Seen = HomeSeen | 'gone'

/** One list of instances and one of migrations for each host; instances on no such host are read one by one. */
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

/** Listed instances with their hosts' migrations, which include later moves. Empty where a list failed or would save nothing. */
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

async function withActions(away: AwayInstance, seen: Listed, ctx: MaintenanceContext): Promise<Result<HomeSeen>> {
  const known = located(away, seen.records)
  if (known === null || !needsActions(known, seen)) return ok({ ...seen, actions: null })
  const actions = await cloudOf(ctx).instanceActions(away.id, ctx.signal)
  return actions.ok ? ok({ ...seen, actions: actions.value }) : actions
}

/** The verdict from the instance alone, whatever room there is. */
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

/** A host's remaining room after an instance has arrived. */
function withGuest(room: Destinations, instance: Instance, host: string): Destinations {
  const own = providersOf([host], room.providers ?? []).get(host)
  return {
    ...room,
    hostOf: new Map(room.hostOf).set(instance.id, host),
    providers: room.providers?.map(provider => (provider === own ? fuller(provider, instance) : provider)) ?? null,
  }
}

function fuller(provider: ResourceProvider, instance: Instance): ResourceProvider {
  const needs = needsOf(instance)
  if (needs === null) return provider
  const usages = { ...provider.usages }
  for (const resource of RESOURCES) usages[resource] = (usages[resource] ?? 0) + needs[resource]
  return { ...provider, usages }
}
