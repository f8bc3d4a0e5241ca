import type { Agent, Cloud, Server, Token } from './cloud.ts'
import {
  type ApiAnswer,
  type ApiRequest,
  asObject,
  middlewareUnauthorized,
  type ServiceHandler,
  tokenOf,
} from './http.ts'
import { stableUuid } from './ids.ts'
import { registerAgent } from './registering.ts'
import { findRoute, type Route } from './routes.ts'
import { agentTime, secondsTime } from './times.ts'
import { isAgentAlive, lastReport, sleepUnlessStopped, type World } from './world.ts'

interface Call {
  readonly world: Pick<World, 'cloud' | 'timings' | 'signal' | 'spawn'>
  readonly cloud: Cloud
  readonly request: ApiRequest
  readonly token: Token
  readonly params: Readonly<Record<string, string>>
}

const ROUTES: readonly Route<(call: Call) => ApiAnswer>[] = [
  { method: 'GET', path: '/v2.0/agents', to: listAgents },
  { method: 'GET', path: '/v2.0/agents/:id', to: call => withAgent(call, () => {}) },
  { method: 'PUT', path: '/v2.0/agents/:id', to: updateAgent },
  { method: 'DELETE', path: '/v2.0/agents/:id', to: deleteAgent },
  { method: 'GET', path: '/v2.0/networks', to: networks },
  { method: 'GET', path: '/v2.0/ports', to: ports },
  { method: 'GET', path: '/v2.0/extensions', to: extensions },
  { method: 'GET', path: '/v2.0/availability_zones', to: zones },
]

/** Makes the part of Neutron that maintenance reads, mainly agents (API-EXAMPLES.md). */
export function createNeutron(world: Call['world']): ServiceHandler {
  const { cloud } = world
  return request => {
    const path = request.path.replace(/\/+$/, '').replace(/\.json$/, '')
    if (path === '')
      return {
        status: 200,
        json: {
          versions: [{ id: 'v2.0', status: 'CURRENT', links: [{ rel: 'self', href: `${request.base}/v2.0/` }] }],
        },
      }
    const token = tokenOf(cloud, request)
    if (token === null) return middlewareUnauthorized(request)
    const route = findRoute(ROUTES, request.method, path)
    return route === null ? notFound() : route.to({ world, cloud, request, token, params: route.params })
  }
}

function neutronError(status: number, type: string, message: string): ApiAnswer {
  return { status, json: { NeutronError: { type, message, detail: '' } } }
}

function notFound(): ApiAnswer {
  return neutronError(404, 'HTTPNotFound', 'The resource could not be found.')
}

/** Filters a list by any field and selects its `fields`, as Neutron does for every list. */
function filteredList(
  request: ApiRequest,
  name: string,
  rows: readonly Readonly<Record<string, unknown>>[],
): ApiAnswer {
  const fields = request.query.getAll('fields')
  const filters = [...new Set(request.query.keys())].filter(key => !PAGING.includes(key))
  const kept = rows.filter(row =>
    filters.every(key => !Object.hasOwn(row, key) || request.query.getAll(key).some(value => same(row[key], value))),
  )
  const shown = kept.map(row =>
    fields.length === 0 ? row : Object.fromEntries(Object.entries(row).filter(([key]) => fields.includes(key))),
  )
  return { status: 200, json: { [name]: shown } }
}

const PAGING = ['fields', 'limit', 'marker', 'sort_key', 'sort_dir', 'page_reverse']

function same(value: unknown, asked: string): boolean {
  return typeof value === 'boolean' ? String(value) === asked.toLowerCase() : String(value) === asked
}

/** A plain user gets an empty list and no single agent, never a 403 (lab README). */
function listAgents({ cloud, request, token }: Call): ApiAnswer {
  const visible = token.user.role === 'admin' ? cloud.agents : []
  return filteredList(
    request,
    'agents',
    visible.map(agent => agentView(cloud, agent)),
  )
}

function withAgent({ cloud, token, params }: Call, change: (agent: Agent) => void): ApiAnswer {
  const id = params.id ?? ''
  if (token.user.role !== 'admin') return notFound()
  const agent = cloud.agents.find(each => each.id === id)
  if (agent === undefined) return neutronError(404, 'AgentNotFound', `Agent ${id} could not be found.`)
  change(agent)
  return { status: 200, json: { agent: agentView(cloud, agent) } }
}

function updateAgent(call: Call): ApiAnswer {
  const wanted = asObject(asObject(call.request.body).agent).admin_state_up
  return withAgent(call, agent => {
    if (typeof wanted === 'boolean') agent.adminStateUp = wanted
  })
}

