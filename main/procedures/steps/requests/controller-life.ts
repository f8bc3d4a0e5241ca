import type { Workload } from '../../../../shared/domain/kubernetes.ts'
import { CONTROLLERS_LEASE } from '../../../../shared/domain/lease-name.ts'
import { isGone, type LeaseStanding } from '../../../../shared/domain/lease-standing.ts'
import {
  ControllerName,
  MADE_BY_ANNOTATION,
  type MaintenanceObjects,
  type ObjectWriter,
} from '../../../../shared/domain/maintenance-api.ts'
import type { Blocker, OverrideRule } from '../../../../shared/domain/plan.ts'
import { ok, type Result } from '../../../../shared/domain/result.ts'
import { someOf } from '../../../../shared/grammar/counts.ts'
import { ageWords, atMostWords } from '../../../../shared/grammar/durations.ts'
import { BY_FORCE } from '../../answers.ts'
import type { MaintenanceContext } from '../../node-input.ts'
import { LIVES_WITHIN_MS, seenWords, watchHolder } from '../general/node-lease.ts'

/** Workloads that answer maintenance requests in a cluster, by what their names hold (docs/domain.md A.2, A.9). */
const ANSWERERS: Readonly<Record<ControllerName, readonly string[]>> = {
  openstack: ['rockoon', 'openstack-controller'],
  ceph: ['ceph-controller', 'ceph-maintenance', 'pelagia'],
  tungstenfabric: ['tf-operator', 'tungstenfabric-operator', 'opensdn-operator'],
  stacklight: ['stacklight-controller', 'stacklight-operator'],
}

/** A holder renews every 10 s; a Lease that is older is watched. */
const FRESH_MS = 12_000
/** Clocks of two machines differ by a little; a Lease of the future proves nothing. */
const CLOCKS_DIFFER_MS = 5_000
/** How old a write is only explains: nobody waits long for it. */
const CLOCK_TOLD_WITHIN_MS = 3_000

/** What tells that one controller lives, or does not. */
interface SignOfLife {
  readonly controller: ControllerName
  /** In words, with how old it is: `openstack: Deployment osh-system/rockoon has 1 of 1 replicas ready; it wrote a lock 4 min ago`. */
  readonly text: string
  /** Why a request would be waited for in vain; null: nothing says so. */
  readonly blocker: Blocker | null
  /** Nothing tells either way. */
  readonly isUntold: boolean
}

/** Deployments and StatefulSets of a controller, as far as their names tell. */
export function answerersOf(controller: ControllerName, workloads: readonly Workload[]): readonly Workload[] {
  return workloads.filter(({ name }) => ANSWERERS[controller].some(part => name.includes(part)))
}

/** Whether locks of this controller were made by Lockkeeper's own controllers. */
export function isMadeByUs(controller: string, { clusterLocks, nodeLocks }: MaintenanceObjects): boolean {
  const own = [...clusterLocks, ...nodeLocks].filter(lock => lock.controller === controller)
  return own.some(({ annotations }) => annotations[MADE_BY_ANNOTATION] !== undefined)
}

/**
 * Asks for a sign of life of every controller that is to answer: the Lease under which our controllers run, seen renewed; the readiness of
 * the others' pods; and when their locks were last written. One answer of the past is no sign.
 */
export async function signsOfLife(
  objects: MaintenanceObjects,
  ctx: MaintenanceContext,
): Promise<Result<readonly SignOfLife[]>> {
  const { cluster, kubernetes } = ctx.world
  const { controllers } = cluster.maintenanceApi
  const locks = [...objects.clusterLocks, ...objects.nodeLocks]
  // Who is to answer in the cluster and holds no lock at all is told where locks are counted.
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
      const written = `its locks were ${lastWrite(controller, objects, serverNowMs)}`
      if (controllers[controller] === 'console' || (found.length === 0 && isMadeByUs(controller, objects))) {
        const { text, blocker } = byLease(controller, holder.value, ctx)
        return { controller, text: `${controller}: ${text}; ${written}`, blocker, isUntold: false }
      }
      const ready = found.filter(({ readyReplicas }) => readyReplicas > 0)
      const pods = someOf(
        found.map(
          ({ kind, namespace, name, readyReplicas, replicas }) =>
            `${kind} ${namespace}/${name} has ${readyReplicas} of ${replicas} replicas ready`,
        ),
      )
      const left = leftBehind(controller, objects, holder.value)
      const blocker: Blocker | null =
        left.length > 0
          ? leftBlocker(controller, left)
          : found.length === 0 || ready.length > 0
            ? null
            : {
                code: 'controller-not-ready',
                message: `No pod of the ${controller} controller is ready: ${pods}.`,
                remedy: 'Bring the controller back first: nobody would answer the request.',
                override: BY_FORCE,
              }
      return {
        controller,
        text: `${controller}: ${found.length === 0 ? 'no known controller was found' : pods}; ${written}`,
        blocker,
        isUntold: found.length === 0,
      }
    }),
  )
}

