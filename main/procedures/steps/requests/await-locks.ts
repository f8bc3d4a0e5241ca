import { failure } from '../../../../shared/domain/failure.ts'
import { parseLockMessage } from '../../../../shared/domain/lock-message.ts'
import type { NodeWorkloadLock } from '../../../../shared/domain/maintenance-api.ts'
import { failed } from '../../../../shared/domain/result.ts'
import { LOCK_SETTLED, LOCK_WAITING, WAITS_FOR } from '../../../../shared/domain/run-facts.ts'
import { someOf } from '../../../../shared/grammar/counts.ts'
import { durationWords } from '../../../../shared/grammar/durations.ts'
import type { ApplyAnswer } from '../../../runs/engine/step.ts'
import type { MaintenanceContext } from '../../node-input.ts'
import { serverNow, whyStill } from './controller-life.ts'
import type { NodeMaintenance } from './node-maintenance.ts'
import { watchNode } from './watch-node.ts'

/** Often enough that a node is not kept waiting, seldom enough for an API server. */
const LOOK_EVERY_MS = 1_000

/** A wait that does not move is told after so long: long before it becomes a question. */
export const TOLD_STILL_AFTER_MS = 30_000

/** What is waited for, and how to say it. */
interface LockWait {
  readonly node: string
  /** The locks that are not yet as they should be. */
  readonly open: (found: NodeMaintenance) => readonly NodeWorkloadLock[]
  /** What else is not yet as it should be, in words; null: nothing. */
  readonly more: (found: NodeMaintenance) => string | null
  /** Why waiting on is in vain, in words; null: it is not. Asked about at once. */
  readonly vain?: (found: NodeMaintenance) => string | null
  /** How long a lock may be `failed` before that is asked about: its controller gave up, and waiting is in vain. */
  readonly failedForMs: number
  /** What an operator can do, for the question after too long a silence. */
  readonly remedy: string
  /** Who has to act, named, for the same question; null: nobody knows more. */
  readonly detail?: (open: readonly NodeWorkloadLock[]) => Promise<string | null>
  readonly done: (found: NodeMaintenance) => string
}

/**
 * Waits until every lock of a node is as it should be. Whatever a lock says is journaled when it changes; when nothing at all has moved
 * for the cluster's `blockedAfterMs`, it becomes a question instead of spinning silently (docs/domain.md G.6).
 */
export async function awaitLocks(wait: LockWait, ctx: MaintenanceContext): Promise<ApplyAnswer> {
  const { clock, signal } = ctx
  const limitMs = ctx.world.cluster.maintenanceApi.blockedAfterMs
  const said = new Map<string, string>()
  let movedAt = clock.monotonicMs()
  let last = ''
  let told: string | null = null
  /** Why a lock stands still, as it was told; forgotten when anything moves. */
  const still = new Map<string, string>()
  const look = watchNode(wait.node, ctx)
  while (!signal.aborted) {
    const askedAt = clock.monotonicMs()
    const found = await ctx.outlast(`locks of ${wait.node}`, async () => (await look()) ?? STOPPED)
    if (signal.aborted) break
    if (!found.ok) return { kind: 'failed', failure: found.failure }
    const open = wait.open(found.value)
    const more = wait.more(found.value)
    // A lock that is not there says nothing itself: what is missed is told as soon as it is.
    if (more !== told) ctx.report(WAITS_FOR, `node/${wait.node}`, { what: more })
    told = more
    for (const lock of found.value.locks)
      tell(lock, { isOpen: open.includes(lock), still: still.get(lock.uid) }, said, ctx)
    if (open.length === 0 && more === null) return { kind: 'applied', note: wait.done(found.value) }
    const vain = wait.vain?.(found.value) ?? null
    if (vain !== null) return { kind: 'question', question: vain, choices: ['retry', 'abort'] }
    const now = JSON.stringify([more, found.value.locks.map(standing)])
    // While nobody could look, nobody knows that nothing moved.
    movedAt = now === last ? movedAt + (clock.monotonicMs() - askedAt) : clock.monotonicMs()
    if (now !== last) still.clear()
    last = now
    const gaveUp = open.filter(({ state }) => state === 'failed').map(lock => gaveUpText(lock, wait.node))
    if (gaveUp.length > 0 && clock.monotonicMs() - movedAt >= wait.failedForMs) {
      return { kind: 'question', question: [...gaveUp, wait.remedy].join(' '), choices: ['retry', 'skip', 'abort'] }
    }
    if (open.length > 0 && still.size === 0 && clock.monotonicMs() - movedAt >= TOLD_STILL_AFTER_MS) {
      const serverNowMs = await serverNow(ctx)
      for (const lock of open) still.set(lock.uid, await stillWords(lock, serverNowMs, ctx))
    }
    if (clock.monotonicMs() - movedAt >= limitMs) {
      const why = [...open.map(sayingOf), ...(more === null ? [] : [more])]
      const detail = (await wait.detail?.(open)) ?? null
      return {
        kind: 'question',
        question: [
          `Nothing has moved on ${wait.node} for ${durationWords(limitMs)}.`,
          `${someOf(why).replace(/\.$/, '')}.`,
          ...(detail === null ? [] : [detail]),
          wait.remedy,
        ].join(' '),
        choices: ['retry', 'skip', 'abort'],
      }
    }
    await clock.sleep(LOOK_EVERY_MS, signal)
  }
  return { kind: 'stopped' }
}

