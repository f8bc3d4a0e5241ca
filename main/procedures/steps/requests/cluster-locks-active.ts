import { ok } from '../../../../shared/domain/result.ts'
import { fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { Step } from '../../../runs/engine/step.ts'
import { cannotTell, cannotVerify, fails, holds } from '../../answers.ts'
import { awaitChange } from './await-change.ts'
import {
  clusterLockSays,
  clusterLocksEvidence,
  clusterLocksWait,
  markOf,
  missingClusterLocks,
} from './cluster-locks.ts'

/** All applications have taken the cluster back: their locks are active (seed 003, phase 5; docs/domain.md A.3). */
export const clusterLocksActive: Step<MaintenanceWorld> = {
  kind: 'cluster-locks-active',
  role: 'general',
  risk: 'none',
  ...stepText('cluster-locks-active'),
  verifyEarly: true,
  withinMs: 12 * 3_600_000,
  verifyEveryMs: 1_000,
  apply: (_input, ctx) =>
    awaitChange(
      {
        subject: 'cluster',
        look: async () => {
          const objects = await ctx.world.maintenanceApi.objects(ctx.signal)
          if (!objects.ok) return objects
          const { clusterLocks } = objects.value
          const missing = missingClusterLocks(objects.value, ctx)
          if (missing !== null) return ok({ kind: 'waits', what: missing })
          const open = clusterLocks.filter(({ state }) => state !== 'active')
          return ok(
            open.length === 0
              ? { kind: 'so', note: found('ClusterLocksBecameActive', { locks: clusterLocks.map(({ name }) => name) }) }
              : { kind: 'waits', what: clusterLocksWait(open), mark: markOf(clusterLocks) },
          )
        },
        quiet: quiet => fault('ClusterLocksStayInactive', quiet),
        choices: ['retry', 'skip', 'abort'],
      },
      ctx,
    ),
  verify: async (_input, ctx) => {
    const objects = await ctx.world.maintenanceApi.objects(ctx.signal)
    if (!objects.ok) return cannotVerify(thing('ClusterLocks'), objects.failure)
    const { clusterLocks } = objects.value
    const open = clusterLocks.filter(({ state }) => state !== 'active')
    const read = [clusterLocksEvidence(clusterLocks, ctx)]
    const missing = missingClusterLocks(objects.value, ctx)
    if (missing !== null && open.length === 0) return cannotTell(fault('ClusterLocksUntold', { missing }), read)
    return open.length === 0
      ? holds(found('AllClusterLocksActive'), read)
      : fails(fault('ClusterLocksNotActive', { locks: open.map(clusterLockSays) }), read)
  },
}
