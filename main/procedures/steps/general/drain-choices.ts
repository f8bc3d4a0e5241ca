import { isGuarded, keepsPod } from '../../../../shared/domain/budget-standing.ts'
import { finalizersNamed, foreignFinalizers } from '../../../../shared/domain/finalizers.ts'
import {
  DRAIN_DEFAULTS,
  type DrainOptions,
  type GuardingBudget,
  type Pod,
  type PodDecision,
  type PodObstacle,
} from '../../../../shared/domain/kubernetes.ts'
import type { Blocker, Effect } from '../../../../shared/domain/plan.ts'
import { BY_FORCE } from '../../answers.ts'
import { isOverridden, type MaintenanceContext } from '../../node-input.ts'

/**
 * The drain's options as the operator chose them. DaemonSet pods always stay (seed 003, phases 3 and 4); the rest are kubectl's
 * defaults (docs/drain.md 5.4 rule 7): budgets are never bypassed, data is lost only when it was ticked.
 */
export function drainOptionsOf(ctx: MaintenanceContext): DrainOptions {
  return {
    ...DRAIN_DEFAULTS,
    force: isOverridden(ctx, 'force'),
    deleteEmptyDirData: ctx.options.deleteEmptyDirData,
    timeoutMs: ctx.options.drainTimeoutMs,
  }
}

/** A pod of the drain plan as an effect to be shown, with what else is to be warned of. */
export function podEffect(decision: PodDecision, warnings: readonly string[] = []): Effect {
  const { pod } = decision
  return {
    kind: 'pod',
    namespace: pod.namespace,
    name: pod.name,
    uid: pod.uid,
    fate: decision.fate,
    reason: decision.fate === 'block' ? decision.obstacles.map(({ reason }) => reason).join('; ') : decision.reason,
    warnings: [...decision.warnings, ...warnings],
    budgets: decision.budgets.map(budget => shownBudget(budget, decision)),
  }
}

/**
 * Why a pod blocks the drain, one blocker a rule, each with the flag that lifts that very rule: the drain looks at the rules, not at the pod, so
 * a pod without controller that keeps scratch data needs both. Emptying scratch data is a choice of its own, never part of --force.
 */
export function podBlockers({ pod, obstacles }: PodDecision): readonly Blocker[] {
  return obstacles.map(obstacle => podBlocker(pod, obstacle))
}

function podBlocker(pod: Pod, { rule, reason }: PodObstacle): Blocker {
  const label = `${pod.namespace}/${pod.name}`
  switch (rule) {
    case 'no-controller':
      return {
        code: 'pod-without-controller',
        message: `Pod ${label} has no controller: once evicted, nothing brings it back.`,
        remedy: 'Delete it yourself if it is not needed, or give --force with the reason.',
        override: BY_FORCE,
      }
    case 'daemon-set-missing':
      return {
        code: 'pod-of-vanished-daemonset',
        message: `Pod ${label} belongs to a DaemonSet that is gone (${reason}): once evicted, nothing brings it back.`,
        remedy: 'Delete it yourself if it is not needed, or give --force with the reason.',
        override: BY_FORCE,
      }
    case 'local-storage':
      return {
        code: 'pod-with-emptydir',
        message: `Pod ${label} keeps data in emptyDir (${pod.emptyDirs.join(', ')}), which is lost when it leaves.`,
        remedy: 'If that data is a cache, give --delete-emptydir-data. --force does not lift this.',
        override: { kind: 'never', why: 'losing data is chosen with --delete-emptydir-data, not forced' },
      }
    case 'daemon-set-unknown':
      return {
        code: 'daemonset-unknown',
        message: `Whether the DaemonSet of pod ${label} is there could not be read: ${reason}`,
        remedy: 'Run `lockkeeper cluster test` to see what is missing, then try again.',
        override: { kind: 'never', why: 'kubectl refuses too, with --force and without' },
      }
    case 'daemon-set':
      return {
        code: 'pod-of-daemonset',
        message: `Pod ${label} blocks the drain: ${reason}.`,
        remedy: 'Lockkeeper leaves the pods of DaemonSets where they are: report this.',
        override: { kind: 'never', why: 'the drain would put it back at once' },
      }
  }
}

/** Pods that no eviction gets off the node: two budgets guard them, and the API server said nothing else when it was tried. */
export function budgetBlockers(decisions: readonly PodDecision[]): readonly Blocker[] {
  return decisions
    .filter(({ pod, fate, budgets, dryRun }) => {
      return fate === 'evict' && budgets.length > 1 && isGuarded(pod) && dryRun?.kind !== 'accepted'
    })
    .map(({ pod, budgets }) => ({
      code: 'pod-with-two-budgets',
      message: `Pod ${pod.namespace}/${pod.name} is guarded by ${budgets.length} budgets (${budgets.map(budget => budget.name).join(', ')}): the API server refuses to evict it (docs/drain.md 5.5).`,
      remedy: 'Leave it only one PodDisruptionBudget.',
      override: { kind: 'never', why: 'the API server refuses every eviction of it' },
    }))
}

/**
 * Pods that the drain will wait for, because their budget lets none go now: it never goes around. What the API server said when the eviction was
 * tried comes first; where it was not, or did not get through, the budget's own numbers tell.
 */
export function budgetWarnings(decisions: readonly PodDecision[]): readonly string[] {
  return decisions.filter(({ fate }) => fate === 'evict').flatMap(budgetWarning)
}

function budgetWarning({ pod, budgets, dryRun }: PodDecision): readonly string[] {
  const name = `${pod.namespace}/${pod.name}`
  if (dryRun?.kind === 'refused') return [`Eviction of ${name} would be refused now: ${dryRun.sentence}`]
  if (dryRun?.kind === 'failed' && dryRun.failure.code === 'conflict') {
    return [`Eviction of ${name} would fail now: ${dryRun.failure.message}`]
  }
  const [budget] = budgets
  if (dryRun?.kind === 'accepted' || budget === undefined || budgets.length > 1) return []
  switch (budget.standing) {
    case 'allows':
    case 'passed':
      return []
    case 'behind':
      return [`Budget ${budget.name} is still being processed: the drain will wait for ${name}.`]
    case 'refuses':
      return [
        `Budget ${budget.name} allows no disruption of ${name} now (${budget.currentHealthy} healthy, ${budget.desiredHealthy} needed): the drain will wait for it.`,
      ]
  }
}

/** A budget as the plan shows it: where the eviction was tried, the API server's answer tells what it means for the pod. */
function shownBudget(budget: GuardingBudget, { dryRun }: PodDecision): GuardingBudget {
  const waits = keepsPod(budget.standing)
  if (dryRun?.kind === 'accepted' && waits) return { ...budget, standing: 'passed' }
  return dryRun?.kind === 'refused' && !waits ? { ...budget, standing: 'refuses' } : budget
}

/** Pods that are to leave and are gone only when somebody takes their finalizers away: the drain waits for that, it never does it. */
export function finalizerWarnings(leaving: readonly PodDecision[]): readonly string[] {
  return leaving.flatMap(({ pod }) => {
    const foreign = foreignFinalizers(pod.finalizers)
    return foreign.length === 0
      ? []
      : [
          `Pod ${pod.namespace}/${pod.name} is gone only when ${finalizersNamed(foreign)} ${foreign.length === 1 ? 'is' : 'are'} taken away by whoever set ${foreign.length === 1 ? 'it' : 'them'}: the drain will wait for that.`,
        ]
  })
}
