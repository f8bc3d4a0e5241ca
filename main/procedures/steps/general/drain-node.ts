import { failure } from '../../../../shared/domain/failure.ts'
import type { DrainOutcome, PodDecision, PodName } from '../../../../shared/domain/kubernetes.ts'
import { EVICTION_REQUESTED } from '../../../../shared/domain/run-facts.ts'
import { counted, someOf } from '../../../../shared/grammar/counts.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { ApplyAnswer, Step } from '../../../runs/engine/step.ts'
import { cannotAsk, cannotTell, cannotVerify, evidence, fails, holds, readyUnless } from '../../answers.ts'
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

/** Pods leave the node by eviction, budgets respected, DaemonSet pods stay (seed 003; docs/drain.md). */
export const drainNode: Step<MaintenanceWorld> = {
  kind: 'drain-node',
  role: 'general',
  risk: 'disruptive',
  why: 'Its pods have to run elsewhere before the node may be worked on.',
  title: input => `Drain ${nodeOf(input)}`,
  verifyEarly: true,
  withinMs: 24 * 3_600_000,
  verifyEveryMs: 1_000,
  undo: 'Evicted pods run elsewhere or wait as Pending; uncordon the node and they may come back.',
  check: async (input, ctx) => {
    const node = nodeOf(input)
    const plan = await ctx.world.kubernetes.planDrain(node, drainOptionsOf(ctx), { dryRun: true, signal: ctx.signal })
    if (!plan.ok) return cannotAsk(`The pods on ${node}`, plan.failure)
    const { decisions, evictionVersion, readAt } = plan.value
    const shown = decisions.map(({ pod }) => pod)
    const doubt = await whyNotWhole(node, shown, ctx)
    if (doubt !== null) return cannotAsk(`The pods on ${node}`, failure('unreadable', doubt))
    const leaving = decisions.filter(leaves)
    const claims = await readClaimsForecast(
      node,
      leaving.map(({ pod }) => pod),
      ctx,
    )
    return readyUnless(
      [...decisions.flatMap(podBlockers), ...budgetBlockers(decisions)],
      `${counted(leaving.length, 'pod')} to evict, ${decisions.length - leaving.length} stay.`,
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
            note: 'A dry run does not take from a budget: several passing dry runs under one budget do not promise as many evictions.',
          }),
        ],
      },
    )
  },
  apply: async (input, ctx) => {
    const node = nodeOf(input)
    const outcome = await ctx.world.kubernetes.drain(node, drainOptionsOf(ctx), {
      signal: ctx.signal,
      outlast: ctx.outlast,
      requestedBefore: announcedPods(ctx),
      onFact: fact => {
        const { kind, pod, ...values } = fact
        const tell = kind === EVICTION_REQUESTED ? ctx.announce : ctx.report
        tell(kind, podSubject(pod), { uid: pod.uid, ...values })
      },
    })
    return answerOf(node, outcome, ctx.counted().length)
  },
  verify: async (input, ctx) => {
    const node = nodeOf(input)
    const plan = await ctx.world.kubernetes.planDrain(node, drainOptionsOf(ctx), { dryRun: false, signal: ctx.signal })
    if (!plan.ok) return cannotVerify(`The pods on ${node}`, plan.failure)
    const left = plan.value.decisions
      .filter(decision => decision.fate !== 'keep')
      .map(({ pod }) => `${pod.namespace}/${pod.name}`)
    const read = evidence(`pods on ${node}`, plan.value.readAt, {
      left,
      staying: plan.value.decisions.length - left.length,
    })
    const remedy = 'Resume the run to drain again.'
    if (left.length > 0)
      return fails(`${counted(left.length, 'pod')} still on ${node}: ${someOf(left)}.`, remedy, [read])
    const staying = plan.value.decisions.map(({ pod }) => pod)
    const proof = await provePodsGone(node, staying, ctx)
    if (proof.left.length > 0) {
      return fails(
        `${counted(proof.left.length, 'pod')} still on ${node}, though the list of its pods does not show it: ${someOf(proof.left)}.`,
        `Find out what stands between this console and the API server. ${remedy}`,
        [read],
      )
    }
    if (proof.untold !== null) {
      return cannotTell(proof.untold, 'Look with `kubectl get pods -A -o wide` what runs there, then resume.', [read])
    }
    return holds(`No pod that had to leave is on ${node}.`, [read])
  },
}

function leaves({ fate }: PodDecision): boolean {
  return fate === 'evict' || fate === 'delete'
}

/** UIDs whose eviction this run announced before: such a pod is not evicted twice, only waited for. */
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

/** None that left is told by what the plan counted: those it saw may have gone before this run drove them out. */
function drainedWords(node: string, left: number, planned: number): string {
  if (left > 0) return `${counted(left, 'pod')} left ${node}.`
  return planned === 0 ? `No pod had to leave ${node}.` : `No pod had to leave ${node} any more.`
}

function answerOf(node: string, outcome: DrainOutcome, plannedPods: number): ApplyAnswer {
  const name = (pod: PodName) => `${pod.namespace}/${pod.name}`
  switch (outcome.kind) {
    case 'drained':
      return { kind: 'applied', note: drainedWords(node, outcome.left.length, plannedPods) }
    case 'aborted':
      return { kind: 'stopped' }
    case 'refused':
      return { kind: 'failed', failure: outcome.failure }
    case 'blocked':
      return {
        kind: 'failed',
        failure: failure('checks-failed', `The drain of ${node} is blocked: ${outcome.blockers.join('; ')}.`),
      }
    case 'timed-out':
      return {
        kind: 'question',
        question: `${counted(outcome.pending.length, 'pod')} did not leave ${node} in time: ${someOf(outcome.pending.map(({ pod, why }) => `${name(pod)}: ${why}`))}. Retry, or abort.`,
        choices: ['retry', 'abort'],
      }
    case 'failed':
      return {
        kind: 'question',
        question: `${counted(outcome.failures.length, 'pod')} could not be evicted from ${node}: ${someOf(outcome.failures.map(({ pod, message }) => `${name(pod)}: ${message}`))}. Retry, or abort.`,
        choices: ['retry', 'abort'],
      }
  }
}
