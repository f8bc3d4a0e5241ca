import type { Workload } from '../../../../shared/domain/kubernetes.ts'
import { CONTROLLERS_LEASE } from '../../../../shared/domain/lease-name.ts'
import { isGone, type LeaseState } from '../../../../shared/domain/lease-state.ts'
import {
  ControllerName,
  MADE_BY_ANNOTATION,
  type MaintenanceObjects,
  type ObjectWriter,
} from '../../../../shared/domain/maintenance-api.ts'
import { ok, type Result } from '../../../../shared/domain/result.ts'
import type { Blocker } from '../../../../shared/domain/step-answers.ts'
import { seenWords } from '../../../../shared/words/leases.ts'
import { fault } from '../../../../shared/words/step-texts.ts'
import type {
  Answerer,
  ControllerLife,
  LifeSign,
  LockLife,
  LockWrite,
} from '../../../../shared/words/steps/requests-controllers.ts'
import { BY_FORCE, blocker } from '../../answers.ts'
import type { MaintenanceContext } from '../../node-input.ts'
import { LIVES_WITHIN_MS, watchHolder } from '../general/node-lease.ts'

/** Parts of the names of workloads that answer maintenance requests (docs/domain.md A.2, A.9). */
const ANSWERERS: Readonly<Record<ControllerName, readonly string[]>> = {
  openstack: ['rockoon', 'openstack-controller'],
  ceph: ['ceph-controller', 'ceph-maintenance', 'pelagia'],
  tungstenfabric: ['tf-operator', 'tungstenfabric-operator', 'opensdn-operator'],
  stacklight: ['stacklight-controller', 'stacklight-operator'],
}

/** A holder renews every 10 s; an older Lease is watched. */
const FRESH_MS = 12_000
/** Clocks of two machines differ; a Lease from the future proves nothing. */
const CLOCKS_DIFFER_MS = 5_000
/** The age of a write only explains: no long wait for it. */
const CLOCK_REPORTED_WITHIN_MS = 3_000

interface SignOfLife {
  readonly life: ControllerLife
  /** Why waiting for it is useless; null if it may answer. */
  readonly blocker: Blocker | null
  readonly isUnreported: boolean
}

/** The Deployments and StatefulSets of a controller, by name. */
export function answerersOf(controller: ControllerName, workloads: readonly Workload[]): readonly Workload[] {
  return workloads.filter(({ name }) => ANSWERERS[controller].some(part => name.includes(part)))
}

/** Whether Lockkeeper's own controllers made its locks. */
export function isMadeByUs(controller: string, { clusterLocks, nodeLocks }: MaintenanceObjects): boolean {
  const own = [...clusterLocks, ...nodeLocks].filter(lock => lock.controller === controller)
  return own.some(({ annotations }) => annotations[MADE_BY_ANNOTATION] !== undefined)
}

/** Signs of life of every required controller: our renewed Lease, ready pods, the last write of its locks. One old answer does not count. */
export async function signsOfLife(
  objects: MaintenanceObjects,
  ctx: MaintenanceContext,
): Promise<Result<readonly SignOfLife[]>> {
  const { cluster, kubernetes } = ctx.world
  const { controllers } = cluster.maintenanceApi
  const locks = [...objects.clusterLocks, ...objects.nodeLocks]
  // A required controller without any lock is reported where locks are counted.
  const names = ControllerName.options.filter(
    name =>
      controllers[name] === 'console' ||
      (controllers[name] === 'cluster' && locks.some(({ controller }) => controller === name)),
  )
  const [serverNowMs, holder, workloads] = await Promise.all([
    serverNow(ctx),
    controllersHolder(ctx),
    names.some(name => controllers[name] === 'cluster')
      ? kubernetes.listWorkloads(['Deployment', 'StatefulSet'], ctx.signal)
      : ok([]),
  ])
  if (!holder.ok) return holder
  if (!workloads.ok) return workloads
  return ok(
    names.map(controller => {
      const found = answerersOf(controller, workloads.value)
      const written = lastWrite(controller, objects, serverNowMs)
      if (controllers[controller] === 'console' || (found.length === 0 && isMadeByUs(controller, objects))) {
        const { sign, blocker } = byLease(controller, holder.value, ctx)
        return { life: { controller, sign, written }, blocker, isUnreported: false }
      }
      const pods = found.map(({ kind, namespace, name, readyReplicas, replicas }) => ({
        kind,
        namespace,
        name,
        ready: readyReplicas,
        replicas,
      }))
      return {
        life: { controller, sign: { by: 'pods', workloads: pods }, written },
        blocker: whyUnanswered(controller, pods, leftBehind(controller, objects, holder.value)),
        isUnreported: found.length === 0,
      }
    }),
  )
}

/** Why a controller would not answer; null if there is no sign of that. */
function whyUnanswered(
  controller: ControllerName,
  workloads: readonly Answerer[],
  left: readonly string[],
): Blocker | null {
  if (left.length > 0) return blocker(fault('LocksLeftBehind', { controller, locks: left }), BY_FORCE)
  return workloads.length === 0 || workloads.some(({ ready }) => ready > 0)
    ? null
    : blocker(fault('ControllerNotReady', { controller, workloads }), BY_FORCE)
}

