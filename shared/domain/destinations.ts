import { firstLabel, recordNamed } from './machine-names.ts'
import type { Instance, ResourceProvider } from './openstack.ts'

/** Resource classes of Placement by which room for an instance is judged. */
export const RESOURCES = ['VCPU', 'PCPU', 'MEMORY_MB', 'DISK_GB'] as const
type Resource = (typeof RESOURCES)[number]

/** What an instance takes of Placement's resources; the root disk of one that has volumes is taken to be among them. Null: its flavor is not known. */
export function needsOf({
  flavor,
  volumeIds,
}: Pick<Instance, 'flavor' | 'volumeIds'>): Readonly<Record<Resource, number>> | null {
  if (flavor === null) return null
  const root = volumeIds.length > 0 ? 0 : flavor.diskGib
  const dedicated = flavor.extraSpecs['hw:cpu_policy'] === 'dedicated'
  return {
    VCPU: dedicated ? 0 : flavor.vcpus,
    PCPU: dedicated ? flavor.vcpus : 0,
    MEMORY_MB: flavor.ramMib,
    DISK_GB: root + flavor.ephemeralGib + Math.ceil(flavor.swapMib / 1024),
  }
}

/** The most of a resource that Placement hands out on a host: shared storage keeps its own inventory elsewhere, so a disk without one never ends. */
export function capacityOf({ capacities }: Pick<ResourceProvider, 'capacities'>, resource: Resource): number {
  return capacities[resource] ?? (resource === 'DISK_GB' ? Number.POSITIVE_INFINITY : 0)
}

/** The resource provider of each of these hosts of Nova, by its name: Placement may have the FQDN of a host that Nova has by its first label. */
export function providersOf(
  hosts: readonly string[],
  providers: readonly ResourceProvider[],
): ReadonlyMap<string, ResourceProvider> {
  const alike = Map.groupBy(providers, ({ name }) => firstLabel(name))
  return new Map(
    hosts.flatMap(host => {
      const found = recordNamed([host], alike.get(firstLabel(host)) ?? [], ({ name }) => name)
      return found === null ? [] : [[host, found] as const]
    }),
  )
}

/** Whether Placement says there is room for an instance; null when it cannot be told. */
export function hasRoom(
  instance: Pick<Instance, 'flavor' | 'volumeIds'>,
  provider: ResourceProvider | null,
): boolean | null {
  const needs = needsOf(instance)
  if (provider === null || needs === null) return null
  // Nothing is asked of Placement for what an instance does not need.
  return RESOURCES.every(
    resource =>
      needs[resource] === 0 || needs[resource] + (provider.usages[resource] ?? 0) <= capacityOf(provider, resource),
  )
}

/** The zone an instance has to stay in, as far as Nova tells; `sure` false: it runs there, but whether its owner asked for it is not told (before 2.96). */
export function zoneOf(
  { pinnedZone, availabilityZone }: Pick<Instance, 'pinnedZone' | 'availabilityZone'>,
  sourceZone: string | null,
): { readonly zone: string | null; readonly sure: boolean } {
  return pinnedZone === undefined
    ? { zone: availabilityZone ?? sourceZone, sure: false }
    : { zone: pinnedZone, sure: true }
}

/** Names of hosts and nodes in the order people expect: `cmp-2` before `cmp-10`. */
export function byName(one: string, other: string): number {
  return COLLATOR.compare(one, other) || (one < other ? -1 : one > other ? 1 : 0)
}

const COLLATOR = new Intl.Collator('en', { numeric: true })
