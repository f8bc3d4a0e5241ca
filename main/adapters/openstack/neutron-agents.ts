import { z } from 'zod'
import type { NetworkAgent } from '../../../shared/domain/openstack.ts'
import { ok, type Result } from '../../../shared/domain/result.ts'
import { isoTime } from './iso-time.ts'
import type { OpenStackSession } from './keystone-session.ts'
import { listAll } from './pages.ts'

/** An agent of GET /v2.0/agents. */
const NeutronAgent = z.object({
  id: z.string().min(1),
  agent_type: z.string(),
  binary: z.string(),
  host: z.string().min(1),
  alive: z.boolean(),
  admin_state_up: z.boolean(),
  heartbeat_timestamp: z.string().nullish(),
})

/** An agent as the rules see it. */
function networkAgentFrom(agent: z.infer<typeof NeutronAgent>): NetworkAgent {
  return {
    id: agent.id,
    type: agent.agent_type,
    binary: agent.binary,
    host: agent.host,
    alive: agent.alive,
    adminStateUp: agent.admin_state_up,
    heartbeatAt: isoTime(agent.heartbeat_timestamp),
  }
}

/** Neutron's agents, of one host or of all. Whoever may not see them silently gets none (lab README). */
export async function listNetworkAgents(
  session: OpenStackSession,
  host: string | null,
  signal?: AbortSignal,
): Promise<Result<readonly NetworkAgent[]>> {
  const read = await listAll(session, 'network', {
    collection: 'agents',
    item: NeutronAgent,
    idOf: agent => agent.id,
    // A host may have two of a kind: the one that an OVN controller left behind when its system-id changed stays listed as dead.
    rowOf: ({ id, binary, host, heartbeat_timestamp }) => ({
      key: `agent ${id}`,
      name: `${binary} on ${host}`,
      changedAt: heartbeat_timestamp,
    }),
    isAsked: agent => (host === null || agent.host === host ? null : 'agents of another host'),
    request: {
      path: '/agents',
      query: host === null ? {} : { host },
      doing: host === null ? 'list the network agents' : `list the network agents of ${host}`,
      signal,
    },
  })
  if (!read.ok) return read
  return ok(read.value.map(networkAgentFrom))
}
