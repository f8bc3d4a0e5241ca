import { fault, stepText } from '../../../../shared/words/step-texts.ts'
import { blocked, blocker } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'

/**
 * Stands in a plan for which Watcher recommended nothing, with what it answered (`problem`): such a plan cannot be started. Asking again
 * would be another recommendation than the one that is shown, so a new plan has to be made.
 */
export const watcherRecommends = checkStep({
  kind: 'watcher-recommends',
  role: 'compute',
  ...stepText('watcher-recommends'),
  withinMs: 5_000,
  check: async ({ problem }) =>
    blocked([blocker(fault('WatcherRecommendsNothing', { cause: typeof problem === 'string' ? problem : null }))]),
})
