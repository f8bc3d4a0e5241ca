import type { Evidence } from '../../../../shared/domain/step-answers.ts'
import { type Fault, fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import { blocked, blocker, cannotAsk, evidence, ready } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { watcherOf } from './watcher-look.ts'

/** Watcher answers and can empty hosts (seed 004; not forceable, docs/domain.md B.1). */
export const watcherAvailable = checkStep({
  kind: 'watcher-available',
  role: 'compute',
  ...stepText('watcher-available'),
  check: async (_input, ctx) => {
    const watcher = watcherOf(ctx)
    if (!watcher.ok) return missing(fault('NoWatcher', { cause: watcher.failure.message }))
    const about = await watcher.value.about(ctx.signal)
    if (!about.ok) {
      return about.failure.code === 'not-found'
        ? missing(fault('NoWatcher', { cause: about.failure.message }))
        : cannotAsk(thing('Watcher'), about.failure)
    }
    const { version, maintenanceParameters, canSkip } = about.value
    const read = evidence('watcher', ctx.at(), { version, maintenanceParameters: [...maintenanceParameters], canSkip })
    if (!maintenanceParameters.includes('maintenance_node')) return missing(fault('WatcherCannotEmptyHosts'), [read])
    return ready(found('WatcherAnswers', { version }), { evidence: [read] })
  },
})

function missing(why: Fault, read: readonly Evidence[] = []) {
  return blocked([blocker(why)], { evidence: read })
}