const STOPPED = failed(failure('aborted', 'The run stopped while it looked at the locks.'))

/** The part of a lock that counts as movement. Controllers write the same sentence again with a later time in front of it; that is none. */
function standing(lock: NodeWorkloadLock): readonly unknown[] {
  return [lock.uid, lock.state, lock.innerState, parseLockMessage(lock.errorMessage).text, lock.progress]
}

function sayingOf(lock: NodeWorkloadLock): string {
  return `${lock.controller}: ${parseLockMessage(lock.errorMessage).text.replace(/\.$/, '') || `its lock ${lock.name} is ${lock.state}`}`
}

/** Who gave up, in its own words. */
function gaveUpText({ controller, errorMessage }: NodeWorkloadLock, node: string): string {
  const { text } = parseLockMessage(errorMessage)
  return text === ''
    ? `${controller} gave up on ${node} and does not say why.`
    : `${controller} gave up on ${node}: ${text.replace(/\.$/, '')}.`
}

/** What is told of a lock that does not move; one that says what it waits for has said so already. */
async function stillWords(
  lock: NodeWorkloadLock,
  serverNowMs: number | null,
  ctx: MaintenanceContext,
): Promise<string> {
  const { kind, text } = parseLockMessage(lock.errorMessage)
  if (kind === 'blocked') return ''
  const why = await whyStill(lock, serverNowMs, ctx)
  const said = text === '' ? 'it says nothing' : text.replace(/\.$/, '')
  return `${said}; it has not moved for ${durationWords(TOLD_STILL_AFTER_MS)}${why === '' ? '' : ` (${why})`}`
}

function tell(
  lock: NodeWorkloadLock,
  { isOpen, still }: { readonly isOpen: boolean; readonly still: string | undefined },
  said: Map<string, string>,
  ctx: MaintenanceContext,
): void {
  const message = parseLockMessage(lock.errorMessage)
  const isStill = isOpen && still !== undefined && still !== ''
  const { kind, text } = isStill ? { kind: 'blocked', text: still } : message
  const isSilent = isStill && message.text === ''
  const values = {
    controller: lock.controller,
    state: lock.state,
    message: text,
    kind,
    ...(isSilent ? { isSilent } : {}),
  }
  const now = JSON.stringify([isOpen, values])
  if (said.get(lock.uid) === now) return
  said.set(lock.uid, now)
  ctx.report(isOpen ? LOCK_WAITING : LOCK_SETTLED, `lock/${lock.name}`, { name: lock.controller, ...values })
}
