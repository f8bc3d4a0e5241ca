import { ok } from '../../../../shared/domain/result.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { Step } from '../../../runs/engine/step.ts'
import { awaitChange } from '../requests/await-change.ts'
import { lockStatesOf, locksMeant, markOf } from '../requests/cluster-locks.ts'

/** Nodes that were left out of the update keep an application's count below 100 % for good: a person is asked soon. */
const PATIENCE_MS = 60_000

/**
 * StackLight, Tungsten Fabric and others are updated (seed 003, phase 5). Those that hold a lock on the cluster say so by it; of others
 * nothing is published (docs/domain.md A.1), so a person is asked where one was chosen to be asked.
 */
export const otherApplications: Step<MaintenanceWorld> = {
  kind: 'other-applications',
  role: 'general',
  risk: 'none',
  why: 'All other applications of the cluster, such as StackLight and Tungsten Fabric, are updated before the maintenance ends.',
  title: () => 'Other applications are updated',
  verifyEarly: false,
  withinMs: 24 * 3_600_000,
  verifyEveryMs: 1_000,
  undo: 'Nothing to undo: it only waits.',
  apply: async (input, ctx) => {
    const answer = await awaitChange(
      {
        subject: 'cluster',
        look: async () => {
          const found = await ctx.world.maintenanceApi.objects(ctx.signal)
          if (!found.ok) return found
          const locks = locksMeant(found.value, {})
          // An update of nodes is counted in the lock's progress (docs/domain.md A.1, Tungsten Fabric).
          const open = locks.filter(
            ({ state, progress }) => state !== 'inactive' || (progress?.percentage ?? 100) < 100,
          )
          if (open.length > 0) return ok({ kind: 'waits', what: lockStatesOf(open), mark: markOf(locks) })
          return ok({
            kind: 'so',
            note:
              locks.length === 0
                ? 'No other application has a lock on the cluster.'
                : `${locks.map(({ name }) => name).join(', ')}: inactive.`,
          })
        },
        patienceMs: PATIENCE_MS,
        remedy: 'Look at what the controller waits for and retry, or continue if its application is updated.',
        choices: ['continue', 'retry', 'abort'],
      },
      ctx,
    )
    if (answer.kind !== 'applied' || input.ask !== true) return answer
    return {
      kind: 'question',
      question: `${answer.note} Applications without a lock are not seen from here. Continue when they are updated, or abort.`,
      choices: ['continue', 'abort'],
    }
  },
}
