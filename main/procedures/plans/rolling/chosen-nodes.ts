import type { ClusterNode } from '../../../../shared/domain/kubernetes.ts'
import { rolesToMaintain } from '../../../../shared/domain/node-roles.ts'
import { ok, type Result } from '../../../../shared/domain/result.ts'
import type { NodeRole } from '../../../../shared/domain/roles.ts'
import type { UpdateOptions } from '../../../../shared/domain/update.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import { type MasakariState, readMasakariStates } from '../../steps/compute/masakari-host.ts'
import { readRoleFacts } from '../../steps/general/role-facts.ts'
import type { UpdateRequest } from './update-node.ts'

export interface ChosenNode {
  readonly node: ClusterNode
  readonly roles: readonly NodeRole[]
  /** Absent: not relevant. */
  readonly masakari?: MasakariState
}

export interface RollingRequest extends UpdateRequest {
  readonly nodes: readonly ChosenNode[]
}

/** Leaves out nodes that the cluster does not have. */
export async function readChosenNodes(
  { controlNodes, groups }: Pick<UpdateOptions, 'controlNodes' | 'groups'>,
  world: MaintenanceWorld,
  signal?: AbortSignal,
): Promise<Result<readonly ChosenNode[]>> {
  const nodes = await world.kubernetes.listNodes(signal)
  if (!nodes.ok) return nodes
  const chosen = new Set([...controlNodes, ...groups.flatMap(group => group.nodes)])
  const [factsOf, masakariOf] = await Promise.all([readRoleFacts(world, signal), readMasakariStates(world, signal)])
  return ok(
    nodes.value
      .filter(({ name }) => chosen.has(name))
      .map(node => ({
        node,
        roles: rolesToMaintain(node, world.cluster, factsOf(node)),
        masakari: masakariOf(node),
      })),
  )
}
