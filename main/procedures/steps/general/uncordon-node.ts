import { cordonedByWords, isLockkeepers } from '../../../../shared/domain/cordon-holders.ts'
import type { ClusterNode } from '../../../../shared/domain/kubernetes.ts'
import type { Evidence, VerifyAnswer } from '../../../../shared/domain/plan.ts'
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
  why: 'Kubernetes may schedule pods onto the node again. It moves none back: where another node carries too many, restart some of them.',
  title: input => `Uncordon ${nodeOf(input)}`,
  verifyEarly: true,
  withinMs: 60_000,
  verifyEveryMs: 500,
  undo: 'Cordon the node again.',
  check: async (input, ctx) => {
    const node = await ctx.world.kubernetes.getNode(nodeOf(input), ctx.signal)
    if (!node.ok) return cannotAsk(`Node ${nodeOf(input)}`, node.failure)
    const { name, unschedulable, cordonedBy } = node.value
    const by = cordonedBy.map(each => ({ ...each }))
    const read = evidence(`node/${name}`, ctx.at(), { unschedulable, cordonedBy: by })
    if (!unschedulable) return done(`${name} is schedulable already.`, { evidence: [read] })
    return ready(`${name} is cordoned.`, {
      evidence: [read],
      // Bringing a node back takes it from whoever cordoned it: who that is has to be known before.
      warnings: isLockkeepers(cordonedBy)
        ? []
        : [
            `${name} was cordoned ${cordonedByWords(cordonedBy)}, not by Lockkeeper as far as Kubernetes tells. It is uncordoned all the same.`,
          ],
      effects: [{ kind: 'change', target: `node/${name}`, from: 'cordoned', to: 'schedulable' }],
    })
  },
  apply: async (input, ctx) => {
    const name = nodeOf(input)
    ctx.announce(UNCORDON_REQUESTED, `node/${name}`)
    const answer = await ctx.world.kubernetes.setUnschedulable(name, false, { signal: ctx.signal })
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
    return node.value.unschedulable
      ? fails(`${node.value.name} is cordoned.`, 'Somebody cordoned it again; find out who.', [read])
      : verifySchedulable(node.value, read)
  },
}

/** Whether a node that is not cordoned takes pods: its kubelet has to be there. */
export function verifySchedulable({ name, readiness, readinessText }: ClusterNode, read: Evidence): VerifyAnswer {
  return readiness === 'ready'
    ? holds(`${name} is Ready and schedulable.`, [read])
    : fails(`${name} is schedulable but not Ready: ${readinessText}.`, 'Bring its kubelet back.', [read])
}
