import type { ClusterNode } from '../../../../shared/domain/kubernetes.ts'
import type { Unread } from '../../../../shared/domain/node-verdict.ts'
import type { ComputeService } from '../../../../shared/domain/openstack.ts'
import { found } from '../../../../shared/words/step-texts.ts'

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
    const service = services.find(({ host }) => host === name)
    if (service) return service
  }
  return services.find(service => candidates.includes(service.host.split('.')[0] ?? service.host)) ?? null
}

/**
 * Hosts of Nova that may be the same machine as a node under another of its names, such as one that was renamed: no other node carries them, and they
 * have the first label of one of its names.
 */
export function doublesOf(
  node: ClusterNode,
  nodes: readonly ClusterNode[],
  services: readonly ComputeService[],
): readonly string[] {
  const own = computeServiceOf(node, services)?.host
  const label = (name: string) => name.split('.')[0] ?? name
  const labels = new Set([node.name, node.labels['kubernetes.io/hostname'] ?? node.name].map(label))
  const alike = [...new Set(services.map(({ host }) => host))].filter(host => host !== own && labels.has(label(host)))
  if (alike.length === 0) return []
  const others = new Set(
    nodes.filter(({ name }) => name !== node.name).map(each => computeServiceOf(each, services)?.host),
  )
  return alike.filter(host => !others.has(host))
}

/** Nova has instances on a host that may be the node too. */
export function underAnotherName(host: string, instances: number): Unread {
  const { message } = found('InstancesUnderAnotherName', { host, instances })
  return { what: 'instances', code: 'NotProved', message }
}
