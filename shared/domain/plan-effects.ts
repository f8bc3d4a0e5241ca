import { type Blocker, type CheckedPlan, type Effect, overrideFor } from './plan.ts'

export type InstanceEffect = Extract<Effect, { kind: 'instance' }>
export type PodEffect = Extract<Effect, { kind: 'pod' }>
export type ChangeEffect = Extract<Effect, { kind: 'change' }>

/** Everything a plan would do, each thing once, whichever steps told of it. */
export interface PlanEffects {
  readonly instances: readonly InstanceEffect[]
  readonly pods: readonly PodEffect[]
  readonly changes: readonly ChangeEffect[]
}

/** How much a plan would do, in numbers: what an operator agrees to. */
export interface PlanCounts {
  /** All that move, live or cold. */
  readonly moving: number
  /** Those of them that move cold. */
  readonly movingCold: number
  /** Those that are stopped where they are. */
  readonly stopped: number
  /** Those that go down with the node. */
  readonly goingDown: number
  /** Those whose owners have to act. */
  readonly waiting: number
  /** Those that neither move nor may be left as they are. */
  readonly blocked: number
  readonly evicted: number
  readonly deleted: number
  readonly changes: number
}

/** Collects the effects of all checks. Of an instance the last word counts: a later check may find that it cannot do what its mark asks for. */
export function effectsOf(checked: Pick<CheckedPlan, 'checks'>): PlanEffects {
  const all = checked.checks.flatMap(({ answer }) => answer.effects)
  return {
    instances: [...new Map(all.filter(isInstance).map(effect => [effect.id, effect])).values()],
    pods: [...byKey(all.filter(isPod), effect => effect.uid)],
    changes: [...byKey(all.filter(isChange), effect => `${effect.target} ${effect.to}`)],
  }
}

/** Counts what is disruptive, and the changes beside it. */
export function countsOf({ instances, pods, changes }: PlanEffects): PlanCounts {
  return {
    moving: instances.filter(({ action }) => action === 'live_migrate' || action === 'cold_migrate').length,
    movingCold: instances.filter(({ action }) => action === 'cold_migrate').length,
    stopped: instances.filter(({ action }) => action === 'stop').length,
    goingDown: instances.filter(({ action }) => action === 'poweroff').length,
    waiting: instances.filter(({ action }) => action === 'notify').length,
    blocked: instances.filter(({ action }) => action === 'blocked').length,
    evicted: pods.filter(({ fate }) => fate === 'evict').length,
    deleted: pods.filter(({ fate }) => fate === 'delete').length,
    changes: changes.length,
  }
}

/** How instances are called where two may have one name: those that do carry the beginning of their id. */
export function namesOf(instances: readonly InstanceEffect[]): ReadonlyMap<string, string> {
  const bearers = new Map<string, number>()
  for (const { name } of instances) bearers.set(name, (bearers.get(name) ?? 0) + 1)
  return new Map(
    instances.map(({ id, name }) => [id, (bearers.get(name) ?? 0) > 1 ? `${name} (${id.slice(0, 8)})` : name]),
  )
}

/** Blockers that nothing the operator gave overrides. */
export function openBlockers(checked: CheckedPlan): readonly Blocker[] {
  return checked.checks.flatMap(({ answer }) =>
    answer.kind === 'blocked'
      ? answer.blockers.filter(blocker => overrideFor(blocker, checked.plan.options.overrides) === null)
      : [],
  )
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
