import type { ClusterNode } from '../../../shared/domain/kubernetes.ts'
import {
  MADE_BY_ANNOTATION,
  type NodeWorkloadLock,
  ORIGINAL_NODE_ANNOTATION,
} from '../../../shared/domain/maintenance-api.ts'
import { because } from '../../../shared/words/reasons.ts'
import type { LockStatusChange } from '../../ports/maintenance-api.ts'
import { decideNode, MADE_IN_DOUBT_ANNOTATION, type NodeDecision } from './decide-node.ts'
import { enterNode, exitNode, releaseDeletedRequests } from './enter-or-exit-node.ts'
import { createNodeContext, lockTarget, messageWriterOf, type NodeContext, type NodeJob } from './node-context.ts'
import { createSeenRequests, type SeenRequests } from './still-asked.ts'
import { AFTER_FAILURE_MS, isWritten, type WorkerParts } from './worker-parts.ts'

interface NodeWorkers {
  /** Starts a worker where there is work, and stops one whose work is no longer requested. */
  look(): void
  busyWith(): readonly string[]
  ended(): Promise<void>
}

/** The value of {@link MADE_BY_ANNOTATION} on our locks. */
const MADE_BY = 'lockkeeper'

interface Worker {
  readonly decision: NodeDecision
  readonly key: string
  readonly stop: AbortController
  readonly ended: Promise<void>
  readonly says: () => string
}

interface NodeWorkersState {
  readonly context: NodeContext
  readonly workers: Map<string, Worker>
  readonly seen: SeenRequests
}

export function createNodeWorkers(parts: WorkerParts): NodeWorkers {
  const context = createNodeContext(parts)
  const seen = createSeenRequests('NodeMaintenanceRequest', parts.world)
  const state: NodeWorkersState = { context, workers: new Map(), seen }
  return {
    look: () => {
      for (const [name, { requests }] of context.entries()) {
        seen.note(name, requests)
        const decision = decideFor(context, name)
        const key = JSON.stringify(decision)
        const worker = state.workers.get(name)
        if (worker !== undefined) {
          if (worker.key !== key) worker.stop.abort()
        } else if (decision.kind !== 'rest') startWorker(state, name, decision, key)
      }
    },
    busyWith: () => [...state.workers].flatMap(([name, worker]) => busyLine(name, worker)),
    ended: async () => {
      await Promise.all([...state.workers.values()].map(worker => worker.ended))
    },
  }
}

function busyLine(name: string, { decision, says }: Worker): readonly string[] {
  if (decision.kind === 'refuse') return [`${name}: ${decision.why.message}`]
  if (decision.kind === 'enter') return [`${name}: ${says() || 'starting'}`]
  return decision.kind === 'exit' ? [`${name}: ${says() || 'coming back'}`] : []
}

function decideFor(context: NodeContext, name: string): NodeDecision {
  const { controller, snapshot } = context.parts
  const { node, lock, requests, deletion, disabledOnPurpose } = context.entryOf(name)
  return decideNode({
    exists: node !== null,
    concerned: node === null ? false : controller.concerns(node, snapshot()),
    lock,
    mayTakeBack: controller.provesAbsent !== undefined && lock?.annotations[MADE_BY_ANNOTATION] === MADE_BY,
    begunHere: context.begunHere.has(name),
    requests,
    deletion,
    disabledOnPurpose,
    release: context.release,
    finalizer: context.finalizer,
  })
}

function startWorker(state: NodeWorkersState, name: string, decision: NodeDecision, key: string): void {
  const { context, workers } = state
  const { log, wake, signal, onActivity } = context.parts
  const stop = new AbortController()
  let said = ''
  const message = messageWriterOf(name, context, text => {
    if (said === text) return
    said = text
    onActivity()
  })
  const job: NodeJob = { signal: AbortSignal.any([signal, stop.signal]), message }
  const ended = carryOut(state, name, decision, job)
    .catch((error: unknown) => {
      log.error('controller-crashed', { node: name, error })
      return pause(context, signal)
    })
    .then(() => message.silence())
    .finally(() => {
      workers.delete(name)
      onActivity()
      wake.all()
    })
  workers.set(name, { decision, key, stop, ended, says: () => said })
  onActivity()
}