/** Locks that our own controllers made and nobody handles. A controller that takes over such a lock (docs/domain.md A.1) writes its status. */
function leftBehind(
  controller: ControllerName,
  { clusterLocks, nodeLocks }: MaintenanceObjects,
  holder: LeaseState | null,
): readonly string[] {
  if (holder !== null && !isGone(holder)) return []
  const isOurs = (lock: (typeof clusterLocks)[number]) =>
    lock.controller === controller &&
    lock.annotations[MADE_BY_ANNOTATION] !== undefined &&
    // A server without managedFields tells nothing.
    lock.writers.length > 0 &&
    lock.writers.every(({ manager }) => manager.startsWith('lockkeeper'))
  return [
    ...clusterLocks.filter(isOurs).map(({ name }) => `clusterworkloadlock/${name}`),
    ...nodeLocks.filter(isOurs).map(({ name }) => `nodeworkloadlock/${name}`),
  ]
}

/** What is known about the controller of a lock that does not move. `serverNowMs` comes from {@link serverNow}. */
export async function lifeOfLock(
  lock: {
    readonly annotations: Readonly<Record<string, string>>
    readonly writers: readonly ObjectWriter[]
  },
  serverNowMs: number | null,
  ctx: MaintenanceContext,
): Promise<LockLife> {
  const [latest] = lock.writers
  const written = latest === undefined ? null : writeOf(latest, serverNowMs)
  if (lock.annotations[MADE_BY_ANNOTATION] === undefined) return { written, controllers: null }
  const holder = await ctx.world.kubernetes.leases.holder(CONTROLLERS_LEASE, ctx.signal)
  if (!holder.ok) return { written, controllers: null }
  return {
    written,
    controllers: holder.value === null ? { by: 'nobody' } : { by: 'lease', seen: seenWords(holder.value) },
  }
}

/** The holder of our controllers' Lease; null if there is nobody. */
async function controllersHolder(ctx: MaintenanceContext): Promise<Result<LeaseState | null>> {
  const seen = await ctx.world.kubernetes.leases.holder(CONTROLLERS_LEASE, ctx.signal)
  if (!seen.ok || seen.value === null || isGone(seen.value) || isFresh(seen.value, ctx)) return seen
  return watchHolder(CONTROLLERS_LEASE, ctx, LIVES_WITHIN_MS)
}

/** Whether the Lease was renewed lately, as this process saw it, else by its own time, if both clocks agree. */
function isFresh(by: LeaseState, ctx: MaintenanceContext): boolean {
  if (by.seenRenewed) return by.unchangedForMs <= LIVES_WITHIN_MS
  const ageMs = by.renewedAt === null ? Number.NaN : ctx.clock.now() - Date.parse(by.renewedAt)
  return ageMs >= -CLOCKS_DIFFER_MS && ageMs <= FRESH_MS
}

function byLease(
  controller: ControllerName,
  by: LeaseState | null,
  ctx: MaintenanceContext,
): { readonly sign: LifeSign; readonly blocker: Blocker | null } {
  const { name: cluster, maintenanceApi } = ctx.world.cluster
  const isOurs = maintenanceApi.controllers[controller] === 'console'
  if (by === null) {
    // Where the cluster must answer, a controller of an unknown name may do so.
    const why = isOurs
      ? blocker(fault('ControllersStopped', { controller, cluster }))
      : blocker(fault('ControllersGone', { controller, cluster }), BY_FORCE)
    return { sign: { by: 'nobody' }, blocker: why }
  }
  const runner = { operator: by.operator ?? by.identity, machine: by.machine }
  if (!isFresh(by, ctx) || isGone(by)) {
    const silent = {
      controller,
      cluster,
      ...runner,
      seen: seenWords(by),
      freeInMs: Math.ceil(by.freeInMs / 1000) * 1000,
    }
    return {
      sign: { by: 'silent-lease', ...runner },
      blocker: blocker(fault('ControllersSilent', silent), isOurs ? null : BY_FORCE),
    }
  }
  return { sign: { by: 'lease', ...runner, ...renewal(by, ctx) }, blocker: null }
}

/** How long ago the Lease was renewed, as this process saw it, else by its own time. */
function renewal(by: LeaseState, ctx: MaintenanceContext): { readonly renewedMs: number; readonly isSeen: boolean } {
  if (by.seenRenewed) return { renewedMs: Math.round(by.unchangedForMs), isSeen: true }
  const ageMs = by.renewedAt === null ? 0 : Math.max(0, ctx.clock.now() - Date.parse(by.renewedAt))
  return { renewedMs: ageMs, isSeen: false }
}

function lastWrite(
  controller: ControllerName,
  { clusterLocks, nodeLocks }: MaintenanceObjects,
  serverNowMs: number | null,
): LockWrite | null {
  const writes = [...clusterLocks, ...nodeLocks].flatMap(lock => (lock.controller === controller ? lock.writers : []))
  const latest = writes.reduce<ObjectWriter | null>(
    (newest, write) => (newest === null || Date.parse(write.at) > Date.parse(newest.at) ? write : newest),
    null,
  )
  return latest === null ? null : writeOf(latest, serverNowMs)
}

/** Milliseconds since the epoch by the API server, as in managedFields. Null if there is no answer within seconds. */
export async function serverNow({ world, clock, signal }: MaintenanceContext): Promise<number | null> {
  const over = new AbortController()
  const late = clock.sleep(CLOCK_REPORTED_WITHIN_MS, over.signal).then(() => null)
  const measured = await Promise.race([world.apiServerClock(AbortSignal.any([signal, over.signal])), late])
  over.abort()
  return measured === null ? null : clock.now() + measured.aheadMs
}

function writeOf({ at, manager }: ObjectWriter, serverNowMs: number | null): LockWrite {
  return { at, by: manager, agoMs: serverNowMs === null ? null : Math.max(0, serverNowMs - Date.parse(at)) }
}
