import { type NodeWorkloadLock, nodeMeant } from '../../../shared/domain/maintenance-api.ts'
import type { NetworkAgent } from '../../../shared/domain/openstack.ts'
import { because } from '../../../shared/words/reasons.ts'
import { findingIn } from '../../../shared/words/refusal.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import type { OpenStackPort } from '../../ports/openstack.ts'
import type { NodeWork, Progress } from './application-controller.ts'

/** On a node's lock: the network agents that were alive when its maintenance began, and have to be alive before it is back. */
const AGENTS_ANNOTATION = 'lockkeeper.dev/network-agents'

/**
 * Notes the agents that are alive on the node, once: an agent that Neutron does not list any more would be missed by nobody on the way back.
 * A Neutron that does not answer keeps no node in service. Null: go on.
 */
export async function noteAgents(work: NodeWork, cloud: OpenStackPort): Promise<Progress | null> {
  const lock = ownLock(work)
  if (lock === null || lock.annotations[AGENTS_ANNOTATION] !== undefined) return null
  const agents = await cloud.networkAgents(null, work.signal)
  if (work.signal.aborted) return { kind: 'stopped' }
  if (!agents.ok) return null
  const alive = agentsOf(work, agents.value).filter(agent => agent.adminStateUp && agent.alive)
  return annotate(work, lock, [...new Set(alive.map(({ binary }) => binary))].sort().join(','))
}

/** Why the network agents of a node are not back: one is dead, or one that was there is listed no more; null: they are. */
export function agentsMissing(work: NodeWork, agents: readonly NetworkAgent[]): Finding | null {
  const own = agentsOf(work, agents)
  const dead = own.filter(agent => agent.adminStateUp && !agent.alive).map(({ binary }) => binary)
  if (dead.length > 0) return because('AgentsAwaited', { agents: dead })
  const noted = (ownLock(work)?.annotations[AGENTS_ANNOTATION] ?? '').split(',').filter(binary => binary !== '')
  const gone = noted.filter(binary => own.every(agent => agent.binary !== binary))
  return gone.length === 0
    ? null
    : because('AgentsNotListed', { agents: gone, node: work.node.name, annotation: AGENTS_ANNOTATION })
}

/** Forgets what was noted: the node is back. Null: go on. */
export async function forgetAgents(work: NodeWork): Promise<Progress | null> {
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

function agentsOf({ node }: NodeWork, agents: readonly NetworkAgent[]): readonly NetworkAgent[] {
  const host = node.name.split('.')[0] ?? node.name
  return agents.filter(agent => agent.host === node.name || agent.host === host)
}

function ownLock({ node, snapshot }: NodeWork): NodeWorkloadLock | null {
  const { objects, nodes } = snapshot()
  const names = nodes.map(({ name }) => name)
  const isOwn = (lock: NodeWorkloadLock) =>
    lock.controller === 'openstack' && nodeMeant(lock.nodeName, names) === node.name
  return objects.nodeLocks.find(isOwn) ?? null
}
