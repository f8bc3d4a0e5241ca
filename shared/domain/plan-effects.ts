import { type CheckedPlan, overrideFor } from './plan.ts'
import type { Blocker, Effect, OverrideFlag, Warning } from './step-answers.ts'

export type InstanceEffect = Extract<Effect, { kind: 'instance' }>
export type PodEffect = Extract<Effect, { kind: 'pod' }>
export type ChangeEffect = Extract<Effect, { kind: 'change' }>

export interface PlanEffects {
  readonly instances: readonly InstanceEffect[]
  readonly pods: readonly PodEffect[]
  readonly changes: readonly ChangeEffect[]
}

interface PlanCounts {
  /** Live, cold, or rebuilt on another host. */
  readonly moving: number
  readonly movingCold: number
  readonly stopped: number
  /** They go down with the node. */
  readonly goingDown: number
  readonly waiting: number
  readonly blocked: number
  /** Off, or left there on purpose. */
  readonly staying: number
  readonly evicted: number
  readonly deleted: number
  readonly changes: number
}

/** The last effect on an instance counts: a later check may find that it cannot do what the tag requests. */
export function effectsOf(checked: Pick<CheckedPlan, 'checks'>): PlanEffects {
  const all = checked.checks.flatMap(({ answer }) => answer.effects)
  return {
    instances: [...new Map(all.filter(isInstance).map(effect => [effect.id, effect])).values()],
    pods: [...byKey(all.filter(isPod), effect => effect.uid)],
    changes: [...byKey(all.filter(isChange), effect => `${effect.target} ${effect.to}`)],
  }
}

/** The same after what the operator accepted: an instance that no longer blocks stays, and goes down with the node. */
export function effectsAfterAccepting(checked: CheckedPlan): PlanEffects {
  const effects = effectsOf(checked)
  const accepted = new Set(
    blockersOf(checked).flatMap(({ blocker, liftedBy }) =>
      liftedBy === null ? [] : (instanceOf(blocker, effects.instances)?.id ?? []),
    ),
  )
  return {
    ...effects,
    instances: effects.instances.map(effect =>
      accepted.has(effect.id) && (effect.action === 'blocked' || effect.action === 'notify')
        ? { ...effect, action: 'ignore', source: 'operator' }
        : effect,
    ),
  }
}

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

function isMove(action: InstanceEffect['action']): boolean {
  return action === 'live_migrate' || action === 'cold_migrate' || action === 'evacuate'
}

/** Instances with equal names carry the beginning of their id. */
export function namesOf(instances: readonly Pick<InstanceEffect, 'id' | 'name'>[]): ReadonlyMap<string, string> {
  const bearers = new Map<string, number>()
  for (const { name } of instances) bearers.set(name, (bearers.get(name) ?? 0) + 1)
  return new Map(
    instances.map(({ id, name }) => [id, (bearers.get(name) ?? 0) > 1 ? `${name} (${id.slice(0, 8)})` : name]),
  )
}

export interface FoundBlocker {
  readonly stepId: string
  readonly title: string
  readonly blocker: Blocker
  readonly liftedBy: OverrideFlag | null
}

/** Every blocker, each reason of a check once, open ones first: what screen, terminal and report count. */
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

export function openBlockers(checked: CheckedPlan): readonly FoundBlocker[] {
  return blockersOf(checked).filter(({ liftedBy }) => liftedBy === null)
}

interface FoundWarning {
  readonly stepId: string
  readonly title: string
  readonly code: string
  readonly values: Warning['values']
  readonly words: string
}

export function warningsOf({ plan, checks }: CheckedPlan): readonly FoundWarning[] {
  const titleOf = titlesOf(plan)
  return checks.flatMap(({ stepId, answer }) =>
    [...byKey(answer.warnings, ({ message }) => message)].map(({ code, values, message }) => ({
      stepId,
      title: titleOf(stepId),
      code,
      values,
      words: message,
    })),
  )
}

function titlesOf({ steps }: CheckedPlan['plan']): (stepId: string) => string {
  const titles = new Map(steps.map(({ id, title }) => [id, title]))
  return stepId => titles.get(stepId) ?? stepId
}

/** The instance that a blocker or a note is about; null if it is about something else, or about several. */
export function instanceOf(
  { values }: Pick<Blocker, 'values'>,
  instances: readonly InstanceEffect[],
): InstanceEffect | null {
  return instances.find(({ id }) => id === values?.id) ?? null
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
