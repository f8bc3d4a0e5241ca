import { isDeepStrictEqual } from 'node:util'
import { notAgreed, type PlanSeal } from '../../shared/domain/agreed-start.ts'
import type { Plan, PlannedStep } from '../../shared/domain/plan.ts'
import { someOf } from '../../shared/grammar/counts.ts'
import { healthGates } from '../procedures/steps/general/health-gates.ts'
import { nodeExists } from '../procedures/steps/general/node-exists.ts'
import { sealOf } from '../windows/plan-seal.ts'

/**
 * Why a plan is not the one that is made of its own kind, node and choices now (`fresh`), with what differs by name; null: it is. A plan that was written
 * by hand may leave out a check, its proof or what it needs: by the seal of what was confirmed, as of an agreed start, and by the order of all steps. `isUnderWay`: its run is handed
 * over, and is not planned anew.
 */
export function whyOtherPlan(given: Plan, fresh: Plan, isUnderWay = false): string | null {
  const { parts } = notAgreed(sealed(given), sealed(fresh))
  const isInOrder = isDeepStrictEqual(idsOf(given), idsOf(fresh))
  if (parts.length === 0 && isInOrder) return null
  const what = `Its plan is not the one that is made of its kind, node and choices in ${given.cluster} now.`
  const next = isUnderWay
    ? 'The console has another version than the runner, or other settings of this cloud than its Secret: go on with the run at the console, or make them alike and hand it over again.'
    : 'Plan anew. Where it happens again, the console has another version than the runner, or other settings of this cloud than its Secret.'
  return [what, ...differences(given, fresh), next].join(' ')
}

/** Nothing of it was checked yet: what its checks find is judged when it begins. */
function sealed(plan: Plan): PlanSeal {
  return sealOf({ plan, checkedAt: plan.madeAt, checks: [], startable: true })
}

function idsOf({ steps }: Plan): readonly string[] {
  return steps.map(({ id }) => id)
}

/** What differs, each a sentence. */
function differences(given: Plan, fresh: Plan): readonly string[] {
  const isGone = fresh.steps.length === 1 && fresh.steps[0]?.kind === nodeExists.kind && given.steps.length > 1
  if (isGone) return [`The cloud has no such node.`]
  const [had, made] = [byId(given), byId(fresh)]
  const missing = fresh.steps.filter(({ id }) => !had.has(id))
  const strange = given.steps.filter(({ id }) => !made.has(id))
  const twice = given.steps.length - had.size
  const changed = fresh.steps.flatMap(step => {
    const fields = changedFields(had.get(step.id), step)
    return fields.length === 0 ? [] : [`${step.id} (${fields.join(', ')})`]
  })
  const whole = WHOLE.filter(field => !isSame(fieldOf(given, field), fieldOf(fresh, field)))
  const said = [
    ...(missing.length === 0 ? [] : [`It lacks ${someOf(missing.map(({ id }) => id))}.`]),
    ...(strange.length === 0 ? [] : [`It has ${someOf(strange.map(({ id }) => id))}, which is not made.`]),
    ...(strange.some(({ kind }) => kind === healthGates.kind)
      ? ['A runner asks no Prometheus: run a plan with health gates from a console.']
      : []),
    ...(twice === 0 ? [] : ['It has steps twice.']),
    ...(changed.length === 0 ? [] : [`Steps are made otherwise: ${someOf(changed)}.`]),
    ...(whole.length === 0 ? [] : [`It says otherwise: ${whole.join(', ')}.`]),
  ]
  return said.length === 0 ? ['Its steps come in another order.'] : said
}

const WHOLE = ['kind', 'node', 'undoes', 'flavour', 'options', 'update', 'batches'] as const

function fieldOf(plan: Plan, field: (typeof WHOLE)[number]): unknown {
  const fields: Readonly<Record<string, unknown>> = plan
  return fields[field]
}

function byId({ steps }: Plan): ReadonlyMap<string, PlannedStep> {
  return new Map(steps.map(step => [step.id, step]))
}

/** Fields of a step that differ; what its check counted is of the moment. */
function changedFields(given: PlannedStep | undefined, fresh: PlannedStep): readonly string[] {
  if (given === undefined) return []
  const before: Readonly<Record<string, unknown>> = given
  return Object.entries(fresh)
    .filter(([field, value]) => field !== 'counted' && !isSame(before[field], value))
    .map(([field]) => field)
}

/** As JSON: what was read from a text has no field that is undefined. */
function isSame(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(asJson(a), asJson(b))
}

function asJson(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value))
}
