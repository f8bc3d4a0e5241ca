import type { ClusterNode } from '../../../shared/domain/kubernetes.ts'
import { type NodeWorkloadLock, nodeMeant, ORIGINAL_NODE_ANNOTATION } from '../../../shared/domain/maintenance-api.ts'
import type { Result } from '../../../shared/domain/result.ts'
import type { LockTarget } from '../ports.ts'
import type { NodeWork, Progress, Snapshot, StartedNode } from './application-controller.ts'
import { decideNode, type FollowedRequest, isBegun, type NodeDecision, type NodeFacts } from './decide-node.ts'
import { releaseText, stamped, withoutStamp } from './lock-texts.ts'
import { finalizerOf, rest, type WorkerParts } from './worker-parts.ts'

/** The workers of one controller, one a node that needs something. */
export interface NodeWorkers {
  /** Starts a worker where something is to be done, and stops one whose work is no longer asked for. */
  look(): void
  busyWith(): readonly string[]
  ended(): Promise<void>
}

interface Worker {
  readonly doing: NodeDecision['kind']
  readonly stop: AbortController
  readonly ended: Promise<void>
  says: string
}

/** A failed write is tried again after this, or at the next change. */
const AFTER_FAILURE_MS = 2_000

export function createNodeWorkers(parts: WorkerParts): NodeWorkers {
  const { controller, world, clock, log, snapshot, wake } = parts
  const finalizer = finalizerOf(controller.name)
  const { release } = world.cluster.maintenanceApi
  const workers = new Map<string, Worker>()
  /** Begun by this process, also where the watch has not shown the mark yet: what limits count. */
  const begunHere = new Set<string>()

  /** Locks of this controller by the node they mean, made anew with every snapshot. */
  let indexed: { readonly of: Snapshot; readonly locks: ReadonlyMap<string, NodeWorkloadLock> } | null = null
  const lockOf = (name: string): NodeWorkloadLock | null => {
    const now = snapshot()
    if (indexed === null || indexed.of.objects !== now.objects || indexed.of.nodes !== now.nodes) {
      const names = now.nodes.map(node => node.name)
      const own = now.objects.nodeLocks.filter(lock => lock.controller === controller.name)
      // A lock that names the node exactly comes before one that names it by an FQDN.
      const locks = new Map(own.map(lock => [nodeMeant(lock.nodeName, names) ?? lock.nodeName, lock]))
      for (const lock of own) if (names.includes(lock.nodeName)) locks.set(lock.nodeName, lock)
      indexed = { of: now, locks }
    }
    return indexed.locks.get(name) ?? null
  }

  const factsOf = (name: string): NodeFacts => {
    const { objects, nodes } = snapshot()
    const names = nodes.map(node => node.name)
    const node = nodes.find(candidate => candidate.name === name)
    const means = (nodeName: string) => (nodeMeant(nodeName, names) ?? nodeName) === name
    return {
      exists: node !== undefined,
      concerned: node !== undefined && controller.concerns(node, snapshot()),
      lock: lockOf(name),
      requests: objects.nodeRequests
        .filter(request => means(request.nodeName))
        .sort((a, b) => a.createdAt.localeCompare(b.createdAt) || a.name.localeCompare(b.name)),
      deletion: objects.deletionRequests.find(request => means(request.nodeName)) ?? null,
      disabledOnPurpose: objects.disableNotifications.some(notification => means(notification.nodeName)),
      release,
      finalizer,
    }
  }

  const startedBut = (name: string): readonly StartedNode[] =>
    snapshot().nodes.flatMap(node => {
      const lock = node.name === name ? null : lockOf(node.name)
      return lock !== null && (isBegun(lock) || begunHere.has(node.name)) ? [{ node, lock }] : []
    })

  async function work(
    name: string,
    decision: NodeDecision,
    worker: { readonly signal: AbortSignal; says: (text: string) => void },
  ): Promise<void> {
    switch (decision.kind) {
      case 'rest':
        return
      case 'create-lock':
        return createLock(name)
      case 'delete-lock': {
        const lock = lockOf(name)
        if (lock !== null) await told(world.locks.deleteLock(targetOf(lock), worker.signal), name)
        return
      }
      case 'set-active': {
        const lock = lockOf(name)
        if (lock === null) return
        await told(
          world.locks.setLockStatus(
            targetOf(lock),
            { state: 'active', ...(release === null ? {} : { release }) },
            worker.signal,
          ),
          name,
        )
        return
      }
      case 'enter':
        return enter(name, decision.request, worker)
      case 'exit':
        return exit(name, worker)
      case 'let-go':
        return letGo(name)
    }
  }

  async function createLock(name: string): Promise<void> {
    const node = snapshot().nodes.find(candidate => candidate.name === name)
    if (node === undefined) return
    const made = await world.locks.createNodeLock({
      name: `${controller.name}-${name}`,
      controller: controller.name,
      nodeName: name,
      nodeDeletionRequestSupported: true,
      annotations: { [ORIGINAL_NODE_ANNOTATION]: JSON.stringify(originalNode(node)) },
    })
    if (made.ok) {
      await told(
        world.locks.setLockStatus(targetOf(made.value), { state: 'active', ...(release === null ? {} : { release }) }),
        name,
      )
    } else if (made.failure.code !== 'conflict')
      log.warn('a lock could not be made', { node: name, code: made.failure.code })
  }

  async function enter(
    name: string,
    request: FollowedRequest,
    { signal, says }: { readonly signal: AbortSignal; says: (text: string) => void },
  ): Promise<void> {
    const say = speaker(name, says)
    await told(world.locks.setFinalizer(request, finalizer, true, signal), name)
    while (!signal.aborted) {
      const woken = wake.next()
      const node = snapshot().nodes.find(candidate => candidate.name === name)
      const lock = lockOf(name)
      if (node === undefined || lock === null) return
      if (lock.state === 'inactive' && lock.innerState === 'inactive') return
      const wrongRelease = release !== null && request.release !== null && request.release !== release
      const held = wrongRelease
        ? releaseText(request.release ?? '', release)
        : isBegun(lock) || begunHere.has(name)
          ? null
          : controller.heldBack(node, startedBut(name))
      if (held !== null) {
        say(held)
        await rest(woken, parts.lookAgainMs, clock, signal)
        continue
      }
      // Marked before anything is begun, so that a restart counts it (inner_state); together with the look above in one turn.
      begunHere.add(name)
      if (lock.innerState !== 'inactive') {
        const marked = await told(world.locks.annotateLock(targetOf(lock), { inner_state: 'inactive' }, signal), name)
        if (!marked) {
          if (!isBegun(lock)) begunHere.delete(name)
          await rest(woken, AFTER_FAILURE_MS, clock, signal)
          continue
        }
      }
      if (signal.aborted || !parts.mayAct()) return
      const progress = await controller.prepare(workOn(node, request.scope, say, signal))
      if (signal.aborted || !parts.mayAct()) return
      if (progress.kind === 'ready') {
        await say.done()
        const written = await told(
          world.locks.setLockStatus(targetOf(lock), { state: 'inactive', errorMessage: '' }, signal),
          name,
        )
        if (written) {
          log.info('a node is ready for maintenance', { node: name, scope: request.scope })
          await rest(woken, parts.lookAgainMs, clock, signal)
          return
        }
      }
      await pause(progress, say, woken, signal)
    }
  }

  async function exit(
    name: string,
    { signal, says }: { readonly signal: AbortSignal; says: (text: string) => void },
  ): Promise<void> {
    const say = speaker(name, says)
    while (!signal.aborted) {
      const woken = wake.next()
      const node = snapshot().nodes.find(candidate => candidate.name === name)
      const lock = lockOf(name)
      if (node === undefined || lock === null) return
      const progress = await controller.restore(workOn(node, 'drain', say, signal))
      if (signal.aborted || !parts.mayAct()) return
      if (progress.kind === 'ready') {
        await say.done()
        // The mark goes last: killed in between, the node is looked at again instead of being forgotten.
        const back =
          (await told(
            world.locks.setLockStatus(
              targetOf(lock),
              { state: 'active', errorMessage: '', ...(release === null ? {} : { release }) },
              signal,
            ),
            name,
          )) && (await told(world.locks.annotateLock(targetOf(lock), { inner_state: 'active' }, signal), name))
        if (back) {
          begunHere.delete(name)
          await letGo(name)
          log.info('a node is back', { node: name })
          await rest(woken, parts.lookAgainMs, clock, signal)
          return
        }
      }
      await pause(progress, say, woken, signal)
    }
  }

  async function pause(
    progress: Progress,
    say: ReturnType<typeof speaker>,
    woken: Promise<void>,
    signal: AbortSignal,
  ): Promise<void> {
    if (progress.kind === 'waiting') say(progress.message)
    await rest(woken, parts.lookAgainMs, clock, signal)
  }

  /** Lets every request go that is deleted: nothing holds it any more on our side. */
  async function letGo(name: string): Promise<void> {
    const { requests, deletion } = factsOf(name)
    for (const request of requests) {
      if (request.deletingSince === null || !request.finalizers.includes(finalizer)) continue
      await told(
        world.locks.setFinalizer(
          { kind: 'NodeMaintenanceRequest', name: request.name, uid: request.uid },
          finalizer,
          false,
        ),
        name,
      )
    }
    if (deletion?.deletingSince != null && deletion.finalizers.includes(finalizer)) {
      const { name: of, uid } = deletion
      await told(world.locks.setFinalizer({ kind: 'NodeDeletionRequest', name: of, uid }, finalizer, false), name)
    }
  }

  function workOn(
    node: ClusterNode,
    scope: NodeWork['scope'],
    say: (text: string) => void,
    signal: AbortSignal,
  ): NodeWork {
    return { node, scope, world, clock, log, signal, snapshot, say }
  }

  /** Writes what is said onto the lock, the newest only, one write at a time; the same text is not written twice. */
  function speaker(name: string, says: (text: string) => void) {
    let wanted: string | null = null
    let writing: Promise<void> | null = null
    const write = async () => {
      while (wanted !== null) {
        const text = wanted
        wanted = null
        const lock = lockOf(name)
        if (lock === null || withoutStamp(lock.errorMessage) === text || !parts.mayAct()) continue
        await told(world.locks.setLockStatus(targetOf(lock), { errorMessage: stamped(text, clock.now()) }), name)
      }
      writing = null
    }
    let last = ''
    const say = (text: string) => {
      says(text)
      if (text === last) return
      last = text
      wanted = text
      writing ??= write()
    }
    /** Nothing that was said may be written after what comes now. */
    say.done = async () => {
      wanted = null
      await writing
    }
    return say
  }

  async function told(answer: Promise<Result<unknown>>, node: string): Promise<boolean> {
    const result = await answer
    if (!result.ok && result.failure.code !== 'aborted') {
      log.warn('a maintenance object could not be written', {
        node,
        code: result.failure.code,
        why: result.failure.message,
      })
    }
    return result.ok
  }

  function begin(name: string, decision: NodeDecision): void {
    const stop = new AbortController()
    const signal = AbortSignal.any([parts.signal, stop.signal])
    const worker: Worker = {
      doing: decision.kind,
      stop,
      says: '',
      ended: Promise.resolve()
        .then(() =>
          work(name, decision, {
            signal,
            says: text => {
              if (worker.says === text) return
              worker.says = text
              parts.onActivity()
            },
          }),
        )
        .catch((error: unknown) => {
          log.error('a controller crashed on a node', { node: name, error })
          return clock.sleep(AFTER_FAILURE_MS, parts.signal)
        })
        .finally(() => {
          workers.delete(name)
          parts.onActivity()
          wake.all()
        }),
    }
    workers.set(name, worker)
    parts.onActivity()
  }

  return {
    look: () => {
      const { nodes, objects } = snapshot()
      const names = nodes.map(node => node.name)
      const meant = (nodeName: string) => nodeMeant(nodeName, names) ?? nodeName
      const all = new Set([
        ...names,
        ...objects.nodeLocks.filter(lock => lock.controller === controller.name).map(lock => meant(lock.nodeName)),
        ...objects.nodeRequests.map(request => meant(request.nodeName)),
        ...objects.deletionRequests.map(request => meant(request.nodeName)),
      ])
      for (const name of all) {
        if (name === '') continue
        const facts = factsOf(name)
        const decision = decideNode(facts)
        const worker = workers.get(name)
        if (worker !== undefined) {
          if (worker.doing !== decision.kind) worker.stop.abort()
          continue
        }
        const settled =
          decision.kind === 'enter' && facts.lock?.state === 'inactive' && facts.lock.innerState === 'inactive'
        if (decision.kind !== 'rest' && !settled) begin(name, decision)
      }
    },
    busyWith: () =>
      [...workers]
        .filter(([, worker]) => worker.doing === 'enter' || worker.doing === 'exit')
        .map(
          ([name, worker]) =>
            `${name}: ${worker.says || (worker.doing === 'enter' ? 'being prepared' : 'coming back')}`,
        ),
    ended: async () => {
      await Promise.all([...workers.values()].map(worker => worker.ended))
    },
  }
}

function targetOf(lock: NodeWorkloadLock): LockTarget {
  return { kind: 'NodeWorkloadLock', name: lock.name, uid: lock.uid }
}

/** The node as it was when its lock was made, without what changes by itself (docs/domain.md A.2). */
function originalNode(node: ClusterNode) {
  const { name, uid, labels, annotations, createdAt } = node
  return { apiVersion: 'v1', kind: 'Node', metadata: { name, uid, labels, annotations, creationTimestamp: createdAt } }
}
