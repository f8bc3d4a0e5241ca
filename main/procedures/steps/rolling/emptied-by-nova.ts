import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { Step } from '../../../runs/engine/step.ts'
import { evidence, ready } from '../../answers.ts'

/**
 * Says that a cluster whose compute nodes are emptied by Watcher one by one is emptied through Nova in batches: an action plan of Watcher's is
 * superseded or wrong by the time a later batch would start it (docs/decisions/0015).
 */
export const emptiedByNova: Step<MaintenanceWorld> = {
  kind: 'emptied-by-nova',
  role: 'compute',
  risk: 'none',
  why: "Watcher's action plan is made from what the cloud is now; when a later batch begins, it is another cloud.",
  title: () => 'Compute nodes of batches are emptied through Nova, not by Watcher',
  verifyEarly: false,
  withinMs: 30_000,
  verifyEveryMs: 1_000,
  undo: 'Nothing to undo: it only says so.',
  check: async (_input, ctx) =>
    ready('Lockkeeper moves the instances itself, through Nova.', {
      warnings: [
        `${ctx.world.cluster.name} has strategy watcher. In batches Lockkeeper moves instances through Nova instead, and does not spread them again afterwards. To have Watcher do it, enter the nodes one by one.`,
      ],
      evidence: [evidence(`cluster/${ctx.world.cluster.name}`, ctx.at(), { strategy: 'watcher', inBatches: 'nova' })],
    }),
}
