import { z } from 'zod'
import { mapLimited } from '../../../shared/domain/map-limited.ts'
import type { ResourceProvider } from '../../../shared/domain/openstack.ts'
import { ok, type Result } from '../../../shared/domain/result.ts'
import { ask } from './ask.ts'
import type { OpenStackSession } from './keystone-session.ts'

const Provider = z.object({ uuid: z.string().min(1), name: z.string().min(1) })
type Provider = z.infer<typeof Provider>

const ProviderList = z.object({ resource_providers: z.array(Provider) })

const Inventories = z.object({
  inventories: z.record(
    z.string(),
    z.object({ total: z.number(), reserved: z.number(), allocation_ratio: z.number() }),
  ),
})

const Usages = z.object({ usages: z.record(z.string(), z.number()) })

const Allocations = z.object({ allocations: z.record(z.string(), z.unknown()) })

/** Placement has no list of providers with their inventories: two requests each, so many providers at once. */
const PROVIDERS_AT_ONCE = 4

/** What every resource provider has and what is used of it; one deleted meanwhile is left out (Placement API, resource providers). */
export async function listResourceProviders(
  session: OpenStackSession,
  signal?: AbortSignal,
): Promise<Result<readonly ResourceProvider[]>> {
  const providers = await listProviders(session, signal)
  if (!providers.ok) return providers
  const read = await mapLimited(providers.value, PROVIDERS_AT_ONCE, provider => readProvider(session, provider, signal))
  const found: ResourceProvider[] = []
  for (const provider of read) {
    if (provider.ok) found.push(provider.value)
    else if (provider.failure.code !== 'not-found') return provider
  }
  return ok(found)
}

/**
 * Ids of the consumers that hold room on the resource provider of a host: servers, and migrations whose source it is. The provider is that of
 * one of these names, else the only one whose first label is one of theirs (Nova may name it by the FQDN); null where there is none.
 */
export async function listConsumersOn(
  session: OpenStackSession,
  names: readonly string[],
  signal?: AbortSignal,
): Promise<Result<readonly string[] | null>> {
  const listed = await listProviders(session, signal)
  if (!listed.ok) return listed
  const providers = listed.value
  const short = (name: string) => name.split('.')[0] ?? name
  const alike = providers.filter(({ name }) => names.some(wanted => short(wanted) === short(name)))
  const found = names.flatMap(wanted => providers.filter(({ name }) => name === wanted))[0]
  const provider = found ?? (alike.length === 1 ? alike[0] : undefined)
  if (provider === undefined) return ok(null)
  const read = await ask(session, 'placement', partOf(provider, 'allocations', signal), Allocations)
  return read.ok ? ok(Object.keys(read.value.allocations)) : read
}

async function readProvider(
  session: OpenStackSession,
  provider: Provider,
  signal: AbortSignal | undefined,
): Promise<Result<ResourceProvider>> {
  const [inventories, usages] = await Promise.all([
    ask(session, 'placement', partOf(provider, 'inventories', signal), Inventories),
    ask(session, 'placement', partOf(provider, 'usages', signal), Usages),
  ])
  if (!inventories.ok) return inventories
  if (!usages.ok) return usages
  return ok({
    id: provider.uuid,
    name: provider.name,
    inventories: Object.fromEntries(
      Object.entries(inventories.value.inventories).map(([resource, inventory]) => [
        resource,
        { total: inventory.total, reserved: inventory.reserved, allocationRatio: inventory.allocation_ratio },
      ]),
    ),
    usages: usages.value.usages,
  })
}

async function listProviders(
  session: OpenStackSession,
  signal: AbortSignal | undefined,
): Promise<Result<readonly Provider[]>> {
  const listed = await ask(
    session,
    'placement',
    { method: 'GET', path: '/resource_providers', doing: 'list the resource providers', signal },
    ProviderList,
  )
  return listed.ok ? ok(listed.value.resource_providers) : listed
}

function partOf(provider: Provider, part: string, signal: AbortSignal | undefined) {
  return {
    method: 'GET',
    path: `/resource_providers/${encodeURIComponent(provider.uuid)}/${part}`,
    doing: `read the ${part} of resource provider ${provider.name}`,
    target: `resource-provider/${provider.uuid}`,
    signal,
  } as const
}
