import { allocations, allocationsByHost, capacityOf, type HostAllocations, RATIOS, usageOf } from './allocations.ts'
import type { Cloud, ComputeHost } from './cloud.ts'
import { hasTraits, knownTraits, traitsOf, unknownTrait } from './host-traits.ts'
import { type ApiAnswer, type ApiRequest, middlewareUnauthorized, type ServiceHandler, tokenOf } from './http.ts'
import { stableUuid } from './ids.ts'
import { findRoute, type Route } from './routes.ts'
import { specialUsage } from './special-needs.ts'

const MAXIMUM = 39
/** The minor microversion of each newer filter of providers. */
const SINCE: Readonly<Record<string, number>> = { in_tree: 14, required: 18 }
const FILTERS = ['in_tree', 'member_of', 'name', 'required', 'resources', 'uuid']

interface Call {
  readonly cloud: Cloud
  readonly request: ApiRequest
  readonly minor: number
  readonly params: Readonly<Record<string, string>>
}

const ROUTES: readonly Route<(call: Call) => ApiAnswer>[] = [
  { method: 'GET', path: '/resource_providers', to: listProviders },
  {
    method: 'GET',
    path: '/resource_providers/:id',
    to: call => answerOfProvider(call, host => providerView(call, host)),
  },
  { method: 'GET', path: '/resource_providers/:id/inventories', to: call => answerOfProvider(call, inventories) },
  {
    method: 'GET',
    path: '/resource_providers/:id/usages',
    to: call =>
      answerOfProvider(call, host => {
        const held = allocationsByHost(call.cloud)
        const special = Object.keys(host.resources).map(name => [name, usedOf(call.cloud, held, host, name)])
        return {
          resource_provider_generation: 1,
          usages: { ...usageOf(held, host.name), ...Object.fromEntries(special) },
        }
      }),
  },
  {
    method: 'GET',
    path: '/resource_providers/:id/allocations',
    to: call => answerOfProvider(call, host => allocationsOnHost(call, host)),
  },
  {
    method: 'GET',
    path: '/resource_providers/:id/traits',
    to: call =>
      since(call, 6, () =>
        answerOfProvider(call, host => ({ traits: traitsOf(call.cloud, host), resource_provider_generation: 1 })),
      ),
  },
  {
    method: 'GET',
    path: '/resource_providers/:id/aggregates',
    to: call =>
      since(call, 1, () =>
        answerOfProvider(call, host => ({
          aggregates: [stableUuid(`aggregate ${host.zone}`)],
          ...(call.minor >= 19 ? { resource_provider_generation: 1 } : {}),
        })),
      ),
  },
  { method: 'GET', path: '/allocation_candidates', to: call => since(call, 10, () => listCandidates(call)) },
  { method: 'GET', path: '/allocations/:id', to: allocationsOfConsumer },
  {
    method: 'GET',
    path: '/traits',
    to: call => since(call, 6, () => ({ status: 200, json: { traits: knownTraits(call.cloud) } })),
  },
]

/** Makes Placement, which computes each hypervisor's inventory and use from the servers. */
export function createPlacement(cloud: Cloud): ServiceHandler {
  return request => {
    const path = request.path.replace(/\/+$/, '')
    if (path === '')
      return {
        status: 200,
        headers: { 'openstack-api-version': 'placement 1.0', vary: 'openstack-api-version' },
        json: {
          versions: [
            {
              id: 'v1.0',
              max_version: `1.${MAXIMUM}`,
              min_version: '1.0',
              status: 'CURRENT',
              links: [{ rel: 'self', href: '' }],
            },
          ],
        },
      }
    const token = tokenOf(cloud, request)
    if (token === null) return middlewareUnauthorized(request)
    const minor = minorOf(request)
    if (minor > MAXIMUM)
      return placementError(
        request,
        406,
        'Not Acceptable',
        `Invalid microversion: Unacceptable version header: 1.${minor}`,
      )
    const headers = { 'openstack-api-version': `placement 1.${minor}`, vary: 'openstack-api-version' }
    const route = findRoute(ROUTES, request.method, path)
    if (route === null) return { ...placementError(request, 404, 'Not Found', ''), headers }
    if (token.user.role !== 'admin')
      return {
        ...placementError(
          request,
          403,
          'Forbidden',
          `Policy does not allow placement:${route.params.id === undefined ? 'resource_providers:list' : 'resource_providers:show'} to be performed. `,
          'Access was denied to this resource.',
        ),
        headers,
      }
    return { ...route.to({ cloud, request, minor, params: route.params }), headers }
  }
}

/** Reads the minor of the requested microversion; the default is 1.0. */
function minorOf(request: ApiRequest): number {
  const asked = request.header('openstack-api-version') ?? ''
  return asked === 'placement latest' ? MAXIMUM : Number(/^placement\s+1\.(\d+)$/.exec(asked)?.[1] ?? '0')
}

