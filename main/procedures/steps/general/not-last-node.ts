import { counted } from '../../../../shared/grammar/counts.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { Step } from '../../../runs/engine/step.ts'
import { BY_FORCE, cannotAsk, evidence, readyUnless } from '../../answers.ts'
import { nodeOf } from '../../node-input.ts'

/** The node must not be the last one that can take work (seed 004, general check "No last node"). */
export const notLastNode: Step<MaintenanceWorld> = {
  kind: 'not-last-node',
  role: 'general',
  risk: 'none',
  why: 'The work of the node has to go somewhere.',
  title: input => `${nodeOf(input)} is not the last node in service`,
  verifyEarly: false,
  withinMs: 30_000,
  verifyEveryMs: 1_000,
  undo: 'Nothing to undo: it only reads.',
  check: async (input, ctx) => {
    const name = nodeOf(input)
    const nodes = await ctx.world.kubernetes.listNodes(ctx.signal)
    if (!nodes.ok) return cannotAsk('The list of nodes', nodes.failure)
    const others = nodes.value.filter(node => node.name !== name && node.readiness === 'ready' && !node.unschedulable)
    const read = evidence('nodes', ctx.at(), {
      total: nodes.value.length,
      othersReadyAndSchedulable: others.map(node => node.name),
    })
    return readyUnless(
      others.length > 0
        ? []
        : [
            {
              code: 'last-node',
              message: `${name} is the last node that is ready and schedulable.`,
              remedy: 'Bring another node back into service first.',
              override: BY_FORCE,
            },
          ],
      `${counted(others.length, 'other node')} ready and schedulable.`,
      { evidence: [read] },
    )
  },
}
