import { createHash } from 'node:crypto'
import type { PlanSeal } from '../../shared/domain/agreed-start.ts'
import type { CheckedPlan, Plan, PlannedStep } from '../../shared/domain/plan.ts'
import { blockersOf, effectsOf, type InstanceEffect } from '../../shared/domain/plan-effects.ts'

/** Instances whose owners are affected: all others stay up, on any host. */
const GOES_DOWN: ReadonlySet<InstanceEffect['action']> = new Set([
  'cold_migrate',
  'evacuate',
  'stop',
  'poweroff',
  'notify',
  'blocked',
])

/** The parts of a checked plan that must be the same when it starts later. Counted objects are not included: pods and instances come and go. */
export function sealOf(checked: CheckedPlan): PlanSeal {
  const { plan } = checked
  const byNode = Map.groupBy(plan.steps, ({ lane }) => lane?.name ?? '')
  return {
    parts: Object.fromEntries(
      [...new Set(['', ...byNode.keys()])].map(name => [
        name,
        digestOf([(byNode.get(name) ?? []).map(doneBy), name === '' ? wholeOf(plan) : null]),
      ]),
    ),
    lifted: blockersOf(checked)
      .filter(({ liftedBy }) => liftedBy !== null)
      .map(({ stepId, blocker }) => `${stepId}: ${blocker.message}`),
    down: effectsOf(checked)
      .instances.filter(({ action }) => GOES_DOWN.has(action))
      .map(({ id }) => id),
  }
}

function doneBy({ counted: _, ...step }: PlannedStep): Omit<PlannedStep, 'counted'> {
  return step
}

function wholeOf({ id: _, madeAt: __, steps: ___, window: ____, ...whole }: Plan): unknown {
  return whole
}

function digestOf(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(inOrder(value)))
    .digest('hex')
    .slice(0, 32)
}

/** A value with sorted keys: the journal may return another order. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, held]) => held !== undefined)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, held]) => [key, inOrder(held)]),
  )
}
