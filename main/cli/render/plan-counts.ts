import type { CheckedPlan, Effect } from '../../../shared/domain/plan.ts'
import { counted, listed } from '../words/counted.ts'

type InstanceEffect = Extract<Effect, { kind: 'instance' }>
type PodEffect = Extract<Effect, { kind: 'pod' }>
type ChangeEffect = Extract<Effect, { kind: 'change' }>

/** Everything a plan would do, each thing once, whichever steps told of it. */
export interface PlanEffects {
  readonly instances: readonly InstanceEffect[]
  readonly pods: readonly PodEffect[]
  readonly changes: readonly ChangeEffect[]
}

/** Collects the effects of all checks. */
export function effectsOf(checked: CheckedPlan): PlanEffects {
  const all = checked.checks.flatMap(({ answer }) => answer.effects)
  return {
    instances: [...byKey(all.filter(isInstance), effect => effect.id)],
    pods: [...byKey(all.filter(isPod), effect => effect.uid)],
    changes: [...byKey(all.filter(isChange), effect => `${effect.target} ${effect.to}`)],
  }
}

/** What the operator is asked to agree to, in numbers: `7 live migrations, 9 evictions and 2 changes`. */
export function countsSentence({ instances, pods, changes }: PlanEffects): string {
  const moving = instances.filter(({ action }) => action === 'live_migrate').length
  const down = instances.filter(({ action }) => action === 'poweroff').length
  const evicted = pods.filter(({ fate }) => fate === 'evict').length
  const deleted = pods.filter(({ fate }) => fate === 'delete').length
  const parts = [
    ...(moving > 0 ? [counted(moving, 'live migration')] : []),
    ...(down > 0
      ? [counted(down, 'instance that goes down with the node', 'instances that go down with the node')]
      : []),
    ...(evicted > 0 ? [counted(evicted, 'eviction')] : []),
    ...(deleted > 0 ? [counted(deleted, 'pod deletion')] : []),
    ...(changes.length > 0 ? [counted(changes.length, 'change')] : []),
  ]
  return parts.length === 0 ? 'nothing to change' : listed(parts)
}

function* byKey<T>(effects: readonly T[], keyOf: (effect: T) => string): Iterable<T> {
  const seen = new Set<string>()
  for (const effect of effects) {
    const key = keyOf(effect)
    if (seen.has(key)) continue
    seen.add(key)
    yield effect
  }
}

function isInstance(effect: Effect): effect is InstanceEffect {
  return effect.kind === 'instance'
}

function isPod(effect: Effect): effect is PodEffect {
  return effect.kind === 'pod'
}

function isChange(effect: Effect): effect is ChangeEffect {
  return effect.kind === 'change'
}
