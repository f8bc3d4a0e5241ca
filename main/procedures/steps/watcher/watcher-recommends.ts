import { blocked } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { nodeOf } from '../../node-input.ts'

/**
 * Stands in a plan for which Watcher recommended nothing, with what it answered (`problem`): such a plan cannot be started. Asking again
 * would be another recommendation than the one that is shown, so a new plan has to be made.
 */
export const watcherRecommends = checkStep({
  kind: 'watcher-recommends',
  role: 'compute',
  why: "Watcher's action plan is what empties the node; without one there is nothing to run.",
  title: input => `Watcher recommends how to empty ${nodeOf(input)}`,
  withinMs: 5_000,
  check: async input =>
    blocked([
      {
        code: 'watcher-recommends-nothing',
        message: typeof input.problem === 'string' ? input.problem : 'Watcher recommended nothing.',
        remedy: 'Mend it and make the plan anew, or choose strategy nova (--strategy nova).',
        override: { kind: 'never', why: 'without an action plan of Watcher nothing would empty the node' },
      },
    ]),
})