function placementError(
  request: ApiRequest,
  status: number,
  title: string,
  why: string,
  preface = 'The resource could not be found.',
): ApiAnswer {
  const detail = `${preface}\n\n ${why} `
  const minor = minorOf(request)
  const code = minor >= 23 && minor <= MAXIMUM ? { code: 'placement.undefined_code' } : {}
  return { status, json: { errors: [{ status, title, detail, ...code, request_id: request.requestId }] } }
}

function since(call: Call, minor: number, then: () => ApiAnswer): ApiAnswer {
  return call.minor < minor ? placementError(call.request, 404, 'Not Found', '') : then()
}

function listProviders(call: Call): ApiAnswer {
  const { query } = call.request
  const bad = (why: string) =>
    placementError(
      call.request,
      400,
      'Bad Request',
      why,
      'The server could not comply with the request since it is either malformed or otherwise incorrect.',
    )
  const unknown = [...query.keys()].find(key => !FILTERS.includes(key) || call.minor < (SINCE[key] ?? 0))
  if (unknown !== undefined) {
    return bad(`Invalid query string parameters: Additional properties are not allowed ('${unknown}' was unexpected)`)
  }
  const traits = (query.get('required') ?? '').split(',').filter(trait => trait !== '')
  const noTrait = unknownTrait(call.cloud, traits)
  if (noTrait !== undefined) return bad(`No such trait(s): ${noTrait}.`)
  const is = (key: string, value: string) => !query.has(key) || query.get(key) === value
  const rows = [...call.cloud.hosts.values()].filter(
    host =>
      is('name', host.name) && is('uuid', host.id) && is('in_tree', host.id) && hasTraits(call.cloud, host, traits),
  )
  return { status: 200, json: { resource_providers: rows.map(host => providerView(call, host)) } }
}

/** Lists hosts with room for the request, each with an allocation request and a summary. */
function listCandidates(call: Call): ApiAnswer {
  const { query } = call.request
  const bad = (why: string) =>
    placementError(
      call.request,
      400,
      'Bad Request',
      why,
      'The server could not comply with the request since it is either malformed or otherwise incorrect.',
    )
  const unknown = [...query.keys()].find(
    key => !/^(resources|required|group_policy)/.test(key) && (key !== 'limit' || call.minor < 16),
  )
  if (unknown !== undefined) return bad(`Invalid query string parameters: '${unknown}' was unexpected`)
  const valuesOf = (kind: RegExp) =>
    [...query].flatMap(([key, value]) => (kind.test(key) ? value.split(',') : [])).filter(value => value !== '')
  const asked = valuesOf(/^resources/)
  const wanted = asked.map(each => /^([A-Z0-9_]+):([1-9]\d*)$/.exec(each))
  const resources = wanted.flatMap(match => (match === null ? [] : [[match[1] ?? '', Number(match[2])] as const]))
  if (resources.length < wanted.length || asked.length === 0) return bad(`Invalid resources: '${asked.join(',')}'`)
  const traits = valuesOf(/^required/)
  const noTrait = unknownTrait(call.cloud, traits)
  if (noTrait !== undefined) return bad(`No such trait(s): ${noTrait}.`)
  const noClass = resources.find(([name]) => !(name in RATIOS) && !STANDARD.has(name) && !hasClass(call.cloud, name))
  if (noClass !== undefined)
    return bad(`Invalid resource class in resources parameter: No such resource class ${noClass[0]}.`)
  const held = allocationsByHost(call.cloud)
  const found = [...call.cloud.hosts.values()].filter(
    host =>
      hasTraits(call.cloud, host, traits) &&
      resources.every(
        ([name, amount]) => amount <= largestOf(host, name) && hasLeft(call.cloud, held, host, name, amount),
      ),
  )
  const limit = Number(query.get('limit') ?? found.length)
  return { status: 200, json: candidatesView(call, held, found.slice(0, limit), Object.fromEntries(resources)) }
}

/** Resource classes that every Placement knows, even without a provider (os_resource_classes). */
const STANDARD: ReadonlySet<string> = new Set(['PCPU', 'VGPU', 'MEM_ENCRYPTION_CONTEXT'])

function hasClass(cloud: Cloud, name: string): boolean {
  return [...cloud.hosts.values()].some(host => name in host.resources)
}

function largestOf(host: ComputeHost, name: string): number {
  const own: Readonly<Record<string, number>> = { VCPU: host.vcpus, MEMORY_MB: host.memoryMib, DISK_GB: host.diskGib }
  return own[name] ?? host.resources[name] ?? 0
}

function hasLeft(cloud: Cloud, held: HostAllocations, host: ComputeHost, name: string, amount: number): boolean {
  const capacity: Readonly<Record<string, number>> = { ...capacityOf(host), ...host.resources }
  return usedOf(cloud, held, host, name) + amount <= (capacity[name] ?? 0)
}

