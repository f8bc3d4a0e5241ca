import type { InstanceForecast } from '../../../shared/contract/index.ts'
import { keepsPod } from '../../../shared/domain/budget-state.ts'
import { type CheckedPlan, overrideFor, type PlannedStep, type StepCheck } from '../../../shared/domain/plan.ts'
import type { InstanceEffect, PodEffect } from '../../../shared/domain/plan-effects.ts'

/** The result of a check, for its colour and place. */
export type CheckStatus = 'blocked' | 'overridden' | 'warning' | 'holds' | 'done'

/** A step with the result of its check. */
export interface CheckedStep {
  readonly step: PlannedStep
  readonly check: StepCheck
  readonly status: CheckStatus
}

const STATUSES: readonly CheckStatus[] = ['blocked', 'overridden', 'warning', 'holds', 'done']

/** The checks of a plan: blockers, then notes, then those that pass, each in the plan's order. */
export function checksInOrder(checked: CheckedPlan): readonly CheckedStep[] {
  const answers = new Map(checked.checks.map(check => [check.stepId, check]))
  const found = checked.plan.steps.flatMap(step => {
    const check = answers.get(step.id)
    return check === undefined ? [] : [{ step, check, status: checkStatusOf(check, checked) }]
  })
  return [...found].sort((a, b) => STATUSES.indexOf(a.status) - STATUSES.indexOf(b.status))
}

function checkStatusOf({ answer }: StepCheck, checked: CheckedPlan): CheckStatus {
  if (answer.kind === 'blocked') {
    const open = answer.blockers.some(blocker => overrideFor(blocker, checked.plan.options.overrides) === null)
    return open ? 'blocked' : 'overridden'
  }
  if (answer.warnings.length > 0) return 'warning'
  return answer.kind === 'done' ? 'done' : 'holds'
}

const ACTIONS: readonly InstanceEffect['action'][] = [
  'blocked',
  'notify',
  'poweroff',
  'stop',
  'live_migrate',
  'cold_migrate',
  'ignore',
]

/** Instances in order: blocked, waiting for the owner, going down, moving, staying. */
export function instancesInOrder(
  instances: readonly InstanceEffect[],
  forecasts: ReadonlyMap<string, InstanceForecast>,
): readonly InstanceEffect[] {
  const rank = (effect: InstanceEffect) => {
    const goesNowhere = moves(effect) && forecasts.get(effect.id)?.mayGoTo.length === 0
    return goesNowhere ? 0.5 : ACTIONS.indexOf(effect.action) + (effect.warnings.length > 0 ? 0 : 0.25)
  }
  return [...instances].sort((a, b) => rank(a) - rank(b) || compareNames(a.name, b.name))
}

/** The same in the order of an earlier plan; what is new comes last. */
export function inFirstOrder(ordered: readonly InstanceEffect[], first: readonly string[]): readonly InstanceEffect[] {
  const place = new Map(first.map((id, at) => [id, at]))
  const of = ({ id }: InstanceEffect) => place.get(id) ?? first.length
  return [...ordered].sort((a, b) => of(a) - of(b))
}

/** Whether an instance goes to another node, running or stopped. */
export function moves({ action }: Pick<InstanceEffect, 'action'>): boolean {
  return action === 'live_migrate' || action === 'cold_migrate'
}

/** Whether a budget does not let the pod go now. */
function isGuardedNow(pod: PodEffect): boolean {
  return pod.fate === 'evict' && pod.budgets.some(holdsNow)
}

/** Whether a budget keeps its pod from going now; plans of earlier versions have only its numbers. */
export function holdsNow({ status, disruptionsAllowed }: PodEffect['budgets'][number]): boolean {
  return status === undefined ? disruptionsAllowed < 1 : keepsPod(status)
}

/** Leaving pods in order: blocked, held by a budget, the rest. */
export function podsInOrder(pods: readonly PodEffect[]): readonly PodEffect[] {
  const rank = (pod: PodEffect) =>
    pod.fate === 'block' ? 0 : isGuardedNow(pod) ? 1 : pod.fate === 'delete' ? 2 : pod.fate === 'evict' ? 3 : 4
  return [...pods].sort(
    (a, b) => rank(a) - rank(b) || compareNames(`${a.namespace}/${a.name}`, `${b.namespace}/${b.name}`),
  )
}

function compareNames(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true })
}

/** Whether a text contains what is searched for. */
export function mentions(search: string, texts: readonly string[]): boolean {
  const wanted = search.trim().toLowerCase()
  return wanted === '' || texts.some(text => text.toLowerCase().includes(wanted))
}
