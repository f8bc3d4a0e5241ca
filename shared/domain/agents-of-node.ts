import type { NetworkAgent } from './openstack.ts'

/** The agents of a node through which networks reach the outside: OVN's gateway chassis, by the node's name or its first label. */
export function gatewayAgentsOf(node: string, agents: readonly NetworkAgent[]): readonly NetworkAgent[] {
  return agentsOf(node, agents).filter(agent => agent.type === OVN_GATEWAY_AGENT)
}

/** Every network agent of a node, by its name or the first label of it. */
export function agentsOf(node: string, agents: readonly NetworkAgent[]): readonly NetworkAgent[] {
  const first = node.split('.')[0] ?? node
  return agents.filter(({ host }) => host === node || (host.split('.')[0] ?? host) === first)
}

/** Neutron's name for an OVN chassis with a gateway (neutron `ovn/agent/neutron_agent.py`, ControllerGatewayAgent). */
const OVN_GATEWAY_AGENT = 'OVN Controller Gateway agent'
