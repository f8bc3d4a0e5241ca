import type { Cloud, ComputeHost } from './cloud.ts'

/** A disabled nova-compute sets this trait in Placement (nova/compute/manager.py, update_compute_provider_status). */
export const DISABLED_TRAIT = 'COMPUTE_STATUS_DISABLED'

/** Lists the traits of a host's provider. */
export function traitsOf(cloud: Cloud, host: ComputeHost): readonly string[] {
  const service = cloud.services.find(each => each.binary === 'nova-compute' && each.host === host.name)
  const isClosed = service !== undefined && (!service.enabled || cloud.clock.now() < service.opensAt)
  return isClosed ? [...host.traits, DISABLED_TRAIT] : host.traits
}
