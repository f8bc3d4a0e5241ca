import { fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import { BY_FORCE, blocker, cannotAsk, evidence, readyUnless } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { nodeOf } from '../../node-input.ts'

/** Another node can accept work (seed 004). */
export const notLastNode = checkStep({
  kind: 'not-last-node',
  role: 'general',
  ...stepText('not-last-node'),
  withinMs: 30_000,
  check: async (input, ctx) => {
    const name = nodeOf(input)
    const nodes = await ctx.world.kubernetes.listNodes(ctx.signal)
    if (!nodes.ok) return cannotAsk(thing('NodeList'), nodes.failure)
    const others = nodes.value.filter(node => node.name !== name && node.readiness === 'ready' && !node.unschedulable)
    const read = evidence('nodes', ctx.at(), {
      total: nodes.value.length,
      othersReadyAndSchedulable: others.map(node => node.name),
    })
    return readyUnless(
      others.length > 0 ? [] : [blocker(fault('LastNode', { node: name }), BY_FORCE)],
      found('OtherNodesServe', { total: others.length }),
      { evidence: [read] },
    )
  },
})
