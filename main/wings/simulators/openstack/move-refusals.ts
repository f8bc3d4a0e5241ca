import type { Server } from './cloud.ts'
import type { ApiAnswer } from './http.ts'
import { novaError } from './nova-call.ts'
import type { World } from './world.ts'

/** The newest microversion of the first release that can move such a server. */
const SINCE = { train: 79, zed: 93, caracal: 96, epoxy: 100, gazpacho: 103 } as const

const ACCELERATED = ['accelerator-direct', 'accelerator-direct-physical']

/** Returns Nova's refusal before any change, because of the server's kind (nova/compute/api.py, decorators of live_migrate and resize; nova/exception.py). */
export function refusedAtOnce(world: World, server: Server, way: 'live' | 'cold'): ApiAnswer | null {
  const { extraSpecs } = server.flavor
  const has = (types: readonly string[]) => server.ports.some(({ vnicType }) => types.includes(vnicType))
  if (has(ACCELERATED)) return novaError(400, 'Feature not supported with Ports that have accelerators.')
  if (way === 'live' && has(['vdpa']) && world.novaMinor < SINCE.zed)
    return novaError(400, "Operation 'live-migration' not supported for instance with vDPA ports ((instance_uuid)s).")
  if (extraSpecs['accel:device_profile'] !== undefined)
    return novaError(400, 'Feature not supported with instances that have accelerators.')
  if (way === 'cold') return null
  if ((extraSpecs['hw:tpm_version'] ?? server.imageProperties.hw_tpm_version) !== undefined) {
    if (extraSpecs['hw:tpm_secret_security'] !== 'host' || world.novaMinor < SINCE.gazpacho)
      return novaError(400, `Operation 'live-migration' not supported for vTPM-enabled instance (${server.id}).`)
  }
  if (extraSpecs['hw:mem_encryption'] === 'true' || server.imageProperties.hw_mem_encryption === 'true')
    return novaError(400, `Operation 'live-migration' not supported for SEV-enabled instance (${server.id}).`)
  return null
}

/** Whether the conductor refuses on every host after the 202 (nova/conductor/tasks/live_migrate.py, _check_can_migrate_pci, _check_instance_has_no_numa). */
export function refusedOnEveryHost(world: World, server: Server): boolean {
  const { extraSpecs } = server.flavor
  const alias = extraSpecs['pci_passthrough:alias']
  const hasNuma = ['hw:numa_nodes', 'hw:mem_page_size'].some(key => extraSpecs[key] !== undefined)
  const isPinned = extraSpecs['hw:cpu_policy'] === 'dedicated'
  return (
    (alias !== undefined && (world.novaMinor < SINCE.epoxy || !world.cloud.liveMigratableAliases.includes(alias))) ||
    ((hasNuma || isPinned) && world.novaMinor < SINCE.train) ||
    (extraSpecs['resources:VGPU'] !== undefined && world.novaMinor < SINCE.caracal)
  )
}
