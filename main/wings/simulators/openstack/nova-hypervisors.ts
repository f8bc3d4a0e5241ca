import { allocationsByHost, usageOf } from './allocations.ts'
import type { ComputeHost } from './cloud.ts'
import type { ApiAnswer } from './http.ts'
import { adminOnly, type NovaCall, type NovaHandler, nextPage, novaError, pageLimit } from './nova-call.ts'
import type { Route } from './routes.ts'
import { isComputeUp } from './world.ts'

const RULE = 'os_compute_api:os-hypervisors'
const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i

/** Hypervisors: sizes and use up to 2.87; uptime and no sizes since 2.88. */
export const novaHypervisors: readonly Route<NovaHandler>[] = [
  { method: 'GET', path: '/os-hypervisors', to: adminOnly(`${RULE}:list`, call => list(call, shortView)) },
  { method: 'GET', path: '/os-hypervisors/detail', to: adminOnly(`${RULE}:list-detail`, call => list(call, fullView)) },
  { method: 'GET', path: '/os-hypervisors/:id', to: adminOnly(`${RULE}:show`, show) },
]

type View = (call: NovaCall, host: ComputeHost) => Readonly<Record<string, unknown>>

function list(call: NovaCall, view: View): ApiAnswer {
  const { query } = call.request
  const pattern = call.minor >= 53 ? query.get('hypervisor_hostname_pattern') : null
  const { limit, bad } = call.minor >= 33 ? pageLimit(call) : { limit: null, bad: undefined }
  if (bad !== undefined) return bad
  if (pattern !== null && (query.has('limit') || query.has('marker'))) {
    return novaError(
      400,
      'Paging over hypervisors with the hypervisor_hostname_pattern query parameter is not supported.',
    )
  }
  // Nova skips a hypervisor whose nova-compute has no record.
  const rows = [...call.world.cloud.hosts.values()]
    .filter(host => serviceOf(call, host) !== undefined)
    .filter(host => !call.world.faults.downCells.has(host.cell))
    .filter(host => pattern === null || host.name.includes(pattern))
  if (pattern !== null && rows.length === 0)
    return novaError(404, `No hypervisor matching '${pattern}' could be found.`)
  const marker = query.get('marker')
  const start = marker === null ? 0 : rows.findIndex(host => idOf(call, host) === marker) + 1
  if (marker !== null && start === 0) return novaError(400, `Marker ${marker} could not be found.`)
  const page = rows.slice(start, limit === null ? undefined : start + limit)
  return {
    status: 200,
    json: {
      hypervisors: page.map(host => ({ ...view(call, host), ...withServers(call, host) })),
      ...nextPage(
        call,
        'hypervisors_links',
        limit,
        page.map(host => idOf(call, host)),
      ),
    },
  }
}

function show(call: NovaCall): ApiAnswer {
  const id = call.params.id ?? ''
  if (call.minor >= 53 && !UUID.test(id)) return novaError(400, `Invalid uuid ${id}`)
  const host = [...call.world.cloud.hosts.values()].find(each => idOf(call, each) === id)
  return host === undefined || serviceOf(call, host) === undefined
    ? novaError(404, `Hypervisor with ID '${id}' could not be found.`)
    : { status: 200, json: { hypervisor: { ...fullView(call, host), ...withServers(call, host) } } }
}

function idOf(call: NovaCall, host: ComputeHost): string {
  return call.minor >= 53 ? host.id : String(host.number)
}

function serviceOf(call: NovaCall, host: ComputeHost) {
  return call.world.cloud.services.find(each => each.binary === 'nova-compute' && each.host === host.name)
}

function shortView(call: NovaCall, host: ComputeHost) {
  return {
    id: call.minor >= 53 ? host.id : host.number,
    hypervisor_hostname: host.name,
    state: isComputeUp(call.world.cloud, host.name) ? 'up' : 'down',
    status: serviceOf(call, host)?.enabled === false ? 'disabled' : 'enabled',
  }
}

function fullView(call: NovaCall, host: ComputeHost) {
  const service = serviceOf(call, host)
  return {
    ...shortView(call, host),
    hypervisor_type: 'QEMU',
    hypervisor_version: 7_002_000,
    host_ip: host.ip,
    service: {
      id: call.minor >= 53 ? (service?.id ?? null) : (service?.number ?? null),
      host: host.name,
      disabled_reason: service?.disabledReason ?? null,
    },
    ...(call.minor >= 88 ? { uptime: uptime(call, host) } : sizes(call, host)),
  }
}

function uptime(call: NovaCall, host: ComputeHost): string | null {
  const { cloud } = call.world
  if (!isComputeUp(cloud, host.name)) return null
  const now = cloud.clock.now()
  const minutes = Math.max(0, Math.floor((now - host.startedAt) / 60_000))
  const [days, hours, rest] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60), minutes % 60]
  const time = new Date(now).toISOString().slice(11, 19)
  return ` ${time} up ${days} days, ${String(hours).padStart(2)}:${String(rest).padStart(2, '0')},  0 users,  load average: 0.00, 0.01, 0.05`
}

function sizes(call: NovaCall, host: ComputeHost) {
  const { cloud } = call.world
  const usage = usageOf(allocationsByHost(cloud), host.name)
  // The resource tracker counts reserved memory as used.
  const memoryUsed = usage.MEMORY_MB + host.reservedMib
  const cpu = {
    arch: 'x86_64',
    model: 'Cascadelake-Server-noTSX',
    vendor: 'Intel',
    features: ['aes', 'avx', 'avx2', 'avx512f', 'pdpe1gb', 'vmx'],
    topology: { cores: host.vcpus, threads: 1, sockets: 1 },
  }
  const guests = [...cloud.servers.values()].filter(server => server.host === host.name)
  return {
    vcpus: host.vcpus,
    memory_mb: host.memoryMib,
    local_gb: host.diskGib,
    vcpus_used: usage.VCPU,
    memory_mb_used: memoryUsed,
    local_gb_used: usage.DISK_GB,
    free_ram_mb: host.memoryMib - memoryUsed,
    free_disk_gb: host.diskGib - usage.DISK_GB,
    current_workload: guests.filter(server => server.taskState !== null).length,
    running_vms: guests.length,
    disk_available_least: host.diskGib - usage.DISK_GB,
    cpu_info: call.minor >= 28 ? cpu : JSON.stringify(cpu),
  }
}

function withServers(call: NovaCall, host: ComputeHost): Readonly<Record<string, unknown>> {
  if (call.minor < 53 || !/^(1|t|true|on|y|yes)$/i.test(call.request.query.get('with_servers') ?? '')) return {}
  const servers = [...call.world.cloud.servers.values()].filter(server => server.host === host.name)
  // Since 2.75 Nova shows an empty list; before, it omits the field.
  if (servers.length === 0) return call.minor >= 75 ? { servers: [] } : {}
  return {
    servers: servers.map(server => ({
      name: `instance-${server.number.toString(16).padStart(8, '0')}`,
      uuid: server.id,
    })),
  }
}
