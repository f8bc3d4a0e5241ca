import { ok } from '../../../../shared/domain/result.ts'
import { fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import type { Finding } from '../../../../shared/words/steps/coded.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { Step, StepInput } from '../../../runs/engine/step.ts'
import { cannotTell, cannotVerify, fails, holds } from '../../answers.ts'
import { awaitChange } from './await-change.ts'
import {
  clusterLockSays,
  clusterLocksEvidence,
  clusterLocksWait,
  locksMeant,
  markOf,
  missingClusterLocks,
} from './cluster-locks.ts'
import { lifeOfLock, serverNow } from './controller-life.ts'

/** An application is updated, or ready for it: its ClusterWorkloadLock is inactive (seed 003, phase 2). */
export const clusterLockInactive: Step<MaintenanceWorld> = {
  kind: 'cluster-lock-inactive',
  role: 'general',
  risk: 'disruptive',
  ...stepText('cluster-lock-inactive'),
  verifyEarly: true,
  withinMs: 24 * 3_600_000,
  verifyEveryMs: 1_000,
  apply: (input, ctx) =>
    awaitChange(
      {
        subject: 'cluster',
        look: async () => {
          const objects = await ctx.world.maintenanceApi.objects(ctx.signal)
          if (!objects.ok) return objects
          const locks = locksMeant(objects.value, input)
          const absent = absentController(locks, input)
          if (absent !== null) return ok({ kind: 'waits', what: found('NoClusterLockOf', { controller: absent }) })
          const missing = typeof input.controller === 'string' ? null : missingClusterLocks(objects.value, ctx)
          if (missing !== null) return ok({ kind: 'waits', what: missing })
          const open = locks.filter(({ state }) => state !== 'inactive')
          if (open.length === 0) return ok({ kind: 'so', note: inactive(locks) })
          const failing = open.find(({ state }) => state === 'failed')
          if (failing !== undefined)
            return ok({ kind: 'stuck', why: fault('ClusterControllerGaveUp', clusterLockSays(failing)) })
          return ok({ kind: 'waits', what: clusterLocksWait(open), mark: markOf(locks) })
        },
        still: async () => {
          const objects = await ctx.world.maintenanceApi.objects(ctx.signal)
          const open = objects.ok ? locksMeant(objects.value, input).filter(({ state }) => state !== 'inactive') : []
          const serverNowMs = await serverNow(ctx)
          const lives = await Promise.all(open.map(lock => lifeOfLock(lock, serverNowMs, ctx)))
          return lives.filter(({ written, controllers }) => written !== null || controllers !== null)
        },
        quiet: quiet => fault('ClusterLocksStayActive', quiet),
        choices: ['retry', 'skip', 'abort'],
      },
      ctx,
    ),
  verify: async (input, ctx) => {
    const objects = await ctx.world.maintenanceApi.objects(ctx.signal)
    if (!objects.ok) return cannotVerify(thing('ClusterLocks'), objects.failure)
    const locks = locksMeant(objects.value, input)
    const open = locks.filter(({ state }) => state !== 'inactive')
    const read = [clusterLocksEvidence(locks, ctx)]
    const absent = absentController(locks, input)
    if (absent !== null) return fails(fault('ClusterLockGone', { controller: absent }), read)
    const missing = typeof input.controller === 'string' ? null : missingClusterLocks(objects.value, ctx)
    if (missing !== null && open.length === 0) return cannotTell(fault('ClusterLocksUntold', { missing }), read)
    return open.length === 0
      ? holds(inactive(locks), read)
      : fails(fault('ClusterLocksNotInactive', { locks: open.map(clusterLockSays) }), read)
  },
}

/** The step's controller, where it has no lock; null if it has one, or the step covers all others. */
function absentController(locks: readonly unknown[], { controller }: StepInput): string | null {
  return typeof controller === 'string' && locks.length === 0 ? controller : null
}

function inactive(locks: readonly { readonly name: string }[]): Finding {
  return found('ClusterLocksBecameInactive', { locks: locks.map(({ name }) => name) })
}
