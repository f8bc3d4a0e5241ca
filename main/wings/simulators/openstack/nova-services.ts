import type { Cloud, NovaService } from './cloud.ts'
import { type ApiAnswer, asObject } from './http.ts'
import { adminOnly, type NovaCall, type NovaHandler, novaError } from './nova-call.ts'
import type { Route } from './routes.ts'
import { novaTime } from './times.ts'
import { isServiceAlive, lastReport } from './world.ts'

const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i
const LIST = 'os_compute_api:os-services:list'
const UPDATE = 'os_compute_api:os-services:update'
const DELETE = 'os_compute_api:os-services:delete'

/** os-services: list with filters, change by uuid (since 2.53), the older verbs before 2.53, and deletion. */
export const novaServices: readonly Route<NovaHandler>[] = [
  { method: 'GET', path: '/os-services', to: adminOnly(LIST, list) },
  { method: 'PUT', path: '/os-services/:id', to: adminOnly(UPDATE, update) },
  { method: 'DELETE', path: '/os-services/:id', to: adminOnly(DELETE, deleteService) },
]

function list(call: NovaCall): ApiAnswer {
  const { query } = call.request
  const unknown = [...query.keys()].find(key => key !== 'host' && key !== 'binary')
  if (unknown !== undefined && call.minor >= 75)
    return novaError(400, `Additional properties are not allowed ('${unknown}' was unexpected)`)
  const { cloud, faults } = call.world
  const cellOf = (service: NovaService) => cloud.hosts.get(service.host)?.cell
  const rows = cloud.services
    .filter(service => !query.has('host') || service.host === query.get('host'))
    .filter(service => !query.has('binary') || service.binary === query.get('binary'))
  const down = rows.filter(service => faults.downCells.has(cellOf(service) ?? ''))
  const up = rows.filter(service => !down.includes(service))
  // Before 2.69 Nova silently omits a cell that is down (list_records_by_skipping_down_cells).
  const partial = call.minor < 69 ? [] : down
  return {
    status: 200,
    json: {
      services: [
        ...up.map(service => view(call, service)),
        ...partial.map(({ binary, host }) => ({ binary, host, status: 'UNKNOWN' })),
      ],
    },
  }
}

function view(call: NovaCall, service: NovaService) {
  return {
    binary: service.binary,
    host: service.host,
    id: call.minor >= 53 ? service.id : service.number,
    zone: service.zone,
    status: service.enabled ? 'enabled' : 'disabled',
    state: isServiceAlive(call.world.cloud, service) && !service.forcedDown ? 'up' : 'down',
    updated_at: novaTime(lastReport(call.world.cloud, service)),
    disabled_reason: service.disabledReason,
    ...(call.minor >= 11 ? { forced_down: service.forcedDown } : {}),
  }
}

function update(call: NovaCall): ApiAnswer {
  if (call.minor < 53) return updateTheOldWay(call)
  const id = call.params.id ?? ''
  const { body } = call.request
  if (body === undefined || body === null) return novaError(400, "None is not of type 'object'")
  const asked = asObject(body)
  const known = ['status', 'disabled_reason', 'forced_down']
  const unexpected = Object.keys(asked).filter(key => !known.includes(key))
  if (unexpected.length > 0) {
    const named = unexpected
      .sort()
      .map(key => `'${key}'`)
      .join(', ')
    return novaError(
      400,
      `Additional properties are not allowed (${named} ${unexpected.length > 1 ? 'were' : 'was'} unexpected)`,
    )
  }
  const { status, disabled_reason: reason, forced_down: forcedDown } = asked
  if (status !== undefined && status !== 'enabled' && status !== 'disabled')
    return novaError(
      400,
      `Invalid input for field/attribute status. Value: ${status}. '${status}' is not one of ['enabled', 'disabled']`,
    )
  if (reason !== undefined && (typeof reason !== 'string' || reason.length < 1 || reason.length > 255))
    return novaError(400, `Invalid input for field/attribute disabled_reason. Value: ${reason}.`)
  if (!UUID.test(id)) return novaError(400, `Invalid uuid ${id}`)
  const service = call.world.cloud.services.find(each => each.id === id)
  if (service === undefined) return novaError(404, `Service ${id} could not be found.`)
  if (service.binary !== 'nova-compute')
    return novaError(
      400,
      `Updating a ${service.binary} service is not supported. Only nova-compute services can be updated.`,
    )
  if (reason !== undefined && status === 'enabled')
    return novaError(400, "Specifying 'disabled_reason' with status 'enabled' is invalid.")
  if (status === undefined && forcedDown === undefined)
    return novaError(400, "No updates were requested. Fields 'status' or 'forced_down' should be specified.")
  if (forcedDown === false && hasUncleanedEvacuations(call, service.host))
    return novaError(400, forceUpRefusal(service.host))
  if (status !== undefined) setEnabled(call, service, status === 'enabled', typeof reason === 'string' ? reason : null)
  if (typeof forcedDown === 'boolean') service.forcedDown = forcedDown
  return { status: 200, json: { service: view(call, service) } }
}