/**
 * Locks that our own controllers made and nobody answers: ours do not run, and no other controller has written them since. One that takes
 * a lock of the same name over (Rockoon, docs/domain.md A.1) writes its status.
 */
function leftBehind(
  controller: ControllerName,
  { clusterLocks, nodeLocks }: MaintenanceObjects,
  holder: LeaseStanding | null,
): readonly string[] {
  if (holder !== null && !isGone(holder)) return []
  const isOurs = (lock: (typeof clusterLocks)[number]) =>
    lock.controller === controller &&
    lock.annotations[MADE_BY_ANNOTATION] !== undefined &&
    // A server that keeps no writers tells nothing.
    lock.writers.length > 0 &&
    lock.writers.every(({ manager }) => manager.startsWith('lockkeeper'))
  return [
    ...clusterLocks.filter(isOurs).map(({ name }) => `clusterworkloadlock/${name}`),
    ...nodeLocks.filter(isOurs).map(({ name }) => `nodeworkloadlock/${name}`),
  ]
}

function leftBlocker(controller: ControllerName, left: readonly string[]): Blocker {
  return {
    code: 'locks-left-behind',
    message: `${someOf(left)} ${left.length === 1 ? 'was' : 'were'} made by Lockkeeper's own controllers (${MADE_BY_ANNOTATION}), which do not answer for ${controller} any more, and its controller in the cluster has not taken over: nobody would ever make ${left.length === 1 ? 'it' : 'them'} inactive.`,
    remedy: `While no maintenance is under way, delete what they left: \`kubectl delete ${left.slice(0, 5).join(' ')}\`${left.length > 5 ? ' and the others' : ''}; the controller makes locks of its own.`,
    override: BY_FORCE,
  }
}

/** What is known of who should move a lock, after it stood still: a sentence without its full stop. `serverNowMs` as {@link serverNow} told it. */
export async function whyStill(
  lock: {
    readonly controller: string
    readonly annotations: Readonly<Record<string, string>>
    readonly writers: readonly ObjectWriter[]
  },
  serverNowMs: number | null,
  ctx: MaintenanceContext,
): Promise<string> {
  const [latest] = lock.writers
  const written = latest === undefined ? null : `last written ${writeWords(latest, serverNowMs)}`
  const holder =
    lock.annotations[MADE_BY_ANNOTATION] === undefined
      ? null
      : await ctx.world.kubernetes.leases.holder(CONTROLLERS_LEASE, ctx.signal)
  const life =
    holder === null || !holder.ok
      ? null
      : holder.value === null
        ? "nobody runs Lockkeeper's controllers"
        : `the Lease of its controllers: ${seenWords(holder.value).replace(/\.$/, '')}`
  return [written, life].filter(part => part !== null).join('; ')
}

/** Who runs our controllers, watched where its last sign is old; null: nobody does. */
async function controllersHolder(ctx: MaintenanceContext): Promise<Result<LeaseStanding | null>> {
  const seen = await ctx.world.kubernetes.leases.holder(CONTROLLERS_LEASE, ctx.signal)
  if (!seen.ok || seen.value === null || isGone(seen.value) || isFresh(seen.value, ctx)) return seen
  return watchHolder(CONTROLLERS_LEASE, ctx, LIVES_WITHIN_MS)
}

