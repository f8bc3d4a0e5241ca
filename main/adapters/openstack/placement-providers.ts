import { z } from 'zod'
import { recordsOf } from '../../../shared/domain/machine-names.ts'
import { mapLimited } from '../../../shared/domain/map-limited.ts'
import type { ResourceProvider } from '../../../shared/domain/openstack.ts'
import type { PlacementNeeds } from '../../../shared/domain/placement-needs.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { because, call } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import type { CloudReads } from '../../ports/openstack.ts'
import { askService } from './ask-service.ts'
import { isAtLeast, versionText } from './microversion.ts'
import type { OpenStackSession } from './openstack-session.ts'

const Provider = z.object({ uuid: z.string().min(1), name: z.string().min(1) })

const ProviderList = z.object({ resource_providers: z.array(Provider) })

type ProviderName = Pick<ResourceProvider, 'id' | 'name'>

const Inventories = z.object({
  inventories: z.record(
    z.string(),
    z.object({ total: z.number(), reserved: z.number(), allocation_ratio: z.number() }),
  ),
})

/** Since 1.27 a summary contains all resource classes of its provider. */
const WHOLE_SUMMARIES = { major: 1, minor: 27 }

/** Every compute host has these: a summary without them is incomplete or not of a host. */
const REPORTED_OF_A_HOST = ['VCPU', 'MEMORY_MB'] as const

const Candidates = z.object({
  provider_summaries: z.record(
    z.string(),
    z.object({ resources: z.record(z.string(), z.object({ capacity: z.number(), used: z.number() })) }),
  ),
})
type Summaries = z.infer<typeof Candidates>['provider_summaries']

const Usages = z.object({ usages: z.record(z.string(), z.number()) })

const Allocations = z.object({ allocations: z.record(z.string(), z.unknown()) })

/** Parallel requests for providers that are not candidates; each needs two. */
const PROVIDERS_AT_ONCE = 4

/**
 * Inventory and usage of every provider. Placement has no such list, but includes both with the candidates for one more vCPU; other providers, such as full
 * hosts, are read one by one.
 */
export async function listResourceProviders(
  session: OpenStackSession,
  signal?: AbortSignal,
  reads?: CloudReads,
): Promise<Result<readonly ResourceProvider[]>> {
  const [providers, summaries] = await Promise.all([
    reads?.providerNames(signal) ?? listProviderNames(session, signal),
    listCandidates(session, signal),
  ])
  if (!providers.ok) return providers
  if (!summaries.ok) return summaries
  const read = await mapLimited(providers.value, PROVIDERS_AT_ONCE, async provider => {
    const resources = summaries.value[provider.id]?.resources
    return resources !== undefined && REPORTED_OF_A_HOST.every(name => name in resources)
      ? ok(providerFromSummary(provider, resources))
      : readProvider(session, provider, signal)
  })
  const found: ResourceProvider[] = []
  for (const provider of read) {
    if (provider.ok) found.push(provider.value)
    else if (provider.failure.code !== 'not-found') return provider
  }
  return ok(found)
}

/**
 * Ids of servers, and of migrations whose source it is, on a host's providers. A provider counts by these names or their first label, since Nova may use the
 * FQDN; the caller checks each, because a similar name may be another machine. Null if the host has no provider.
 */
export async function listConsumersOn(
  session: OpenStackSession,
  names: readonly string[],
  signal?: AbortSignal,
  reads?: CloudReads,
): Promise<Result<readonly string[] | null>> {
  const listed = await (reads?.providerNames(signal) ?? listProviderNames(session, signal))
  if (!listed.ok) return listed
  const own = recordsOf(names, listed.value, ({ name }) => name)
  if (own.length === 0) return ok(null)
  const consumers = new Set<string>()
  const read = await mapLimited(own, PROVIDERS_AT_ONCE, provider =>
    askService(session, 'placement', partOf(provider, 'allocations', signal), Allocations),
  )
  for (const each of read) {
    if (!each.ok) return each
    for (const id of Object.keys(each.value.allocations)) consumers.add(id)
  }
  return ok([...consumers].toSorted())
}

async function readProvider(
  session: OpenStackSession,
  provider: ProviderName,
  signal: AbortSignal | undefined,
): Promise<Result<ResourceProvider>> {
  const [inventories, usages] = await Promise.all([
    askService(session, 'placement', partOf(provider, 'inventories', signal), Inventories),
    askService(session, 'placement', partOf(provider, 'usages', signal), Usages),
  ])
  if (!inventories.ok) return inventories
  if (!usages.ok) return usages
  return ok({
    ...provider,
    capacities: Object.fromEntries(
      Object.entries(inventories.value.inventories).map(([resource, { total, reserved, allocation_ratio }]) => [
        resource,
        // Placement's own formula (placement/objects/inventory.py).
        Math.trunc((total - reserved) * allocation_ratio),
      ]),
    ),
    usages: usages.value.usages,
  })
}

