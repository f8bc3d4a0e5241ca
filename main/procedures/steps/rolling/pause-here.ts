import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { Step } from '../../../runs/engine/step.ts'

/** The operator asked to be asked here. */
export const pauseHere: Step<MaintenanceWorld> = {
  kind: 'pause-here',
  role: 'general',
  risk: 'none',
  why: 'You chose to be asked before the update goes on.',
  title: input => `Ask before ${nextOf(input.next)}`,
  verifyEarly: false,
  withinMs: 60_000,
  verifyEveryMs: 1_000,
  undo: 'Nothing to undo: it only asks.',
  apply: async input => ({
    kind: 'question',
    question: `Next: ${nextOf(input.next)}. Continue, or abort. A node that shall be left out can be skipped before you continue.`,
    choices: ['continue', 'abort'],
  }),
}

function nextOf(next: unknown): string {
  return typeof next === 'string' ? next : 'going on'
}
