import { type AgreedStart, notAgreed } from '../../shared/domain/agreed-start.ts'
import type { Failure } from '../../shared/domain/failure.ts'
import { type CheckedPlan, isDisruptive, type Plan } from '../../shared/domain/plan.ts'
import { effectsOf, openBlockers } from '../../shared/domain/plan-effects.ts'
import type { MaintenanceWindow } from '../../shared/domain/window.ts'
import { whyNotAgreed } from '../../shared/words/agreed-starts.ts'
import { because } from '../../shared/words/reasons.ts'
import type { Finding } from '../../shared/words/steps/coded.ts'
import { sealLike } from './plan-seal.ts'
import { planWindow } from './window-plan.ts'
import type { WindowServices } from './window-services.ts'

/** Why a window does not start, or not yet: by a code, or in the words of another program. */
export type Why = Pick<Finding, 'message'> & Partial<Finding>

/** A window's plan at its time, or why there is none: `again`: it may be one soon. */
type AgreedPlan = { readonly kind: 'as-agreed'; readonly plan: Plan } | WhyNoPlan
type WhyNoPlan = { readonly kind: 'again' | 'missed'; readonly why: Why }

/** Makes the plan of a window again and compares it with what the operator agreed to. */
export async function planAsAgreed(
  window: MaintenanceWindow,
  start: AgreedStart,
  services: Pick<WindowServices, 'clock' | 'clusters' | 'newId' | 'plans' | 'runs' | 'worlds'>,
): Promise<AgreedPlan> {
  const cluster = services.clusters.get(window.cluster)
  if (!cluster.ok) return { kind: 'missed', why: whyFailed(cluster.failure) }
  const made = await planWindow(window, start.options, services)
  if (!made.ok) return { kind: made.failure.retryable ? 'again' : 'missed', why: whyFailed(made.failure) }
  const other = whyBlocked(made.value) ?? whyOther(made.value, start)
  if (other !== null) {
    await services.plans.discard(made.value.plan.id)
    return other
  }
  const plan = services.plans.find(made.value.plan.id)
  if (plan === null) return { kind: 'again', why: because('AgreedPlanLost') }
  if (cluster.value.production && isDisruptive(plan) && !start.typedCluster) {
    return { kind: 'missed', why: because('ClusterBecameProduction', { cluster: window.cluster }) }
  }
  return { kind: 'as-agreed', plan }
}

/** Compared before the agreement: unread facts would look like another plan. */
function whyBlocked(checked: CheckedPlan): WhyNoPlan | null {
  const open = openBlockers(checked)
  if (open.length === 0) return null
  const blockers = open
    .slice(0, 3)
    .map(({ blocker: { code, values, message } }) => ({ code, values: values ?? {}, message }))
  const why = because('AgreedStartBlocked', { blockers, total: open.length })
  return { kind: open.every(({ blocker }) => blocker.passing !== undefined) ? 'again' : 'missed', why }
}

function whyOther(checked: CheckedPlan, start: AgreedStart): WhyNoPlan | null {
  const names = new Map(effectsOf(checked).instances.map(({ id, name }) => [id, name]))
  const { seal, messages } = sealLike(start.seal, checked)
  const why = whyNotAgreed(
    notAgreed(start.seal, seal),
    id => names.get(id) ?? id,
    lifted => messages.get(lifted) ?? lifted,
  )
  return why === null ? null : { kind: 'missed', why }
}

export function whyFailed({ message, reason, values }: Failure): Why {
  return reason === undefined ? { message } : { message, code: reason, values: values ?? {} }
}
