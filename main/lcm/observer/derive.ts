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

export interface SeenNode {
  readonly name: string
  /** Runs the control plane of Kubernetes or OpenStack. */
  readonly isControl: boolean
  readonly unschedulable: boolean
  readonly ready: boolean
  readonly bootId: string
}

export interface SeenCluster {
  readonly nodes: readonly SeenNode[]
  readonly objects: MaintenanceObjects
  readonly pods: ReadonlyMap<string, ReadonlySet<string>> | null
  readonly lcm: Pick<LcmReport, 'phase' | 'upgraded' | 'done'>
}

/** What an observer remembers of a node: its stage, and what it saw during its request or cordon. */
export interface NodeKnowledge {
  readonly stage: NodeStage
  readonly requestUid: string | null
  /** All its locks were inactive. */
  readonly released: boolean
  /** It was cordoned after that. */
  readonly cordoned: boolean
  readonly bootId: string | null
  /** The pods when its cordon was seen; later pods do not belong to the drain. Null if it was cordoned before. */
  readonly podsAtCordon: ReadonlySet<string> | null
}

export const NOTHING_KNOWN: NodeKnowledge = {
  stage: 'pending',
  requestUid: null,
  released: false,
  cordoned: false,
  bootId: null,
  podsAtCordon: null,
}

export interface NodeInUpdate {
  readonly knowledge: NodeKnowledge
  readonly request: NodeMaintenanceRequest | null
  readonly locks: readonly NodeWorkloadLock[]
  readonly podsLeft: number | null
  readonly evidence: readonly Finding[]
  /** When it entered the stage, by LCM; null means by observation. */
  readonly saidAt: string | null
}

interface SortedCluster {
  readonly seen: SeenCluster
  readonly locks: ReadonlyMap<string, readonly NodeWorkloadLock[]>
  readonly requests: ReadonlyMap<string, readonly NodeMaintenanceRequest[]>
  /** Nodes that LCM reports as updated, since when and where. */
  readonly upgraded: ReadonlyMap<string, Pick<LcmReport['upgraded'][number], 'at' | 'said'>>
  /** Phases that LCM's plan reports as finished, and since when. */
  readonly done: ReadonlyMap<UpdatePhase, string>
}

