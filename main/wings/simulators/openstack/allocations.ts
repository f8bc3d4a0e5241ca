import type { Cloud, ComputeHost, Server } from './cloud.ts'

/** The resources that one consumer holds on one host, as Placement counts them. */
interface Allocation {
  readonly consumerId: string
  readonly serverId: string
  readonly host: string
  readonly resources: Readonly<Record<'VCPU' | 'MEMORY_MB' | 'DISK_GB', number>>
}

/** Nova's default overcommit, as in the lab's Placement. */
export const RATIOS = { VCPU: 16, MEMORY_MB: 1.5, DISK_GB: 1 } as const

/** The memory that nova-compute reserves for the host. */
export const RESERVED_MEMORY_MIB = 512

/** Statuses in which a migration holds resources on both hosts. */
const HOLDING: ReadonlySet<string> = new Set([
  'accepted',
  'queued',
  'preparing',
  'running',
  'pre-migrating',
  'migrating',
  'post-migrating',
  'finished',
  'confirming',
  'reverting',
])

/** Statuses in which an evacuation holds resources on its source, and until `done` also on its destination. */
const EVACUATING: ReadonlySet<string> = new Set(['accepted', 'pre-migrating', 'done'])

/** Lists all allocations. During a migration the server holds the target's resources, the migration holds the source's. */
export function allocations(cloud: Cloud): readonly Allocation[] {
  const moving = new Map(
    cloud.migrations
      .filter(({ type, status, dest }) => type !== 'evacuation' && HOLDING.has(status) && dest !== null)
      .map(migration => [migration.serverId, migration]),
  )
  const evacuations = Map.groupBy(
    cloud.migrations.filter(({ type, status }) => type === 'evacuation' && EVACUATING.has(status)),
    ({ serverId }) => serverId,
  )
  return [...cloud.servers.values()].flatMap((server): readonly Allocation[] => {
    const resources = resourcesOf(server)
    const migration = moving.get(server.id)
    const shared = { serverId: server.id, resources }
    if (migration !== undefined && migration.dest !== null)
      return [
        { ...shared, consumerId: server.id, host: migration.dest },
        { ...shared, consumerId: migration.uuid, host: migration.source },
      ]
    // An evacuated server holds resources on all its hosts until the old ones have cleaned up.
    const hosts = new Set([server.host, ...hostsOf(evacuations.get(server.id) ?? [])])
    return [...hosts].flatMap(host => (host === null ? [] : [{ ...shared, consumerId: server.id, host }]))
  })
}

function hostsOf(evacuations: Cloud['migrations']): readonly (string | null)[] {
  return evacuations.flatMap(({ source, dest, status }) => (status === 'done' ? [source] : [source, dest]))
}

/** Returns a server's resources on a host; a server that boots from a volume needs no disk. */
export function resourcesOf(server: Server): Allocation['resources'] {
  const { vcpus, ramMib, diskGib, ephemeralGib, extraSpecs } = server.flavor
  return {
    VCPU: extraSpecs['hw:cpu_policy'] === 'dedicated' ? 0 : vcpus,
    MEMORY_MB: ramMib,
    DISK_GB: (server.bootFromVolume ? 0 : diskGib) + ephemeralGib,
  }
}

/** The allocations of each host. They are listed once per request: per host the time would grow with the square of the cloud. */
export type HostAllocations = ReadonlyMap<string, readonly Allocation[]>

export function allocationsByHost(cloud: Cloud): HostAllocations {
  return Map.groupBy(allocations(cloud), ({ host }) => host)
}

/** Sums the used resources of one host. */
export function usageOf(held: HostAllocations, host: string): Record<'VCPU' | 'MEMORY_MB' | 'DISK_GB', number> {
  const usage = { VCPU: 0, MEMORY_MB: 0, DISK_GB: 0 }
  for (const { resources } of held.get(host) ?? []) {
    usage.VCPU += resources.VCPU
    usage.MEMORY_MB += resources.MEMORY_MB
    usage.DISK_GB += resources.DISK_GB
  }
  return usage
}

/** Returns the usable resources of one host, overcommit included. */
export function capacityOf(host: ComputeHost): Record<'VCPU' | 'MEMORY_MB' | 'DISK_GB', number> {
  return {
    VCPU: host.vcpus * RATIOS.VCPU,
    MEMORY_MB: (host.memoryMib - host.reservedMib) * RATIOS.MEMORY_MB,
    DISK_GB: host.diskGib * RATIOS.DISK_GB,
  }
}
