import type { MaintenanceWorld } from '../ports/world.ts'
import type { Step } from '../runs/engine/step.ts'

/**
 * A step that only looks: a check before anything is touched, which needs no time to come true. A new one is one file with what is named here,
 * a line in steps/registry.ts and its place in a plan (plans/node).
 */
export function checkStep(
  step: Pick<Step<MaintenanceWorld>, 'kind' | 'role' | 'why' | 'title' | 'undo'> & {
    readonly check: NonNullable<Step<MaintenanceWorld>['check']>
    /** How long it may look; a minute if nothing is said. */
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
