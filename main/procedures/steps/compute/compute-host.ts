import type { ClusterNode } from '../../../../shared/domain/kubernetes.ts'
import type { ComputeService } from '../../../../shared/domain/openstack.ts'

/**
 * The nova-compute service that runs on a Kubernetes node: Nova's host is the node's name, its first label (nodes may be
 * named by FQDN, domain.md A.1) or its hostname label. Exact matches only: a prefix would pick `cmp-1` for `cmp-10`.
 */
export function computeServiceOf(node: ClusterNode, services: readonly ComputeService[]): ComputeService | null {
  return matchComputeService([node.name, node.labels['kubernetes.io/hostname']], services)
}

/** The same by the node's name alone, for the way back when the node object is not at hand. */
export function matchComputeService(
  names: readonly (string | undefined)[],
  services: readonly ComputeService[],
): ComputeService | null {
  const candidates = names.filter(name => name !== undefined).flatMap(name => [name, name.split('.')[0] ?? name])
  for (const name of candidates) {
    const found = services.find(service => service.host === name)
    if (found) return found
  }
  return services.find(service => candidates.includes(service.host.split('.')[0] ?? service.host)) ?? null
}