function usedOf(cloud: Cloud, held: HostAllocations, host: ComputeHost, name: string): number {
  const usage: Readonly<Record<string, number>> = usageOf(held, host.name)
  return usage[name] ?? specialUsage(cloud, held, host.name, name)
}

function candidatesView(
  call: Call,
  held: HostAllocations,
  hosts: readonly ComputeHost[],
  wanted: Readonly<Record<string, number>>,
) {
  const summaryOf = (host: ComputeHost) => {
    const rows = Object.entries({ ...capacityOf(host), ...host.resources }).filter(
      ([name]) => call.minor >= 27 || name in wanted,
    )
    return {
      resources: Object.fromEntries(
        rows.map(([name, capacity]) => [
          name,
          { capacity: Math.trunc(capacity), used: usedOf(call.cloud, held, host, name) },
        ]),
      ),
      ...(call.minor >= 17 ? { traits: traitsOf(call.cloud, host) } : {}),
      ...(call.minor >= 29 ? { parent_provider_uuid: null, root_provider_uuid: host.id } : {}),
    }
  }
  return {
    allocation_requests: hosts.map(({ id }) => ({
      allocations:
        call.minor >= 12 ? { [id]: { resources: wanted } } : [{ resource_provider: { uuid: id }, resources: wanted }],
      ...(call.minor >= 34 ? { mappings: { '': [id] } } : {}),
    })),
    provider_summaries: Object.fromEntries(hosts.map(host => [host.id, summaryOf(host)])),
  }
}

function providerView(call: Call, host: ComputeHost) {
  const at = `/resource_providers/${host.id}`
  const more = [
    ...(call.minor >= 1 ? ['aggregates'] : []),
    ...(call.minor >= 6 ? ['traits'] : []),
    ...(call.minor >= 11 ? ['allocations'] : []),
  ]
  return {
    uuid: host.id,
    name: host.name,
    generation: 1,
    links: [
      { rel: 'self', href: at },
      ...['inventories', 'usages', ...more].map(rel => ({ rel, href: `${at}/${rel}` })),
    ],
    ...(call.minor >= 14 ? { parent_provider_uuid: null, root_provider_uuid: host.id } : {}),
  }
}

function answerOfProvider(call: Call, view: (host: ComputeHost) => unknown): ApiAnswer {
  const id = call.params.id ?? ''
  const host = [...call.cloud.hosts.values()].find(each => each.id === id)
  if (host !== undefined) return { status: 200, json: view(host) }
  const why = `No resource provider with uuid ${id} found`
  return placementError(call.request, 404, 'Not Found', `${why}: ${why} `)
}

function inventories(host: ComputeHost) {
  const inventory = (total: number, reserved: number, ratio: number) => ({
    total,
    reserved,
    min_unit: 1,
    max_unit: total,
    step_size: 1,
    allocation_ratio: ratio,
  })
  return {
    resource_provider_generation: 1,
    inventories: {
      VCPU: inventory(host.vcpus, 0, RATIOS.VCPU),
      MEMORY_MB: inventory(host.memoryMib, host.reservedMib, RATIOS.MEMORY_MB),
      DISK_GB: inventory(host.diskGib, 0, RATIOS.DISK_GB),
      ...Object.fromEntries(Object.entries(host.resources).map(([name, total]) => [name, inventory(total, 0, 1)])),
    },
  }
}

function allocationsOnHost(call: Call, host: ComputeHost) {
  const here = allocations(call.cloud).filter(each => each.host === host.name)
  return {
    allocations: Object.fromEntries(
      here.map(each => [
        each.consumerId,
        { resources: withoutZeros(each.resources), ...(call.minor >= 28 ? { consumer_generation: 1 } : {}) },
      ]),
    ),
    resource_provider_generation: 1,
  }
}

/** A consumer without allocations gets an empty object, not a 404. */
function allocationsOfConsumer(call: Call): ApiAnswer {
  const own = allocations(call.cloud).filter(each => each.consumerId === call.params.id)
  const server = call.cloud.servers.get(own[0]?.serverId ?? '')
  const rows = own.map(each => [
    call.cloud.hosts.get(each.host)?.id ?? each.host,
    { resources: withoutZeros(each.resources), generation: 1 },
  ])
  return {
    status: 200,
    json: {
      allocations: Object.fromEntries(rows),
      ...(server !== undefined && call.minor >= 12 ? { project_id: server.projectId, user_id: server.userId } : {}),
      ...(server !== undefined && call.minor >= 28 ? { consumer_generation: 1 } : {}),
      ...(server !== undefined && call.minor >= 38 ? { consumer_type: 'INSTANCE' } : {}),
    },
  }
}

function withoutZeros(resources: Readonly<Record<string, number>>) {
  return Object.fromEntries(Object.entries(resources).filter(([, amount]) => amount > 0))
}
