import type { DrainOptions, Pod, PodDecision, PodObstacle } from '../../../../shared/domain/kubernetes.ts'
import type { Blocker, Effect } from '../../../../shared/domain/plan.ts'
import { BY_FORCE } from '../../answers.ts'
import { isOverridden, type MaintenanceContext } from '../../node-input.ts'

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
    reason: decision.fate === 'block' ? decision.obstacles.map(({ reason }) => reason).join('; ') : decision.reason,
    warnings: [...decision.warnings, ...warnings],
    budgets: decision.budgets.map(budget => ({ ...budget })),
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
