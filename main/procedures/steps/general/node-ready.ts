import { BY_FORCE, cannotAsk, evidence, readyUnless } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { nodeOf } from '../../node-input.ts'

/** Before it is put back into service the node must be Ready (seed 001/002, node maintenance over). */
export const nodeReady = checkStep({
  kind: 'node-ready',
  role: 'general',
  why: 'A node whose kubelet does not report cannot run what is scheduled onto it.',
  title: input => `${nodeOf(input)} is Ready`,
  withinMs: 30_000,
  check: async (input, ctx) => {
    const name = nodeOf(input)
    const node = await ctx.world.kubernetes.getNode(name, ctx.signal)
    if (!node.ok) return cannotAsk(`Node ${name}`, node.failure)
    const { readiness, readinessText, kubeletVersion, osImage, bootId } = node.value
    return readyUnless(
      readiness === 'ready'
        ? []
        : [
            {
              code: 'node-not-ready',
              message: `${name} is ${readiness === 'unknown' ? 'not reporting' : 'NotReady'}: ${readinessText}.`,
              remedy: 'Bring its kubelet back (is the machine up?), then bring it back into service.',
              override:
                readiness === 'unknown' ? { kind: 'never', why: 'what runs on the node cannot be known' } : BY_FORCE,
            },
          ],
      `${name} is Ready.`,
      { evidence: [evidence(`node/${name}`, ctx.at(), { readiness, kubeletVersion, osImage, bootId })] },
    )
  },
})
