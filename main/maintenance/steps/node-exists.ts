import type { Step } from '../../engine/step.ts'
import { blocked, cannotAsk, evidence, ready } from '../answers.ts'
import { nodeOf } from '../node-input.ts'
import type { MaintenanceWorld } from '../ports.ts'

/** The node must exist (seed 004, general check "Node exist"). Never overridable. */
export const nodeExists: Step<MaintenanceWorld> = {
  kind: 'node-exists',
  role: 'general',
  risk: 'none',
  why: 'A procedure on a node that is not there would act on nothing, or on a namesake.',
  title: input => `Node ${nodeOf(input)} exists`,
  verifyEarly: false,
  withinMs: 30_000,
  verifyEveryMs: 1_000,
  undo: 'Nothing to undo: it only reads.',
  check: async (input, ctx) => {
    const name = nodeOf(input)
    const nodes = await ctx.world.kubernetes.listNodes(ctx.signal)
    if (!nodes.ok) return cannotAsk('The list of nodes', nodes.failure)
    const node = nodes.value.find(candidate => candidate.name === name)
    if (node) {
      return ready(`Node ${name} is in the cluster.`, {
        evidence: [evidence(`node/${name}`, ctx.at(), { uid: node.uid, resourceVersion: node.resourceVersion })],
      })
    }
    const names = nodes.value.map(candidate => candidate.name).sort()
    return blocked(
      [
        {
          code: 'node-unknown',
          message: `The cluster has no node named ${name}.`,
          remedy: `Its nodes are: ${names.slice(0, 20).join(', ')}${names.length > 20 ? ', …' : ''}.`,
          override: { kind: 'never', why: 'there is nothing to act on' },
        },
      ],
      { evidence: [evidence('nodes', ctx.at(), { count: names.length })] },
    )
  },
}
