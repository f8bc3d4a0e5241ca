import { found, stepText } from '../../../../shared/words/step-texts.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { Step } from '../../../runs/engine/step.ts'
import { evidence, ready } from '../../answers.ts'

/** Nova empties the nodes of batches even on Sunbeam: Watcher's plan would expire before a later batch (docs/decisions/0015). */
export const emptiedByNova: Step<MaintenanceWorld> = {
  kind: 'emptied-by-nova',
  role: 'compute',
  risk: 'none',
  ...stepText('emptied-by-nova'),
  verifyEarly: false,
  withinMs: 30_000,
  verifyEveryMs: 1_000,
  check: async (_input, ctx) =>
    ready(found('EmptiedByNova'), {
      warnings: [found('WatcherNotInBatches', { cluster: ctx.world.cluster.name })],
      evidence: [evidence(`cluster/${ctx.world.cluster.name}`, ctx.at(), { strategy: 'watcher', inBatches: 'nova' })],
    }),
}
