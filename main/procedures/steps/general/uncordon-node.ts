import { isLockkeepers } from '../../../../shared/domain/cordon-holders.ts'
import type { ClusterNode } from '../../../../shared/domain/kubernetes.ts'
import { UNCORDON_REQUESTED } from '../../../../shared/domain/run-facts.ts'
import type { Evidence, VerifyAnswer } from '../../../../shared/domain/step-answers.ts'
import { fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { Step } from '../../../runs/engine/step.ts'
import { applied, cannotAsk, cannotVerify, done, evidence, fails, holds, ready } from '../../answers.ts'
import { nodeOf } from '../../node-input.ts'

/** The node accepts pods again (seed 004; docs/drain.md 5.1). */
export const uncordonNode: Step<MaintenanceWorld> = {
  kind: 'uncordon-node',
  role: 'general',
  risk: 'reversible',
  ...stepText('uncordon-node'),
  verifyEarly: true,
  withinMs: 60_000,
  verifyEveryMs: 500,
  check: async (input, ctx) => {
    const node = await ctx.world.kubernetes.getNode(nodeOf(input), ctx.signal)
    if (!node.ok) return cannotAsk(thing('Node', { node: nodeOf(input) }), node.failure)
    const { name, unschedulable, cordonedBy } = node.value
    const by = cordonedBy.map(each => ({ ...each }))
    const read = evidence(`node/${name}`, ctx.at(), { unschedulable, cordonedBy: by })
    if (!unschedulable) return done(found('IsSchedulableAlready', { node: name }), { evidence: [read] })
    return ready(found('IsCordoned', { node: name }), {
      evidence: [read],
      // The return removes anyone's cordon: the plan shows whose.
      warnings: isLockkeepers(cordonedBy) ? [] : [found('CordonedByOthers', { node: name, by: cordonedBy })],
      effects: [{ kind: 'change', target: `node/${name}`, from: 'cordoned', to: 'schedulable' }],
    })
  },
  apply: async (input, ctx) => {
    const name = nodeOf(input)
    ctx.announce(UNCORDON_REQUESTED, `node/${name}`)
    const answer = await ctx.world.kubernetes.setUnschedulable(name, false, { signal: ctx.signal })
    if (!answer.ok) return { kind: 'failed', failure: answer.failure }
    return applied(found(answer.value.changed ? 'IsUncordoned' : 'WasSchedulable', { node: name }))
  },
  verify: async (input, ctx) => {
    const node = await ctx.world.kubernetes.getNode(nodeOf(input), ctx.signal)
    if (!node.ok) return cannotVerify(thing('Node', { node: nodeOf(input) }), node.failure)
    const read = evidence(`node/${node.value.name}`, ctx.at(), {
      unschedulable: node.value.unschedulable,
      readiness: node.value.readiness,
    })
    return node.value.unschedulable
      ? fails(fault('CordonedAgain', { node: node.value.name }), [read])
      : verifySchedulable(node.value, read)
  },
}

/** A node that is not cordoned accepts pods only while its kubelet reports. */
export function verifySchedulable({ name, readiness, readinessText }: ClusterNode, read: Evidence): VerifyAnswer {
  return readiness === 'ready'
    ? holds(found('ReadyAndSchedulable', { node: name }), [read])
    : fails(fault('SchedulableNotReady', { node: name, text: readinessText }), [read])
}
