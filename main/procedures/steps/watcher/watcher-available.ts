import type { Evidence, OverrideRule } from '../../../../shared/domain/plan.ts'
import { blocked, cannotAsk, evidence, ready } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'

/** Watcher is in the catalogue, answers, and knows how a host is emptied (seed 004, compute role, "Watcher exists"; not forceable, docs/domain.md B.1). */
export const watcherAvailable = checkStep({
  kind: 'watcher-available',
  role: 'compute',
  why: 'Watcher empties the node: without it nothing would.',
  title: () => 'Watcher answers',
  check: async (_input, ctx) => {
    const { watcher } = ctx.world
    if (watcher === null) return missing('The cluster has no OpenStack cloud, so it has no Watcher.')
    const about = await watcher.about(ctx.signal)
    if (!about.ok)
      return about.failure.code === 'not-found' ? missing(about.failure.message) : cannotAsk('Watcher', about.failure)
    const { version, maintenanceParameters, canSkip } = about.value
    const read = evidence('watcher', ctx.at(), { version, maintenanceParameters: [...maintenanceParameters], canSkip })
    if (!maintenanceParameters.includes('maintenance_node'))
      return missing('This Watcher does not have the strategy host_maintenance.', [read])
    return ready(`Watcher answers (API ${version}).`, { evidence: [read] })
  },
})

const NEVER: OverrideRule = { kind: 'never', why: 'without Watcher nothing would move the instances' }

function missing(message: string, read: readonly Evidence[] = []) {
  return blocked(
    [
      {
        code: 'no-watcher',
        message,
        remedy: 'Enable Watcher (`sunbeam enable resource-optimization`), or choose --strategy nova.',
        override: NEVER,
      },
    ],
    { evidence: read },
  )
}
