import { createHash } from 'node:crypto'
import type { PlanSeal } from '../../shared/domain/agreed-start.ts'
import type { CheckedPlan, Plan, PlannedStep } from '../../shared/domain/plan.ts'
import { blockersOf, effectsOf, type InstanceEffect } from '../../shared/domain/plan-effects.ts'

/** Instances of which owners hear something: all others stay up, wherever they run. */
const GOES_DOWN: ReadonlySet<InstanceEffect['action']> = new Set([
  'cold_migrate',
  'evacuate',
  'stop',
  'poweroff',
  'notify',
  'blocked',
])

/** What of a checked plan has to be the same when it starts later. What its checks counted is not in it: pods and instances come and go. */
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

/** All of a plan but its steps, when it was made, and the window, whose end may be told or not. */
function wholeOf({ id: _, madeAt: __, steps: ___, window: ____, ...whole }: Plan): unknown {
  return whole
}

function digestOf(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(inOrder(value)))
    .digest('hex')
    .slice(0, 32)
}

/** The same value in one order of keys: what was read from the journal need not have that in which it was made. */
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
