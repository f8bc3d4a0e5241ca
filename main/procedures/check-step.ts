import type { MaintenanceWorld } from '../ports/world.ts'
import type { Step } from '../runs/engine/step.ts'

/** A step that only checks. A new one needs a file like this, texts and a place in a plan (docs/how-to/add-a-check.md). */
export function checkStep(
  step: Pick<Step<MaintenanceWorld>, 'kind' | 'role' | 'why' | 'title' | 'undo'> & {
    readonly check: NonNullable<Step<MaintenanceWorld>['check']>
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
