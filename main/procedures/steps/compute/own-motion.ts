import {
  instanceIdOf,
  MIGRATION_REQUESTED,
  STOP_REQUESTED,
  WATCHER_PLAN_STARTED,
} from '../../../../shared/domain/run-facts.ts'
import type { MaintenanceContext } from '../../node-input.ts'

/** Instances that this run moves, itself or through Watcher: after an interruption nobody else's migrations. */
export function instancesInMotion(ctx: MaintenanceContext): ReadonlySet<string> {
  const ids = ctx.runHistory().flatMap(({ fact, subject, values }) => {
    if (fact === MIGRATION_REQUESTED || fact === STOP_REQUESTED) return [instanceIdOf(subject)]
    return fact === WATCHER_PLAN_STARTED && Array.isArray(values.instances) ? values.instances : []
  })
  return new Set(ids.filter(id => typeof id === 'string'))
}
