import { allocationsByHost, capacityOf, type HostAllocations, resourcesOf, usageOf } from './allocations.ts'
import type { Cloud, ComputeHost, Server } from './cloud.ts'
import { DISABLED_TRAIT, traitsOf } from './host-traits.ts'
import { hasSpecials } from './special-needs.ts'
import { isComputeUp } from './world.ts'

/** Picks a host as nova-scheduler does, or null: open in Placement, up, in the right zone and cell, with room, allowed by the group; most free memory wins. */
export function pickHost(
  cloud: Cloud,
  server: Server,
  excluded: ReadonlySet<string>,
  only: string | null,
): string | null {
  const held = allocationsByHost(cloud)
  const candidates = [...cloud.hosts.values()]
    .filter(host => (only === null || host.name === only) && !excluded.has(host.name))
    .filter(host => host.cell === server.cell && (server.pinnedZone === null || host.zone === server.pinnedZone))
    .filter(host => !traitsOf(cloud, host).includes(DISABLED_TRAIT) && isComputeUp(cloud, host.name))
    .filter(host => groupAllows(cloud, server, host.name))
    .filter(host => hasSpecials(cloud, held, server, host) && filtersPass(cloud, server, host.name))
    .map(host => ({ host, free: freeAfter(held, server, host) }))
    .filter(({ free }) => free.VCPU >= 0 && free.MEMORY_MB >= 0 && free.DISK_GB >= 0)
  candidates.sort(
    (a, b) =>
      groupWeight(cloud, server, a.host.name) - groupWeight(cloud, server, b.host.name) ||
      b.free.MEMORY_MB - a.free.MEMORY_MB ||
      a.host.name.localeCompare(b.host.name),
  )
  return candidates[0]?.host.name ?? null
}

/** Checks the optional filters (nova/scheduler/filters); each passes a server that does not use it. */
function filtersPass(cloud: Cloud, server: Server, host: string): boolean {
  const metadata = cloud.aggregates.filter(({ hosts }) => hosts.includes(host)).map(each => each.metadata)
  const hostsOf = (ids: readonly string[] = []) => ids.map(id => cloud.servers.get(id)?.host ?? null)
  const { same_host: same, different_host: different } = server.schedulerHints
  return cloud.filters.every(filter => {
    switch (filter) {
      case 'AggregateInstanceExtraSpecsFilter':
        return Object.entries(server.flavor.extraSpecs).every(([key, value]) => {
          const asked = /^(?:aggregate_instance_extra_specs:)?([^:]+)$/.exec(key)?.[1]
          return asked === undefined || metadata.some(each => each[asked] === value)
        })
      case 'AggregateMultiTenancyIsolation': {
        const tenants = metadata.flatMap(each =>
          Object.entries(each).flatMap(([key, value]) => (key.startsWith('filter_tenant_id') ? value.split(',') : [])),
        )
        return tenants.length === 0 || tenants.includes(server.projectId)
      }
      case 'SameHostFilter':
        return same === undefined || hostsOf(same).includes(host)
      case 'DifferentHostFilter':
        return !hostsOf(different).includes(host)
      default:
        return true
    }
  })
}

function freeAfter(held: HostAllocations, server: Server, host: ComputeHost) {
  const usage = usageOf(held, host.name)
  const capacity = capacityOf(host)
  const needs = resourcesOf(server)
  return {
    VCPU: capacity.VCPU - usage.VCPU - needs.VCPU,
    MEMORY_MB: capacity.MEMORY_MB - usage.MEMORY_MB - needs.MEMORY_MB,
    DISK_GB: capacity.DISK_GB - usage.DISK_GB - needs.DISK_GB,
  }
}

/** Lists the hosts of the other group members; Nova reads where they are, not where they migrate to (LP 1821755). */
function hostsOfGroup(cloud: Cloud, server: Server): readonly (string | null)[] {
  return [...cloud.servers.values()]
    .filter(other => other.groupId === server.groupId && other.id !== server.id)
    .map(other => other.host)
}

function policyOf(cloud: Cloud, server: Server): string | null {
  return cloud.groups.find(group => group.id === server.groupId)?.policy ?? null
}

function groupAllows(cloud: Cloud, server: Server, host: string): boolean {
  const policy = policyOf(cloud, server)
  if (policy === 'anti-affinity') return !hostsOfGroup(cloud, server).includes(host)
  if (policy === 'affinity') {
    const hosts = hostsOfGroup(cloud, server).filter(other => other !== null)
    return hosts.length === 0 || hosts.includes(host)
  }
  return true
}

function groupWeight(cloud: Cloud, server: Server, host: string): number {
  const policy = policyOf(cloud, server)
  const together = hostsOfGroup(cloud, server).filter(other => other === host).length
  if (policy === 'soft-anti-affinity') return together
  return policy === 'soft-affinity' ? -together : 0
}
