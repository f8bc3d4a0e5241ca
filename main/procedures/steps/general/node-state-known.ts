import type { Blocker } from '../../../../shared/domain/plan.ts'
import { cannotAsk, evidence, readyUnless } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { nodeOf } from '../../node-input.ts'

/**
 * The control plane must know whether the node is ready. A node it lost contact with may still run pods and instances that
 * nobody sees: never overridable.
 */
export const nodeStateKnown = checkStep({
  kind: 'node-state-known',
  role: 'general',
  why: 'A node that does not report may run things nobody can see.',
  title: input => `The state of ${nodeOf(input)} is known`,
  withinMs: 30_000,
  check: async (input, ctx) => {
    const name = nodeOf(input)
    const node = await ctx.world.kubernetes.getNode(name, ctx.signal)
    if (!node.ok) return cannotAsk(`Node ${name}`, node.failure)
    const { readiness, readinessText, readinessSince, kubeletVersion, osImage } = node.value
    const read = evidence(`node/${name}`, ctx.at(), {
      readiness,
      since: readinessSince,
      text: readinessText,
      kubeletVersion,
      osImage,
    })
    const blockers: readonly Blocker[] =
      readiness === 'unknown'
        ? [
            {
              code: 'node-state-unknown',
              message: `The control plane has lost contact with ${name}${readinessSince ? ` since ${readinessSince}` : ''}: ${readinessText || 'its kubelet never reported'}.`,
              remedy:
                'Find out what the node is doing (console, power state) and bring its kubelet back, or remove the node.',
              override: { kind: 'never', why: 'what runs on the node cannot be known' },
            },
          ]
        : []
    return readyUnless(blockers, `${name} is ${readiness === 'ready' ? 'Ready' : 'known to be NotReady'}.`, {
      evidence: [read],
      warnings:
        readiness === 'not-ready'
          ? [`${name} is NotReady (${readinessText}): its pods may not terminate by themselves.`]
          : [],
    })
  },
})
