import type { ClusterNode } from '../../../../shared/domain/kubernetes.ts'
import type { ComputeService } from '../../../../shared/domain/openstack.ts'
import { ok, type Result } from '../../../../shared/domain/result.ts'
import type { Blocker } from '../../../../shared/domain/step-answers.ts'
import { fault, found } from '../../../../shared/words/step-texts.ts'
import type { Finding } from '../../../../shared/words/steps/coded.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import { blocker } from '../../answers.ts'
import { computeServiceOf, doublesOf, isNamedAs } from './compute-host.ts'

/** What the other records of a node's nova-compute mean for its maintenance. */
export interface OtherRecords {
  readonly blockers: readonly Blocker[]
  readonly warnings: readonly Finding[]
}

const NONE: OtherRecords = { blockers: [], warnings: [] }

/** Two live records of one machine, as after a rename, block: instances may be under either. A dead one beside a live one is reported. */
export async function otherRecords(
  node: ClusterNode,
  services: readonly ComputeService[],
  asking: Asking,
): Promise<Result<OtherRecords>> {
  const nodes = await nodesToCompare(node, services, asking)
  if (!nodes.ok) return nodes
  return ok(judgeRecords(node, nodes.value, services))
}

export function judgeRecords(
  node: ClusterNode,
  nodes: readonly ClusterNode[],
  services: readonly ComputeService[],
): OtherRecords {
  const own = computeServiceOf(node, services)
  if (own === null) return NONE
  if (!isNamedAs(own.host, node) && nodes.some(({ name }) => name === own.host && name !== node.name)) {
    return { blockers: [blocker(fault('ComputeOfOtherNode', { node: node.name, host: own.host }))], warnings: [] }
  }
  const doubles = doublesOf(node, nodes, services)
  if (doubles.length === 0) return NONE
  const others = services.filter(({ host }) => doubles.includes(host))
  const records = [own, ...others].map(({ host, id, state, updatedAt }) => ({ host, id, state, updatedAt }))
  const isLeftover = own.state === 'up' && others.every(({ state }) => state === 'down')
  return isLeftover
    ? { blockers: [], warnings: [found('ComputeRecordLeftOver', { node: node.name, records })] }
    : { blockers: [blocker(fault('SeveralComputeRecords', { node: node.name, records }))], warnings: [] }
}

/** Hosts of Nova that may be the node under another name; the nodes are read only if there are any. */
export async function readDoubles(
  node: ClusterNode,
  services: readonly ComputeService[],
  asking: Asking,
): Promise<Result<readonly string[]>> {
  const nodes = await nodesToCompare(node, services, asking)
  return nodes.ok ? ok(doublesOf(node, nodes.value, services)) : nodes
}

async function nodesToCompare(
  node: ClusterNode,
  services: readonly ComputeService[],
  { world, signal }: Asking,
): Promise<Result<readonly ClusterNode[]>> {
  const own = computeServiceOf(node, services)
  const isPlain = own === null || isNamedAs(own.host, node)
  return isPlain && doublesOf(node, [], services).length === 0 ? ok([]) : world.kubernetes.listNodes(signal)
}

type Asking = { readonly world: Pick<MaintenanceWorld, 'kubernetes'>; readonly signal?: AbortSignal | undefined }
