import { countsOf, type PlanEffects } from '../../../../shared/domain/plan-effects.ts'
import { counted, listed } from '../../../../shared/grammar/counts.ts'

/** What the operator is asked to agree to, in numbers: `7 live migrations, 9 evictions and 2 changes`. */
export function countsSentence(effects: PlanEffects): string {
  const { moving, movingCold, stopped, goingDown, waiting, blocked, staying, evicted, deleted, changes } =
    countsOf(effects)
  const rebuilt = effects.instances.filter(({ action }) => action === 'evacuate').length
  const parts = [
    ...(rebuilt > 0
      ? [counted(rebuilt, 'instance that is rebuilt elsewhere', 'instances that are rebuilt elsewhere')]
      : []),
    ...(moving > movingCold + rebuilt ? [counted(moving - movingCold - rebuilt, 'live migration')] : []),
    ...(movingCold > 0 ? [counted(movingCold, 'cold migration')] : []),
    ...(stopped > 0 ? [counted(stopped, 'instance that is stopped', 'instances that are stopped')] : []),
    ...(goingDown > 0
      ? [counted(goingDown, 'instance that goes down with the node', 'instances that go down with the node')]
      : []),
    ...(waiting > 0
      ? [counted(waiting, 'instance that waits for its owner', 'instances that wait for their owners')]
      : []),
    ...(blocked > 0 ? [counted(blocked, 'blocked instance')] : []),
    ...(staying > 0 ? [counted(staying, 'instance that stays as it is', 'instances that stay as they are')] : []),
    ...(evicted > 0 ? [counted(evicted, 'eviction')] : []),
    ...(deleted > 0 ? [counted(deleted, 'pod deletion')] : []),
    ...(changes > 0 ? [counted(changes, 'change')] : []),
  ]
  return parts.length === 0 ? 'nothing to change' : listed(parts)
}
