import { notAgreed, type PlanSeal } from '../../../shared/domain/agreed-start.ts'
import { isSameJson } from '../../../shared/domain/is-same-json.ts'
import type { Plan, PlannedStep } from '../../../shared/domain/plan.ts'
import { because } from '../../../shared/words/reasons.ts'
import { type Finding, namesOf } from '../../../shared/words/steps/coded.ts'
import { healthGates } from '../../procedures/steps/general/health-gates.ts'
import { nodeExists } from '../../procedures/steps/general/node-exists.ts'
import { sealOf } from '../../windows/plan-seal.ts'

/**
 * How a plan differs from the one that this version makes now of its kind, node and choices (`fresh`); null if it does not. Someone who writes a plan by hand
 * may leave out a check or a proof, so this compares the seals, as for an agreed start, and the order of all steps. `isHandedOver`: a console hands over
 * its run, which nobody plans again.
 */
export function whyOtherPlan(given: Plan, fresh: Plan, isHandedOver = false): Finding | null {
  const { parts } = notAgreed(sealed(given), sealed(fresh))
  const isInOrder = isSameJson(idsOf(given), idsOf(fresh))
  // The seal leaves out the texts; a plan that was written by hand may not describe its steps in other words.
  const areTextsSame = isSameJson(given.steps.map(textsOf), fresh.steps.map(textsOf))
  if (parts.length === 0 && isInOrder && areTextsSame) return null
  return because('PlanDiffers', { cluster: given.cluster, differences: differences(given, fresh), isHandedOver })
}

/** Without results of checks: these are judged when the run starts. */
function sealed(plan: Plan): PlanSeal {
  return sealOf({ plan, checkedAt: plan.madeAt, checks: [], startable: true })
}

function textsOf({ id, title, why, undo }: PlannedStep): unknown {
  return [id, title, why, undo]
}

function idsOf({ steps }: Plan): readonly string[] {
  return steps.map(({ id }) => id)
}

function differences(given: Plan, fresh: Plan): readonly Finding[] {
  const isGone = fresh.steps.length === 1 && fresh.steps[0]?.kind === nodeExists.kind && given.steps.length > 1
  if (isGone) return [because('NoSuchNodeInCloud')]
  const [had, made] = [byId(given), byId(fresh)]
  const missing = fresh.steps.filter(({ id }) => !had.has(id))
  const unknown = given.steps.filter(({ id }) => !made.has(id))
  const twice = given.steps.length - had.size
  const changed = fresh.steps.flatMap(step => {
    const fields = changedFields(had.get(step.id), step)
    return fields.length === 0 ? [] : [`${step.id} (${fields.join(', ')})`]
  })
  const whole = WHOLE.filter(field => !isSameJson(fieldOf(given, field), fieldOf(fresh, field)))
  const said = [
    ...(missing.length === 0 ? [] : [because('PlanLacksSteps', { steps: namesOf(missing.map(({ id }) => id)) })]),
    ...(unknown.length === 0 ? [] : [because('PlanHasOtherSteps', { steps: namesOf(unknown.map(({ id }) => id)) })]),
    ...(unknown.some(({ kind }) => kind === healthGates.kind) ? [because('RunnerAsksNoPrometheus')] : []),
    ...(twice === 0 ? [] : [because('PlanRepeatsSteps')]),
    ...(changed.length === 0 ? [] : [because('PlanChangesSteps', { steps: namesOf(changed) })]),
    ...(whole.length === 0 ? [] : [because('PlanChangesFields', { fields: whole })]),
  ]
  return said.length === 0 ? [because('PlanReordersSteps')] : said
}

const WHOLE = ['kind', 'node', 'undoes', 'flavour', 'options', 'update', 'batches'] as const

function fieldOf(plan: Plan, field: (typeof WHOLE)[number]): unknown {
  const fields: Readonly<Record<string, unknown>> = plan
  return fields[field]
}

function byId({ steps }: Plan): ReadonlyMap<string, PlannedStep> {
  return new Map(steps.map(step => [step.id, step]))
}

/** Fields of a step that differ, except what its check counted at that moment. */
function changedFields(given: PlannedStep | undefined, fresh: PlannedStep): readonly string[] {
  if (given === undefined) return []
  const before: Readonly<Record<string, unknown>> = given
  return Object.entries(fresh)
    .filter(([field, value]) => field !== 'counted' && !isSameJson(before[field], value))
    .map(([field]) => field)
}
