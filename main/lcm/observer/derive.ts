import { seconds } from '../../../shared/domain/durations.ts'
import {
  type ClusterMaintenanceRequest,
  type ClusterWorkloadLock,
  type MaintenanceObjects,
  type NodeMaintenanceRequest,
  type NodeWorkloadLock,
  nodeMeant,
  REQUEST_RUN_ANNOTATION,
} from '../../../shared/domain/maintenance-api.ts'
import { type NodeStage, turnOf, type UpdatePhase } from '../../../shared/domain/update.ts'
import { because } from '../../../shared/words/reasons.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import type { LcmReport } from '../../ports/lcm.ts'

/** A node as an onlooker sees it. */
export interface SeenNode {
  readonly name: string
  /** Runs the control plane of Kubernetes or OpenStack. */
  readonly isControl: boolean
  readonly unschedulable: boolean
  readonly ready: boolean
  readonly bootId: string
}

/** Everything an onlooker sees of a cluster at one moment. */
export interface SeenCluster {
  readonly nodes: readonly SeenNode[]
  readonly objects: MaintenanceObjects
  /** UIDs of the pods that a drain takes off each node and that are still there; null: pods cannot be watched. */
  readonly pods: ReadonlyMap<string, ReadonlySet<string>> | null
  /** What LCM itself says, where it can be read. */
  readonly lcm: Pick<LcmReport, 'phase' | 'upgraded' | 'done'>
}

/** What an onlooker remembers of a node: where it stood, and what was seen of it under its request, or its cordon. */
export interface NodeKnowledge {
  readonly stage: NodeStage
  /** The request it stands under, or stood under last. */
  readonly requestUid: string | null
  /** All its locks were inactive. */
  readonly released: boolean
  /** It was cordoned after that. */
  readonly cordoned: boolean
  /** Its boot id before the work. */
  readonly bootId: string | null
  /** Pods that were there when its cordon was seen; those that come later are no part of its drain. Null: it was cordoned before. */
  readonly podsAtCordon: ReadonlySet<string> | null
}

/** A node of which nothing was seen yet. */
export const NOTHING_KNOWN: NodeKnowledge = {
  stage: 'pending',
  requestUid: null,
  released: false,
  cordoned: false,
  bootId: null,
  podsAtCordon: null,
}

/** Where a node stands, and what that was seen by. */
export interface NodeInUpdate {
  readonly knowledge: NodeKnowledge
  readonly request: NodeMaintenanceRequest | null
  readonly locks: readonly NodeWorkloadLock[]
  /** Pods that have yet to leave; null: not known. */
  readonly podsLeft: number | null
  readonly evidence: readonly Finding[]
  /** When LCM says that it came there; null: as it was seen. */
  readonly saidAt: string | null
}

/** What is seen of a cluster, by the node it is about: one pass for a look, however many nodes there are. */
interface SortedCluster {
  readonly seen: SeenCluster
  readonly locks: ReadonlyMap<string, readonly NodeWorkloadLock[]>
  readonly requests: ReadonlyMap<string, readonly NodeMaintenanceRequest[]>
  /** Nodes whose update LCM says is through, since when, and by what it says so. */
  readonly upgraded: ReadonlyMap<string, Pick<LcmReport['upgraded'][number], 'at' | 'said'>>
  /** Phases that LCM's plan of this update says are through, and since when. */
  readonly done: ReadonlyMap<UpdatePhase, string>
}

/** Sorts what is seen by the nodes that objects mean (docs/domain.md A.1). */
export function sortByNode(seen: SeenCluster): SortedCluster {
  const { nodes, objects, lcm } = seen
  const names = nodes.map(({ name }) => name)
  const request = requestOf(objects)
  // LCM's statuses of an earlier update stay where they are: only what was said in this one counts. When its request was made is told in whole seconds.
  const sinceMs = request === null ? Number.POSITIVE_INFINITY : Date.parse(request.createdAt) + seconds(1)
  const ofThis = ({ at }: { readonly at: string }) => Date.parse(at) >= sinceMs
  const upgraded = lcm.upgraded.filter(ofThis)
  return {
    seen,
    locks: Map.groupBy(objects.nodeLocks, lock => nodeMeant(lock.nodeName, names) ?? ''),
    requests: Map.groupBy(objects.nodeRequests, request => nodeMeant(request.nodeName, names) ?? ''),
    done: new Map(lcm.done.filter(ofThis).map(({ phase, at }) => [phase, at])),
    upgraded: new Map(upgraded.map(each => [nodeMeant(each.machine, names) ?? '', each])),
  }
}

