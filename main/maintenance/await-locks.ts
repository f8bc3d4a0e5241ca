import { parseLockMessage } from '../../shared/domain/lock-message.ts'
import type { NodeWorkloadLock } from '../../shared/domain/maintenance-api.ts'
import { LOCK_SETTLED, LOCK_WAITING } from '../../shared/domain/run-facts.ts'
import type { ApplyAnswer } from '../engine/step.ts'
import { some } from './answers.ts'
import type { MaintenanceContext } from './node-input.ts'
import { type NodeMaintenance, readNodeMaintenance } from './node-maintenance.ts'

/** Often enough that a node is not kept waiting, seldom enough for an API server. */
const LOOK_EVERY_MS = 1_000

/** What is waited for, and how to say it. */
export interface LockWait {
  readonly node: string
  /** The locks that are not yet as they should be. */
  readonly open: (found: NodeMaintenance) => readonly NodeWorkloadLock[]
  /** What else is not yet as it should be, in words; null: nothing. */
  readonly more: (found: NodeMaintenance) => string | null
  /** What an operator can do, for the question after too long a silence. */
  readonly remedy: string
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
  let movedAt = clock.now()
  let last = ''
  while (!signal.aborted) {
    const found = await readNodeMaintenance(wait.node, ctx)
    if (signal.aborted) break
    if (!found.ok && !found.failure.retryable) return { kind: 'failed', failure: found.failure }
    if (found.ok) {
      const open = wait.open(found.value)
      const more = wait.more(found.value)
      for (const lock of found.value.locks) tell(lock, open.includes(lock), said, ctx)
      if (open.length === 0 && more === null) return { kind: 'applied', note: wait.done(found.value) }
      const now = JSON.stringify([
        more,
        found.value.locks.map(lock => [lock.uid, lock.state, lock.errorMessage, lock.progress]),
      ])
      if (now !== last) {
        last = now
        movedAt = clock.now()
      }
      if (clock.now() - movedAt >= limitMs) {
        const why = [
          ...open.map(
            lock =>
              `${lock.controller}: ${parseLockMessage(lock.errorMessage).text || `its lock ${lock.name} is ${lock.state}`}`,
          ),
          ...(more === null ? [] : [more]),
        ]
        return {
          kind: 'question',
          question: `Nothing has moved on ${wait.node} for ${Math.round(limitMs / 60_000)} minutes. ${some(why)}. ${wait.remedy}`,
          choices: ['retry', 'skip', 'abort'],
        }
      }
    }
    await clock.sleep(LOOK_EVERY_MS, signal)
  }
  return { kind: 'stopped' }
}

function tell(lock: NodeWorkloadLock, isOpen: boolean, said: Map<string, string>, ctx: MaintenanceContext): void {
  const { kind, text } = parseLockMessage(lock.errorMessage)
  const values = { controller: lock.controller, state: lock.state, message: text, kind }
  const now = JSON.stringify([isOpen, values])
  if (said.get(lock.uid) === now) return
  said.set(lock.uid, now)
  ctx.report(isOpen ? LOCK_WAITING : LOCK_SETTLED, `lock/${lock.name}`, { name: lock.controller, ...values })
}
