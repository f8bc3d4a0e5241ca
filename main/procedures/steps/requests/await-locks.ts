import { parseLockMessage } from '../../../../shared/domain/lock-message.ts'
import type { NodeWorkloadLock } from '../../../../shared/domain/maintenance-api.ts'
import { failed } from '../../../../shared/domain/result.ts'
import { LOCK_SETTLED, LOCK_WAITING, WAITS_FOR } from '../../../../shared/domain/run-facts.ts'
import { type Fault, fault, found } from '../../../../shared/words/step-texts.ts'
import type { Finding } from '../../../../shared/words/steps/coded.ts'
import type { LockStep } from '../../../../shared/words/steps/requests-locks.ts'
import type { ApplyAnswer } from '../../../runs/engine/step.ts'
import { applied, asks, factValues, refusal } from '../../answers.ts'
import type { MaintenanceContext } from '../../node-input.ts'
import { lifeOfLock, serverNow } from './controller-life.ts'
import { lockSays, type NodeMaintenance } from './node-maintenance.ts'
import { watchNode } from './watch-node.ts'

/** Often enough that a node is not kept waiting, seldom enough for an API server. */
const LOOK_EVERY_MS = 1_000

/** A wait that does not move is told after so long: long before it becomes a question. */
export const STALL_REPORTED_AFTER_MS = 30_000

/** What is waited for, and how to say it. */
interface LockWait {
  readonly node: string
  /** The step that waits; it decides which remedy is shown. */
  readonly step: LockStep
  /** The locks that are not yet as they should be. */
  readonly open: (seen: NodeMaintenance) => readonly NodeWorkloadLock[]
  /** What else is not yet as it should be, as a phrase; null: nothing. */
  readonly more: (seen: NodeMaintenance) => Finding | null
  /** Why waiting on is in vain; null: it is not. Asked about at once. */
  readonly vain?: (seen: NodeMaintenance) => Fault | null
  /** How long a lock may be `failed` before that is asked about: its controller gave up, and waiting is in vain. */
  readonly failedForMs: number
  /** The instances that keep a controller from giving the node, with who has to act; null: nobody knows more. */
  readonly instances?: (open: readonly NodeWorkloadLock[]) => Promise<string | null>
  readonly done: (seen: NodeMaintenance) => Finding
}

/**
 * Waits until every lock of a node is as it should be. Whatever a lock says is journaled when it changes; when nothing at all has moved
 * for the cluster's `blockedAfterMs`, it becomes a question instead of spinning silently (docs/domain.md G.6).
 */
export async function awaitLocks(wait: LockWait, ctx: MaintenanceContext): Promise<ApplyAnswer> {
  const { clock, signal } = ctx
  const limitMs = ctx.world.cluster.maintenanceApi.blockedAfterMs
  const reported = new Map<string, string>()
  let movedAt = clock.monotonicMs()
  let last = ''
  let lacking: string | null = null
  /** That a lock does not move, as it was told, or null where it says itself what it waits for; forgotten when anything moves. */
  const still = new Map<string, Finding | null>()
  const look = watchNode(wait.node, ctx)
  while (!signal.aborted) {
    const askedAt = clock.monotonicMs()
    const seen = await ctx.retryTransient(`locks of ${wait.node}`, async () => (await look()) ?? STOPPED)
    if (signal.aborted) break
    if (!seen.ok) return { kind: 'failed', failure: seen.failure }
    const open = wait.open(seen.value)
    const more = wait.more(seen.value)
    // A lock that is not there says nothing itself: what is missed is told as soon as it is.
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
    // While nobody could look, nobody knows that nothing moved.
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

/** What is asked when nothing has moved for so long. */
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

/** The part of a lock that counts as movement. Controllers write the same sentence again with a later time in front of it; that is none. */
function status(lock: NodeWorkloadLock): readonly unknown[] {
  return [lock.uid, lock.state, lock.innerState, parseLockMessage(lock.errorMessage).text, lock.progress]
}

/** That a lock does not move, and what is known of who should move it; null: it says itself what it waits for. */
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
