import type { NodeRole } from '../../domain/roles.ts'
import { counted } from '../../grammar/counts.ts'
import type { FaultText, OfNode, TextsOf } from './coded.ts'

/** Why the limits of a controller let a node wait: too many nodes of a role are in maintenance, or one of another availability zone is. */
export type HeldBack =
  | { readonly by: 'role'; readonly role: NodeRole; readonly holding: readonly string[]; readonly limit: number }
  | { readonly by: 'zone'; readonly zone: string; readonly first: string; readonly firstZone: string }

/** Why a quorum service cannot spare its replica on a node: others are not ready, or fewer than all of them are. */
export type HardLock =
  | { readonly by: 'unready'; readonly set: string; readonly pods: readonly string[] }
  | { readonly by: 'few'; readonly set: string; readonly ready: number; readonly others: number }

type Others = { readonly nodes: readonly string[] }

/** docs/domain.md A.4: another node has to come back first, in Rockoon's words. */
export function deferredText(node: string, because: string): string {
  return `Number of inactive NodeWorkloadLocks exceeds allowed concurrency. Deferring processing for node ${node}: ${because}`
}

/** Why the limits let a node wait, as a lock says it. */
export function heldBackText(node: string, held: HeldBack): string {
  if (held.by === 'role') {
    const { role, holding, limit } = held
    const nodes = counted(holding.length, `${role === 'control' ? 'controller' : role} node`)
    return deferredText(node, `${nodes} of at most ${limit} in maintenance: ${holding.join(', ')}`)
  }
  const { zone, first, firstZone } = held
  return deferredText(node, `it is in availability zone ${zone}, and ${first} of ${firstZone} is in maintenance`)
}

/** Why a quorum service refuses a node, in a few words. */
export function hardLockText(lock: HardLock): string {
  return lock.by === 'unready'
    ? `${lock.set}: ${lock.pods.join(', ')} not ready`
    : `${lock.set}: ${lock.ready} of ${lock.others} other replicas ready`
}

/** What is found of the limits of the application controllers. */
export const LIMITS_FINDINGS = {
  OthersWithinLimits: ({ nodes }: Others) => `${nodes.join(', ')} in maintenance, within the limits.`,
} satisfies TextsOf<string>

/** What keeps the application controllers from taking a node now. */
export const LIMITS_FAULTS = {
  LimitsHoldBack: ({ node, held }: OfNode & { readonly held: HeldBack }) => ({
    message: `The OpenStack Controller would let ${node} wait: ${heldBackText(node, held)}.`,
    remedy: 'Bring the other node back first, or set other limits if your controller has others.',
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
    message: `${node} is hard locked by ${service}: ${hardLockText(lock)}.`,
    remedy: 'Bring the other replicas to Ready first: without them this node keeps the quorum.',
  }),
  /** Of the list of pods. */
  PodNotListed: ({ namespace, pod, node }: OfNode & { readonly namespace: string; readonly pod: string }) => ({
    message: `The list of pods in ${namespace} does not show ${pod}, which runs on ${node}.`,
    remedy: '',
  }),
} satisfies TextsOf<FaultText>
