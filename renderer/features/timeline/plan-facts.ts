import type { CheckedPlan, PlannedStep } from '../../../shared/domain/plan.ts'
import {
  type FoundBlocker,
  type InstanceEffect,
  instanceOf,
  openBlockers,
  type PlanEffects,
} from '../../../shared/domain/plan-effects.ts'
import { updateNodeOf } from '../../../shared/domain/update-nodes.ts'
import { naturally } from '../../geometry/natural-order.ts'

/** What a plan does on one node: what blocks it, and the instances that it moves, stops or waits for. */
export interface NodeFacts {
  /** Two or three words; null if nothing blocks it. */
  readonly blocked: string | null
  /** Instances whose owner has to act. */
  readonly waits: readonly string[]
  readonly instances: readonly InstanceEffect[]
}

/** One reason that blocks a plan, once, with the nodes that have it. */
export interface GroupedBlocker {
  readonly found: FoundBlocker
  /** Null means the whole cloud. */
  readonly nodes: readonly (string | null)[]
  readonly instance: InstanceEffect | null
}

/** The facts of each node of a checked plan. */
export function factsByNode(checked: CheckedPlan, effects: PlanEffects): ReadonlyMap<string, NodeFacts> {
  const nodeOf = nodesOfSteps(checked)
  // The last effect on an instance counts.
  const current = new Map(effects.instances.map(effect => [effect.id, effect]))
  const instances = new Map<string, Map<string, InstanceEffect>>()
  for (const { stepId, answer } of checked.checks) {
    const node = nodeOf.get(stepId) ?? null
    if (node === null) continue
    for (const effect of answer.effects) {
      const last = effect.kind === 'instance' ? current.get(effect.id) : undefined
      if (last === undefined) continue
      const own = instances.get(node) ?? new Map<string, InstanceEffect>()
      instances.set(node, own.set(last.id, last))
    }
  }
  const blockers = Map.groupBy(openBlockers(checked), ({ stepId }) => nodeOf.get(stepId) ?? null)
  const nodes = new Set([...instances.keys(), ...[...blockers.keys()].flatMap(node => node ?? [])])
  return new Map(
    [...nodes].map(node => {
      const own = [...(instances.get(node)?.values() ?? [])].sort((a, b) => naturally(a.name, b.name))
      const [first] = blockers.get(node) ?? []
      return [
        node,
        {
          blocked: first === undefined ? null : blockedWords(first, effects.instances),
          waits: own.filter(({ action }) => action === 'notify').map(({ name }) => name),
          instances: own,
        },
      ]
    }),
  )
}

/** Every open blocker; equal ones of several nodes are one. */
export function groupedBlockers(checked: CheckedPlan, effects: PlanEffects): readonly GroupedBlocker[] {
  const nodeOf = nodesOfSteps(checked)
  const groups = new Map<string, { found: FoundBlocker; nodes: Set<string | null>; instance: InstanceEffect | null }>()
  for (const found of openBlockers(checked)) {
    const node = nodeOf.get(found.stepId) ?? null
    const { blocker } = found
    const key = JSON.stringify([blocker.code, blocker.values ?? blocker.message], (_, value) =>
      value === node ? null : value,
    )
    const known = groups.get(key)
    if (known === undefined) {
      groups.set(key, { found, nodes: new Set([node]), instance: instanceOf(blocker, effects.instances) })
    } else known.nodes.add(node)
  }
  return [...groups.values()].map(group => ({ ...group, nodes: [...group.nodes] }))
}

/** The node of each step; null for a step of the whole cloud. */
function nodesOfSteps({ plan }: CheckedPlan): ReadonlyMap<string, string | null> {
  return new Map(plan.steps.map(step => [step.id, nodeOfStep(step)]))
}

function nodeOfStep(step: PlannedStep): string | null {
  // A check of a node before all phases names it in its input alone.
  return updateNodeOf(step) ?? (typeof step.input.node === 'string' ? step.input.node : null)
}

function blockedWords({ blocker }: FoundBlocker, instances: readonly InstanceEffect[]): string {
  const instance = instanceOf(blocker, instances)
  if (instance !== null) return `${instance.name} blocks`
  return blocker.code.includes('Ceph') || blocker.code.includes('Osd') ? 'Ceph blocks' : 'blocked'
}
