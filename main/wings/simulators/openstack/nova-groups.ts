import type { ServerGroup } from './cloud.ts'
import type { ApiAnswer } from './http.ts'
import { stableUuid } from './ids.ts'
import { adminOnly, type NovaCall, type NovaHandler, novaError } from './nova-call.ts'
import type { Route } from './routes.ts'
import { novaTime } from './times.ts'
import { isComputeUp, isServiceAlive, lastReport } from './world.ts'

/** Server groups, aggregates and availability zones. */
export const novaGroups: readonly Route<NovaHandler>[] = [
  { method: 'GET', path: '/os-server-groups', to: serverGroups },
  { method: 'GET', path: '/os-server-groups/:id', to: serverGroup },
  { method: 'GET', path: '/os-aggregates', to: adminOnly('os_compute_api:os-aggregates:index', aggregates) },
  { method: 'GET', path: '/os-availability-zone', to: zones },
  {
    method: 'GET',
    path: '/os-availability-zone/detail',
    to: adminOnly('os_compute_api:os-availability-zone:detail', zonesInDetail),
  },
]

function groupView(call: NovaCall, group: ServerGroup) {
  const members = [...call.world.cloud.servers.values()].filter(server => server.groupId === group.id)
  return {
    id: group.id,
    name: group.name,
    ...(call.minor >= 64 ? { policy: group.policy, rules: {} } : { policies: [group.policy], metadata: {} }),
    members: members.map(server => server.id),
    ...(call.minor >= 13 ? { project_id: group.projectId, user_id: group.userId } : {}),
  }
}

function serverGroups(call: NovaCall): ApiAnswer {
  // The schema only checks that `all_projects` is present; its value does not matter.
  const everything = call.isAdmin && call.request.query.has('all_projects')
  const rows = call.world.cloud.groups.filter(group => everything || group.projectId === call.token.projectId)
  return { status: 200, json: { server_groups: rows.map(group => groupView(call, group)) } }
}

function serverGroup(call: NovaCall): ApiAnswer {
  const id = call.params.id ?? ''
  const group = call.world.cloud.groups.find(each => each.id === id)
  if (group === undefined || (!call.isAdmin && group.projectId !== call.token.projectId))
    return novaError(404, `Instance group ${id} could not be found.`)
  return { status: 200, json: { server_group: groupView(call, group) } }
}

function zoneNames(call: NovaCall): readonly string[] {
  return [...new Set([...call.world.cloud.hosts.values()].map(host => host.zone))].sort()
}

function aggregateOfZone(call: NovaCall, zone: string) {
  const hosts = [...call.world.cloud.hosts.values()].filter(host => host.zone === zone).map(host => host.name)
  return { name: zone, hosts, metadata: { availability_zone: zone } }
}

function aggregates(call: NovaCall): ApiAnswer {
  const { cloud } = call.world
  return {
    status: 200,
    json: {
      aggregates: [...zoneNames(call).map(zone => aggregateOfZone(call, zone)), ...cloud.aggregates].map(
        (aggregate, index) => ({
          id: index + 1,
          ...(call.minor >= 41 ? { uuid: stableUuid(`aggregate ${aggregate.name}`) } : {}),
          ...aggregate,
          hosts: aggregate.hosts.filter(host => cloud.hosts.has(host)),
          created_at: novaTime(cloud.bornAt),
          updated_at: null,
          deleted_at: null,
          deleted: false,
          availability_zone: aggregate.metadata.availability_zone ?? null,
        }),
      ),
    },
  }
}

function isAvailable(call: NovaCall, zone: string): boolean {
  return call.world.cloud.services.some(service => service.zone === zone && service.enabled)
}

function zones(call: NovaCall): ApiAnswer {
  const rows = zoneNames(call).map(zone => ({
    zoneName: zone,
    zoneState: { available: isAvailable(call, zone) },
    hosts: null,
  }))
  return { status: 200, json: { availabilityZoneInfo: rows } }
}

function zonesInDetail(call: NovaCall): ApiAnswer {
  const { cloud } = call.world
  const rows = [...zoneNames(call), 'internal'].map(zone => {
    const hosts: Record<string, Record<string, unknown>> = {}
    for (const service of cloud.services) {
      if (service.zone !== zone) continue
      const ofHost = hosts[service.host] ?? {}
      ofHost[service.binary] = {
        available:
          service.binary === 'nova-compute' ? isComputeUp(cloud, service.host) : isServiceAlive(cloud, service),
        active: service.enabled,
        updated_at: novaTime(lastReport(cloud, service)),
      }
      hosts[service.host] = ofHost
    }
    return { zoneName: zone, zoneState: { available: isAvailable(call, zone) }, hosts }
  })
  return { status: 200, json: { availabilityZoneInfo: rows } }
}
