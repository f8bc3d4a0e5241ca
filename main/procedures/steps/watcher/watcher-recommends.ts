import { fault, stepText } from '../../../../shared/words/step-texts.ts'
import { blocked, blocker } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'

/**
 * Part of a plan for which Watcher recommended nothing, with its answer (`problem`): such a plan cannot start. Asking again would give another
 * recommendation than the one shown, so the operator makes a new plan.
 */
export const watcherRecommends = checkStep({
  kind: 'watcher-recommends',
  role: 'compute',
  ...stepText('watcher-recommends'),
  withinMs: 5_000,
  check: async ({ problem }) =>
    blocked([blocker(fault('WatcherRecommendsNothing', { cause: typeof problem === 'string' ? problem : null }))]),
})
