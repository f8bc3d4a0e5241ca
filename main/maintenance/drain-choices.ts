import type { DrainOptions, PodDecision } from '../../shared/domain/kubernetes.ts'
import type { Blocker, Effect } from '../../shared/domain/plan.ts'
import { BY_FORCE } from './answers.ts'
import { isOverridden, type MaintenanceContext } from './node-input.ts'

/**
 * The drain's options as the operator chose them. DaemonSet pods always stay (seed 003, phases 3 and 4); the rest are kubectl's
 * defaults (docs/drain.md 5.4 rule 7): budgets are never bypassed, data is lost only when it was ticked.
 */
export function drainOptionsOf(ctx: MaintenanceContext): DrainOptions {
  return {
    force: isOverridden(ctx, 'force'),
    ignoreDaemonSets: true,
    deleteEmptyDirData: ctx.options.deleteEmptyDirData,
    disableEviction: false,
    gracePeriodSeconds: -1,
    skipWaitForDeleteSeconds: 0,
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
    reason: decision.reason,
    warnings: [...decision.warnings, ...warnings],
    budgets: decision.budgets.map(budget => ({ ...budget })),
  }
}

/** Why a pod blocks the drain, and what may be done. Emptying scratch data is a choice of its own, never part of --force. */
export function podBlocker(decision: PodDecision): Blocker {
  const { pod } = decision
  const label = `${pod.namespace}/${pod.name}`
  if (pod.controller === null) {
    return {
      code: 'pod-without-controller',
      message: `Pod ${label} has no controller: once evicted, nothing brings it back.`,
      remedy: 'Delete it yourself if it is not needed, or give --force with the reason.',
      override: BY_FORCE,
    }
  }
  if (pod.emptyDirs.length > 0) {
    return {
      code: 'pod-with-emptydir',
      message: `Pod ${label} keeps data in emptyDir (${pod.emptyDirs.join(', ')}), which is lost when it leaves.`,
      remedy: 'If that data is a cache, give --delete-emptydir-data.',
      override: { kind: 'never', why: 'losing data is chosen with --delete-emptydir-data, not forced' },
    }
  }
  return {
    code: 'pod-blocks-drain',
    message: `Pod ${label} blocks the drain: ${decision.reason}.`,
    remedy: 'Give --force with the reason when its vanished owner is expected.',
    override: BY_FORCE,
  }
}

/** Warnings about budgets that will make the drain wait or fail. */
export function budgetBlockers(decisions: readonly PodDecision[]): readonly Blocker[] {
  return decisions
    .filter(decision => decision.fate === 'evict' && decision.budgets.length > 1 && guarded(decision))
    .map(({ pod, budgets }) => ({
      code: 'pod-with-two-budgets',
      message: `Pod ${pod.namespace}/${pod.name} is guarded by ${budgets.length} budgets (${budgets.map(budget => budget.name).join(', ')}): the API server refuses to evict it (docs/drain.md 5.5).`,
      remedy: 'Leave it only one PodDisruptionBudget.',
      override: { kind: 'never', why: 'the API server refuses every eviction of it' },
    }))
}

/** Pods whose budget allows no disruption now: the drain waits for them, it never goes around. */
export function budgetWarnings(decisions: readonly PodDecision[]): readonly string[] {
  return decisions
    .filter(decision => decision.fate === 'evict' && guarded(decision))
    .flatMap(({ pod, budgets, dryRun }) =>
      budgets.length === 1 && (budgets[0]?.disruptionsAllowed ?? 1) <= 0
        ? [
            `Budget ${budgets[0]?.name} allows no disruption of ${pod.namespace}/${pod.name} now (${budgets[0]?.currentHealthy} healthy, ${budgets[0]?.desiredHealthy} needed): the drain will wait for it.`,
          ]
        : dryRun?.kind === 'refused'
          ? [`Eviction of ${pod.namespace}/${pod.name} would be refused now: ${dryRun.sentence}`]
          : [],
    )
}

/** Budgets do not guard pods that are pending, finished or already terminating (docs/drain.md 5.5). */
function guarded({ pod }: PodDecision): boolean {
  return pod.deletionAt === null && pod.phase === 'Running'
}
