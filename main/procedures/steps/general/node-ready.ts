import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { Step } from '../../../runs/engine/step.ts'
import { BY_FORCE, cannotAsk, evidence, readyUnless } from '../../answers.ts'
import { nodeOf } from '../../node-input.ts'

/** Before it is put back into service the node must be Ready (seed 001/002, node maintenance over). */
export const nodeReady: Step<MaintenanceWorld> = {
  kind: 'node-ready',
  role: 'general',
  risk: 'none',
  why: 'A node whose kubelet does not report cannot run what is scheduled onto it.',
  title: input => `${nodeOf(input)} is Ready`,
  verifyEarly: false,
  withinMs: 30_000,
  verifyEveryMs: 1_000,
  undo: 'Nothing to undo: it only reads.',
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
              remedy: 'Bring its kubelet back (is the machine up?), then leave maintenance.',
              override:
                readiness === 'unknown' ? { kind: 'never', why: 'what runs on the node cannot be known' } : BY_FORCE,
            },
          ],
      `${name} is Ready.`,
      { evidence: [evidence(`node/${name}`, ctx.at(), { readiness, kubeletVersion, osImage, bootId })] },
    )
  },
}
