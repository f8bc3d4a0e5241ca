import { UNCORDON_REQUESTED } from '../../../../shared/domain/run-facts.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { Step } from '../../../runs/engine/step.ts'
import { cannotAsk, cannotVerify, done, evidence, fails, holds, ready } from '../../answers.ts'
import { nodeOf } from '../../node-input.ts'

/** The node takes pods again (seed 004, control apply "Uncordon the node"; docs/drain.md 5.1). */
export const uncordonNode: Step<MaintenanceWorld> = {
  kind: 'uncordon-node',
  role: 'general',
  risk: 'reversible',
  why: 'Kubernetes may schedule pods onto the node again.',
  title: input => `Uncordon ${nodeOf(input)}`,
  verifyEarly: true,
  withinMs: 60_000,
  verifyEveryMs: 500,
  undo: 'Cordon the node again.',
  check: async (input, ctx) => {
    const node = await ctx.world.kubernetes.getNode(nodeOf(input), ctx.signal)
    if (!node.ok) return cannotAsk(`Node ${nodeOf(input)}`, node.failure)
    const read = evidence(`node/${node.value.name}`, ctx.at(), { unschedulable: node.value.unschedulable })
    if (!node.value.unschedulable) return done(`${node.value.name} is schedulable already.`, { evidence: [read] })
    return ready(`${node.value.name} is cordoned.`, {
      evidence: [read],
      effects: [{ kind: 'change', target: `node/${node.value.name}`, from: 'cordoned', to: 'schedulable' }],
    })
  },
  apply: async (input, ctx) => {
    const name = nodeOf(input)
    ctx.announce(UNCORDON_REQUESTED, `node/${name}`)
    const answer = await ctx.world.kubernetes.setUnschedulable(name, false, ctx.signal)
    if (!answer.ok) return { kind: 'failed', failure: answer.failure }
    return {
      kind: 'applied',
      note: answer.value.changed ? `${name} is uncordoned.` : `${name} was schedulable already.`,
    }
  },
  verify: async (input, ctx) => {
    const node = await ctx.world.kubernetes.getNode(nodeOf(input), ctx.signal)
    if (!node.ok) return cannotVerify(`Node ${nodeOf(input)}`, node.failure)
    const read = evidence(`node/${node.value.name}`, ctx.at(), {
      unschedulable: node.value.unschedulable,
      readiness: node.value.readiness,
    })
    if (node.value.unschedulable)
      return fails(`${node.value.name} is cordoned.`, 'Somebody cordoned it again; find out who.', [read])
    return node.value.readiness === 'ready'
      ? holds(`${node.value.name} is Ready and schedulable.`, [read])
      : fails(
          `${node.value.name} is schedulable but not Ready: ${node.value.readinessText}.`,
          'Bring its kubelet back.',
          [read],
        )
  },
}