/**
 * Where one node stands in an update, from the objects and from what was seen of it before (docs/domain.md A.1-A.4). `wasSeenIdle`: it was seen
 * without a request, and nothing went on with it.
 */
export function nodeInUpdateOf(
  node: SeenNode,
  cluster: SortedCluster,
  before: NodeKnowledge,
  wasSeenIdle = false,
): NodeInUpdate {
  const { seen } = cluster
  const locks = cluster.locks.get(node.name) ?? []
  const requests = cluster.requests.get(node.name) ?? []
  // The one that is wanted counts before one that is going.
  const request = requests.find(({ deletingSince }) => deletingSince === null) ?? requests[0] ?? null
  const reported = (
    knowledge: NodeKnowledge,
    evidence: readonly Finding[],
    saidAt: string | null = null,
  ): NodeInUpdate => ({
    knowledge,
    request,
    locks,
    podsLeft: podsLeft(node, seen, knowledge),
    evidence,
    saidAt,
  })
  if (request !== null) {
    const known = isSameRequest(request, before)
      ? { ...before, requestUid: request.uid }
      : { ...NOTHING_KNOWN, requestUid: request.uid }
    return request.deletingSince === null
      ? underRequest(node, seen, locks, known, reported)
      : reported({ ...known, stage: 'returning' }, [
          because('RequestTerminating', { request: request.name, since: request.deletingSince }),
        ])
  }
  const through = cluster.upgraded.get(node.name)
  if (before.stage === 'pending' && !node.unschedulable && through !== undefined) {
    return reported({ ...before, stage: 'done' }, [because('LcmSays', { said: through.said })], through.at)
  }
  const phase = node.isControl ? 'control-nodes' : 'worker-nodes'
  const doneAt = cluster.done.get(phase)
  if (before.stage === 'pending' && !node.unschedulable && doneAt !== undefined) {
    return reported({ ...before, stage: 'done' }, [because('LcmPhaseCompleted', { phase })], doneAt)
  }
  if (locks.length === 0 && node.isControl) return withoutLocks(node, seen, before, reported)
  return afterRequest(node, locks, before, wasSeenIdle, reported)
}

/** After a restart the journal tells that a node was under way, not by which request: it is taken for the one that is there. */
function isSameRequest(request: NodeMaintenanceRequest, before: NodeKnowledge): boolean {
  return request.uid === before.requestUid || (before.requestUid === null && isUnderWay(before.stage))
}

/** Whether something goes on with a node in this stage. */
export function isUnderWay(stage: NodeStage): boolean {
  return turnOf(stage) === 'under-way'
}

type Reported = (knowledge: NodeKnowledge, evidence: readonly Finding[]) => NodeInUpdate

/** Its request is there: locks, cordon, pods and boot tell how far it is. */
function underRequest(
  node: SeenNode,
  seen: SeenCluster,
  locks: readonly NodeWorkloadLock[],
  before: NodeKnowledge,
  reported: Reported,
): NodeInUpdate {
  const active = locks.filter(({ state }) => state !== 'inactive')
  if (active.length > 0) {
    // A lock that fell back to active while the work goes on changes nothing about the node being worked on.
    if (before.cordoned && node.unschedulable) return atWork(node, seen, before, reported)
    // What was begun stays begun, also while its controller has nothing to say.
    const begun = before.stage === 'locks' || active.length < locks.length || active.some(hasBegun)
    const stage = begun ? 'locks' : 'requested'
    return reported({ ...before, stage, bootId: before.bootId ?? node.bootId }, locks.map(lockIs))
  }
  const released = { ...before, released: true, bootId: before.bootId ?? node.bootId }
  if (node.unschedulable) return atWork(node, seen, released, reported)
  if (before.cordoned) return reported({ ...released, stage: 'returning' }, [because('NodeSchedulableAgain')])
  // Released, and not cordoned as far as was seen: about to be, or back already; the first is what follows for certain.
  return reported({ ...released, stage: 'draining' }, [because('AllLocksInactive'), because('NodeNotCordoned')])
}

