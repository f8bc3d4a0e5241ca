import { fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import { BY_FORCE, blocker, cannotAsk, evidence, readyUnless } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { nodeOf } from '../../node-input.ts'

/** Only a Ready node returns to service (seed 001/002). */
export const nodeReady = checkStep({
  kind: 'node-ready',
  role: 'general',
  ...stepText('node-ready'),
  withinMs: 30_000,
  check: async (input, ctx) => {
    const name = nodeOf(input)
    const node = await ctx.world.kubernetes.getNode(name, ctx.signal)
    if (!node.ok) return cannotAsk(thing('Node', { node: name }), node.failure)
    const { readiness, readinessText, kubeletVersion, osImage, bootId } = node.value
    const values = { node: name, text: readinessText }
    return readyUnless(
      readiness === 'ready'
        ? []
        : [
            readiness === 'unknown'
              ? blocker(fault('NodeNotReporting', values))
              : blocker(fault('NodeNotReady', values), BY_FORCE),
          ],
      found('NodeIsReady', { node: name }),
      { evidence: [evidence(`node/${name}`, ctx.at(), { readiness, kubeletVersion, osImage, bootId })] },
    )
  },
})
