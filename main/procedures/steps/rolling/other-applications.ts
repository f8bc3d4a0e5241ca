import { ok } from '../../../../shared/domain/result.ts'
import { fault, found, stepText } from '../../../../shared/words/step-texts.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { Step } from '../../../runs/engine/step.ts'
import { asks } from '../../answers.ts'
import { awaitChange } from '../requests/await-change.ts'
import { clusterLocksWait, locksMeant, markOf } from '../requests/cluster-locks.ts'

/** Nodes left out of the update keep an application below 100 % for good: ask soon. */
const PATIENCE_MS = 60_000

/**
 * StackLight, Tungsten Fabric and others are updated (seed 003). One without a cluster lock reports nothing (docs/domain.md A.1): the operator
 * confirms it.
 */
export const otherApplications: Step<MaintenanceWorld> = {
  kind: 'other-applications',
  role: 'general',
  risk: 'none',
  ...stepText('other-applications'),
  verifyEarly: false,
  withinMs: 24 * 3_600_000,
  verifyEveryMs: 1_000,
  apply: async (input, ctx) => {
    const answer = await awaitChange(
      {
        subject: 'cluster',
        look: async () => {
          const objects = await ctx.world.maintenanceApi.objects(ctx.signal)
          if (!objects.ok) return objects
          const locks = locksMeant(objects.value, {})
          // The lock's progress shows an update of nodes (docs/domain.md A.1, Tungsten Fabric).
          const open = locks.filter(
            ({ state, progress }) => state !== 'inactive' || (progress?.percentage ?? 100) < 100,
          )
          if (open.length > 0) return ok({ kind: 'waits', what: clusterLocksWait(open), mark: markOf(locks) })
          return ok({
            kind: 'so',
            note:
              locks.length === 0
                ? found('NoOtherApplicationLock')
                : found('OtherApplicationsInactive', { locks: locks.map(({ name }) => name) }),
          })
        },
        patienceMs: PATIENCE_MS,
        quiet: quiet => fault('OtherApplicationsStayActive', quiet),
        choices: ['continue', 'retry', 'abort'],
      },
      ctx,
    )
    if (answer.kind !== 'applied' || input.ask !== true) return answer
    const { code = '', values = {}, note } = answer
    return asks(fault('OtherApplicationsUnseen', { locks: { code, values, message: note } }), ['continue', 'abort'])
  },
}
