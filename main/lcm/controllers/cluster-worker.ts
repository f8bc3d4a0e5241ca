import { isSameJson } from '../../../shared/domain/is-same-json.ts'
import {
  type ClusterMaintenanceRequest,
  type ClusterWorkloadLock,
  MADE_BY_ANNOTATION,
  type MaintenanceObjects,
} from '../../../shared/domain/maintenance-api.ts'
import { because } from '../../../shared/words/reasons.ts'
import type { LockStatusChange, LockTarget } from '../../ports/maintenance-api.ts'
import { notUpdatedYet } from './applications-first.ts'
import { stamped, withoutStamp } from './lock-message.ts'
import { createSeenRequests, isSaidOn, requestsNote } from './still-asked.ts'
import { finalizerOf, isWritten, rest, type WorkerParts } from './worker-parts.ts'

interface ClusterWorker {
  look(): void
  busyWith(): readonly string[]
  ended(): Promise<void>
}

/** How often the application's health is read while a request waits for it. */
const LOOK_AGAIN_MS = 2_000

/**
 * Maintains the controller's ClusterWorkloadLock and follows ClusterMaintenanceRequests: inactive once the application reports the cluster ready, active again
 * when the request ends (docs/domain.md A.3, A.9; seed 003, phase 2 and 5).
 */