/** Whether it was renewed lately: as this process saw it, else by the time in it, which two clocks that agree vouch for. */
function isFresh(by: LeaseStanding, ctx: MaintenanceContext): boolean {
  if (by.seenRenewed) return by.unchangedForMs <= LIVES_WITHIN_MS
  const ageMs = by.renewedAt === null ? Number.NaN : ctx.clock.now() - Date.parse(by.renewedAt)
  return ageMs >= -CLOCKS_DIFFER_MS && ageMs <= FRESH_MS
}

function byLease(
  controller: ControllerName,
  by: LeaseStanding | null,
  ctx: MaintenanceContext,
): { readonly text: string; readonly blocker: Blocker | null } {
  const { name, maintenanceApi } = ctx.world.cluster
  const isOurs = maintenanceApi.controllers[controller] === 'console'
  // Where the cluster is to answer, a controller of a name that nobody knows may do it.
  const override: OverrideRule = isOurs ? { kind: 'never', why: 'nobody would answer the request' } : BY_FORCE
  const remedy = `Start them: \`lockkeeper controllers run ${name}\`, or the button on the cluster's Update screen.`
  if (by === null) {
    const message = isOurs
      ? `Lockkeeper's own controllers are to answer for ${controller}, and nobody runs them now.`
      : `The cluster is to answer for ${controller}, but the locks there were made by Lockkeeper's own controllers, which nobody runs, and no known controller of ${controller} was found.`
    return { text: 'nobody runs its controllers', blocker: { code: 'controllers-stopped', message, remedy, override } }
  }
  const who = `${by.operator ?? by.identity} on ${by.machine ?? 'another machine'}`
  if (!isFresh(by, ctx) || isGone(by)) {
    const message = `The controllers that answer for ${controller} are run by ${who}, and give no sign of life. ${seenWords(by)}`
    return {
      text: `its controllers are run by ${who} and are silent`,
      blocker: {
        code: 'controllers-silent',
        message,
        remedy: `Look after that process. When its Lease has run out (in ${atMostWords(by.freeInMs)}) another one may take over: \`lockkeeper controllers run ${name}\`.`,
        override,
      },
    }
  }
  return {
    text: `its controllers are run by ${who}, whose Lease was ${renewedWords(by, ctx)}`,
    blocker: null,
  }
}

function renewedWords(by: LeaseStanding, ctx: MaintenanceContext): string {
  if (by.seenRenewed) return `seen to be renewed ${ageWords(by.unchangedForMs)} ago`
  const ageMs = by.renewedAt === null ? 0 : Math.max(0, ctx.clock.now() - Date.parse(by.renewedAt))
  return `renewed ${ageWords(ageMs)} ago by its own clock`
}

function lastWrite(
  controller: ControllerName,
  { clusterLocks, nodeLocks }: MaintenanceObjects,
  serverNowMs: number | null,
): string {
  const writes = [...clusterLocks, ...nodeLocks].flatMap(lock => (lock.controller === controller ? lock.writers : []))
  const latest = writes.reduce<ObjectWriter | null>(
    (newest, write) => (newest === null || Date.parse(write.at) > Date.parse(newest.at) ? write : newest),
    null,
  )
  return latest === null ? 'written nobody knows when' : `last written ${writeWords(latest, serverNowMs)}`
}

/** What the API server's clock says now, in milliseconds since the epoch: managedFields are of it. Null: it did not tell within a few seconds. */
export async function serverNow({ world, clock, signal }: MaintenanceContext): Promise<number | null> {
  const over = new AbortController()
  const late = clock.sleep(CLOCK_TOLD_WITHIN_MS, over.signal).then(() => null)
  const measured = await Promise.race([world.apiServerClock(AbortSignal.any([signal, over.signal])), late])
  over.abort()
  return measured === null ? null : clock.now() + measured.aheadMs
}

/** `4 min ago by rockoon`, on the API server's clock; where that is not known, the time as it was written. */
function writeWords({ at, manager }: ObjectWriter, serverNowMs: number | null): string {
  const who = manager || 'an unnamed manager'
  return serverNowMs === null
    ? `at ${at} by ${who}`
    : `${ageWords(Math.max(0, serverNowMs - Date.parse(at)))} ago by ${who}`
}
