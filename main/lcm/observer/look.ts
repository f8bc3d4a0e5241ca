import { parseLockMessage, saysWait } from '../../../shared/domain/lock-message.ts'
import { lockStatus } from '../../../shared/domain/lock-status.ts'
import {
  type ClusterMaintenanceRequest,
  REQUEST_OPERATOR_ANNOTATION,
  REQUEST_RUN_ANNOTATION,
} from '../../../shared/domain/maintenance-api.ts'
import { NodeStage, type UpdateMoment, UpdatePhase } from '../../../shared/domain/update.ts'
import type { TimelineNode } from '../../../shared/domain/update-eta.ts'
import { lockStatusText } from '../../../shared/words/lock-status.ts'
import { because } from '../../../shared/words/reasons.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import {
  isUnderWay,
  type NodeInUpdate,
  nodeInUpdateOf,
  phaseOf,
  requestOf,
  type SeenCluster,
  type SeenNode,
  sortByNode,
} from './derive.ts'
import { type Knowledge, UNWATCHED, type WatchedNode, type WatchedUpdate } from './knowledge.ts'
import { firstRequestAt, lastStateChangeAt, stageAt, UNWATCHED_NOTE } from './times.ts'

const NOTE_EVERY_MS = 10_000

interface ObservedChanges {
  readonly knowledge: Knowledge
  readonly ended: readonly UpdateMoment[]
  /** An update seen for the first time; null means the same as before, or none. */
  readonly begun: { readonly id: string } | null
  readonly drivenBy: string | null
  /** Nodes that take part in an update: the control plane, and nodes with a lock. */
  readonly nodes: readonly TimelineNode[]
  readonly moments: readonly UpdateMoment[]
}

export function observeChanges(seen: SeenCluster, before: Knowledge, nowMs: number): ObservedChanges {
  const at = new Date(nowMs).toISOString()
  const request = requestOf(seen.objects)
  const isNew = request !== null && request.uid !== before.update?.id
  // A new update starts without knowledge of its nodes, except idle ones that were seen.
  const from = isNew ? memoryForNextUpdate(before) : before
  const sorted = sortByNode(seen)
  const statuses = seen.nodes.map(node => {
    const watched = from.nodes.get(node.name) ?? UNWATCHED
    return { node, watched, status: nodeInUpdateOf(node, sorted, watched.known, watched.wasSeenIdle) }
  })
  const concerned = statuses.filter(({ node, status }) => node.isControl || status.locks.length > 0)
  const stages = concerned.map(({ node, status }) => ({ isControl: node.isControl, stage: status.knowledge.stage }))
  const cluster = phaseOf(seen, stages, from.update?.phase ?? null)
  if (cluster.phase === null) {
    const sinceAt = before.update?.sinceAt ?? null
    const last = statuses.flatMap(each => momentsOfNode(each, sinceAt, nowMs).moments)
    // The update ended when the cluster's last lock became active, whenever that is seen.
    const overAt = lastStateChangeAt(seen.objects.clusterLocks, sinceAt, at) ?? at
    const ended: UpdateMoment[] = before.update === null ? [] : [...last, { kind: 'over', at: overAt, note: '' }]
    return { knowledge: memoryOfIdleCluster(seen), ended, begun: null, drivenBy: null, nodes: [], moments: [] }
  }
  const sinceAt = request?.createdAt ?? from.update?.sinceAt ?? null
  const looked = statuses.map(each => ({ name: each.node.name, ...momentsOfNode(each, sinceAt, nowMs) }))
  const id = request?.uid ?? from.update?.id ?? ''
  const wait = clusterWait(seen, request)
  const moments: UpdateMoment[] = []
  if (request !== null && isNew) {
    moments.push({ kind: 'phase', at: request.createdAt, phase: 'prepare', note: evidenceOf(request) })
    if (!from.wasSeenIdle) moments.push({ kind: 'phase', at: request.createdAt, phase: 'applications', note: '' })
  }
  if (from.update?.phase !== cluster.phase) {
    const ends = new Map(sorted.done)
    const locksReleasedAt = releasedAt(seen, request, at)
    // Phase 2 ends when its locks are inactive, whatever LCM does before its next step (seed 003).
    if (locksReleasedAt !== null) ends.set('applications', locksReleasedAt)
    const own = concerned.filter(({ node }) => (node.isControl ? 'control-nodes' : 'worker-nodes') === cluster.phase)
    const beganAt = firstRequestAt(own.map(({ status }) => status))
    moments.push(...phasesEntered(from.update?.phase ?? 'applications', cluster.phase, ends, beganAt, at))
    const isPast = cluster.phase !== 'applications' && locksReleasedAt !== null
    if (isPast) moments.push({ kind: 'phase-times', at, phase: 'applications', fromAt: null, toAt: locksReleasedAt })
  }
  if (wait !== (from.update?.wait ?? null)) moments.push({ kind: 'wait', at, subject: 'cluster', what: wait })
  moments.push(...looked.flatMap(each => each.moments))
  const update: WatchedUpdate = { id, phase: cluster.phase, wait, sinceAt }
  return {
    // A node that is missing for a while stays in memory.
    knowledge: {
      update,
      nodes: new Map([...from.nodes, ...looked.map(({ name, watched }) => [name, watched] as const)]),
      wasSeenIdle: false,
    },
    ended: isNew && before.update !== null ? [{ kind: 'over', at, note: because('OtherUpdateBegun').message }] : [],
    begun: isNew ? { id } : null,
    drivenBy: request === null ? null : driverOf(request, seen),
    nodes: lanesOf(concerned),
    moments,
  }
}