/** Deletes an agent; one that runs registers again with its next report. */
function deleteAgent(call: Call): ApiAnswer {
  const { cloud, world } = call
  let forgotten: Agent | null = null
  const answered = withAgent(call, agent => {
    forgotten = agent
  })
  if (forgotten === null) return answered
  cloud.agents.splice(cloud.agents.indexOf(forgotten), 1)
  cloud.forgottenAgents.push(forgotten)
  world.spawn(reportsAgain(world, forgotten))
  return { status: 204 }
}

async function reportsAgain(world: Call['world'], agent: Agent): Promise<void> {
  if (!agent.alive || agent.silentSince !== null) return
  if (await sleepUnlessStopped(world, world.timings.agentReportMs)) registerAgent(world.cloud, agent)
}

function agentView(cloud: Cloud, agent: Agent) {
  return {
    id: agent.id,
    agent_type: agent.type,
    binary: agent.binary,
    topic: agent.topic,
    host: agent.host,
    admin_state_up: agent.adminStateUp,
    created_at: agentTime(agent.createdAt),
    started_at: agentTime(agent.createdAt),
    heartbeat_timestamp: agentTime(lastReport(cloud, agent)),
    description: null,
    resources_synced: null,
    availability_zone: agent.zone,
    alive: isAgentAlive(cloud, agent),
    configurations: agent.type === 'Open vSwitch agent' ? { bridge_mappings: {}, tunnel_types: ['vxlan'] } : {},
  }
}

function networks({ cloud, request, token }: Call): ApiAnswer {
  const projectId = cloud.projects[0]?.id ?? ''
  const network = {
    id: cloud.networkId,
    name: 'demo-net',
    tenant_id: projectId,
    admin_state_up: true,
    mtu: 1450,
    status: 'ACTIVE',
    subnets: [cloud.subnetId],
    shared: true,
    availability_zone_hints: [],
    availability_zones: ['nova'],
    ipv4_address_scope: null,
    ipv6_address_scope: null,
    'router:external': false,
    description: '',
    port_security_enabled: true,
    tags: [],
    created_at: secondsTime(cloud.bornAt),
    updated_at: secondsTime(cloud.bornAt),
    revision_number: 2,
    project_id: projectId,
    ...(token.user.role === 'admin'
      ? { 'provider:network_type': 'vxlan', 'provider:physical_network': null, 'provider:segmentation_id': 508 }
      : {}),
  }
  return filteredList(request, 'networks', [network])
}

function ports({ cloud, request, token }: Call): ApiAnswer {
  const visible = [...cloud.servers.values()].filter(
    server => token.user.role === 'admin' || server.projectId === token.projectId,
  )
  return filteredList(
    request,
    'ports',
    visible.flatMap(server =>
      server.ports.map((_, number) => portView(cloud, server, number, token.user.role === 'admin')),
    ),
  )
}

function portView(cloud: Cloud, server: Server, number: number, isAdmin: boolean) {
  const port = server.ports[number]
  const zone = cloud.hosts.get(server.host ?? '')?.zone ?? 'nova'
  return {
    id: stableUuid(number === 0 ? `port ${server.name}` : `port ${server.name} ${number}`),
    name: '',
    network_id: cloud.networkId,
    tenant_id: server.projectId,
    admin_state_up: true,
    status: server.vmState === 'active' || server.vmState === 'paused' ? 'ACTIVE' : 'DOWN',
    device_id: server.id,
    device_owner: `compute:${zone}`,
    fixed_ips: [{ subnet_id: cloud.subnetId, ip_address: server.address }],
    'binding:vnic_type': port?.vnicType ?? 'normal',
    ...(isAdmin
      ? {
          resource_request: port?.hasResourceRequest === true ? { request_groups: [], same_subtree: [] } : null,
        }
      : {}),
    ...(isAdmin ? { 'binding:profile': {}, 'binding:host_id': server.host ?? '', 'binding:vif_type': 'ovs' } : {}),
    project_id: server.projectId,
  }
}

const EXTENSIONS = [
  'agent',
  'availability_zone',
  'binding',
  'network_availability_zone',
  'router',
  'router_availability_zone',
]

function extensions({ request }: Call): ApiAnswer {
  const rows = EXTENSIONS.map(alias => ({
    name: alias,
    alias,
    description: `The ${alias} extension.`,
    updated: '2020-01-01T00:00:00-00:00',
    links: [],
  }))
  return filteredList(request, 'extensions', rows)
}

function zones({ request }: Call): ApiAnswer {
  return filteredList(
    request,
    'availability_zones',
    ['router', 'network'].map(resource => ({ state: 'available', name: 'nova', resource })),
  )
}
