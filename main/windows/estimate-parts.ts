import type { PartOfWork } from '../../shared/domain/own-estimate.ts'
import type { UpdateOptions } from '../../shared/domain/update.ts'
import type { WindowPlan } from '../../shared/domain/window.ts'
import type { UpdateNode } from '../procedures/plans/rolling/update-node.ts'

/** The parts of a window's plan in working order. Under flavour `mosk` control-plane nodes run one by one (docs/domain.md A.4). */
export function partsOfPlan(
  plan: WindowPlan,
  nodes: readonly UpdateNode[],
  hasControlPhase: boolean,
): readonly PartOfWork[] {
  switch (plan.kind) {
    case 'open':
      return []
    case 'batches':
      return plan.batches.flatMap((batch, at) => {
        const control = hasControlPhase ? batch.nodes.filter(name => isControl(name, nodes)) : []
        const others = batch.nodes.filter(name => !control.includes(name))
        return [
          { batch: at + 1, nodes: control, atOnce: 1 },
          { batch: at + 1, nodes: others, atOnce: Math.max(1, others.length) },
        ].filter(part => part.nodes.length > 0)
      })
    case 'update':
      return partsOfUpdate(plan.update, nodes)
  }
}

function partsOfUpdate(update: UpdateOptions, nodes: readonly UpdateNode[]): readonly PartOfWork[] {
  const control = update.controlNodes.length === 0 ? [] : [{ nodes: update.controlNodes, atOnce: 1, zoned: false }]
  const groups = update.groups
    .toSorted((a, b) => a.index - b.index)
    .map(group => ({ nodes: group.nodes, atOnce: group.concurrentUpdates, zoned: update.zoneAtATime }))
  return [...control, ...groups].flatMap((part, at) =>
    (part.zoned ? byZone(part.nodes, nodes) : [part.nodes]).map(own => ({
      batch: at + 1,
      nodes: own,
      atOnce: part.atOnce,
    })),
  )
}

/** Zone by zone, in the order of first appearance; nodes without a zone form one group. */
function byZone(names: readonly string[], nodes: readonly UpdateNode[]): readonly (readonly string[])[] {
  return [...Map.groupBy(names, name => nodes.find(node => node.name === name)?.zone ?? 'none').values()]
}

function isControl(name: string, nodes: readonly UpdateNode[]): boolean {
  return nodes.some(node => node.name === name && node.roles.includes('control'))
}
