import type { DrainOutcome, PodDecision, PodName } from '../../../../shared/domain/kubernetes.ts'
import { EVICTION_REQUESTED } from '../../../../shared/domain/run-facts.ts'
import { fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import { type Finding, itemsOf, namesOf } from '../../../../shared/words/steps/coded.ts'
import { DRY_RUN_NOTE } from '../../../../shared/words/steps/general-drain.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { ApplyAnswer, Step } from '../../../runs/engine/step.ts'
import {
  applied,
  asks,
  cannotAsk,
  cannotTell,
  cannotVerify,
  evidence,
  fails,
  holds,
  readyUnless,
  refusal,
} from '../../answers.ts'
import { type MaintenanceContext, nodeOf } from '../../node-input.ts'
import { readClaimsForecast } from './claims-staying.ts'
import {
  budgetBlockers,
  budgetWarnings,
  drainOptionsOf,
  finalizerWarnings,
  podBlockers,
  podEffect,
} from './drain-choices.ts'
import { countedPods, provePodsGone, whyNotWhole } from './pods-gone.ts'

/** Evicts the node's pods within their budgets; DaemonSet pods stay (seed 003; docs/drain.md). */
export const drainNode: Step<MaintenanceWorld> = {
  kind: 'drain-node',
  role: 'general',
  risk: 'disruptive',
  ...stepText('drain-node'),
  verifyEarly: true,
  withinMs: 24 * 3_600_000,
  verifyEveryMs: 1_000,
  check: async (input, ctx) => {
    const node = nodeOf(input)
    const plan = await ctx.world.kubernetes.planDrain(node, drainOptionsOf(ctx), { dryRun: true, signal: ctx.signal })
    if (!plan.ok) return cannotAsk(thing('PodsOnNode', { node }), plan.failure)
    const { decisions, evictionVersion, readAt } = plan.value
    const shown = decisions.map(({ pod }) => pod)
    const doubt = await whyNotWhole(node, shown, ctx)
    if (doubt !== null) return cannotAsk(thing('PodsOnNode', { node }), refusal('unreadable', { ...doubt, remedy: '' }))
    const leaving = decisions.filter(leaves)
    const claims = await readClaimsForecast(
      node,
      leaving.map(({ pod }) => pod),
      ctx,
    )
    return readyUnless(
      [...decisions.flatMap(podBlockers), ...budgetBlockers(decisions)],
      found('PodsToEvict', { leaving: leaving.length, staying: decisions.length - leaving.length }),
      {
        effects: decisions.map(decision =>
          podEffect(decision, leaves(decision) ? claims.warningsOf(decision.pod) : []),
        ),
        warnings: [...budgetWarnings(decisions), ...finalizerWarnings(leaving), ...claims.warnings],
        counted: countedPods(decisions),
        evidence: [
          evidence(`pods on ${node}`, readAt, {
            evictionVersion,
            leaving: leaving.map(({ pod }) => `${pod.namespace}/${pod.name}`),
            note: DRY_RUN_NOTE,
          }),
        ],
      },
    )
  },
  apply: async (input, ctx) => {
    const node = nodeOf(input)
    const outcome = await ctx.world.kubernetes.drain(node, drainOptionsOf(ctx), {
      signal: ctx.signal,
      retryTransient: ctx.retryTransient,
      requestedBefore: announcedPods(ctx),
      onFact: fact => {
        const { kind, pod, ...values } = fact
        const report = kind === EVICTION_REQUESTED ? ctx.announce : ctx.report
        report(kind, podSubject(pod), { uid: pod.uid, ...values })
      },
    })
    return answerOf(node, outcome, ctx.counted().length)
  },
  verify: async (input, ctx) => {
    const node = nodeOf(input)
    const plan = await ctx.world.kubernetes.planDrain(node, drainOptionsOf(ctx), { dryRun: false, signal: ctx.signal })
    if (!plan.ok) return cannotVerify(thing('PodsOnNode', { node }), plan.failure)
    const left = plan.value.decisions
      .filter(decision => decision.fate !== 'keep')
      .map(({ pod }) => `${pod.namespace}/${pod.name}`)
    const read = evidence(`pods on ${node}`, plan.value.readAt, {
      left,
      staying: plan.value.decisions.length - left.length,
    })
    if (left.length > 0) return fails(fault('PodsStillThere', { node, pods: namesOf(left) }), [read])
    const staying = plan.value.decisions.map(({ pod }) => pod)
    const proof = await provePodsGone(node, staying, ctx)
    if (proof.left.length > 0) {
      return fails(fault('PodsHidden', { node, pods: namesOf(proof.left) }), [read])
    }
    if (proof.unreported !== null) return cannotTell(proof.unreported, [read])
    return holds(found('NoPodLeft', { node }), [read])
  },
}

function leaves({ fate }: PodDecision): boolean {
  return fate === 'evict' || fate === 'delete'
}

/** A pod whose eviction this run announced before is not evicted twice, only awaited. */
function announcedPods(ctx: MaintenanceContext): ReadonlySet<string> {
  return new Set(
    ctx
      .history()
      .flatMap(({ fact, values }) =>
        fact === EVICTION_REQUESTED && typeof values.uid === 'string' ? [values.uid] : [],
      ),
  )
}

function podSubject(pod: PodName): string {
  return `pod/${pod.namespace}/${pod.name}`
}

/** With no pod left, the planned number decides the text: pods may have left before this run evicted them. */
function drained(node: string, left: number, planned: number): Finding {
  if (left > 0) return found('PodsLeft', { node, total: left })
  return found(planned === 0 ? 'NoPodHadToLeave' : 'NoPodHadToLeaveAnyMore', { node })
}

function answerOf(node: string, outcome: DrainOutcome, plannedPods: number): ApplyAnswer {
  const name = (pod: PodName) => `${pod.namespace}/${pod.name}`
  switch (outcome.kind) {
    case 'drained':
      return applied(drained(node, outcome.left.length, plannedPods))
    case 'aborted':
      return { kind: 'stopped' }
    case 'refused':
      return { kind: 'failed', failure: outcome.failure }
    case 'blocked':
      return {
        kind: 'failed',
        failure: refusal('checks-failed', fault('DrainBlocked', { node, by: outcome.blockers })),
      }
    case 'timed-out':
      return asks(
        found('PodsDidNotLeave', {
          node,
          pods: itemsOf(outcome.pending.map(({ pod, ...why }) => ({ pod: name(pod), ...why }))),
        }),
        ['retry', 'abort'],
      )
    case 'failed':
      return asks(
        found('PodsNotEvicted', {
          node,
          pods: itemsOf(outcome.failures.map(({ pod, ...why }) => ({ pod: name(pod), ...why }))),
        }),
        ['retry', 'abort'],
      )
  }
}
