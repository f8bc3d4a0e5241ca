import { isNodePlan, type Plan, type PlannedStep } from './plan.ts'
import type { TimelineNode } from './update-eta.ts'

export function nodesOfPlan(plan: Plan): readonly TimelineNode[] {
  const chosen: readonly TimelineNode[] = isNodePlan(plan)
    ? []
    : [
        ...plan.update.controlNodes.map(node => ({ node, phase: 'control-nodes' as const, group: null, atOnce: 1 })),
        ...plan.update.groups
          .toSorted((a, b) => a.index - b.index)
          .flatMap(group =>
            group.nodes.map(node => ({
              node,
              phase: 'worker-nodes' as const,
              group: group.name,
              atOnce: group.concurrentUpdates,
            })),
          ),
      ]
  const known = new Map(chosen.map(node => [node.node, node]))
  for (const step of plan.steps) {
    const node = updateNodeOf(step)
    if (node === null || known.has(node)) continue
    const atOnce = plan.batches.find(({ id }) => id === step.lane?.batch)?.atOnce ?? 1
    known.set(node, { node, phase: step.phase ?? 'worker-nodes', group: null, atOnce })
  }
  return [...known.values()]
}

/** The node of a step; null if the step belongs to the whole cluster. */
export function updateNodeOf(step: PlannedStep): string | null {
  if (step.lane !== null) return step.lane.name
  if (step.phase !== 'control-nodes' && step.phase !== 'worker-nodes') return null
  return typeof step.input.node === 'string' ? step.input.node : null
}
