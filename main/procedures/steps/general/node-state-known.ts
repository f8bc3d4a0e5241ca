import { fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import { blocker, cannotAsk, evidence, readyUnless } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { nodeOf } from '../../node-input.ts'

/** A node without contact may still run pods and instances that nobody sees. Never overridable. */
export const nodeStateKnown = checkStep({
  kind: 'node-state-known',
  role: 'general',
  ...stepText('node-state-known'),
  withinMs: 30_000,
  check: async (input, ctx) => {
    const name = nodeOf(input)
    const node = await ctx.world.kubernetes.getNode(name, ctx.signal)
    if (!node.ok) return cannotAsk(thing('Node', { node: name }), node.failure)
    const { readiness, readinessText, readinessSince, kubeletVersion, osImage } = node.value
    const read = evidence(`node/${name}`, ctx.at(), {
      readiness,
      since: readinessSince,
      text: readinessText,
      kubeletVersion,
      osImage,
    })
    const silent = fault('NodeStateUnknown', { node: name, since: readinessSince, text: readinessText })
    return readyUnless(
      readiness === 'unknown' ? [blocker(silent)] : [],
      found(readiness === 'ready' ? 'NodeIsReady' : 'NodeKnownNotReady', { node: name }),
      {
        evidence: [read],
        warnings: readiness === 'not-ready' ? [found('PodsMayNotEnd', { node: name, text: readinessText })] : [],
      },
    )
  },
})
