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
import { createSeenRequests, hasAnnotations, requestsAnnotation, type SeenRequests } from './still-asked.ts'
import { AFTER_FAILURE_MS, finalizerOf, isWritten, rest, type WorkerParts } from './worker-parts.ts'

interface ClusterWorker {
  look(): void
  busyWith(): readonly string[]
  ended(): Promise<void>
}

/** How often the application's health is read while a request waits for it. */
const LOOK_AGAIN_MS = 2_000

interface ClusterWorkerState {
  readonly parts: WorkerParts
  readonly finalizer: string
  readonly release: string | null
  readonly seen: SeenRequests
  running: Promise<void> | null
  /** Why the cluster is not ready, for the operator; empty while there is no reason. */
  says: string
}

/**
 * Maintains the controller's ClusterWorkloadLock: inactive once the application reports the cluster ready for a ClusterMaintenanceRequest, active again when
 * the request ends (docs/domain.md A.3, A.9; seed 003).
 */
export function createClusterWorker(parts: WorkerParts): ClusterWorker {
  const state: ClusterWorkerState = {
    parts,
    finalizer: finalizerOf(parts.controller.name),
    release: parts.world.cluster.maintenanceApi.release,
    seen: createSeenRequests('ClusterMaintenanceRequest', parts.world),
    running: null,
    says: '',
  }
  return {
    look: () => {
      if (state.running !== null || isSettled(state)) return
      state.running = workUntilSettled(state)
        .catch((error: unknown) => {
          parts.log.error('controller-crashed', { error })
          return parts.clock.sleep(AFTER_FAILURE_MS, parts.signal)
        })
        .finally(() => {
          state.running = null
          parts.onActivity()
        })
    },
    busyWith: () => (state.running === null || state.says === '' ? [] : [`cluster: ${state.says}`]),
    ended: async () => {
      await state.running
    },
  }
}

function isSettled(state: ClusterWorkerState): boolean {
  const { parts, release, finalizer } = state
  const lock = ownLock(parts)
  const { clusterRequests } = parts.snapshot().objects
  if (lock === null || clusterRequests.some(request => waitsForFinalizer(request, finalizer))) return false
  if (release !== null && lock.release !== release) return false
  const { controller, snapshot } = parts
  const progress = controller.clusterProgress === undefined ? lock.progress : controller.clusterProgress(snapshot())
  if (!isSameJson(progress, lock.progress)) return false
  const request = clusterRequests.find(each => each.deletingSince === null)
  if (request === undefined) return lock.state === 'active'
  return lock.state === 'inactive' && hasAnnotations(lock, requestAnnotation(lock, request.name))
}

function ownLock({ snapshot, controller }: WorkerParts): ClusterWorkloadLock | null {
  return snapshot().objects.clusterLocks.find(lock => lock.controller === controller.name) ?? null
}

/** A request that is being deleted, and waits for our finalizer. */
function waitsForFinalizer({ deletingSince, finalizers }: ClusterMaintenanceRequest, finalizer: string): boolean {
  return deletingSince !== null && finalizers.includes(finalizer)
}

function requestAnnotation(lock: ClusterWorkloadLock, name: string): Record<string, string> {
  return requestsAnnotation(lock, [name], lock.state === 'inactive')
}

async function workUntilSettled(state: ClusterWorkerState): Promise<void> {
  const { parts } = state
  const { clock, signal, wake, lookAgainMs } = parts
  while (!signal.aborted && !isSettled(state) && parts.mayAct()) {
    const woken = wake.next()
    const lock = ownLock(parts)
    if (parts.isCurrent() && lock !== null) {
      await followRequests(state, lock)
      await untilClusterChanges(parts)
      continue
    }
    if (parts.isCurrent()) await createLock(state)
    await rest(woken, lookAgainMs, clock, signal)
  }
  state.says = ''
}

async function createLock(state: ClusterWorkerState): Promise<void> {
  const { controller, world, signal } = state.parts
  const name = `${controller.name}-${world.cluster.name.toLowerCase().replace(/[^a-z0-9.-]/g, '-')}`
  const made = await world.locks.createClusterLock(
    { name, controller: controller.name, annotations: { [MADE_BY_ANNOTATION]: 'lockkeeper' } },
    signal,
  )
  if (made.ok) await setStatus(state, made.value, { state: 'active', ...releaseField(state) })
}

/** Node changes are no reason to read the health again: that may list thousands of pods. */
async function untilClusterChanges({ snapshot, wake, clock, signal }: WorkerParts): Promise<void> {
  const patience = new AbortController()
  const over = AbortSignal.any([signal, patience.signal])
  const before = fingerprintOf(snapshot().objects)
  const changed = async () => {
    while (!over.aborted && fingerprintOf(snapshot().objects) === before) await wake.next()
  }
  await rest(changed(), LOOK_AGAIN_MS, clock, signal)
  patience.abort()
}

