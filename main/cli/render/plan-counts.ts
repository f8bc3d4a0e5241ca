import { countsOf, type PlanEffects } from '../../../shared/domain/plan-effects.ts'
import { counted, listed } from '../words/counted.ts'

/** What the operator is asked to agree to, in numbers: `7 live migrations, 9 evictions and 2 changes`. */
export function countsSentence(effects: PlanEffects): string {
  const { moving, goingDown, evicted, deleted, changes } = countsOf(effects)
  const parts = [
    ...(moving > 0 ? [counted(moving, 'live migration')] : []),
    ...(goingDown > 0
      ? [counted(goingDown, 'instance that goes down with the node', 'instances that go down with the node')]
      : []),
    ...(evicted > 0 ? [counted(evicted, 'eviction')] : []),
    ...(deleted > 0 ? [counted(deleted, 'pod deletion')] : []),
    ...(changes > 0 ? [counted(changes, 'change')] : []),
  ]
  return parts.length === 0 ? 'nothing to change' : listed(parts)
}
