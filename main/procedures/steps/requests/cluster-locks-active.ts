import { ok } from '../../../../shared/domain/result.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { Step } from '../../../runs/engine/step.ts'
import { cannotTell, cannotVerify, fails, holds } from '../../answers.ts'
import { awaitChange } from './await-change.ts'
import { clusterLocksEvidence, lockStatesOf, MISSING_REMEDY, markOf, missingClusterLocks } from './cluster-locks.ts'

/** Every application has the cluster back: its ClusterWorkloadLock is active (seed 003, phase 5; docs/domain.md A.3). */
export const clusterLocksActive: Step<MaintenanceWorld> = {
  kind: 'cluster-locks-active',
  role: 'general',
  risk: 'none',
  why: 'A lock is active again when its controller has ended the maintenance of its application.',
  title: () => 'Wait until every ClusterWorkloadLock is active',
  verifyEarly: true,
  withinMs: 12 * 3_600_000,
  verifyEveryMs: 1_000,
  undo: 'Nothing to undo: it only waits.',
  apply: (_input, ctx) =>
    awaitChange(
      {
        subject: 'cluster',
        look: async () => {
          const found = await ctx.world.maintenanceApi.objects(ctx.signal)
          if (!found.ok) return found
          const { clusterLocks } = found.value
          const missing = missingClusterLocks(found.value, ctx)
          if (missing !== null) return ok({ kind: 'waits', what: missing })
          const open = clusterLocks.filter(({ state }) => state !== 'active')
          return ok(
            open.length === 0
              ? { kind: 'so', note: `${clusterLocks.map(({ name }) => name).join(', ') || 'No lock'}: active.` }
              : { kind: 'waits', what: lockStatesOf(open), mark: markOf(clusterLocks) },
          )
        },
        remedy: 'Look at what the controller waits for, mend it and retry.',
        choices: ['retry', 'skip', 'abort'],
      },
      ctx,
    ),
  verify: async (_input, ctx) => {
    const found = await ctx.world.maintenanceApi.objects(ctx.signal)
    if (!found.ok) return cannotVerify('The cluster workload locks', found.failure)
    const { clusterLocks } = found.value
    const open = clusterLocks.filter(({ state }) => state !== 'active')
    const read = [clusterLocksEvidence(clusterLocks, ctx)]
    const missing = missingClusterLocks(found.value, ctx)
    if (missing !== null && open.length === 0) return cannotTell(missing, MISSING_REMEDY, read)
    return open.length === 0
      ? holds('Every ClusterWorkloadLock is active.', read)
      : fails(`Not active: ${lockStatesOf(open)}.`, 'Look at what the controller waits for, then resume.', read)
  },
}
