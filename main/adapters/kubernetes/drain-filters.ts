import { budgetState } from '../../../shared/domain/budget-state.ts'
import { foreignFinalizers } from '../../../shared/domain/finalizers.ts'
import type {
  DisruptionBudget,
  DrainOptions,
  GuardingBudget,
  LabelSelector,
  Pod,
  PodDecision,
  PodObstacle,
} from '../../../shared/domain/kubernetes.ts'
import { because } from '../../../shared/words/reasons.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'

/** The answer of one filter about a pod (docs/drain.md 5.2). `stays` ends the chain; after `blocks` the others still run, to name all blockers. */
type FilterAnswer =
  | { readonly kind: 'leaves'; readonly warning: string | null }
  | { readonly kind: 'stays'; readonly why: Finding; readonly warning: string | null }
  | { readonly kind: 'blocks'; readonly obstacle: PodObstacle }

export type DrainFilter = (pod: Pod) => FilterAnswer

/** The DaemonSet that controls a pod, read before the filters run, so that they stay pure. */
export type DaemonSetAnswer =
  | { readonly kind: 'exists' }
  | { readonly kind: 'missing'; readonly why: Finding }
  | { readonly kind: 'unknown'; readonly why: Finding }

interface FilterSetting {
  readonly options: DrainOptions
  readonly now: number
  readonly daemonSets: ReadonlyMap<string, DaemonSetAnswer>
}

const LEAVES_WITHOUT_WARNING: FilterAnswer = { kind: 'leaves', warning: null }

/** The key in {@link FilterSetting} for a pod with a DaemonSet to check; null for all others. */
export function daemonSetKey(pod: Pod): string | null {
  // A controller of another API group is evicted; finished pods are decided before the DaemonSet check (filters.go:173-185).
  const controlled = pod.controller?.kind === 'DaemonSet' && pod.controller.apiVersion === 'apps/v1'
  return controlled && !isFinished(pod) ? `${pod.namespace}/${pod.controller.name}` : null
}

/** The chain of docs/drain.md 5.2 rules 1-5, in kubectl's order. */
export function drainFilters(setting: FilterSetting): readonly DrainFilter[] {
  return [
    pod => skipDeleted(pod, setting),
    pod => daemonSet(pod, setting),
    mirrorPod,
    pod => localStorage(pod, setting),
    pod => unreplicated(pod, setting),
  ]
}

/**
 * Runs the chain for one pod. The first filter that keeps it decides. All warnings and all blocking rules are named: each has its own flag, and the pod leaves
 * only when all are lifted (docs/drain.md V4, V12).
 */
export function decidePod(
  pod: Pod,
  filters: readonly DrainFilter[],
): Pick<PodDecision, 'reason' | 'code' | 'values' | 'warnings' | 'obstacles'> & {
  readonly fate: 'leave' | 'keep' | 'block'
} {
  const warnings: string[] = []
  const obstacles: PodObstacle[] = []
  for (const filter of filters) {
    const answer = filter(pod)
    if (answer.kind === 'blocks') {
      obstacles.push(answer.obstacle)
      continue
    }
    if (obstacles.length === 0 && answer.warning !== null) warnings.push(answer.warning)
    if (obstacles.length === 0 && answer.kind === 'stays') {
      return { fate: 'keep', ...reasonOf(answer.why), warnings, obstacles }
    }
  }
  const [first] = obstacles
  return first === undefined
    ? { fate: 'leave', reason: '', warnings, obstacles }
    : { fate: 'block', reason: first.reason, code: first.code, values: first.values, warnings, obstacles }
}

function reasonOf({ message: reason, code, values }: Finding) {
  return { reason, code, values }
}

export function decideDrain(
  pods: readonly Pod[],
  setting: FilterSetting & {
    readonly leaveBy: 'evict' | 'delete'
    readonly budgets: readonly DisruptionBudget[]
  },
): readonly PodDecision[] {
  const filters = drainFilters(setting)
  return pods.map(pod => {
    const { fate, warnings, obstacles, ...reason } = decidePod(pod, filters)
    return {
      pod,
      fate: fate === 'leave' ? setting.leaveBy : fate,
      ...reason,
      warnings: fate === 'leave' ? [...warnings, ...heldWarnings(pod)] : warnings,
      obstacles,
      budgets: budgetsOf(pod, setting.budgets),
      dryRun: null,
    }
  })
}

/** kubectl does not report finalizers and waits for such a pod until its time-out. */
function heldWarnings({ finalizers }: Pod): readonly string[] {
  const foreign = foreignFinalizers(finalizers)
  return foreign.length === 0 ? [] : [because('PodKeptByFinalizers', { finalizers: foreign }).message]
}

/** kubectl's grouped messages, such as `cannot delete Pods with local storage (…): ns/a, ns/b` (filters.go:77-93). */
export function groupedBlockers(decisions: readonly PodDecision[]): readonly string[] {
  const groups = new Map<string, string[]>()
  for (const { pod, fate, reason } of decisions) {
    if (fate !== 'block') continue
    groups.set(reason, [...(groups.get(reason) ?? []), `${pod.namespace}/${pod.name}`])
  }
  return [...groups].map(([reason, names]) => because('PodsNotDeletable', { cause: reason, pods: names }).message)
}

