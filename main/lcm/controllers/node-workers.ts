import type { ClusterNode } from '../../../shared/domain/kubernetes.ts'
import { MADE_BY_ANNOTATION, ORIGINAL_NODE_ANNOTATION } from '../../../shared/domain/maintenance-api.ts'
import { because } from '../../../shared/words/reasons.ts'
import type { Snapshot, StartedNode } from './application-controller.ts'
import { decideNode, isBegun, MADE_IN_DOUBT_ANNOTATION, type NodeDecision } from './decide-node.ts'
import { enterNode, exitNode, letGo } from './enter-or-exit-node.ts'
import {
  indexNodes,
  lockTarget,
  messageWriterOf,
  NO_ENTRY,
  type NodeContext,
  type NodeEntry,
  type NodeJob,
} from './node-context.ts'
import { createSeenRequests } from './still-asked.ts'
import { AFTER_FAILURE_MS, finalizerOf, isWritten, type WorkerParts } from './worker-parts.ts'

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
  /** The decision as text: a different one ends the worker. */
  readonly key: string
  readonly stop: AbortController
  readonly ended: Promise<void>
  readonly says: () => string
}

/** Carries out one controller's next action on each node, in one worker per node. */
export function createNodeWorkers(parts: WorkerParts): NodeWorkers {
  const { controller, world, clock, log, snapshot, wake } = parts
  const { release } = world.cluster.maintenanceApi
  const finalizer = finalizerOf(controller.name)
  const workers = new Map<string, Worker>()
  const begunHere = new Set<string>()
  const seen = createSeenRequests('NodeMaintenanceRequest', world)

  let indexed: { readonly of: Snapshot; readonly entries: ReadonlyMap<string, NodeEntry> } | null = null
  const entries = () => {
    const now = snapshot()
    if (indexed === null || indexed.of.objects !== now.objects || indexed.of.nodes !== now.nodes) {
      indexed = { of: now, entries: indexNodes(now, controller.name) }
    }
    return indexed.entries
  }
  const entryOf = (name: string) => entries().get(name) ?? NO_ENTRY
  const decide = (name: string): NodeDecision => {
    const { node, lock, requests, deletion, disabledOnPurpose } = entryOf(name)
    return decideNode({
      exists: node !== null,
      concerned: node === null ? false : controller.concerns(node, snapshot()),
      lock,
      mayTakeBack: controller.provesAbsent !== undefined && lock?.annotations[MADE_BY_ANNOTATION] === MADE_BY,
      begunHere: begunHere.has(name),
      requests,
      deletion,
      disabledOnPurpose,
      release,
      finalizer,
    })
  }
  const context: NodeContext = {
    parts,
    finalizer,
    release,
    entryOf,
    begunHere,
    startedBut: name =>
      [...entries()].flatMap(([other, { node, lock }]): readonly StartedNode[] =>
        other !== name && lock !== null && (isBegun(lock) || begunHere.has(other)) ? [{ name: other, node, lock }] : [],
      ),
  }

  async function work(name: string, decision: NodeDecision, job: NodeJob): Promise<void> {
    const { node, lock } = entryOf(name)
    switch (decision.kind) {
      case 'rest':
        return
      case 'create-lock':
        return node === null ? undefined : createLock(node, decision.inDoubt, job.signal)
      case 'delete-lock': {
        if (lock === null) return
        // Only the lock protects the node from others, so the watch's claim is checked by a read.
        const gone = await world.kubernetes.getNode(name, job.signal)
        if (gone.ok || gone.failure.code !== 'not-found') return pause(job.signal)
        await isWritten(world.locks.deleteLock(lockTarget(lock), job.signal), name, log)
        begunHere.delete(name)
        return settle(job.signal)
      }
      case 'take-back-lock': {
        if (lock === null || node === null) return
        const isProved = await controller.provesAbsent?.({ node, world, snapshot, signal: job.signal })
        if (job.signal.aborted || !parts.mayAct() || !parts.isCurrent()) return
        if (isProved !== true) return pause(job.signal)
        const isDeleted = await isWritten(world.locks.deleteLock(lockTarget(lock), job.signal), name, log)
        if (isDeleted) log.info('lock-taken-back', { node: name })
        return settle(job.signal)
      }
      case 'set-active': {
        if (lock === null) return
        const state = { state: 'active', ...(release === null ? {} : { release }) } as const
        await isWritten(world.locks.setLockStatus(lockTarget(lock), state, job.signal), name, log)
        return settle(job.signal)
      }
      case 'refuse':
        job.message.say(decision.why)
        return settle(job.signal)
      case 'clear-message':
        if (lock === null) return
        await isWritten(world.locks.setLockStatus(lockTarget(lock), { errorMessage: '' }, job.signal), name, log)
        return settle(job.signal)
      case 'enter':
        return enterNode(name, decision, context, job)
      case 'exit': {
        const { requests } = entryOf(name)
        // A request that is being deleted explains itself.
        const why = requests.some(({ deletingSince }) => deletingSince !== null)
          ? null
          : await seen.whyNotGone(name, name, lock, job.signal)
        if (job.signal.aborted) return
        if (why === null) return exitNode(name, context, job)
        job.message.say(because('NodeStays', { why }))
        return pause(job.signal)
      }
      case 'let-go':
        await letGo(name, context, job.signal)
        return settle(job.signal)
    }
  }

  async function createLock(node: ClusterNode, inDoubt: boolean, signal: AbortSignal): Promise<void> {
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
    if (made.ok) {
      const state = { state: 'active', ...(release === null ? {} : { release }) } as const
      await isWritten(world.locks.setLockStatus(lockTarget(made.value), state, signal), node.name, log)
    } else if (made.failure.code !== 'conflict' && made.failure.code !== 'aborted') {
      log.warn('lock-not-made', { node: node.name, code: made.failure.code, why: made.failure.message })
    }
    return settle(signal)
  }

  /** The watch shows our own write in a moment; until then the decision would repeat. */
  function settle(signal: AbortSignal): Promise<void> {
    return clock.sleep(parts.lookAgainMs, signal)
  }

  function pause(signal: AbortSignal): Promise<void> {
    return clock.sleep(AFTER_FAILURE_MS, signal)
  }

  function begin(name: string, decision: NodeDecision, key: string): void {
    const stop = new AbortController()
    const signal = AbortSignal.any([parts.signal, stop.signal])
    let said = ''
    const message = messageWriterOf(name, context, text => {
      if (said === text) return
      said = text
      parts.onActivity()
    })
    const ended = work(name, decision, { signal, message })
      .catch((error: unknown) => {
        log.error('controller-crashed', { node: name, error })
        return pause(parts.signal)
      })
      .then(() => message.silence())
      .finally(() => {
        workers.delete(name)
        parts.onActivity()
        wake.all()
      })
    workers.set(name, { decision, key, stop, ended, says: () => said })
    parts.onActivity()
  }

  return {
    look: () => {
      for (const [name, { requests }] of entries()) {
        seen.note(name, requests)
        const decision = decide(name)
        const key = JSON.stringify(decision)
        const worker = workers.get(name)
        if (worker !== undefined) {
          if (worker.key !== key) worker.stop.abort()
        } else if (decision.kind !== 'rest') begin(name, decision, key)
      }
    },
    busyWith: () =>
      [...workers].flatMap(([name, { decision, says }]) => {
        if (decision.kind === 'refuse') return [`${name}: ${decision.why.message}`]
        if (decision.kind === 'enter') return [`${name}: ${says() || 'starting'}`]
        return decision.kind === 'exit' ? [`${name}: ${says() || 'coming back'}`] : []
      }),
    ended: async () => {
      await Promise.all([...workers.values()].map(worker => worker.ended))
    },
  }
}

/** The node when its lock was created, without fields that change constantly (docs/domain.md A.2). */
function originalNode(node: ClusterNode) {
  const { name, uid, labels, annotations, createdAt } = node
  return { apiVersion: 'v1', kind: 'Node', metadata: { name, uid, labels, annotations, creationTimestamp: createdAt } }
}
