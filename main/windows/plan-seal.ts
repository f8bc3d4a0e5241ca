import { createHash } from 'node:crypto'
import type { PlanSeal } from '../../shared/domain/agreed-start.ts'
import { type Json, sortedJson } from '../../shared/domain/json.ts'
import type { CheckedPlan, Plan, PlannedStep } from '../../shared/domain/plan.ts'
import { blockersOf, effectsOf, type FoundBlocker, type InstanceEffect } from '../../shared/domain/plan-effects.ts'

/** Instances whose owners are affected: all others stay up, on any host. */
const GOES_DOWN: ReadonlySet<InstanceEffect['action']> = new Set([
  'cold_migrate',
  'evacuate',
  'stop',
  'poweroff',
  'notify',
  'blocked',
])

/**
 * The parts of a checked plan that must be the same when it starts later: codes and values. Texts are not included, because another version words them
 * in other ways, nor are counted objects, because pods and instances come and go.
 */
export function sealOf(checked: CheckedPlan): PlanSeal {
  return {
    rule: 'codes',
    parts: partsOf(checked.plan, stepWithoutTexts, planWithoutTexts),
    lifted: liftedOf(checked).map(liftedKey),
    down: downOf(checked),
  }
}

/** The same by the rule of earlier versions, which included the texts: it equals their seal only while no text has changed. */
export function earlierSealOf(checked: CheckedPlan): PlanSeal {
  return {
    parts: partsOf(checked.plan, stepWithTexts, planWithTexts),
    lifted: liftedOf(checked).map(earlierLiftedKey),
    down: downOf(checked),
  }
}

/** The seal of a plan by the rule of the seal that it is compared with, and the message of each overridden blocker in it. */
export function sealLike(agreed: PlanSeal, checked: CheckedPlan): { seal: PlanSeal; messages: Map<string, string> } {
  const keyOf = agreed.rule === 'codes' ? liftedKey : earlierLiftedKey
  return {
    seal: agreed.rule === 'codes' ? sealOf(checked) : earlierSealOf(checked),
    messages: new Map(liftedOf(checked).map(found => [keyOf(found), found.blocker.message])),
  }
}

function partsOf(plan: Plan, ofStep: (step: PlannedStep) => unknown, ofPlan: (plan: Plan) => unknown) {
  const byNode = Map.groupBy(plan.steps, ({ lane }) => lane?.name ?? '')
  return Object.fromEntries(
    [...new Set(['', ...byNode.keys()])].map(name => [
      name,
      digestOf([(byNode.get(name) ?? []).map(ofStep), name === '' ? ofPlan(plan) : null]),
    ]),
  )
}

function liftedOf(checked: CheckedPlan): readonly FoundBlocker[] {
  return blockersOf(checked).filter(({ liftedBy }) => liftedBy !== null)
}

function downOf(checked: CheckedPlan): string[] {
  return effectsOf(checked)
    .instances.filter(({ action }) => GOES_DOWN.has(action))
    .map(({ id }) => id)
}

function liftedKey({ stepId, blocker }: FoundBlocker): string {
  return `${stepId}: ${blocker.code} ${sortedJson(withoutMessages(blocker.values ?? {}))}`
}

function earlierLiftedKey({ stepId, blocker }: FoundBlocker): string {
  return `${stepId}: ${blocker.message}`
}

/** A value that is a finding keeps its code and its values; its message is a text. */
function withoutMessages(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutMessages)
  if (typeof value !== 'object' || value === null) return value
  const isFinding = 'code' in value && 'values' in value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !(isFinding && key === 'message'))
      .map(([key, held]) => [key, withoutMessages(held)]),
  )
}

function stepWithoutTexts({ counted: _, title: __, why: ___, undo: ____, ...step }: PlannedStep): unknown {
  return step
}

function planWithoutTexts(plan: Plan): unknown {
  const { id: _, madeAt: __, steps: ___, window: ____, lifted: _____, batches, ...whole } = plan
  return { ...whole, batches: batches.map(({ id, atOnce }) => ({ id, atOnce })) }
}

function stepWithTexts({ counted: _, ...step }: PlannedStep): unknown {
  return step
}

function planWithTexts({ id: _, madeAt: __, steps: ___, window: ____, lifted: _____, ...whole }: Plan): unknown {
  return whole
}

function digestOf(value: unknown): string {
  // The journal may return another order of keys.
  return createHash('sha256').update(sortedJson(value)).digest('hex').slice(0, 32)
}
