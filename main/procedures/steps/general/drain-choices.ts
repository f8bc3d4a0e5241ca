import { isGuarded, keepsPod } from '../../../../shared/domain/budget-state.ts'
import { foreignFinalizers } from '../../../../shared/domain/finalizers.ts'
import {
  DRAIN_DEFAULTS,
  type DrainOptions,
  type GuardingBudget,
  type Pod,
  type PodDecision,
  type PodObstacle,
} from '../../../../shared/domain/kubernetes.ts'
import type { Blocker, Effect } from '../../../../shared/domain/step-answers.ts'
import { fault, found } from '../../../../shared/words/step-texts.ts'
import type { Finding } from '../../../../shared/words/steps/coded.ts'
import { BY_FORCE, blocker } from '../../answers.ts'
import { isOverridden, type MaintenanceContext } from '../../node-input.ts'

/** DaemonSet pods stay (seed 003), budgets are never bypassed, and only an explicit choice loses data (docs/drain.md 5.4 rule 7). */
export function drainOptionsOf(ctx: MaintenanceContext): DrainOptions {
  return {
    ...DRAIN_DEFAULTS,
    force: isOverridden(ctx, 'force'),
    deleteEmptyDirData: ctx.options.deleteEmptyDirData,
    timeoutMs: ctx.options.drainTimeoutMs,
  }
}

export function podEffect(decision: PodDecision, warnings: readonly Finding[] = []): Effect {
  const { pod } = decision
  return {
    kind: 'pod',
    namespace: pod.namespace,
    name: pod.name,
    uid: pod.uid,
    fate: decision.fate,
    reason: decision.fate === 'block' ? decision.obstacles.map(({ reason }) => reason).join('; ') : decision.reason,
    ...reasonOf(decision),
    warnings: [...decision.warnings, ...warnings.map(({ message }) => message)],
    budgets: decision.budgets.map(budget => shownBudget(budget, decision)),
  }
}

/** Why a pod stays, or the first reason why it blocks. */
function reasonOf({ code, values }: PodDecision) {
  return code === undefined || values === undefined ? {} : { code, values: { ...values } }
}

/** One blocker for each rule, with the flag that lifts exactly that rule. Losing scratch data is never part of --force. */
export function podBlockers({ pod, obstacles }: PodDecision): readonly Blocker[] {
  return obstacles.map(obstacle => podBlocker(pod, obstacle))
}

function podBlocker(pod: Pod, { rule, reason }: PodObstacle): Blocker {
  const label = labelOf(pod)
  switch (rule) {
    case 'no-controller':
      return blocker(fault('PodWithoutController', { pod: label }), BY_FORCE)
    case 'daemon-set-missing':
      return blocker(fault('PodOfVanishedDaemonSet', { pod: label, reason }), BY_FORCE)
    case 'local-storage':
      return blocker(fault('PodWithEmptyDir', { pod: label, volumes: pod.emptyDirs }))
    case 'daemon-set-unknown':
      return blocker(fault('DaemonSetNotKnown', { pod: label, cause: reason }))
    case 'daemon-set':
      return blocker(fault('PodOfDaemonSet', { pod: label, reason }))
  }
}

/** Pods that cannot be evicted: two budgets select them, and the dry run did not contradict that. */
export function budgetBlockers(decisions: readonly PodDecision[]): readonly Blocker[] {
  return decisions
    .filter(({ pod, fate, budgets, dryRun }) => {
      return fate === 'evict' && budgets.length > 1 && isGuarded(pod) && dryRun?.kind !== 'accepted'
    })
    .map(({ pod, budgets }) =>
      blocker(fault('PodWithTwoBudgets', { pod: labelOf(pod), budgets: budgets.map(({ name }) => name) })),
    )
}

/** Pods that the drain will wait for, because their budget allows no eviction now: by the dry run, else by the budget's numbers. */
export function budgetWarnings(decisions: readonly PodDecision[]): readonly Finding[] {
  return decisions.filter(({ fate }) => fate === 'evict').flatMap(budgetWarning)
}

function budgetWarning({ pod: of, budgets, dryRun }: PodDecision): readonly Finding[] {
  const pod = labelOf(of)
  if (dryRun?.kind === 'refused') return [found('EvictionRefusedNow', { pod, cause: dryRun.sentence })]
  if (dryRun?.kind === 'failed' && dryRun.failure.code === 'conflict') {
    return [found('EvictionFailsNow', { pod, cause: dryRun.failure.message })]
  }
  const [budget] = budgets
  if (dryRun?.kind === 'accepted' || budget === undefined || budgets.length > 1) return []
  const { name, currentHealthy: healthy, desiredHealthy: needed } = budget
  switch (budget.status) {
    case 'allows':
    case 'passed':
      return []
    case 'behind':
      return [found('BudgetBehind', { pod, budget: name })]
    case 'refuses':
      return [found('BudgetRefusesNow', { pod, budget: name, healthy, needed })]
  }
}

/** After a dry run its answer says what the budget means for the pod. */
function shownBudget(budget: GuardingBudget, { dryRun }: PodDecision): GuardingBudget {
  const waits = keepsPod(budget.status)
  if (dryRun?.kind === 'accepted' && waits) return { ...budget, status: 'passed' }
  return dryRun?.kind === 'refused' && !waits ? { ...budget, status: 'refuses' } : budget
}

/** Evicted pods that wait until someone removes their finalizers, which the drain never does. */
export function finalizerWarnings(leaving: readonly PodDecision[]): readonly Finding[] {
  return leaving.flatMap(({ pod }) => {
    const finalizers = foreignFinalizers(pod.finalizers)
    return finalizers.length === 0 ? [] : [found('FinalizersKeepPod', { pod: labelOf(pod), finalizers })]
  })
}

function labelOf({ namespace, name }: Pod): string {
  return `${namespace}/${name}`
}
