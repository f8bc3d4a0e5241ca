import { countsOf, type PlanEffects } from '../../../../shared/domain/plan-effects.ts'
import { counted, listed } from '../../../../shared/grammar/counts.ts'

/** What the operator agrees to, in numbers: `7 live migrations, 9 evictions and 2 changes`. */
export function countsSentence(effects: PlanEffects): string {
  const { moving, movingCold, stopped, goingDown, waiting, blocked, staying, evicted, deleted, changes } =
    countsOf(effects)
  const rebuilt = effects.instances.filter(({ action }) => action === 'evacuate').length
  const parts = [
    ...(rebuilt > 0 ? [counted(rebuilt, 'rebuilt instance', 'rebuilt instances')] : []),
    ...(moving > movingCold + rebuilt ? [counted(moving - movingCold - rebuilt, 'live migration')] : []),
    ...(movingCold > 0 ? [counted(movingCold, 'move with downtime', 'moves with downtime')] : []),
    ...(stopped > 0 ? [counted(stopped, 'stopped instance', 'stopped instances')] : []),
    ...(goingDown > 0
      ? [counted(goingDown, 'instance that stops with the node', 'instances that stop with the node')]
      : []),
    ...(waiting > 0
      ? [counted(waiting, 'instance that waits for its owner', 'instances that wait for their owners')]
      : []),
    ...(blocked > 0 ? [counted(blocked, 'blocked instance')] : []),
    ...(staying > 0 ? [counted(staying, 'instance that stays off', 'instances that stay off')] : []),
    ...(evicted > 0 ? [counted(evicted, 'eviction')] : []),
    ...(deleted > 0 ? [counted(deleted, 'pod deletion')] : []),
    ...(changes > 0 ? [counted(changes, 'change')] : []),
  ]
  return parts.length === 0 ? 'nothing to change' : listed(parts)
}
