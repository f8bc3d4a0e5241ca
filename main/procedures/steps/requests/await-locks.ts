import type { ClusterNode } from '../../../../shared/domain/kubernetes.ts'
import { parseLockMessage } from '../../../../shared/domain/lock-message.ts'
import type { MaintenanceObjects, NodeWorkloadLock } from '../../../../shared/domain/maintenance-api.ts'
import { failed, type Result } from '../../../../shared/domain/result.ts'
import { LOCK_SETTLED, LOCK_WAITING, WAITS_FOR } from '../../../../shared/domain/run-facts.ts'
import { type Fault, fault, found } from '../../../../shared/words/step-texts.ts'
import type { Finding } from '../../../../shared/words/steps/coded.ts'
import type { LockStep } from '../../../../shared/words/steps/requests-locks.ts'
import type { MaintenanceApiPort } from '../../../ports/maintenance-api.ts'
import type { ApplyAnswer } from '../../../runs/engine/step.ts'
import { applied, asks, factValues, refusal } from '../../answers.ts'
import type { MaintenanceContext } from '../../node-input.ts'
import { lifeOfLock, serverNow } from './controller-life.ts'
import { lockSays, maintenanceOf, type NodeMaintenance } from './node-maintenance.ts'

const LOOK_EVERY_MS = 1_000

/** A lock without movement is reported long before it becomes a question. */
export const STALL_REPORTED_AFTER_MS = 30_000

interface LockWait {
  readonly node: string
  readonly step: LockStep
  readonly open: (seen: NodeMaintenance) => readonly NodeWorkloadLock[]
  /** Returns a phrase; null if nothing else is missing. */
  readonly more: (seen: NodeMaintenance) => Finding | null
  /** Asks at once. Null if waiting may help. */
  readonly vain?: (seen: NodeMaintenance) => Fault | null
  /** A controller whose lock is `failed` for longer gave up: ask. */
  readonly failedForMs: number
  /** Instances that block a controller, and who must act; null if unknown. */
  readonly instances?: (open: readonly NodeWorkloadLock[]) => Promise<string | null>
  readonly done: (seen: NodeMaintenance) => Finding
}

/** Journals each change of a lock, and asks after the cluster's `blockedAfterMs` without movement (docs/domain.md G.6). */
export async function awaitLocks(wait: LockWait, ctx: MaintenanceContext): Promise<ApplyAnswer> {
  const { clock, signal } = ctx
  const limitMs = ctx.world.cluster.maintenanceApi.blockedAfterMs
  const reported = new Map<string, string>()
  let movedAt = clock.monotonicMs()
  let last = ''
  let lacking: string | null = null
  /** Null if the lock itself names the reason. Cleared when anything moves. */
  const still = new Map<string, Finding | null>()
  const look = watchNode(wait.node, ctx)
  while (!signal.aborted) {
    const askedAt = clock.monotonicMs()
    const seen = await ctx.retryTransient(`locks of ${wait.node}`, async () => (await look()) ?? STOPPED)
    if (signal.aborted) break
    if (!seen.ok) return { kind: 'failed', failure: seen.failure }
    const open = wait.open(seen.value)
    const more = wait.more(seen.value)
    // A missing lock reports nothing itself.
    const key = more === null ? null : JSON.stringify([more.code, more.values])
    if (key !== lacking)
      ctx.report(WAITS_FOR, `node/${wait.node}`, more === null ? { what: null } : factValues('what', more))
    lacking = key
    for (const lock of seen.value.locks)
      report(lock, { isOpen: open.includes(lock), still: still.get(lock.uid) ?? null }, reported, ctx)
    if (open.length === 0 && more === null) return applied(wait.done(seen.value))
    const vain = wait.vain?.(seen.value) ?? null
    if (vain !== null) return asks(vain, ['retry', 'abort'])
    const now = JSON.stringify([key, seen.value.locks.map(status)])
    // Time without an answer does not count as time without movement.
    movedAt = now === last ? movedAt + (clock.monotonicMs() - askedAt) : clock.monotonicMs()
    if (now !== last) still.clear()
    last = now
    const gaveUp = open.filter(({ state }) => state === 'failed').map(lockSays)
    if (gaveUp.length > 0 && clock.monotonicMs() - movedAt >= wait.failedForMs) {
      const { step, node } = wait
      return asks(fault('NodeControllersGaveUp', { step, node, locks: gaveUp }), ['retry', 'skip', 'abort'])
    }
    if (open.length > 0 && still.size === 0 && clock.monotonicMs() - movedAt >= STALL_REPORTED_AFTER_MS) {
      const serverNowMs = await serverNow(ctx)
      for (const lock of open) still.set(lock.uid, await notMoving(lock, serverNowMs, ctx))
    }
    if (clock.monotonicMs() - movedAt >= limitMs) {
      return asks(await quietOf(wait, { open, more, forMs: limitMs }), ['retry', 'skip', 'abort'])
    }
    await clock.sleep(LOOK_EVERY_MS, signal)
  }
  return { kind: 'stopped' }
}