/** Deletes a service, and a nova-compute's hypervisor with it; Nova refuses while the host has instances (nova `api/openstack/compute/services.py`). */
function deleteService({ world, params, minor }: NovaCall): ApiAnswer {
  const id = params.id ?? ''
  if (minor >= 53 ? !UUID.test(id) : !/^\d+$/.test(id))
    return novaError(400, minor >= 53 ? `Invalid uuid ${id}` : `Invalid input for field/attribute id. Value: ${id}.`)
  const { cloud } = world
  const service = cloud.services.find(each => (minor >= 53 ? each.id === id : String(each.number) === id))
  if (service === undefined) return novaError(404, `Service ${id} not found.`)
  if (service.binary === 'nova-compute') {
    const why = refusedDeletion(cloud, service.host)
    if (why !== null) return novaError(409, why)
    const host = cloud.hosts.get(service.host)
    if (host !== undefined) cloud.forgottenHosts.set(service.host, { host, service })
    cloud.hosts.delete(service.host)
  }
  cloud.services.splice(cloud.services.indexOf(service), 1)
  return { status: 204 }
}

/** Statuses in which a migration is not in progress (nova `get_in_progress_by_host_and_node`). */
const OVER = new Set(['accepted', 'confirmed', 'reverted', 'error', 'failed', 'completed', 'cancelled', 'done'])

function refusedDeletion(cloud: Cloud, host: string): string | null {
  if ([...cloud.servers.values()].some(server => server.host === host))
    return 'Unable to delete compute service that is hosting instances. Migrate or delete the instances first.'
  const moves = cloud.migrations.some(
    ({ source, dest, status }) => (source === host || dest === host) && !OVER.has(status),
  )
  return moves
    ? 'Unable to delete compute service that has in-progress migrations. Complete the migrations or delete the instances first.'
    : null
}

/** Nova does not consider a nova-compute up until it has cleaned up its evacuated servers. */
function hasUncleanedEvacuations(call: NovaCall, host: string): boolean {
  return call.world.cloud.migrations.some(
    ({ type, source, status }) => type === 'evacuation' && source === host && status === 'done',
  )
}

function forceUpRefusal(host: string): string {
  return `Unable to force up host ${host} as \`done\` evacuation migration records remain associated with the host. Ensure the compute service has been restarted, allowing these records to move to \`completed\` before retrying this request.`
}

/** Disabling again without a reason clears the old reason. Placement opens an enabled host a while later. */
function setEnabled({ world }: NovaCall, service: NovaService, enabled: boolean, reason: string | null): void {
  if (enabled && !service.enabled) service.opensAt = world.cloud.clock.now() + world.timings.opensMs
  service.enabled = enabled
  service.disabledReason = enabled ? null : reason
}

function updateTheOldWay(call: NovaCall): ApiAnswer {
  const asked = asObject(call.request.body)
  const { host, binary, disabled_reason: reason } = asked
  const service = call.world.cloud.services.find(each => each.host === host && each.binary === binary)
  const verb = call.params.id
  if (verb !== 'enable' && verb !== 'disable' && verb !== 'disable-log-reason' && verb !== 'force-down')
    return novaError(404, 'Unknown action')
  if (service === undefined) return novaError(404, `Could not find binary ${binary} on host ${host}.`)
  if (verb === 'force-down') {
    if (asked.forced_down === false && hasUncleanedEvacuations(call, service.host))
      return novaError(400, forceUpRefusal(service.host))
    service.forcedDown = asked.forced_down === true
    return { status: 200, json: { service: { host, binary, forced_down: service.forcedDown } } }
  }
  setEnabled(call, service, verb === 'enable', verb === 'disable-log-reason' ? String(reason) : null)
  const status = service.enabled ? 'enabled' : 'disabled'
  const given = verb === 'disable-log-reason' ? { disabled_reason: reason } : {}
  return { status: 200, json: { service: { host, binary, status, ...given } } }
}