/**
 * The phases entered since the last observation. A phase starts when the previous one ends, by the plan and the locks (docs/domain.md A.8); a phase of nodes
 * with its first request. One with an unknown start is not reported, except the current one, which starts now.
 */
function phasesEntered(
  from: UpdatePhase,
  to: UpdatePhase,
  ends: ReadonlyMap<UpdatePhase, string>,
  beganAt: string | null,
  at: string,
): readonly UpdateMoment[] {
  const order = UpdatePhase.options
  const entered = order.slice(order.indexOf(from) + 1, order.indexOf(to))
  const begins = (phase: UpdatePhase) => {
    const before = order[order.indexOf(phase) - 1]
    return before === undefined ? undefined : ends.get(before)
  }
  const afterMs = Date.parse(begins(to) ?? '')
  const first = beganAt !== null && !(Date.parse(beganAt) < afterMs) ? beganAt : null
  const moment = (phase: UpdatePhase, begunAt: string, note: string): UpdateMoment => ({
    kind: 'phase',
    at: begunAt,
    phase,
    note,
  })
  return [
    ...entered.flatMap(phase => {
      const begunAt = begins(phase)
      return begunAt === undefined ? [] : [moment(phase, begunAt, UNWATCHED_NOTE)]
    }),
    moment(to, to === 'applications' ? at : (first ?? begins(to) ?? at), ''),
  ]
}

/** When the cluster's last lock became inactive, by the API server (seed 003: that ends phase 2); null if unknown. */
function releasedAt({ objects }: SeenCluster, request: ClusterMaintenanceRequest | null, at: string): string | null {
  const locks = objects.clusterLocks
  if (request === null || locks.some(({ state }) => state !== 'inactive')) return null
  return lastStateChangeAt(locks, request.createdAt, at)
}

/** The driver of an update: its request names our runs, and LCM has its own objects. */
function driverOf({ annotations }: ClusterMaintenanceRequest, { lcm }: SeenCluster): string | null {
  const run = annotations[REQUEST_RUN_ANNOTATION]
  const operator = annotations[REQUEST_OPERATOR_ANNOTATION]
  if (run !== undefined) return `Lockkeeper run ${run}${operator === undefined ? '' : ` by ${operator}`}`
  return lcm.phase === null ? null : 'LCM'
}

function evidenceOf({ name, scope, release }: ClusterMaintenanceRequest): string {
  return [
    name,
    ...(scope === null ? [] : [`scope ${scope}`]),
    ...(release === null ? [] : [`release ${release}`]),
  ].join(', ')
}

