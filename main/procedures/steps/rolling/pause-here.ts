import { fault, stepText } from '../../../../shared/words/step-texts.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { Step } from '../../../runs/engine/step.ts'
import { asks } from '../../answers.ts'

/** The pause that the operator chose. */
export const pauseHere: Step<MaintenanceWorld> = {
  kind: 'pause-here',
  role: 'general',
  risk: 'none',
  ...stepText('pause-here'),
  verifyEarly: false,
  withinMs: 60_000,
  verifyEveryMs: 1_000,
  apply: async ({ next }) =>
    asks(fault('PauseBefore', { next: typeof next === 'string' ? next : null }), ['continue', 'abort']),
}
