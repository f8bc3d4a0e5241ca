import { type AgentsState, agentsOf, agentsState } from '../../../shared/domain/agents-of-node.ts'
import { namesOfNode } from '../../../shared/domain/machine-names.ts'
import { type NodeWorkloadLock, nodeMeant } from '../../../shared/domain/maintenance-api.ts'
import type { NetworkAgent } from '../../../shared/domain/openstack.ts'
import { because } from '../../../shared/words/reasons.ts'
import { findingIn } from '../../../shared/words/refusal.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import type { OpenStackPort } from '../../ports/openstack.ts'
import type { NodeWork, Progress } from './application-controller.ts'

/** On a node's lock: the network agents that were alive when its maintenance started, and must be alive before it is back. */
const AGENTS_ANNOTATION = 'lockkeeper.dev/network-agents'

/** Records the node's live agents once, because Neutron may no longer list one later. A Neutron that does not answer does not block the maintenance. Null means continue. */
export async function recordAgents(work: NodeWork, cloud: OpenStackPort): Promise<Progress | null> {
  const lock = ownLock(work)
  if (lock === null || lock.annotations[AGENTS_ANNOTATION] !== undefined) return null
  const agents = await cloud.networkAgents(null, work.signal)
  if (work.signal.aborted) return { kind: 'stopped' }
  if (!agents.ok) return null
  const alive = ownAgents(work, agents.value).agents.filter(agent => agent.adminStateUp && agent.alive)
  return annotate(work, lock, [...new Set(alive.map(({ binary }) => binary))].sort().join(','))
}

export function agentsMissing(work: NodeWork, agents: readonly NetworkAgent[]): Finding | null {
  const { agents: own, dead } = ownAgents(work, agents)
  if (dead.length > 0) return because('AgentsAwaited', { agents: dead.map(({ binary }) => binary) })
  const noted = (ownLock(work)?.annotations[AGENTS_ANNOTATION] ?? '').split(',').filter(binary => binary !== '')
  const gone = noted.filter(binary => own.every(agent => agent.binary !== binary))
  return gone.length === 0
    ? null
    : because('AgentsNotListed', { agents: gone, node: work.node.name, annotation: AGENTS_ANNOTATION })
}

/** Removes the record: the node is back. Null means continue. */
export async function forgetRecordedAgents(work: NodeWork): Promise<Progress | null> {
  const lock = ownLock(work)
  return lock === null || lock.annotations[AGENTS_ANNOTATION] === undefined ? null : annotate(work, lock, null)
}

async function annotate(
  { world, signal }: NodeWork,
  { name, uid }: NodeWorkloadLock,
  value: string | null,
): Promise<Progress | null> {
  const target = { kind: 'NodeWorkloadLock', name, uid } as const
  const written = await world.locks.annotateLock(target, { [AGENTS_ANNOTATION]: value }, signal)
  if (signal.aborted) return { kind: 'stopped' }
  return written.ok ? null : { kind: 'waiting', why: findingIn(written.failure) }
}

function ownAgents({ node, snapshot }: NodeWork, agents: readonly NetworkAgent[]): AgentsState {
  const others = snapshot().nodes.filter(({ name }) => name !== node.name)
  return agentsState(agentsOf(namesOfNode(node), agents, others.flatMap(namesOfNode)))
}

function ownLock({ node, snapshot }: NodeWork): NodeWorkloadLock | null {
  const { objects, nodes } = snapshot()
  const names = nodes.map(({ name }) => name)
  const isOwn = (lock: NodeWorkloadLock) =>
    lock.controller === 'openstack' && nodeMeant(lock.nodeName, names) === node.name
  return objects.nodeLocks.find(isOwn) ?? null
}
