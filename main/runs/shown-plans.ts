import type { Plan } from '../../shared/domain/plan.ts'

/** How many shown plans are kept for a confirmation; an older one has to be made again, which checks afresh. */
const PLANS_KEPT = 50

/** Plans that were shown: the plan that the operator confirms is the one that runs. */
export interface ShownPlans {
  keep(plan: Plan): void
  find(id: string): Plan | null
  /** It is a run now. */
  forget(id: string): void
  /** It will not be a run: what was made for it elsewhere is taken back. */
  discard(plan: Plan): Promise<void>
  /** Nobody can confirm any of them any more. */
  close(): Promise<void>
}

/** `takeBack`: what was made for a plan elsewhere, such as a recommendation of Watcher's that anybody could start. */
export function createShownPlans(takeBack: (plan: Plan) => Promise<void>): ShownPlans {
  const shown = new Map<string, Plan>()
  const discard = (plan: Plan): Promise<void> => {
    shown.delete(plan.id)
    return takeBack(plan)
  }
  return {
    keep: plan => {
      shown.set(plan.id, plan)
      for (const old of [...shown.values()].slice(0, -PLANS_KEPT)) void discard(old)
    },
    find: id => shown.get(id) ?? null,
    forget: id => {
      shown.delete(id)
    },
    discard,
    close: async () => {
      await Promise.all([...shown.values()].map(discard))
    },
  }
}