async function followRequests(state: ClusterWorkerState, lock: ClusterWorkloadLock): Promise<void> {
  const { controller, snapshot } = state.parts
  const progress = controller.clusterProgress?.(snapshot())
  const fields = { ...releaseField(state), ...(progress === undefined ? {} : { inactivationProgress: progress }) }
  const { clusterRequests } = snapshot().objects
  state.seen.note('cluster', clusterRequests)
  const request = clusterRequests.find(each => each.deletingSince === null)
  return request === undefined ? endRequests(state, lock, fields) : prepareFor(state, request, lock, fields)
}

type CommonFields = Pick<LockStatusChange, 'release' | 'inactivationProgress'>

function releaseField({ release }: ClusterWorkerState): CommonFields {
  return release === null ? {} : { release }
}

/** Sets the lock active and releases the requests that end, once each of them is provably gone or being deleted. */
async function endRequests(state: ClusterWorkerState, lock: ClusterWorkloadLock, fields: CommonFields): Promise<void> {
  const { finalizer, seen } = state
  const { world, snapshot, signal } = state.parts
  const isGoing = snapshot().objects.clusterRequests.some(({ deletingSince }) => deletingSince !== null)
  const why =
    isGoing || lock.state === 'active' ? null : await seen.whyNotGone('cluster', world.cluster.name, lock, signal)
  if (!mayContinue(state.parts)) return
  if (why !== null) return sayWhy(state, because('LockStays', { why }).message)
  await setStatus(state, lock, { state: 'active', errorMessage: '', ...fields })
  for (const going of snapshot().objects.clusterRequests) {
    if (!waitsForFinalizer(going, finalizer)) continue
    const { name, uid } = going
    await world.locks.setFinalizer({ kind: 'ClusterMaintenanceRequest', name, uid }, finalizer, false, signal)
  }
}

/** Holds the request, and sets the lock inactive once the application is ready. */
async function prepareFor(
  state: ClusterWorkerState,
  request: ClusterMaintenanceRequest,
  lock: ClusterWorkloadLock,
  fields: CommonFields,
): Promise<void> {
  const { world, signal, log, clock } = state.parts
  const { name, uid } = request
  await world.locks.setFinalizer({ kind: 'ClusterMaintenanceRequest', name, uid }, state.finalizer, true, signal)
  if (!(await isRequestRecorded(state, lock, name))) return
  if (lock.state === 'inactive') return setStatus(state, lock, { state: 'inactive', ...fields })
  const waits = await whyNotReady(state, request)
  if (!mayContinue(state.parts)) return
  if (waits === null) {
    await setStatus(state, lock, { state: 'inactive', errorMessage: '', ...fields })
    log.info('cluster-ready', {})
    return
  }
  sayWhy(state, waits.message)
  const { says } = state
  const message = withoutStamp(lock.errorMessage) === says ? lock.errorMessage : stamped(says, clock.now())
  await setStatus(state, lock, { state: 'active', errorMessage: message, ...fields })
}

async function whyNotReady({ parts, release }: ClusterWorkerState, request: ClusterMaintenanceRequest) {
  const { controller, world, snapshot, signal } = parts
  if (release !== null && request.release !== null && request.release !== release)
    return because('ReleaseDiffers', { theirs: request.release, ours: release })
  return (
    (await notUpdatedYet(controller.name, request, world, signal)) ??
    (await controller.clusterWaits(world, snapshot(), signal))
  )
}

/** Whether a write after a wait may still follow from what was read before. */
function mayContinue({ signal, mayAct, isCurrent }: WorkerParts): boolean {
  return !signal.aborted && mayAct() && isCurrent()
}

function sayWhy(state: ClusterWorkerState, message: string): void {
  state.says = message
  state.parts.onActivity()
}

/** Records the lock's request before its state changes, for a later process. */
async function isRequestRecorded(
  { parts }: ClusterWorkerState,
  lock: ClusterWorkloadLock,
  name: string,
): Promise<boolean> {
  const note = requestAnnotation(lock, name)
  if (hasAnnotations(lock, note)) return true
  return isWritten(parts.world.locks.annotateLock(clusterLockTarget(lock), note, parts.signal), lock.name, parts.log)
}

async function setStatus(
  { parts }: ClusterWorkerState,
  lock: ClusterWorkloadLock,
  change: LockStatusChange,
): Promise<void> {
  const written = await parts.world.locks.setLockStatus(clusterLockTarget(lock), change, parts.signal)
  if (!written.ok && written.failure.code !== 'aborted') {
    parts.log.warn('cluster-lock-unwritten', { lock: lock.name, code: written.failure.code })
  }
}

function clusterLockTarget({ name, uid }: ClusterWorkloadLock): LockTarget {
  return { kind: 'ClusterWorkloadLock', name, uid }
}

/** The cluster objects that a decision depends on, without messages. */
function fingerprintOf({ clusterRequests, clusterLocks }: MaintenanceObjects): string {
  return JSON.stringify([
    clusterRequests.map(({ uid, deletingSince, release }) => [uid, deletingSince, release]),
    clusterLocks.map(({ uid, state, release }) => [uid, state, release]),
  ])
}