function lockIs({ name, state }: Pick<NodeWorkloadLock, 'name' | 'state'>): Finding {
  return because('LockIs', { lock: name, state })
}

/** A controller says something about a node before its lock's state flips (docs/domain.md A.2). */
function hasBegun(lock: NodeWorkloadLock): boolean {
  return lock.innerState === 'active' || lock.errorMessage !== '' || lock.progress !== null
}

/** Control nodes of which no controller keeps a lock are worked on without a request (seed 003, phase 3): their cordon tells. */
function withoutLocks(node: SeenNode, seen: SeenCluster, before: NodeKnowledge, reported: Reported): NodeInUpdate {
  if (node.unschedulable)
    return atWork(node, seen, { ...before, released: true, bootId: before.bootId ?? node.bootId }, reported)
  if (!before.cordoned) return reported(before, [])
  // What was seen under this cordon is over with it: that the node is not Ready some other day is no way back from work.
  return node.ready
    ? reported({ ...before, stage: 'done', cordoned: false, bootId: null, podsAtCordon: null }, [
        because('NodeSchedulableReady'),
      ])
    : reported({ ...before, stage: 'returning' }, [because('NodeSchedulableAgain'), because('SeenNotReady')])
}

/** Released and cordoned: pods leave, then the work goes on. */
function atWork(node: SeenNode, seen: SeenCluster, before: NodeKnowledge, reported: Reported): NodeInUpdate {
  const podsAtCordon = before.cordoned ? before.podsAtCordon : (seen.pods?.get(node.name) ?? null)
  const known = { ...before, cordoned: true, podsAtCordon }
  if (known.stage === 'work') return reported(known, [])
  if (!node.ready) return reported({ ...known, stage: 'work' }, [because('NodeCordoned'), because('SeenNotReady')])
  if (known.bootId !== null && known.bootId !== node.bootId) {
    return reported({ ...known, stage: 'work' }, [
      because('NodeCordoned'),
      because('BootIdSeen', { bootId: node.bootId }),
    ])
  }
  const left = podsLeft(node, seen, known)
  return left === 0
    ? reported({ ...known, stage: 'work' }, [because('NodeCordoned'), because('NoPodLeftToDrain')])
    : reported({ ...known, stage: 'draining' }, [because('NodeCordoned')])
}

/** No request: it never was there, or the node comes back, or is back. */
function afterRequest(
  node: SeenNode,
  locks: readonly NodeWorkloadLock[],
  before: NodeKnowledge,
  wasSeenIdle: boolean,
  reported: Reported,
): NodeInUpdate {
  const open = locks.filter(lock => lock.state !== 'active')
  const isBack = open.length === 0 && !node.unschedulable && node.ready
  if (!isUnderWay(before.stage)) {
    // A lock that is inactive for no request is being taken back; a cordon alone may be anybody's. Of a node that was seen idle the request has yet to
    // be seen: each kind of object comes by a watch of its own, one a moment later than another.
    return open.some(({ state }) => state === 'inactive') && before.stage !== 'done' && !wasSeenIdle
      ? reported({ ...before, stage: 'returning', released: true }, open.map(lockIs))
      : reported(before, [])
  }
  if (!isBack) {
    const why = [
      ...open.map(lockIs),
      ...(node.unschedulable ? [because('NodeCordoned')] : []),
      ...(node.ready ? [] : [because('SeenNotReady')]),
    ]
    return reported({ ...before, stage: 'returning' }, [because('SeenRequestGone'), ...why])
  }
  // A request that was withdrawn before the node was given up left nothing behind.
  return before.released
    ? reported({ ...before, stage: 'done' }, [
        because('SeenRequestGone'),
        because('EveryLockActive'),
        because('NodeSchedulableReady'),
      ])
    : reported(NOTHING_KNOWN, [because('RequestWithdrawn')])
}

