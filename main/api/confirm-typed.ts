import { type Failure, failure } from '../../shared/domain/failure.ts'
import { isDisruptive, type Plan } from '../../shared/domain/plan.ts'

/** Why a plan is not begun on a production cluster; null: it may be, or the cluster's name was typed. */
export function whyNotTyped(plan: Plan, isProduction: boolean, typed: string | undefined): Failure | null {
  if (!isProduction || !isDisruptive(plan) || typed === plan.cluster) return null
  return failure(
    'bad-input',
    `${plan.cluster} is a production cluster and this plan is disruptive: type the cluster's name, ${plan.cluster}, exactly. Nothing was started.`,
    { target: `cluster/${plan.cluster}` },
  )
}
