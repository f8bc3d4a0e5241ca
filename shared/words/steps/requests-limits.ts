import type { NodeRole } from '../../domain/roles.ts'
import { counted } from '../../grammar/counts.ts'
import type { FaultText, OfNode, TextsOf } from './coded.ts'

/** Why the limits of a controller make a node wait: too many nodes of a role, or a node of another availability zone, are in maintenance. */
export type HeldBack =
  | { readonly by: 'role'; readonly role: NodeRole; readonly holding: readonly string[]; readonly limit: number }
  | { readonly by: 'zone'; readonly zone: string; readonly first: string; readonly firstZone: string }

/** Why a quorum service needs its replica on a node: others are not ready, or too few exist. */
export type HardLock =
  | { readonly by: 'unready'; readonly set: string; readonly pods: readonly string[] }
  | { readonly by: 'few'; readonly set: string; readonly ready: number; readonly others: number }

type Others = { readonly nodes: readonly string[] }

/** docs/domain.md A.4: another node must come back first, in the words of Rockoon. */
export function deferredText(node: string, because: string): string {
  return `Number of inactive NodeWorkloadLocks exceeds allowed concurrency. Deferring processing for node ${node}: ${because}`
}

/** Why the limits make a node wait, in the words of a lock. */
export function heldBackText(node: string, held: HeldBack): string {
  if (held.by === 'role') {
    const { role, holding, limit } = held
    const nodes = counted(holding.length, `${role === 'control' ? 'controller' : role} node`)
    return deferredText(node, `${nodes} of at most ${limit} in maintenance: ${holding.join(', ')}`)
  }
  const { zone, first, firstZone } = held
  return deferredText(node, `it is in availability zone ${zone}, and ${first} of ${firstZone} is in maintenance`)
}

export function hardLockText(lock: HardLock): string {
  return lock.by === 'unready'
    ? `${lock.set}: ${lock.pods.join(', ')} not ready`
    : `${lock.set}: ${lock.ready} of ${lock.others} other replicas ready`
}

export const LIMITS_FINDINGS = {
  OthersWithinLimits: ({ nodes }: Others) => `${nodes.join(', ')} in maintenance, within the limits.`,
} satisfies TextsOf<string>

/** Why the application controllers would not take a node now. */
export const LIMITS_FAULTS = {
  LimitsHoldBack: ({ node, held }: OfNode & { readonly held: HeldBack }) => ({
    message: `The OpenStack Controller would make ${node} wait: ${heldBackText(node, held)}.`,
    remedy: 'Bring the other node back first. If your controller has other limits, change them in the settings.',
  }),
  FabricHoldsBack: ({ nodes }: Others) => ({
    message: `Tungsten Fabric takes one node at a time, and ${nodes.join(', ')} is not back.`,
    remedy: 'Bring the other node back first.',
  }),
  StackLightHoldsBack: ({ nodes }: Others) => ({
    message: `StackLight takes one node at a time, and ${nodes.join(', ')} is not back.`,
    remedy: 'Bring the other node back first.',
  }),
  HardLocked: ({ node, service, lock }: OfNode & { readonly service: string; readonly lock: HardLock }) => ({
    message: `${service} needs ${node} for its quorum: ${hardLockText(lock)}.`,
    remedy: 'Bring the other replicas to Ready first: without them this node keeps the quorum.',
  }),
  PodNotListed: ({ namespace, pod, node }: OfNode & { readonly namespace: string; readonly pod: string }) => ({
    message: `The list of pods in ${namespace} does not show ${pod}, which runs on ${node}.`,
    remedy: '',
  }),
} satisfies TextsOf<FaultText>