async function carryOut(state: NodeWorkersState, name: string, decision: NodeDecision, job: NodeJob): Promise<void> {
  const { context } = state
  const { node, lock } = context.entryOf(name)
  const { signal } = job
  switch (decision.kind) {
    case 'rest':
      return
    case 'create-lock':
      return node === null ? undefined : createLock(context, node, decision.inDoubt, signal)
    case 'delete-lock':
      return lock === null ? undefined : deleteLock(context, name, lock, signal)
    case 'take-back-lock':
      return lock === null || node === null ? undefined : takeBackLock(context, node, lock, signal)
    case 'set-active':
      return lock === null ? undefined : writeLock(context, name, lock, activeStatus(context), signal)
    case 'refuse':
      job.message.say(decision.why)
      return settle(context, signal)
    case 'clear-message':
      return lock === null ? undefined : writeLock(context, name, lock, { errorMessage: '' }, signal)
    case 'enter':
      return enterNode(name, decision, context, job)
    case 'exit':
      return bringBack(state, name, job)
    case 'let-go':
      await releaseDeletedRequests(name, context, signal)
      return settle(context, signal)
  }
}

async function createLock(
  context: NodeContext,
  node: ClusterNode,
  inDoubt: boolean,
  signal: AbortSignal,
): Promise<void> {
  const { controller, world, log } = context.parts
  const made = await world.locks.createNodeLock(
    {
      name: `${controller.name}-${node.name}`,
      controller: controller.name,
      nodeName: node.name,
      nodeDeletionRequestSupported: true,
      annotations: {
        [MADE_BY_ANNOTATION]: MADE_BY,
        ...(inDoubt ? { [MADE_IN_DOUBT_ANNOTATION]: 'true' } : {}),
        [ORIGINAL_NODE_ANNOTATION]: JSON.stringify(originalNode(node)),
      },
    },
    signal,
  )
  if (made.ok) return writeLock(context, node.name, made.value, activeStatus(context), signal)
  if (made.failure.code !== 'conflict' && made.failure.code !== 'aborted') {
    log.warn('lock-not-made', { node: node.name, code: made.failure.code, why: made.failure.message })
  }
  return settle(context, signal)
}

async function deleteLock(
  context: NodeContext,
  name: string,
  lock: NodeWorkloadLock,
  signal: AbortSignal,
): Promise<void> {
  const { world, log } = context.parts
  // Only the lock protects the node from others, so the watch's claim is checked by a read.
  const gone = await world.kubernetes.getNode(name, signal)
  if (gone.ok || gone.failure.code !== 'not-found') return pause(context, signal)
  await isWritten(world.locks.deleteLock(lockTarget(lock), signal), name, log)
  context.begunHere.delete(name)
  return settle(context, signal)
}

async function takeBackLock(
  context: NodeContext,
  node: ClusterNode,
  lock: NodeWorkloadLock,
  signal: AbortSignal,
): Promise<void> {
  const { controller, world, log, snapshot, mayAct, isCurrent } = context.parts
  const isProved = await controller.provesAbsent?.({ node, world, snapshot, signal })
  if (signal.aborted || !mayAct() || !isCurrent()) return
  if (isProved !== true) return pause(context, signal)
  const isDeleted = await isWritten(world.locks.deleteLock(lockTarget(lock), signal), node.name, log)
  if (isDeleted) log.info('lock-taken-back', { node: node.name })
  return settle(context, signal)
}

async function writeLock(
  context: NodeContext,
  name: string,
  lock: NodeWorkloadLock,
  status: LockStatusChange,
  signal: AbortSignal,
): Promise<void> {
  const { world, log } = context.parts
  await isWritten(world.locks.setLockStatus(lockTarget(lock), status, signal), name, log)
  return settle(context, signal)
}

function activeStatus({ release }: NodeContext): LockStatusChange {
  return { state: 'active', ...(release === null ? {} : { release }) }
}

/** Restores the node, once its requests are provably gone. */
async function bringBack({ context, seen }: NodeWorkersState, name: string, job: NodeJob): Promise<void> {
  const { lock, requests } = context.entryOf(name)
  // A request that is being deleted explains itself.
  const isDeleting = requests.some(({ deletingSince }) => deletingSince !== null)
  const why = isDeleting ? null : await seen.whyNotGone(name, name, lock, job.signal)
  if (job.signal.aborted) return
  if (why === null) return exitNode(name, context, job)
  job.message.say(because('NodeStays', { why }))
  return pause(context, job.signal)
}

/** The watch shows our own write in a moment; until then the decision would repeat. */
function settle({ parts }: NodeContext, signal: AbortSignal): Promise<void> {
  return parts.clock.sleep(parts.lookAgainMs, signal)
}

function pause({ parts }: NodeContext, signal: AbortSignal): Promise<void> {
  return parts.clock.sleep(AFTER_FAILURE_MS, signal)
}

/** The node when its lock was created, without fields that change constantly (docs/domain.md A.2). */
function originalNode(node: ClusterNode) {
  const { name, uid, labels, annotations, createdAt } = node
  return { apiVersion: 'v1', kind: 'Node', metadata: { name, uid, labels, annotations, creationTimestamp: createdAt } }
}
