import type { Plan } from '../../shared/domain/plan.ts'

/** How many shown plans are kept for a confirmation; an older one has to be made again, with new checks. */
const PLANS_KEPT = 50

/** Plans that were shown: the plan that the operator confirms is the one that runs. */
export interface ShownPlans {
  keep(plan: Plan): void
  find(id: string): Plan | null
  /** It was confirmed: it becomes a run, or is kept again. */
  forget(id: string): void
  /** Nobody saw it, so nobody can confirm it. */
  discard(id: string): Promise<void>
  /** No plan can be confirmed after this. */
  close(): Promise<void>
}

/** `takeBack` undoes what was made elsewhere for a plan that nobody can confirm any more, such as a recommendation of Watcher. It never throws. */
export function createShownPlans(takeBack: (plan: Plan) => Promise<void>): ShownPlans {
  const shown = new Map<string, Plan>()
  let isClosed = false
  const discard = async (plan: Plan): Promise<void> => {
    shown.delete(plan.id)
    await takeBack(plan)
  }
  return {
    keep: plan => {
      // Its checks may still have been running when the console ended.
      if (isClosed) return void discard(plan)
      shown.set(plan.id, plan)
      for (const old of [...shown.values()].slice(0, -PLANS_KEPT)) void discard(old)
    },
    find: id => shown.get(id) ?? null,
    forget: id => {
      shown.delete(id)
    },
    discard: async id => {
      const plan = shown.get(id)
      if (plan !== undefined) await discard(plan)
    },
    close: async () => {
      isClosed = true
      await Promise.all([...shown.values()].map(discard))
    },
  }
}
