import { cordonedByWords } from '../../../../shared/domain/cordon-holders.ts'
import { isCordoned } from '../../../../shared/domain/node-conditions.ts'
import { CORDON_REQUESTED } from '../../../../shared/domain/run-facts.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { Step } from '../../../runs/engine/step.ts'
import { cannotAsk, cannotVerify, done, evidence, fails, holds, ready } from '../../answers.ts'
import { nodeOf } from '../../node-input.ts'

/** The node takes no new pods (seed 004, control apply "Cordon the node"; docs/drain.md 5.1, V2). */
export const cordonNode: Step<MaintenanceWorld> = {
  kind: 'cordon-node',
  role: 'general',
  risk: 'reversible',
  why: 'Kubernetes must not schedule new pods onto the node.',
  title: input => `Cordon ${nodeOf(input)}`,
  verifyEarly: true,
  withinMs: 60_000,
  verifyEveryMs: 500,
  undo: 'Uncordon the node: the leave procedure does it.',
  check: async (input, ctx) => {
    const node = await ctx.world.kubernetes.getNode(nodeOf(input), ctx.signal)
    if (!node.ok) return cannotAsk(`Node ${nodeOf(input)}`, node.failure)
    const read = evidence(`node/${node.value.name}`, ctx.at(), {
      unschedulable: node.value.unschedulable,
      resourceVersion: node.value.resourceVersion,
    })
    if (node.value.unschedulable) {
      return done(`${node.value.name} is cordoned already, ${cordonedByWords(node.value.cordonedBy)}.`, {
        evidence: [read],
      })
    }
    return ready(`${node.value.name} is schedulable.`, {
      evidence: [read],
      effects: [{ kind: 'change', target: `node/${node.value.name}`, from: 'schedulable', to: 'cordoned' }],
    })
  },
  apply: async (input, ctx) => {
    const name = nodeOf(input)
    const now = await ctx.world.kubernetes.getNode(name, ctx.signal)
    if (!now.ok) return { kind: 'failed', failure: now.failure }
    // What somebody else cordoned meanwhile is not taken for this run's.
    if (now.value.unschedulable) return { kind: 'applied', note: `${name} was cordoned already.` }
    ctx.announce(CORDON_REQUESTED, `node/${name}`)
    const answer = await ctx.world.kubernetes.setUnschedulable(name, true, { by: ctx.runId, signal: ctx.signal })
    if (!answer.ok) return { kind: 'failed', failure: answer.failure }
    return { kind: 'applied', note: answer.value.changed ? `${name} is cordoned.` : `${name} was cordoned already.` }
  },
  verify: async (input, ctx) => {
    const node = await ctx.world.kubernetes.getNode(nodeOf(input), ctx.signal)
    if (!node.ok) return cannotVerify(`Node ${nodeOf(input)}`, node.failure)
    const read = evidence(`node/${node.value.name}`, ctx.at(), {
      unschedulable: node.value.unschedulable,
      resourceVersion: node.value.resourceVersion,
    })
    const cordoned = isCordoned(node.value)
    return cordoned.holds === 'holds'
      ? holds(cordoned.text, [read])
      : fails(cordoned.text, 'Somebody uncordoned it; find out who before going on.', [read])
  },
}
