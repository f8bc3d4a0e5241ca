import { seconds } from '../../shared/domain/durations.ts'
import { isNodePlan, type Plan } from '../../shared/domain/plan.ts'
import { failed, type Result } from '../../shared/domain/result.ts'
import { because } from '../../shared/words/reasons.ts'
import { refusal } from '../../shared/words/refusal.ts'
import { createEstimateMaker, type EstimatedWork } from './estimate-maker.ts'
import { createWindowReader } from './window-reader.ts'
import type { WindowServices } from './window-services.ts'

/** A run waits no longer for an estimate: without one its report says so. */
const WITHIN_MS = seconds(15)

/** Stores a window's estimate before its first run over many nodes, for the report. A run does not wait for a failing estimate. */
export function createEstimateKeeper(
  services: Pick<WindowServices, 'clock' | 'log' | 'runs' | 'windows' | 'worlds'>,
): (plan: Plan, windowId: string) => Promise<void> {
  const make = createEstimateMaker(services)
  const windowReader = createWindowReader(services)
  return async (plan, windowId) => {
    const found = windowReader.find(windowId)
    if (isNodePlan(plan) || !found.ok || found.value.window.estimate !== null) return
    const { window } = found.value
    const walked = window.plan.kind === 'open' ? { kind: 'update' as const, update: plan.update } : window.plan
    const made = await withinMs(make(window.cluster, walked), WITHIN_MS, services)
    const kept = made.ok
      ? services.windows.record(
          { id: window.id, cluster: window.cluster },
          { kind: 'estimated', estimate: made.value.estimate, by: services.runs.driver.operator },
          null,
        )
      : made
    if (!kept.ok) {
      services.log.warn('estimate not kept', { window: window.id, why: kept.failure.message })
    }
  }
}

async function withinMs(
  making: Promise<Result<EstimatedWork>>,
  limitMs: number,
  { clock }: Pick<WindowServices, 'clock'>,
): Promise<Result<EstimatedWork>> {
  const patience = new AbortController()
  const late = clock
    .sleep(limitMs, patience.signal)
    .then(() => failed(refusal('unreachable', because('EstimateTooSlow'))))
  try {
    return await Promise.race([making, late])
  } finally {
    patience.abort()
  }
}