const STOPPED = failed(refusal('aborted', fault('StoppedAtLocks')))

async function quietOf(
  { step, node, instances }: LockWait,
  {
    open,
    more,
    forMs,
  }: { readonly open: readonly NodeWorkloadLock[]; readonly more: Finding | null; readonly forMs: number },
): Promise<Fault> {
  return fault('NodeLocksDoNotMove', {
    step,
    node,
    forMs,
    locks: open.map(lockSays),
    more,
    instances: (await instances?.(open)) ?? null,
  })
}

/** What counts as movement: not the later time that controllers put before the same sentence. */
function status(lock: NodeWorkloadLock): readonly unknown[] {
  return [lock.uid, lock.state, lock.innerState, parseLockMessage(lock.errorMessage).text, lock.progress]
}

/** What is known about the controller of a lock that does not move; null if the lock itself says it. */
async function notMoving(
  lock: NodeWorkloadLock,
  serverNowMs: number | null,
  ctx: MaintenanceContext,
): Promise<Finding | null> {
  const { kind, text: says } = parseLockMessage(lock.errorMessage)
  if (kind === 'blocked') return null
  const life = await lifeOfLock(lock, serverNowMs, ctx)
  return found('LockDoesNotMove', { says, forMs: STALL_REPORTED_AFTER_MS, life })
}

function report(
  lock: NodeWorkloadLock,
  { isOpen, still }: { readonly isOpen: boolean; readonly still: Finding | null },
  reported: Map<string, string>,
  ctx: MaintenanceContext,
): void {
  const message = parseLockMessage(lock.errorMessage)
  const isSilent = isOpen && still !== null && message.text === ''
  const values = {
    controller: lock.controller,
    state: lock.state,
    ...(isOpen && still !== null
      ? { message: still.message, kind: 'blocked', code: still.code, of: still.values }
      : { message: message.text, kind: message.kind }),
    ...(isSilent ? { isSilent } : {}),
  }
  const now = JSON.stringify([isOpen, values])
  if (reported.get(lock.uid) === now) return
  reported.set(lock.uid, now)
  ctx.report(isOpen ? LOCK_WAITING : LOCK_SETTLED, `lock/${lock.name}`, { name: lock.controller, ...values })
}

/** A read by another node's wait may be this old. */
const SHARED_MS = 500

interface Look {
  readonly at: number
  readonly objects: Promise<Result<MaintenanceObjects>>
}

const looks = new WeakMap<MaintenanceApiPort, Look>()

/** Nodes of an update that wait together share their reads: a full list per node and second would overload an API server. Null if the run stops. */
function watchNode(node: string, ctx: MaintenanceContext): () => Promise<Result<NodeMaintenance> | null> {
  const { clock, signal, world } = ctx
  const { maintenanceApi, kubernetes } = world
  // An older read may not show this run's latest request.
  const since = clock.monotonicMs()
  const stopped = new Promise<null>(resolve => signal.addEventListener('abort', () => resolve(null), { once: true }))
  let all: readonly ClusterNode[] | null = null

  async function read(): Promise<Result<NodeMaintenance>> {
    if (all === null) {
      const nodes = await kubernetes.listNodes(signal)
      if (!nodes.ok) return nodes
      all = nodes.value
    }
    const last = looks.get(maintenanceApi)
    const now = clock.monotonicMs()
    const look =
      last !== undefined && last.at > since && now - last.at < SHARED_MS
        ? last
        : // Other waits share it, so it does not end with this run.
          { at: now, objects: maintenanceApi.objects() }
    looks.set(maintenanceApi, look)
    const objects = await look.objects
    if (!objects.ok) return objects
    const found = maintenanceOf(node, all, objects.value, world.cluster)
    // A list without the node is read again.
    if (!found.ok) all = null
    return found
  }

  return () => (signal.aborted ? Promise.resolve(null) : Promise.race([read(), stopped]))
}
