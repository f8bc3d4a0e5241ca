import type { Failure } from '../../shared/domain/failure.ts'
import { isDisruptive, type Plan } from '../../shared/domain/plan.ts'
import { because } from '../../shared/words/reasons.ts'
import { refusal } from '../../shared/words/refusal.ts'

/** Why a plan may not start on a production cluster; null if it may, or the cluster's name was typed. */
export function whyNotTyped(plan: Plan, isProduction: boolean, typed: string | undefined): Failure | null {
  if (!isProduction || !isDisruptive(plan) || typed === plan.cluster) return null
  return refusal('bad-input', because('TypeNameToStart', { cluster: plan.cluster }), {
    target: `cluster/${plan.cluster}`,
  })
}