function podsLeft(node: SeenNode, seen: SeenCluster, { podsAtCordon }: NodeKnowledge): number | null {
  if (seen.pods === null) return null
  const there = seen.pods.get(node.name) ?? new Set<string>()
  return podsAtCordon === null ? there.size : [...there].filter(uid => podsAtCordon.has(uid)).length
}

/** Where the whole cluster stands in an update. */
interface ClusterStatus {
  readonly request: ClusterMaintenanceRequest | null
  /** Null: no update is under way. */
  readonly phase: UpdatePhase | null
  readonly evidence: readonly Finding[]
}

/** The request of the update that is under way: the one that is wanted counts before one that is going. Null: there is none. */
export function requestOf({ clusterRequests }: MaintenanceObjects): ClusterMaintenanceRequest | null {
  return clusterRequests.find(({ deletingSince }) => deletingSince === null) ?? clusterRequests[0] ?? null
}

/**
 * The phase of an update (seed 003), from its request, the cluster's locks, and where the nodes stand; `before` is the phase it was in,
 * which lasts between two nodes.
 */
export function phaseOf(
  seen: SeenCluster,
  nodes: readonly { readonly isControl: boolean; readonly stage: NodeStage }[],
  before: UpdatePhase | null,
): ClusterStatus {
  const { clusterLocks } = seen.objects
  const request = requestOf(seen.objects)
  const open = clusterLocks.filter(({ state }) => state !== 'inactive')
  if (request === null) {
    // Over is over only when everything is back.
    const isBack = clusterLocks.every(({ state }) => state === 'active')
    return before === null || isBack
      ? { request, phase: null, evidence: [] }
      : { request, phase: 'finalize', evidence: [because('SeenClusterRequestGone'), ...linesOf(clusterLocks)] }
  }
  if (request.deletingSince !== null) {
    return {
      request,
      phase: 'finalize',
      evidence: [because('RequestTerminating', { request: request.name, since: request.deletingSince })],
    }
  }
  const underWay = nodes.filter(({ stage }) => isUnderWay(stage))
  if (underWay.some(({ isControl }) => isControl)) return { request, phase: 'control-nodes', evidence: [] }
  if (underWay.length > 0) return { request, phase: 'worker-nodes', evidence: [] }
  const passed = nodes.filter(({ stage }) => stage === 'done' || stage === 'skipped')
  if (passed.length > 0 && passed.length === nodes.length) {
    return { request, phase: 'finalize', evidence: [because('EveryNodeWorkedOn')] }
  }
  const isOurs = request.annotations[REQUEST_RUN_ANNOTATION] !== undefined
  if (passed.length > 0) {
    // Worker nodes that were through before anybody looked are told by LCM's plan alone.
    const isBeyond = !isOurs && seen.lcm.phase === 'worker-nodes'
    const phase = isBeyond || passed.some(({ isControl }) => !isControl) ? 'worker-nodes' : 'control-nodes'
    return { request, phase, evidence: isBeyond ? [because('UpdatePlanSays')] : [] }
  }
  if (before === 'control-nodes' || before === 'worker-nodes') return { request, phase: before, evidence: [] }
  // Between two nodes the objects do not tell an onlooker who came late how far it is; LCM may.
  if (open.length === 0 && seen.lcm.phase !== null && !isOurs) {
    return { request, phase: seen.lcm.phase, evidence: [because('UpdatePlanSays')] }
  }
  // A run of ours has steps of its own between its phases: its nodes tell when the next one is begun.
  if (open.length === 0 && clusterLocks.length > 0 && !isOurs) {
    const phase = nodes.some(({ isControl }) => isControl) ? 'control-nodes' : 'worker-nodes'
    return { request, phase, evidence: linesOf(clusterLocks) }
  }
  return { request, phase: 'applications', evidence: linesOf(open) }
}

function linesOf(locks: readonly ClusterWorkloadLock[]): readonly Finding[] {
  return locks.map(lockIs)
}
