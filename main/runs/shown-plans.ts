import type { Plan } from '../../shared/domain/plan.ts'

/** How many shown plans are kept for a confirmation; an older one has to be made again, which checks afresh. */
const PLANS_KEPT = 50

/** Plans that were shown: the plan that the operator confirms is the one that runs. */
export interface ShownPlans {
  keep(plan: Plan): void
  find(id: string): Plan | null
  forget(id: string): void
}

export function createShownPlans(): ShownPlans {
  const shown = new Map<string, Plan>()
  return {
    keep: plan => {
      shown.set(plan.id, plan)
      for (const id of [...shown.keys()].slice(0, -PLANS_KEPT)) shown.delete(id)
    },
    find: id => shown.get(id) ?? null,
    forget: id => {
      shown.delete(id)
    },
  }
}