/** The memory at the start of another update. A node that was done or coming back belongs to the previous one: its lock may arrive after the new request. */
function memoryForNextUpdate(before: Knowledge): Knowledge {
  const nodes = new Map(
    [...before.nodes].map(([name, { wasSeenIdle, known }]) => [
      name,
      { ...UNWATCHED, wasSeenIdle: wasSeenIdle || known.stage === 'done' || known.stage === 'returning' },
    ]),
  )
  return { update: null, nodes, wasSeenIdle: before.wasSeenIdle }
}

function memoryOfIdleCluster(seen: SeenCluster): Knowledge {
  const nodes = seen.nodes.map(({ name }) => [name, { ...UNWATCHED, wasSeenIdle: true }] as const)
  return { update: null, nodes: new Map(nodes), wasSeenIdle: true }
}

function lanesOf(
  concerned: readonly { readonly node: SeenNode; readonly status: NodeInUpdate }[],
): readonly TimelineNode[] {
  return inOrder(
    concerned.map(({ node }) => ({
      node: node.name,
      phase: node.isControl ? ('control-nodes' as const) : ('worker-nodes' as const),
      group: null,
      atOnce: 1,
    })),
  )
}

/** Control nodes first; numbers in names sort as numbers. */
export function inOrder(nodes: readonly TimelineNode[]): readonly TimelineNode[] {
  return nodes.toSorted(
    (a, b) => a.phase.localeCompare(b.phase) || a.node.localeCompare(b.node, undefined, { numeric: true }),
  )
}

interface Seen {
  readonly node: SeenNode
  readonly watched: WatchedNode
  readonly status: NodeInUpdate
}

function momentsOfNode(
  { node, watched, status }: Seen,
  sinceAt: string | null,
  nowMs: number,
): { readonly watched: WatchedNode; readonly moments: readonly UpdateMoment[] } {
  const { knowledge, request } = status
  const at = new Date(nowMs).toISOString()
  const moments: UpdateMoment[] = []
  const stage = (name: NodeStage, when: string, evidence: readonly Finding[], note = '') =>
    moments.push({
      kind: 'stage',
      at: when,
      node: node.name,
      stage: name,
      note,
      evidence: evidence.map(({ message }) => message),
    })
  let reported = watched.known.stage
  const wasUnderWay = isUnderWay(reported)
  // A directly following request is reported too: knowledge of the first does not apply to it.
  const { requestUid } = watched.known
  const isAnother = request !== null && requestUid !== null && request.uid !== requestUid
  if (request !== null && (!wasUnderWay || isAnother)) {
    stage('requested', request.createdAt, [
      because('RequestCreated', { request: request.name }),
      ...(request.scope === null ? [] : [because('RequestScope', { scope: request.scope })]),
    ])
    reported = 'requested'
  }
  if (knowledge.stage !== reported) {
    // A node seen before its turn certainly passed stages that were too short to see. If only LCM reports it done, no stage was seen, and perhaps there was
    // none: LCM omits nodes from a phase that it completes.
    const isReported = status.saidAt !== null
    const passed = !isReported && (watched.wasSeenIdle || wasUnderWay) ? passedBetween(reported, status) : []
    const cameAt = stageAt(status, sinceAt, at) ?? at
    for (const each of passed) stage(each, cameAt, [], because('PassedBetweenLooks').message)
    stage(
      knowledge.stage,
      cameAt,
      status.evidence,
      reported === 'pending' && knowledge.stage === 'done' ? UNWATCHED_NOTE : '',
    )
  } else if (knowledge.cordoned && !watched.known.cordoned) stage(knowledge.stage, at, status.evidence)
  const says = lockMessages(status)
  const wait = waitOf(node, status, says.blocked)
  const changed = knowledge.stage !== watched.known.stage
  if (wait !== (changed ? null : watched.wait)) moments.push({ kind: 'wait', at, subject: node.name, what: wait })
  if (says.trouble !== null && says.trouble !== watched.trouble) {
    moments.push({ kind: 'retry', at, subject: node.name, what: says.trouble })
  }
  const mayNote = says.note !== '' && says.note !== watched.note && nowMs - watched.notedAtMs >= NOTE_EVERY_MS
  if (mayNote) stage(knowledge.stage, at, [], says.note)
  return {
    moments,
    watched: {
      known: knowledge,
      wasSeenIdle: request === null && (knowledge.stage === 'pending' || knowledge.stage === 'done'),
      wait,
      trouble: says.trouble,
      note: mayNote ? says.note : watched.note,
      notedAtMs: mayNote ? nowMs : watched.notedAtMs,
    },
  }
}

