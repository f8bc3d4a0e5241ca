import type { ClusterNode } from '../../../../shared/domain/kubernetes.ts'
import { exactNames, indexedRecords, namesOfNode } from '../../../../shared/domain/machine-names.ts'
import type { Unread } from '../../../../shared/domain/node-verdict.ts'
import type { ComputeService } from '../../../../shared/domain/openstack.ts'
import { found } from '../../../../shared/words/step-texts.ts'

const servicesNamed = indexedRecords<ComputeService>(({ host }) => host)

/** The nova-compute of a node, by its name, first label or hostname label (docs/domain.md A.1). A prefix would find `cmp-1` for `cmp-10`. */
export function computeServiceOf(
  node: Pick<ClusterNode, 'name' | 'labels'>,
  services: readonly ComputeService[],
  others: readonly string[] = [],
): ComputeService | null {
  return matchComputeService(namesOfNode(node), services, others)
}

/** Finds the service by names alone, for the way back without a node object. A live record counts before dead ones; `others` name other nodes. */
export function matchComputeService(
  names: readonly (string | undefined)[],
  services: readonly ComputeService[],
  others: readonly string[] = [],
): ComputeService | null {
  const known = names.filter(name => name !== undefined)
  const fitting = servicesNamed(known, services, others)
  const best = exactNames(known).flatMap(name => fitting.filter(({ host }) => host === name))
  const ranked = [...best, ...fitting]
  return ranked.find(({ state }) => state === 'up') ?? ranked[0] ?? null
}

/** Whether a host of Nova has exactly one of a node's names. */
export function isNamedAs(host: string, node: Pick<ClusterNode, 'name' | 'labels'>): boolean {
  return exactNames(namesOfNode(node)).includes(host)
}

/** Hosts of Nova that may be this machine under another name: no node has their name, and they share a first label. */
export function doublesOf(
  node: ClusterNode,
  nodes: readonly ClusterNode[],
  services: readonly ComputeService[],
): readonly string[] {
  const own = computeServiceOf(node, services)?.host
  const fitting = servicesNamed(namesOfNode(node), services)
  const alike = [...new Set(fitting.map(({ host }) => host))].filter(host => host !== own)
  if (alike.length === 0) return []
  const others = new Set(
    nodes.filter(({ name }) => name !== node.name).map(each => computeServiceOf(each, services)?.host),
  )
  return alike.filter(host => !others.has(host))
}

export function underAnotherName(host: string, instances: number): Unread {
  const { message } = found('InstancesUnderAnotherName', { host, instances })
  return { what: 'instances', code: 'NotProved', message }
}
