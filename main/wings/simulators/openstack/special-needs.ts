import type { HostAllocations } from './allocations.ts'
import type { Cloud, ComputeHost, Server } from './cloud.ts'

/** The Placement resources and traits that only some servers need. */
interface SpecialNeeds {
  readonly resources: Readonly<Record<string, number>>
  readonly required: readonly string[]
  readonly forbidden: readonly string[]
}

/** Reads them from flavor and image, as nova/scheduler/utils.py does; request groups are merged into one. */
function specialNeedsOf({ flavor: { extraSpecs, vcpus }, imageProperties: image }: Server): SpecialNeeds {
  const entries = Object.entries(extraSpecs)
  const of = (prefix: string, value?: string) =>
    entries.flatMap(([key, each]) => {
      const name = new RegExp(`^${prefix}\\w*:(.+)$`).exec(key)?.[1]
      return name === undefined || (value !== undefined && each !== value) ? [] : [[name, each] as const]
    })
  const tpm = extraSpecs['hw:tpm_version'] ?? image.hw_tpm_version
  const secureBoot = extraSpecs['os:secure_boot'] ?? image.os_secure_boot
  return {
    resources: {
      ...Object.fromEntries(of('resources').map(([name, amount]) => [name, Number(amount)])),
      ...(isPinned(extraSpecs) ? { PCPU: vcpus } : {}),
      ...(extraSpecs['hw:mem_encryption'] === 'true' ? { MEM_ENCRYPTION_CONTEXT: 1 } : {}),
    },
    required: [
      ...of('trait', 'required').map(([name]) => name),
      ...(tpm === undefined ? [] : [tpm === '1.2' ? 'COMPUTE_SECURITY_TPM_1_2' : 'COMPUTE_SECURITY_TPM_2_0']),
      ...(secureBoot === 'required' ? ['COMPUTE_SECURITY_UEFI_SECURE_BOOT'] : []),
    ],
    forbidden: of('trait', 'forbidden').map(([name]) => name),
  }
}

function isPinned(extraSpecs: Readonly<Record<string, string>>): boolean {
  return extraSpecs['hw:cpu_policy'] === 'dedicated'
}

/** Sums the use of one special resource class on a host. */
export function specialUsage(cloud: Cloud, held: HostAllocations, host: string, name: string): number {
  return (held.get(host) ?? []).reduce((sum, { serverId }) => {
    const server = cloud.servers.get(serverId)
    return sum + (server === undefined ? 0 : (specialNeedsOf(server).resources[name] ?? 0))
  }, 0)
}

/** Whether a host satisfies a server's special needs. */
export function hasSpecials(cloud: Cloud, held: HostAllocations, server: Server, host: ComputeHost): boolean {
  const { resources, required, forbidden } = specialNeedsOf(server)
  return (
    required.every(trait => host.traits.includes(trait)) &&
    !forbidden.some(trait => host.traits.includes(trait)) &&
    Object.entries(resources).every(
      ([name, amount]) => amount + specialUsage(cloud, held, host.name, name) <= (host.resources[name] ?? 0),
    )
  )
}
