import { counted } from '../../../../shared/grammar/counts.ts'
import { BY_FORCE, cannotAsk, evidence, readyUnless } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { nodeOf } from '../../node-input.ts'

/** The node must not be the last one that can take work (seed 004, general check "No last node"). */
export const notLastNode = checkStep({
  kind: 'not-last-node',
  role: 'general',
  why: 'The work of the node has to go somewhere.',
  title: input => `${nodeOf(input)} is not the last node in service`,
  withinMs: 30_000,
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
})
