import type { PlanChoices } from '../../shared/contract/index.ts'
import type { CheckedPlan } from '../../shared/domain/plan.ts'
import { failed, type Result } from '../../shared/domain/result.ts'
import type { MaintenanceWindow } from '../../shared/domain/window.ts'
import { because } from '../../shared/words/reasons.ts'
import { refusal } from '../../shared/words/refusal.ts'
import { batchesAsUpdate } from '../procedures/plans/rolling/batches-as-update.ts'
import { planClusterUpdate } from './update-plan.ts'
import type { WindowServices } from './window-services.ts'

/** What the plan of a window is made of. */
export type PlannedWindow = Pick<MaintenanceWindow, 'cluster' | 'id' | 'plan' | 'ticket' | 'title'>

/** Makes the plan of a window as one run, and runs every check. Only reads; the resulting run belongs to the window. */
export async function planWindow(
  window: PlannedWindow,
  choices: PlanChoices,
  services: Pick<WindowServices, 'clock' | 'clusters' | 'newId' | 'plans' | 'runs' | 'worlds'>,
): Promise<Result<CheckedPlan>> {
  const { plan, cluster, id, title } = window
  if (plan.kind === 'open') {
    return failed(refusal('bad-input', because('WindowWithoutPlan', { window: id, title }), { target: `window/${id}` }))
  }
  const found = services.clusters.get(cluster)
  if (!found.ok) return found
  const hasControlPhase = found.value.flavour === 'mosk'
  const announced = window.ticket === '' ? title : `${window.ticket}: ${title}`
  // The first given one counts: a reason given now, the plan's, the announced one.
  const planned = plan.kind === 'update' ? plan.update.reason : ''
  const reason = choices.reason || planned || announced
  return planClusterUpdate(
    {
      cluster,
      choices,
      update: ({ nodes }) =>
        plan.kind === 'update' ? { ...plan.update, reason } : batchesAsUpdate(plan, { nodes, hasControlPhase, reason }),
      window: { kind: 'in', id, title },
    },
    services,
  )
}
