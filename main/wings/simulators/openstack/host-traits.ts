import type { Cloud, ComputeHost } from './cloud.ts'

/** A disabled nova-compute sets this trait in Placement (nova/compute/manager.py, update_compute_provider_status). */
export const DISABLED_TRAIT = 'COMPUTE_STATUS_DISABLED'

/** Lists the traits of a host's provider. */
export function traitsOf(cloud: Cloud, host: ComputeHost): readonly string[] {
  const service = cloud.services.find(each => each.binary === 'nova-compute' && each.host === host.name)
  const isClosed = service !== undefined && (!service.enabled || cloud.clock.now() < service.opensAt)
  return isClosed ? [...host.traits, DISABLED_TRAIT] : host.traits
}

/** Lists the traits that every Placement knows (os_traits), and its hosts' traits. */
export function knownTraits(cloud: Cloud): readonly string[] {
  return [...new Set([...STANDARD_TRAITS, ...[...cloud.hosts.values()].flatMap(host => host.traits)])]
}

const STANDARD_TRAITS = [
  DISABLED_TRAIT,
  'COMPUTE_SECURITY_TPM_1_2',
  'COMPUTE_SECURITY_TPM_2_0',
  'COMPUTE_SECURITY_UEFI_SECURE_BOOT',
  'HW_CPU_X86_AVX512F',
]

/** Finds a requested or forbidden (`!`) trait that Placement does not know. */
export function unknownTrait(cloud: Cloud, traits: readonly string[]): string | undefined {
  const known = knownTraits(cloud)
  return traits.map(trait => trait.replace(/^!/, '')).find(trait => !known.includes(trait))
}

/** Whether a host has all these traits, and lacks those with a `!`. */
export function hasTraits(cloud: Cloud, host: ComputeHost, wanted: readonly string[]): boolean {
  const own = traitsOf(cloud, host)
  return wanted.every(trait => (trait.startsWith('!') ? !own.includes(trait.slice(1)) : own.includes(trait)))
}