/** The candidates for one more vCPU, by id; empty if the credentials or this Placement do not allow the request. */
async function listCandidates(session: OpenStackSession, signal: AbortSignal | undefined): Promise<Result<Summaries>> {
  const version = await session.microversion('placement', signal)
  if (!version.ok) return version
  if (version.value === null || !isAtLeast(version.value, WHOLE_SUMMARIES)) return ok({})
  const read = await askService(
    session,
    'placement',
    {
      method: 'GET',
      path: '/allocation_candidates',
      query: { resources: 'VCPU:1' },
      call: call('ListRoomForVcpu'),
      signal,
    },
    Candidates,
  )
  if (read.ok) return ok(read.value.provider_summaries)
  return read.failure.code === 'not-permitted' ? ok({}) : read
}

function providerFromSummary(provider: ProviderName, resources: Summaries[string]['resources']): ResourceProvider {
  const each = Object.entries(resources)
  return {
    ...provider,
    capacities: Object.fromEntries(each.map(([resource, { capacity }]) => [resource, capacity])),
    usages: Object.fromEntries(each.map(([resource, { used }]) => [resource, used])),
  }
}

export async function listProviderNames(
  session: OpenStackSession,
  signal?: AbortSignal,
): Promise<Result<readonly ProviderName[]>> {
  const listed = await askService(
    session,
    'placement',
    { method: 'GET', path: '/resource_providers', call: call('ListResourceProviders'), signal },
    ProviderList,
  )
  return listed.ok ? ok(listed.value.resource_providers.map(({ uuid, name }) => ({ id: uuid, name }))) : listed
}

/** Placement can filter providers by trait since 1.18. */
const LISTED_BY_TRAITS = { major: 1, minor: 18 }

/** Names of the hosts with the trait of a disabled nova-compute (nova/compute/manager.py, update_compute_provider_status). */
export async function listClosedHosts(
  session: OpenStackSession,
  signal?: AbortSignal,
): Promise<Result<readonly string[]>> {
  const version = await session.microversion('placement', signal)
  if (!version.ok) return version
  if (version.value === null || !isAtLeast(version.value, LISTED_BY_TRAITS)) {
    return failed(refusal('bad-input', because('PlacementTooOld', { needed: versionText(LISTED_BY_TRAITS) })))
  }
  const listed = await askService(
    session,
    'placement',
    {
      method: 'GET',
      path: '/resource_providers',
      query: { required: 'COMPUTE_STATUS_DISABLED' },
      call: call('ListProvidersOfDisabledHosts'),
      signal,
    },
    ProviderList,
  )
  return listed.ok ? ok(listed.value.resource_providers.map(({ name }) => name)) : listed
}

function partOf(
  provider: ProviderName,
  part: 'allocations' | 'inventories' | 'usages',
  signal: AbortSignal | undefined,
) {
  return {
    method: 'GET',
    path: `/resource_providers/${encodeURIComponent(provider.id)}/${part}`,
    call: call('ReadProviderPart', { part, provider: provider.name }),
    target: `resource-provider/${provider.id}`,
    signal,
  } as const
}

/** Placement knows named request groups since 1.33, as flavors use them; forbidden traits (1.22) and roots (1.29) came before. */
const ASKED_WITH = { major: 1, minor: 33 }

const RoomCandidates = z.object({
  allocation_requests: z.array(z.object({ allocations: z.record(z.string(), z.looseObject({})) })),
  provider_summaries: z.record(z.string(), z.object({ root_provider_uuid: z.string().min(1) })),
})

/** The hosts with room for these resources and traits, nested providers counted with their host: the first question of Nova's scheduler (allocation candidates). */
export async function listCandidateHosts(
  session: OpenStackSession,
  needs: PlacementNeeds,
  signal?: AbortSignal,
  reads?: CloudReads,
): Promise<Result<readonly string[]>> {
  const version = await session.microversion('placement', signal)
  if (!version.ok) return version
  if (version.value === null || !isAtLeast(version.value, ASKED_WITH)) {
    return failed(refusal('bad-input', because('PlacementTooOld', { needed: versionText(ASKED_WITH) })))
  }
  const [names, read] = await Promise.all([
    reads?.providerNames(signal) ?? listProviderNames(session, signal),
    askService(
      session,
      'placement',
      {
        method: 'GET',
        path: '/allocation_candidates',
        query: needs,
        call: call('ListRoomFor', { needs }),
        signal,
      },
      RoomCandidates,
      ({ allocation_requests, provider_summaries }) =>
        allocation_requests.every(({ allocations }) => Object.keys(allocations).every(id => id in provider_summaries))
          ? null
          : because('CandidatesWithoutProviders'),
    ),
  ])
  if (!names.ok) return names
  if (!read.ok) return read
  const { allocation_requests, provider_summaries } = read.value
  const used = allocation_requests.flatMap(({ allocations }) => Object.keys(allocations))
  const roots = new Set(used.flatMap(id => provider_summaries[id]?.root_provider_uuid ?? []))
  return ok(names.value.filter(({ id }) => roots.has(id)).map(({ name }) => name))
}