const ORDER = NodeStage.options

/** The stages that a node must have passed between the last reported one and the current one. */
function passedBetween(reported: NodeStage, { knowledge, request, locks }: NodeInUpdate): readonly NodeStage[] {
  const from = reported === 'done' ? 0 : ORDER.indexOf(reported)
  const to = ORDER.indexOf(knowledge.stage)
  return ORDER.slice(from + 1, Math.max(from + 1, to)).filter(stage => {
    switch (stage) {
      case 'locks':
        return locks.length > 0 && (request !== null || knowledge.requestUid !== null)
      case 'draining':
        return knowledge.released
      case 'work':
        return knowledge.cordoned
      case 'returning':
        return true
      default:
        return false
    }
  })
}

function lockMessages({ locks, request, knowledge }: NodeInUpdate): {
  readonly blocked: string | null
  readonly trouble: string | null
  readonly note: string
} {
  const isTurn = knowledge.stage === 'requested' || knowledge.stage === 'locks' || knowledge.stage === 'returning'
  const reported = isTurn ? locks.map(lock => ({ lock, status: lockStatus(lock, request) })) : []
  const first = (...kinds: readonly string[]) => {
    const found = reported.find(({ status }) => kinds.includes(status.kind))
    if (found === undefined) return null
    const { text } = parseLockMessage(found.lock.errorMessage)
    return `${found.lock.controller}: ${text === '' ? lockStatusText(found.status) : text}`
  }
  const waits = reported.flatMap(({ lock, status }) => {
    const message = parseLockMessage(lock.errorMessage)
    const isOpen = status.kind !== 'released' && status.kind !== 'idle'
    const holds = status.kind === 'blocked' || status.kind === 'trouble' || saysWait(message)
    return isOpen && holds ? [`${lock.controller}: ${message.text === '' ? lockStatusText(status) : message.text}`] : []
  })
  const moving = reported.find(({ lock, status }) => status.kind === 'preparing' && lock.errorMessage !== '')?.lock
  const note = moving === undefined ? '' : `${moving.controller}: ${parseLockMessage(moving.errorMessage).text}`
  return { blocked: waits.length === 0 ? null : waits.join('; '), trouble: first('trouble'), note }
}

function waitOf(node: SeenNode, { knowledge }: NodeInUpdate, blocked: string | null): string | null {
  if (blocked !== null) return blocked
  if (knowledge.stage === 'work' && !node.ready) return because('NodeAwaitedInWork').message
  return null
}

function clusterWait({ objects }: SeenCluster, request: ClusterMaintenanceRequest | null): string | null {
  if (request === null || request.deletingSince !== null) {
    const away = objects.clusterLocks.filter(({ state }) => state !== 'active')
    return away.length === 0 ? null : because('ClusterLocksToBeActive', { controllers: controllersOf(away) }).message
  }
  const open = objects.clusterLocks.filter(({ state }) => state !== 'inactive')
  if (open.length === 0) return null
  const said = inTheirOrder(open).flatMap(lock => {
    const { text } = parseLockMessage(lock.errorMessage)
    return text === '' ? [] : [{ controller: lock.controller, text }]
  })
  return because('ClusterLocksToBeInactive', { controllers: controllersOf(open), said }).message
}

/** OpenStack's first: the others wait for it, and its message is the cause (seed 003, phase 2). */
function inTheirOrder<T extends { readonly controller: string }>(locks: readonly T[]): readonly T[] {
  return locks.toSorted((a, b) => Number(b.controller === 'openstack') - Number(a.controller === 'openstack'))
}

function controllersOf(locks: readonly { readonly controller: string }[]): readonly string[] {
  return locks.map(({ controller }) => controller)
}
