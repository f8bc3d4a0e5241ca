import type { MaintenanceWorld } from '../ports/world.ts'
import type { Step } from '../runs/engine/step.ts'

/** A step that only checks. A new one needs a file like this, a line in steps/registry.ts and a place in a plan (plans/node). */
export function checkStep(
  step: Pick<Step<MaintenanceWorld>, 'kind' | 'role' | 'why' | 'title' | 'undo'> & {
    readonly check: NonNullable<Step<MaintenanceWorld>['check']>
    /** Time limit of the check; absent: one minute. */
    readonly withinMs?: number
  },
): Step<MaintenanceWorld> & Required<Pick<Step<MaintenanceWorld>, 'check'>> {
  return {
    risk: 'none',
    verifyEarly: false,
    withinMs: 60_000,
    verifyEveryMs: 1_000,
    ...step,
  }
}
