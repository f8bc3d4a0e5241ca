import { claimsOf, indexedRecords } from './machine-names.ts'
import type { NetworkAgent } from './openstack.ts'

/** OVN gateway chassis: through them networks reach the outside. */
export function gatewayAgentsOf(names: readonly string[], agents: readonly NetworkAgent[]): readonly NetworkAgent[] {
  return agentsOf(names, agents).filter(agent => agent.type === OVN_GATEWAY_AGENT)
}

/** Finds a node's agents by its names. `others`: names of other nodes, whose agents do not count. */
export const agentsOf = indexedRecords<NetworkAgent>(({ host }) => host)

export interface AgentsState {
  /** No other record of the same kind reports in their place. */
  readonly agents: readonly NetworkAgent[]
  readonly dead: readonly NetworkAgent[]
  readonly leftovers: readonly NetworkAgent[]
  /** Agents of one kind that report under several names of the node. */
  readonly several: readonly NetworkAgent[]
}

/** Kind by kind: where one agent reports, dead records are leftovers. */
export function agentsState(own: readonly NetworkAgent[]): AgentsState {
  const kinds = [...Map.groupBy(own, ({ type, binary }) => `${type}/${binary}`).values()].map(records => {
    const live = records.filter(({ alive }) => alive)
    const claims = claimsOf(records, ({ alive }) => alive)
    const isSeveral = new Set(live.map(({ host }) => host)).size > 1
    const leftovers = claims.kind === 'one' ? claims.leftovers : []
    return { counting: records.filter(each => !leftovers.includes(each)), leftovers, several: isSeveral ? live : [] }
  })
  const agents = kinds.flatMap(({ counting }) => counting)
  return {
    agents,
    dead: agents.filter(({ adminStateUp, alive }) => adminStateUp && !alive),
    leftovers: kinds.flatMap(({ leftovers }) => leftovers),
    several: kinds.flatMap(({ several }) => several),
  }
}

/** Neutron's name for a chassis with a gateway (neutron `ovn/agent/neutron_agent.py`, ControllerGatewayAgent). */
const OVN_GATEWAY_AGENT = 'OVN Controller Gateway agent'