/** Deletion was requested longer ago than the operator's limit (5.2 rule 1, 5.4 rule 4; in whole seconds, as in kubectl). */
export function isDeletedLongEnough(pod: Pod, options: DrainOptions, now: number): boolean {
  if (options.skipWaitForDeleteSeconds <= 0 || pod.deletionAt === null) return false
  return Math.trunc((now - Date.parse(pod.deletionAt)) / 1000) > options.skipWaitForDeleteSeconds
}

function isFinished(pod: Pod): boolean {
  return pod.phase === 'Succeeded' || pod.phase === 'Failed'
}

function blocks(rule: PodObstacle['rule'], why: Finding): FilterAnswer {
  return { kind: 'blocks', obstacle: { rule, ...reasonOf(why) } }
}

function skipDeleted(pod: Pod, { options, now }: FilterSetting): FilterAnswer {
  return isDeletedLongEnough(pod, options, now)
    ? {
        kind: 'stays',
        why: because('PodDeletedLongAgo', { seconds: options.skipWaitForDeleteSeconds }),
        warning: null,
      }
    : LEAVES_WITHOUT_WARNING
}

function daemonSet(pod: Pod, { options, daemonSets }: FilterSetting): FilterAnswer {
  const key = daemonSetKey(pod)
  if (key === null) return LEAVES_WITHOUT_WARNING
  const named = { daemonSet: key }
  const answer = daemonSets.get(key) ?? { kind: 'unknown', why: because('DaemonSetNotAsked', named) }
  switch (answer.kind) {
    case 'missing':
      return options.force ? { kind: 'leaves', warning: answer.why.message } : blocks('daemon-set-missing', answer.why)
    case 'unknown':
      return blocks('daemon-set-unknown', answer.why)
    case 'exists':
      return options.ignoreDaemonSets
        ? {
            kind: 'stays',
            why: because('DaemonSetStays', named),
            warning: because('DaemonSetPodsIgnored').message,
          }
        : blocks('daemon-set', because('PodOfManagedDaemonSet'))
  }
}

function mirrorPod(pod: Pod): FilterAnswer {
  return pod.mirror ? { kind: 'stays', why: because('PodFromFile'), warning: null } : LEAVES_WITHOUT_WARNING
}

function localStorage(pod: Pod, { options }: FilterSetting): FilterAnswer {
  if (pod.emptyDirs.length === 0 || isFinished(pod)) return LEAVES_WITHOUT_WARNING
  return options.deleteEmptyDirData
    ? { kind: 'leaves', warning: because('LocalStorageDeleted').message }
    : blocks('local-storage', because('PodHasLocalStorage'))
}

function unreplicated(pod: Pod, { options }: FilterSetting): FilterAnswer {
  if (pod.controller !== null || isFinished(pod)) return LEAVES_WITHOUT_WARNING
  return options.force
    ? { kind: 'leaves', warning: because('UnmanagedPodDeleted').message }
    : blocks('no-controller', because('PodHasNoController'))
}

/** The budgets whose selector matches a pod. With several, the API server refuses every eviction with HTTP 500 (docs/drain.md 5.5, V9). */
export function budgetsOf(pod: Pod, budgets: readonly DisruptionBudget[]): readonly GuardingBudget[] {
  return budgets
    .filter(budget => budget.namespace === pod.namespace && selects(budget, pod.labels))
    .map(budget => ({
      name: budget.name,
      disruptionsAllowed: budget.disruptionsAllowed,
      currentHealthy: budget.currentHealthy,
      desiredHealthy: budget.desiredHealthy,
      status: budgetState(pod, budget),
    }))
}

/** By the API server's rules: null and invalid selectors select nothing; an empty one selects everything, or nothing in policy/v1beta1 (docs/drain.md 5.5, 5.7). */
function selects(
  { selector, apiVersion }: Pick<DisruptionBudget, 'selector' | 'apiVersion'>,
  labels: Readonly<Record<string, string>>,
): boolean {
  if (selector === null) return false
  if (apiVersion === 'policy/v1beta1' && isEmpty(selector)) return false
  const expressions = selector.matchExpressions ?? []
  if (!expressions.every(isValid)) return false
  return (
    Object.entries(selector.matchLabels ?? {}).every(([key, value]) => labels[key] === value) &&
    expressions.every(expression => isMet(expression, labels))
  )
}

function isEmpty({ matchLabels = {}, matchExpressions = [] }: LabelSelector): boolean {
  return Object.keys(matchLabels).length + matchExpressions.length === 0
}

type Expression = NonNullable<LabelSelector['matchExpressions']>[number]

function isValid({ key, operator, values = [] }: Expression): boolean {
  if (key === '') return false
  switch (operator) {
    case 'In':
    case 'NotIn':
      return values.length > 0
    case 'Exists':
    case 'DoesNotExist':
      return values.length === 0
    default:
      return false
  }
}

function isMet({ key, operator, values = [] }: Expression, labels: Readonly<Record<string, string>>): boolean {
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value)
    case 'NotIn':
      // NotIn matches an absent label too (apimachinery labels.Requirement).
      return value === undefined || !values.includes(value)
    case 'Exists':
      return value !== undefined
    default:
      return value === undefined
  }
}
