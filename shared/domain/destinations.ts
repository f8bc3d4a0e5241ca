import { firstLabel, recordNamed } from './machine-names.ts'
import type { Instance, ResourceProvider } from './openstack.ts'

/** Resource classes of Placement that decide whether an instance has room. */
export const RESOURCES = ['VCPU', 'PCPU', 'MEMORY_MB', 'DISK_GB'] as const
type Resource = (typeof RESOURCES)[number]

/** Includes the root disk of an instance with volumes. Null if its flavor is unknown. */
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

/** A disk without an inventory is unlimited: shared storage has its inventory elsewhere. */
export function capacityOf({ capacities }: Pick<ResourceProvider, 'capacities'>, resource: Resource): number {
  return capacities[resource] ?? (resource === 'DISK_GB' ? Number.POSITIVE_INFINITY : 0)
}

/** Finds providers by name: Placement may know a host by its FQDN and Nova by its first label. */
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

/** Null if unknown. */
export function hasRoom(
  instance: Pick<Instance, 'flavor' | 'volumeIds'>,
  provider: ResourceProvider | null,
): boolean | null {
  const needs = needsOf(instance)
  if (provider === null || needs === null) return null
  return RESOURCES.every(
    resource =>
      needs[resource] === 0 || needs[resource] + (provider.usages[resource] ?? 0) <= capacityOf(provider, resource),
  )
}

/** The zone an instance must stay in. `sure` false: nobody knows whether its owner requested it (before 2.96). */
export function zoneOf(
  { pinnedZone, availabilityZone }: Pick<Instance, 'pinnedZone' | 'availabilityZone'>,
  sourceZone: string | null,
): { readonly zone: string | null; readonly sure: boolean } {
  return pinnedZone === undefined
    ? { zone: availabilityZone ?? sourceZone, sure: false }
    : { zone: pinnedZone, sure: true }
}

/** In natural order: `cmp-2` before `cmp-10`. */
export function byName(one: string, other: string): number {
  return COLLATOR.compare(one, other) || (one < other ? -1 : one > other ? 1 : 0)
}

const COLLATOR = new Intl.Collator('en', { numeric: true })
