import { type Blocker, type CheckedPlan, type Effect, type OverrideFlag, overrideFor } from './plan.ts'

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
  /** All that move, live, cold, or rebuilt elsewhere. */
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
  /** Those that stay as they are: at rest, or left where they are. */
  readonly staying: number
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
    moving: instances.filter(({ action }) => isMove(action)).length,
    movingCold: instances.filter(({ action }) => action === 'cold_migrate').length,
    stopped: instances.filter(({ action }) => action === 'stop').length,
    goingDown: instances.filter(({ action }) => action === 'poweroff').length,
    waiting: instances.filter(({ action }) => action === 'notify').length,
    blocked: instances.filter(({ action }) => action === 'blocked').length,
    staying: instances.filter(({ action }) => action === 'ignore').length,
    evicted: pods.filter(({ fate }) => fate === 'evict').length,
    deleted: pods.filter(({ fate }) => fate === 'delete').length,
    changes: changes.length,
  }
}

/** Whether it ends on another host. */
function isMove(action: InstanceEffect['action']): boolean {
  return action === 'live_migrate' || action === 'cold_migrate' || action === 'evacuate'
}

/** How instances are called where two may have one name: those that do carry the beginning of their id. */
export function namesOf(instances: readonly Pick<InstanceEffect, 'id' | 'name'>[]): ReadonlyMap<string, string> {
  const bearers = new Map<string, number>()
  for (const { name } of instances) bearers.set(name, (bearers.get(name) ?? 0) + 1)
  return new Map(
    instances.map(({ id, name }) => [id, (bearers.get(name) ?? 0) > 1 ? `${name} (${id.slice(0, 8)})` : name]),
  )
}

/** A blocker with the step that found it, and the override that lifts it, if it was given. */
export interface FoundBlocker {
  readonly stepId: string
  readonly title: string
  readonly blocker: Blocker
  readonly liftedBy: OverrideFlag | null
}

/** Every blocker, each reason of a check once, those that still stand first: what screen, terminal and report count. */
export function blockersOf({ plan, checks }: CheckedPlan): readonly FoundBlocker[] {
  const titleOf = titlesOf(plan)
  const found = checks.flatMap(({ stepId, answer }) =>
    answer.kind === 'blocked'
      ? [...byKey(answer.blockers, ({ code, message }) => `${code} ${message}`)].map(blocker => ({
          stepId,
          title: titleOf(stepId),
          blocker,
          liftedBy: overrideFor(blocker, plan.options.overrides),
        }))
      : [],
  )
  return [...found].sort((a, b) => Number(a.liftedBy !== null) - Number(b.liftedBy !== null))
}

/** Those of them that nothing the operator gave overrides. */
export function openBlockers(checked: CheckedPlan): readonly FoundBlocker[] {
  return blockersOf(checked).filter(({ liftedBy }) => liftedBy === null)
}

/** A warning with the step that gave it. */
interface FoundWarning {
  readonly stepId: string
  readonly title: string
  readonly words: string
}

/** Every warning, each of a check once. */
export function warningsOf({ plan, checks }: CheckedPlan): readonly FoundWarning[] {
  const titleOf = titlesOf(plan)
  return checks.flatMap(({ stepId, answer }) =>
    [...new Set(answer.warnings.map(({ message }) => message))].map(words => ({
      stepId,
      title: titleOf(stepId),
      words,
    })),
  )
}

function titlesOf({ steps }: CheckedPlan['plan']): (stepId: string) => string {
  const titles = new Map(steps.map(({ id, title }) => [id, title]))
  return stepId => titles.get(stepId) ?? stepId
}

/** The instance that a reason or a warning is about: main names it by its id, which no other thing bears. */
export function instanceIn(words: string, instances: readonly InstanceEffect[]): InstanceEffect | null {
  return instances.find(({ id }) => words.includes(id)) ?? null
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