export function createClusterWorker(parts: WorkerParts): ClusterWorker {
  const { controller, world, clock, log, snapshot, wake, signal } = parts
  const finalizer = finalizerOf(controller.name)
  const { release } = world.cluster.maintenanceApi
  const seen = createSeenRequests('ClusterMaintenanceRequest', world)
  let running: Promise<void> | null = null
  let says = ''

  const lockNow = (): ClusterWorkloadLock | null =>
    snapshot().objects.clusterLocks.find(lock => lock.controller === controller.name) ?? null
  const live = (): ClusterMaintenanceRequest | undefined =>
    snapshot().objects.clusterRequests.find(request => request.deletingSince === null)

  function isAtRest(): boolean {
    const lock = lockNow()
    const going = snapshot().objects.clusterRequests.some(
      request => request.deletingSince !== null && request.finalizers.includes(finalizer),
    )
    if (lock === null || going) return false
    if (release !== null && lock.release !== release) return false
    if (!isSameJson(progressWanted(), lock.progress)) return false
    const request = live()
    if (request === undefined) return lock.state === 'active'
    return lock.state === 'inactive' && isSaidOn(lock, noteFor(lock, request.name))
  }

  const noteFor = (lock: ClusterWorkloadLock, name: string) => requestsNote(lock, [name], lock.state === 'inactive')

  function progressWanted() {
    return controller.clusterProgress === undefined
      ? (lockNow()?.progress ?? null)
      : controller.clusterProgress(snapshot())
  }

  async function go(): Promise<void> {
    while (!signal.aborted && !isAtRest() && parts.mayAct()) {
      const woken = wake.next()
      if (!parts.isCurrent()) {
        await rest(woken, parts.lookAgainMs, clock, signal)
        continue
      }
      const lock = lockNow()
      if (lock === null) {
        const name = `${controller.name}-${world.cluster.name.toLowerCase().replace(/[^a-z0-9.-]/g, '-')}`
        const made = await world.locks.createClusterLock(
          { name, controller: controller.name, annotations: { [MADE_BY_ANNOTATION]: 'lockkeeper' } },
          signal,
        )
        if (made.ok) await set(made.value, { state: 'active', ...(release === null ? {} : { release }) })
        await rest(woken, parts.lookAgainMs, clock, signal)
        continue
      }
      await step(lock)
      await untilClusterChanges()
    }
    says = ''
  }

  /** Node changes are no reason to read the health again: that may list thousands of pods. */
  async function untilClusterChanges(): Promise<void> {
    const patience = new AbortController()
    const over = AbortSignal.any([signal, patience.signal])
    const before = fingerprintOf(snapshot().objects)
    const changed = async () => {
      while (!over.aborted && fingerprintOf(snapshot().objects) === before) await wake.next()
    }
    await rest(changed(), LOOK_AGAIN_MS, clock, signal)
    patience.abort()
  }

  async function step(lock: ClusterWorkloadLock): Promise<void> {
    const request = live()
    const progress = controller.clusterProgress?.(snapshot())
    const statusChange: Pick<LockStatusChange, 'release' | 'inactivationProgress'> = {
      ...(release === null ? {} : { release }),
      ...(progress === undefined ? {} : { inactivationProgress: progress }),
    }
    const { clusterRequests } = snapshot().objects
    seen.note('cluster', clusterRequests)
    if (request === undefined) {
      const isGoing = clusterRequests.some(({ deletingSince }) => deletingSince !== null)
      const why =
        isGoing || lock.state === 'active' ? null : await seen.whyNotGone('cluster', world.cluster.name, lock, signal)
      if (signal.aborted || !parts.mayAct() || !parts.isCurrent()) return
      if (why !== null) {
        says = because('LockStays', { why }).message
        parts.onActivity()
        return
      }
      await set(lock, { state: 'active', errorMessage: '', ...statusChange })
      for (const going of snapshot().objects.clusterRequests) {
        if (going.deletingSince === null || !going.finalizers.includes(finalizer)) continue
        const { name, uid } = going
        await world.locks.setFinalizer({ kind: 'ClusterMaintenanceRequest', name, uid }, finalizer, false, signal)
      }
      return
    }
    const { name, uid } = request
    await world.locks.setFinalizer({ kind: 'ClusterMaintenanceRequest', name, uid }, finalizer, true, signal)
    if (!(await isNoted(lock, name))) return
    if (lock.state === 'inactive') {
      await set(lock, { state: 'inactive', ...statusChange })
      return
    }
    const waits =
      release !== null && request.release !== null && request.release !== release
        ? because('ReleaseDiffers', { theirs: request.release, ours: release })
        : ((await notUpdatedYet(controller.name, request, world, signal)) ??
          (await controller.clusterWaits(world, snapshot(), signal)))
    if (signal.aborted || !parts.mayAct() || !parts.isCurrent()) return
    if (waits === null) {
      await set(lock, { state: 'inactive', errorMessage: '', ...statusChange })
      log.info('cluster-ready', {})
      return
    }
    says = waits.message
    parts.onActivity()
    const message = withoutStamp(lock.errorMessage) === says ? lock.errorMessage : stamped(says, clock.now())
    await set(lock, { state: 'active', errorMessage: message, ...statusChange })
  }

  /** Records the lock's request before its state changes, for a later process. */
  async function isNoted(lock: ClusterWorkloadLock, name: string): Promise<boolean> {
    const note = noteFor(lock, name)
    if (isSaidOn(lock, note)) return true
    const target: LockTarget = { kind: 'ClusterWorkloadLock', name: lock.name, uid: lock.uid }
    return isWritten(world.locks.annotateLock(target, note, signal), lock.name, log)
  }

  async function set(lock: ClusterWorkloadLock, change: LockStatusChange): Promise<void> {
    const target: LockTarget = { kind: 'ClusterWorkloadLock', name: lock.name, uid: lock.uid }
    const written = await world.locks.setLockStatus(target, change, signal)
    if (!written.ok && written.failure.code !== 'aborted') {
      log.warn('cluster-lock-unwritten', { lock: lock.name, code: written.failure.code })
    }
  }

  return {
    look: () => {
      if (running !== null || isAtRest()) return
      running = go()
        .catch((error: unknown) => {
          log.error('controller-crashed', { error })
          return clock.sleep(2_000, signal)
        })
        .finally(() => {
          running = null
          parts.onActivity()
        })
    },
    busyWith: () => (running === null || says === '' ? [] : [`cluster: ${says}`]),
    ended: async () => {
      await running
    },
  }
}

/** The cluster objects that a decision depends on, without messages. */
function fingerprintOf({ clusterRequests, clusterLocks }: MaintenanceObjects): string {
  return JSON.stringify([
    clusterRequests.map(({ uid, deletingSince, release }) => [uid, deletingSince, release]),
    clusterLocks.map(({ uid, state, release }) => [uid, state, release]),
  ])
}