export function sortByNode(seen: SeenCluster): SortedCluster {
  const { nodes, objects, lcm } = seen
  const names = nodes.map(({ name }) => name)
  const request = requestOf(objects)
  // LCM keeps statuses of earlier updates: only those since this request count. Creation times have whole seconds.
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

/** A node's stage in an update, by its objects and its history (docs/domain.md A.1-A.4). `wasSeenIdle`: it was seen without a request and without work. */
export function nodeInUpdateOf(
  node: SeenNode,
  cluster: SortedCluster,
  before: NodeKnowledge,
  wasSeenIdle = false,
): NodeInUpdate {
  const { seen } = cluster
  const locks = cluster.locks.get(node.name) ?? []
  const requests = cluster.requests.get(node.name) ?? []
  // An active request comes before one being deleted.
  const request = requests.find(({ deletingSince }) => deletingSince === null) ?? requests[0] ?? null
  const inUpdate = (
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
      ? requestedNode(node, seen, locks, known, inUpdate)
      : inUpdate({ ...known, stage: 'returning' }, [
          because('RequestTerminating', { request: request.name, since: request.deletingSince }),
        ])
  }
  const through = cluster.upgraded.get(node.name)
  if (before.stage === 'pending' && !node.unschedulable && through !== undefined) {
    return inUpdate({ ...before, stage: 'done' }, [because('LcmSays', { said: through.said })], through.at)
  }
  const phase = node.isControl ? 'control-nodes' : 'worker-nodes'
  const doneAt = cluster.done.get(phase)
  if (before.stage === 'pending' && !node.unschedulable && doneAt !== undefined) {
    return inUpdate({ ...before, stage: 'done' }, [because('LcmPhaseCompleted', { phase })], doneAt)
  }
  if (locks.length === 0 && node.isControl) return nodeWithoutLocks(node, seen, before, inUpdate)
  return nodeWithoutRequest(node, locks, before, wasSeenIdle, inUpdate)
}

/** After a restart the journal knows that a node was in progress, not its request: the current request is assumed. */
function isSameRequest(request: NodeMaintenanceRequest, before: NodeKnowledge): boolean {
  return request.uid === before.requestUid || (before.requestUid === null && isUnderWay(before.stage))
}

export function isUnderWay(stage: NodeStage): boolean {
  return turnOf(stage) === 'under-way'
}

type NodeInUpdateMaker = (knowledge: NodeKnowledge, evidence: readonly Finding[]) => NodeInUpdate

function requestedNode(
  node: SeenNode,
  seen: SeenCluster,
  locks: readonly NodeWorkloadLock[],
  before: NodeKnowledge,
  inUpdate: NodeInUpdateMaker,
): NodeInUpdate {
  const active = locks.filter(({ state }) => state !== 'inactive')
  if (active.length > 0) {
    // A lock that returns to active during the work does not change the node's stage.
    if (before.cordoned && node.unschedulable) return cordonedNode(node, seen, before, inUpdate)
    // Started work stays started, even if its controller says nothing.
    const begun = before.stage === 'locks' || active.length < locks.length || active.some(hasBegun)
    const stage = begun ? 'locks' : 'requested'
    return inUpdate({ ...before, stage, bootId: before.bootId ?? node.bootId }, locks.map(lockStateFinding))
  }
  const released = { ...before, released: true, bootId: before.bootId ?? node.bootId }
  if (node.unschedulable) return cordonedNode(node, seen, released, inUpdate)
  if (before.cordoned) return inUpdate({ ...released, stage: 'returning' }, [because('NodeSchedulableAgain')])
  // Released, but not seen cordoned: it is about to be, or is back already; only the former is certain.
  return inUpdate({ ...released, stage: 'draining' }, [because('AllLocksInactive'), because('NodeNotCordoned')])
}

function lockStateFinding({ name, state }: Pick<NodeWorkloadLock, 'name' | 'state'>): Finding {
  return because('LockIs', { lock: name, state })
}

/** A controller writes a message before its lock's state changes (docs/domain.md A.2). */
function hasBegun(lock: NodeWorkloadLock): boolean {
  return lock.innerState === 'active' || lock.errorMessage !== '' || lock.progress !== null
}

/** Control nodes without locks are updated without a request (seed 003, phase 3): their cordon shows it. */
function nodeWithoutLocks(
  node: SeenNode,
  seen: SeenCluster,
  before: NodeKnowledge,
  inUpdate: NodeInUpdateMaker,
): NodeInUpdate {
  if (node.unschedulable)
    return cordonedNode(node, seen, { ...before, released: true, bootId: before.bootId ?? node.bootId }, inUpdate)
  if (!before.cordoned) return inUpdate(before, [])
  // Knowledge under this cordon ends with it: a later NotReady is not a return from work.
  return node.ready
    ? inUpdate({ ...before, stage: 'done', cordoned: false, bootId: null, podsAtCordon: null }, [
        because('NodeSchedulableReady'),
      ])
    : inUpdate({ ...before, stage: 'returning' }, [because('NodeSchedulableAgain'), because('SeenNotReady')])
}

/** Released and cordoned: pods leave, then the work follows. */
function cordonedNode(
  node: SeenNode,
  seen: SeenCluster,
  before: NodeKnowledge,
  inUpdate: NodeInUpdateMaker,
): NodeInUpdate {
  const podsAtCordon = before.cordoned ? before.podsAtCordon : (seen.pods?.get(node.name) ?? null)
  const known = { ...before, cordoned: true, podsAtCordon }
  if (known.stage === 'work') return inUpdate(known, [])
  if (!node.ready) return inUpdate({ ...known, stage: 'work' }, [because('NodeCordoned'), because('SeenNotReady')])
  if (known.bootId !== null && known.bootId !== node.bootId) {
    return inUpdate({ ...known, stage: 'work' }, [
      because('NodeCordoned'),
      because('BootIdSeen', { bootId: node.bootId }),
    ])
  }
  const left = podsLeft(node, seen, known)
  return left === 0
    ? inUpdate({ ...known, stage: 'work' }, [because('NodeCordoned'), because('NoPodLeftToDrain')])
    : inUpdate({ ...known, stage: 'draining' }, [because('NodeCordoned')])
}

/** No request: the node never had one, is coming back, or is back. */
function nodeWithoutRequest(
  node: SeenNode,
  locks: readonly NodeWorkloadLock[],
  before: NodeKnowledge,
  wasSeenIdle: boolean,
  inUpdate: NodeInUpdateMaker,
): NodeInUpdate {
  const open = locks.filter(lock => lock.state !== 'active')
  const isBack = open.length === 0 && !node.unschedulable && node.ready
  if (!isUnderWay(before.stage)) {
    // An inactive lock without a request is being restored; a cordon alone may belong to anyone. The request of an idle node may still arrive: each kind has
    // its own watch, and they differ in time.
    return open.some(({ state }) => state === 'inactive') && before.stage !== 'done' && !wasSeenIdle
      ? inUpdate({ ...before, stage: 'returning', released: true }, open.map(lockStateFinding))
      : inUpdate(before, [])
  }
  if (!isBack) {
    const why = [
      ...open.map(lockStateFinding),
      ...(node.unschedulable ? [because('NodeCordoned')] : []),
      ...(node.ready ? [] : [because('SeenNotReady')]),
    ]
    return inUpdate({ ...before, stage: 'returning' }, [because('SeenRequestGone'), ...why])
  }
  // A request withdrawn before the node was released left nothing behind.
  return before.released
    ? inUpdate({ ...before, stage: 'done' }, [
        because('SeenRequestGone'),
        because('EveryLockActive'),
        because('NodeSchedulableReady'),
      ])
    : inUpdate(NOTHING_KNOWN, [because('RequestWithdrawn')])
}

function podsLeft(node: SeenNode, seen: SeenCluster, { podsAtCordon }: NodeKnowledge): number | null {
  if (seen.pods === null) return null
  const there = seen.pods.get(node.name) ?? new Set<string>()
  return podsAtCordon === null ? there.size : [...there].filter(uid => podsAtCordon.has(uid)).length
}

interface ClusterStatus {
  readonly request: ClusterMaintenanceRequest | null
  /** Null if no update is under way. */
  readonly phase: UpdatePhase | null
  readonly evidence: readonly Finding[]
}

export function requestOf({ clusterRequests }: MaintenanceObjects): ClusterMaintenanceRequest | null {
  return clusterRequests.find(({ deletingSince }) => deletingSince === null) ?? clusterRequests[0] ?? null
}

/** The phase of an update (seed 003), by its request, the locks and the nodes' stages; `before`, the previous phase, continues between two nodes. */
export function phaseOf(
  seen: SeenCluster,
  nodes: readonly { readonly isControl: boolean; readonly stage: NodeStage }[],
  before: UpdatePhase | null,
): ClusterStatus {
  const { clusterLocks } = seen.objects
  const request = requestOf(seen.objects)
  const open = clusterLocks.filter(({ state }) => state !== 'inactive')
  if (request === null) {
    // The update has ended only when everything is back.
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
    // Only LCM's plan shows worker nodes that finished before the observation.
    const isBeyond = !isOurs && seen.lcm.phase === 'worker-nodes'
    const phase = isBeyond || passed.some(({ isControl }) => !isControl) ? 'worker-nodes' : 'control-nodes'
    return { request, phase, evidence: isBeyond ? [because('UpdatePlanSays')] : [] }
  }
  if (before === 'control-nodes' || before === 'worker-nodes') return { request, phase: before, evidence: [] }
  // Between two nodes the objects do not show the phase to a late observer; LCM may.
  if (open.length === 0 && seen.lcm.phase !== null && !isOurs) {
    return { request, phase: seen.lcm.phase, evidence: [because('UpdatePlanSays')] }
  }
  // Our runs have steps between phases: their nodes show when the next one starts.
  if (open.length === 0 && clusterLocks.length > 0 && !isOurs) {
    const phase = nodes.some(({ isControl }) => isControl) ? 'control-nodes' : 'worker-nodes'
    return { request, phase, evidence: linesOf(clusterLocks) }
  }
  return { request, phase: 'applications', evidence: linesOf(open) }
}

function linesOf(locks: readonly ClusterWorkloadLock[]): readonly Finding[] {
  return locks.map(lockStateFinding)
}
