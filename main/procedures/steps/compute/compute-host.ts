import type { ClusterNode } from '../../../../shared/domain/kubernetes.ts'
import { exactNames, namesOfNode, recordsOf } from '../../../../shared/domain/machine-names.ts'
import type { Unread } from '../../../../shared/domain/node-verdict.ts'
import type { ComputeService } from '../../../../shared/domain/openstack.ts'
import { found } from '../../../../shared/words/step-texts.ts'

/**
 * The nova-compute service that runs on a Kubernetes node: Nova's host is the node's name, its first label (nodes may be
 * named by FQDN, domain.md A.1) or its hostname label. Whole labels only: a prefix would pick `cmp-1` for `cmp-10`.
 */
export function computeServiceOf(
  node: Pick<ClusterNode, 'name' | 'labels'>,
  services: readonly ComputeService[],
  others: readonly string[] = [],
): ComputeService | null {
  return matchComputeService(namesOfNode(node), services, others)
}

/**
 * The same by names alone, for the way back when the node object is not at hand. Of several records one that reports counts, for a dead one is what a
 * rename left; among those the one that fits best. `others`: names of other nodes, whose records are not this one's.
 */
export function matchComputeService(
  names: readonly (string | undefined)[],
  services: readonly ComputeService[],
  others: readonly string[] = [],
): ComputeService | null {
  const known = names.filter(name => name !== undefined)
  const fitting = recordsOf(known, services, ({ host }) => host, others)
  const best = exactNames(known).flatMap(name => fitting.filter(({ host }) => host === name))
  const ranked = [...best, ...fitting]
  return ranked.find(({ state }) => state === 'up') ?? ranked[0] ?? null
}

/** Whether a host of Nova bears one of a node's names, and not only one alike. */
export function isNamedAs(host: string, node: Pick<ClusterNode, 'name' | 'labels'>): boolean {
  return exactNames(namesOfNode(node)).includes(host)
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
  const fitting = recordsOf(namesOfNode(node), services, ({ host }) => host)
  const alike = [...new Set(fitting.map(({ host }) => host))].filter(host => host !== own)
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
