import { type CordonStanding, cordonedByWords, cordonStanding } from '../../../../shared/domain/cordon-holders.ts'
import type { ClusterNode } from '../../../../shared/domain/kubernetes.ts'
import { factText, OPERATOR_ANSWERED, UNCORDON_REQUESTED } from '../../../../shared/domain/run-facts.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { ApplyAnswer, Step, StepInput } from '../../../runs/engine/step.ts'
import { cannotAsk, cannotVerify, done, evidence, fails, holds, ready } from '../../answers.ts'
import { type MaintenanceContext, nodeOf } from '../../node-input.ts'
import { verifySchedulable } from './uncordon-node.ts'

/**
 * The cordon of one run is taken back, `of` in its input, and no other: one that somebody else set since, or holds beside it, stays. Where Kubernetes does not
 * tell whose it is, a person is asked.
 */
export const takeBackCordon: Step<MaintenanceWorld> = {
  kind: 'take-back-cordon',
  role: 'general',
  risk: 'reversible',
  why: 'Kubernetes may schedule pods onto the node again, unless somebody else keeps them off it.',
  title: input => `Uncordon ${nodeOf(input)}, if it is cordoned by run ${ofRun(input)}`,
  verifyEarly: true,
  withinMs: 60_000,
  verifyEveryMs: 500,
  undo: 'Cordon the node again.',
  check: async (input, ctx) => {
    const node = await ctx.world.kubernetes.getNode(nodeOf(input), ctx.signal)
    if (!node.ok) return cannotAsk(`Node ${nodeOf(input)}`, node.failure)
    const { name } = node.value
    const told = { evidence: [cordonEvidence(node.value, ctx)] }
    const standing = standingOf(node.value, input)
    if (standing === null) return done(`${name} is schedulable already.`, told)
    if (standing.kind === 'of-others') {
      const words = staysWords(node.value, standing)
      return done(words, {
        ...told,
        warnings: [`${words} Uncordon it yourself once whoever cordoned it agrees.`],
      })
    }
    return ready(`${name} is cordoned.`, {
      ...told,
      warnings: standing.kind === 'own' ? [] : [`${untoldWords(node.value)} The run asks before it uncordons it.`],
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
      // Of the very version that was judged: between the look and the patch it may change hands.
      const answer = await ctx.world.kubernetes.setUnschedulable(name, false, { atVersion, signal: ctx.signal })
      if (answer.ok) return { kind: 'applied', note: `${name} is uncordoned.` }
      if (answer.failure.code !== 'conflict' || left === 1) return { kind: 'failed', failure: answer.failure }
    }
  },
  verify: async (input, ctx) => {
    const node = await ctx.world.kubernetes.getNode(nodeOf(input), ctx.signal)
    if (!node.ok) return cannotVerify(`Node ${nodeOf(input)}`, node.failure)
    const read = cordonEvidence(node.value, ctx)
    const standing = standingOf(node.value, input)
    if (standing === null) return verifySchedulable(node.value, read)
    return standing.kind === 'of-others'
      ? holds(staysWords(node.value, standing), [read])
      : fails(`${node.value.name} is cordoned.`, 'Resume the run, or uncordon it with kubectl.', [read])
  },
}

/** A node is written by its kubelet too; how often a look at it may be overtaken. */
const TRIES = 5

/** Why the node is not uncordoned now, in words of an apply; null: it is to be. */
function whyNotNow(node: ClusterNode, input: StepInput, ctx: MaintenanceContext): ApplyAnswer | null {
  const standing = standingOf(node, input)
  if (standing === null) return { kind: 'applied', note: `${node.name} is schedulable already.` }
  if (standing.kind === 'of-others') return { kind: 'applied', note: staysWords(node, standing) }
  if (standing.kind === 'own' || isAgreed(ctx)) return null
  return {
    kind: 'question',
    question: `${untoldWords(node)} Continue uncordons it, skip leaves it cordoned, or abort.`,
    choices: ['continue', 'skip', 'abort'],
    leansOnAnswer: true,
  }
}

function isAgreed(ctx: MaintenanceContext): boolean {
  const answer = ctx.history().findLast(({ fact }) => fact === OPERATOR_ANSWERED)
  return answer !== undefined && factText(answer, 'choice') === 'continue'
}

/** Whose the cordon is; null: there is none. */
function standingOf({ unschedulable, cordonedBy }: ClusterNode, input: StepInput): CordonStanding | null {
  return unschedulable ? cordonStanding(cordonedBy, ofRun(input)) : null
}

function ofRun({ of }: StepInput): string {
  return String(of)
}

function staysWords({ name }: ClusterNode, { holders }: CordonStanding & { readonly kind: 'of-others' }): string {
  return `${name} stays cordoned: the cordon that is there was set ${cordonedByWords(holders)}.`
}

function untoldWords({ name, cordonedBy }: ClusterNode): string {
  return `${name} is cordoned, and Kubernetes does not tell whether by that run still: it was cordoned ${cordonedByWords(cordonedBy)}.`
}

function cordonEvidence(
  { name, unschedulable, cordonedBy, readiness, resourceVersion }: ClusterNode,
  ctx: MaintenanceContext,
) {
  const by = cordonedBy.map(each => ({ ...each }))
  return evidence(`node/${name}`, ctx.at(), { unschedulable, cordonedBy: by, readiness, resourceVersion })
}
