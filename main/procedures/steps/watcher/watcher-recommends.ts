import { fault, stepText } from '../../../../shared/words/step-texts.ts'
import { blocked, blocker } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'

/** Watcher recommended nothing (`problem`): such a plan cannot start, and the operator makes a new one. */
export const watcherRecommends = checkStep({
  kind: 'watcher-recommends',
  role: 'compute',
  ...stepText('watcher-recommends'),
  withinMs: 5_000,
  check: async ({ problem }) =>
    blocked([blocker(fault('WatcherRecommendsNothing', { cause: typeof problem === 'string' ? problem : null }))]),
})
