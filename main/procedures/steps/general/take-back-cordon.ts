import { type CordonStatus, cordonStatus } from '../../../../shared/domain/cordon-holders.ts'
import type { ClusterNode } from '../../../../shared/domain/kubernetes.ts'
import { factText, OPERATOR_ANSWERED, UNCORDON_REQUESTED } from '../../../../shared/domain/run-facts.ts'
import { fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import type { Finding } from '../../../../shared/words/steps/coded.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { ApplyAnswer, Step, StepInput } from '../../../runs/engine/step.ts'
import { applied, asks, cannotAsk, cannotVerify, done, evidence, fails, holds, ready } from '../../answers.ts'
import { type MaintenanceContext, nodeOf } from '../../node-input.ts'
import { verifySchedulable } from './uncordon-node.ts'

/** Removes the cordon of the run `of`, unless someone else set or holds it too. If its owner is unclear, the operator decides. */
export const takeBackCordon: Step<MaintenanceWorld> = {
  kind: 'take-back-cordon',
  role: 'general',
  risk: 'reversible',
  ...stepText('take-back-cordon'),
  verifyEarly: true,
  withinMs: 60_000,
  verifyEveryMs: 500,
  check: async (input, ctx) => {
    const node = await ctx.world.kubernetes.getNode(nodeOf(input), ctx.signal)
    if (!node.ok) return cannotAsk(thing('Node', { node: nodeOf(input) }), node.failure)
    const { name } = node.value
    const details = { evidence: [cordonEvidence(node.value, ctx)] }
    const status = statusOf(node.value, input)
    if (status === null) return done(found('IsSchedulableAlready', { node: name }), details)
    if (status.kind === 'of-others') {
      const warnings = [found('UncordonItYourself', { node: name, by: status.holders })]
      return done(stays(node.value, status), { ...details, warnings })
    }
    return ready(found('IsCordoned', { node: name }), {
      ...details,
      warnings: status.kind === 'own' ? [] : [found('CordonOwnerNotKnown', { node: name, by: node.value.cordonedBy })],
      effects: [{ kind: 'change', target: `node/${name}`, from: 'cordoned', to: 'schedulable' }],
    })
  },
  apply: async (input, ctx) => {
    for (let left = TRIES; ; left -= 1) {
      const node = await ctx.world.kubernetes.getNode(nodeOf(input), ctx.signal)
      if (!node.ok) return { kind: 'failed', failure: node.failure }
      const { name, resourceVersion: atVersion } = node.value
      const why = whyNotNow(node.value, input, ctx)
      if (why !== null) return why
      ctx.announce(UNCORDON_REQUESTED, `node/${name}`)
      // Only the version that was checked: the owner may change before the patch.
      const answer = await ctx.world.kubernetes.setUnschedulable(name, false, { atVersion, signal: ctx.signal })
      if (answer.ok) return applied(found('IsUncordoned', { node: name }))
      if (answer.failure.code !== 'conflict' || left === 1) return { kind: 'failed', failure: answer.failure }
    }
  },
  verify: async (input, ctx) => {
    const node = await ctx.world.kubernetes.getNode(nodeOf(input), ctx.signal)
    if (!node.ok) return cannotVerify(thing('Node', { node: nodeOf(input) }), node.failure)
    const read = cordonEvidence(node.value, ctx)
    const status = statusOf(node.value, input)
    if (status === null) return verifySchedulable(node.value, read)
    return status.kind === 'of-others'
      ? holds(stays(node.value, status), [read])
      : fails(fault('CordonStays', { node: node.value.name }), [read])
  },
}

/** The kubelet writes the node too: a patch may lose to another write this often. */
const TRIES = 5

/** Why the run leaves the node cordoned; null if it uncordons the node. */
function whyNotNow(node: ClusterNode, input: StepInput, ctx: MaintenanceContext): ApplyAnswer | null {
  const status = statusOf(node, input)
  if (status === null) return applied(found('IsSchedulableAlready', { node: node.name }))
  if (status.kind === 'of-others') return applied(stays(node, status))
  if (status.kind === 'own' || isAgreed(ctx)) return null
  return asks(found('MayBeUncordoned', { node: node.name, by: node.cordonedBy }), ['continue', 'skip', 'abort'], {
    leansOnAnswer: true,
  })
}

function isAgreed(ctx: MaintenanceContext): boolean {
  const answer = ctx.history().findLast(({ fact }) => fact === OPERATOR_ANSWERED)
  return answer !== undefined && factText(answer, 'choice') === 'continue'
}

/** The owner of the cordon; null if the node is not cordoned. */
function statusOf({ unschedulable, cordonedBy }: ClusterNode, input: StepInput): CordonStatus | null {
  return unschedulable ? cordonStatus(cordonedBy, ofRun(input)) : null
}

function ofRun({ of }: StepInput): string {
  return String(of)
}

function stays({ name }: ClusterNode, { holders }: CordonStatus & { readonly kind: 'of-others' }): Finding {
  return found('CordonOfOthersStays', { node: name, by: holders })
}

function cordonEvidence(
  { name, unschedulable, cordonedBy, readiness, resourceVersion }: ClusterNode,
  ctx: MaintenanceContext,
) {
  const by = cordonedBy.map(each => ({ ...each }))
  return evidence(`node/${name}`, ctx.at(), { unschedulable, cordonedBy: by, readiness, resourceVersion })
}
