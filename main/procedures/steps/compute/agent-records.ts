import { agentsOf, agentsState } from '../../../../shared/domain/agents-of-node.ts'
import type { ClusterNode } from '../../../../shared/domain/kubernetes.ts'
import { namesOfNode } from '../../../../shared/domain/machine-names.ts'
import type { ComputeService, NetworkAgent } from '../../../../shared/domain/openstack.ts'
import { ok, type Result } from '../../../../shared/domain/result.ts'
import { fault, found } from '../../../../shared/words/step-texts.ts'
import type { Finding } from '../../../../shared/words/steps/coded.ts'
import { blocker } from '../../answers.ts'
import { cloudOf, type MaintenanceContext } from '../../node-input.ts'
import { computeServiceOf } from './compute-host.ts'
import { judgeRecords, type OtherRecords } from './compute-records.ts'

/** Neutron's agents of a node under any of its names; an agent whose name belongs to another node is not one. */
export async function readAgentsOf(
  node: ClusterNode,
  host: string,
  ctx: MaintenanceContext,
): Promise<Result<readonly NetworkAgent[]>> {
  const agents = await cloudOf(ctx).networkAgents(null, ctx.signal)
  if (!agents.ok) return agents
  const names = [...new Set([...namesOfNode(node), host])]
  const own = agentsOf(names, agents.value)
  if (isOfNobodyElse(own, names)) return ok(own)
  const nodes = await ctx.world.kubernetes.listNodes(ctx.signal)
  return nodes.ok ? ok(agentsOf(names, own, namesOfOthers(node, nodes.value))) : nodes
}

/** Two live agents under two names conflict; a dead one beside a live one is a leftover. */
export function otherAgents(node: string, own: readonly NetworkAgent[]): OtherRecords {
  const { leftovers, several } = agentsState(own)
  return {
    blockers: several.length === 0 ? [] : [blocker(fault('SeveralNetworkAgents', { node, agents: reported(several) }))],
    warnings: leftovers.length === 0 ? [] : [found('NetworkAgentsLeftOver', { node, agents: reported(leftovers) })],
  }
}

/** Several records of a node in Nova and Neutron, for display: the leftovers and the conflicts. */
export function recordsSeen(
  node: ClusterNode,
  nodes: readonly ClusterNode[],
  services: readonly ComputeService[] | null,
  agents: readonly NetworkAgent[] | null,
): readonly Finding[] {
  const host = computeServiceOf(node, services ?? [])?.host
  const names = [...namesOfNode(node), ...(host === undefined ? [] : [host])]
  const fitting = agentsOf(names, agents ?? [])
  const others = isOfNobodyElse(fitting, names) ? [] : namesOfOthers(node, nodes)
  const [computes, network] = [
    judgeRecords(node, nodes, services ?? []),
    otherAgents(node.name, agentsOf(names, fitting, others)),
  ]
  return [...computes.blockers, ...network.blockers, ...computes.warnings, ...network.warnings].map(
    ({ code, values, message }) => ({ code, values: values ?? {}, message }),
  )
}

/** Whether every agent has exactly a name of the node: then no other node can claim one. */
function isOfNobodyElse(agents: readonly NetworkAgent[], names: readonly string[]): boolean {
  return agents.every(({ host }) => names.includes(host))
}

function namesOfOthers(node: ClusterNode, nodes: readonly ClusterNode[]): readonly string[] {
  return nodes.filter(({ name }) => name !== node.name).flatMap(namesOfNode)
}

function reported(agents: readonly NetworkAgent[]) {
  return agents.map(({ host, type, id, heartbeatAt }) => ({ host, type, id, heartbeatAt }))
}
