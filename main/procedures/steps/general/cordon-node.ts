import { isCordoned } from '../../../../shared/domain/node-conditions.ts'
import { CORDON_REQUESTED } from '../../../../shared/domain/run-facts.ts'
import { fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { Step } from '../../../runs/engine/step.ts'
import { applied, cannotAsk, cannotVerify, done, evidence, fails, holds, ready } from '../../answers.ts'
import { nodeOf } from '../../node-input.ts'

/** The node accepts no new pods (seed 004; docs/drain.md 5.1, V2). */
export const cordonNode: Step<MaintenanceWorld> = {
  kind: 'cordon-node',
  role: 'general',
  risk: 'reversible',
  ...stepText('cordon-node'),
  verifyEarly: true,
  withinMs: 60_000,
  verifyEveryMs: 500,
  check: async (input, ctx) => {
    const node = await ctx.world.kubernetes.getNode(nodeOf(input), ctx.signal)
    if (!node.ok) return cannotAsk(thing('Node', { node: nodeOf(input) }), node.failure)
    const { name, unschedulable, cordonedBy, resourceVersion } = node.value
    const read = evidence(`node/${name}`, ctx.at(), { unschedulable, resourceVersion })
    if (unschedulable) return done(found('IsCordonedBy', { node: name, by: cordonedBy }), { evidence: [read] })
    return ready(found('IsSchedulable', { node: name }), {
      evidence: [read],
      effects: [{ kind: 'change', target: `node/${name}`, from: 'schedulable', to: 'cordoned' }],
    })
  },
  apply: async (input, ctx) => {
    const name = nodeOf(input)
    const now = await ctx.world.kubernetes.getNode(name, ctx.signal)
    if (!now.ok) return { kind: 'failed', failure: now.failure }
    // A cordon that someone else set meanwhile does not count as this run's.
    if (now.value.unschedulable) return applied(found('WasCordoned', { node: name }))
    ctx.announce(CORDON_REQUESTED, `node/${name}`)
    const answer = await ctx.world.kubernetes.setUnschedulable(name, true, { by: ctx.runId, signal: ctx.signal })
    if (!answer.ok) return { kind: 'failed', failure: answer.failure }
    return applied(found(answer.value.changed ? 'IsCordoned' : 'WasCordoned', { node: name }))
  },
  verify: async (input, ctx) => {
    const node = await ctx.world.kubernetes.getNode(nodeOf(input), ctx.signal)
    if (!node.ok) return cannotVerify(thing('Node', { node: nodeOf(input) }), node.failure)
    const read = evidence(`node/${node.value.name}`, ctx.at(), {
      unschedulable: node.value.unschedulable,
      resourceVersion: node.value.resourceVersion,
    })
    return isCordoned(node.value).holds === 'holds'
      ? holds(found('IsUnschedulable', { node: node.value.name }), [read])
      : fails(fault('CordonGone', { node: node.value.name }), [read])
  },
}
