import type { Cluster } from '../../../../shared/domain/cluster.ts'
import type { UpdateGroup, UpdateOptions } from '../../../../shared/domain/update.ts'
import { type Fault, fault } from '../../../../shared/words/step-texts.ts'
import type { UpdateNode } from '../../plans/rolling/update-node.ts'

/** Controllers that take one node at a time, whatever is requested (docs/domain.md A.4, A.9; Ceph must be clean between nodes). */
const ONE_AT_A_TIME = ['ceph', 'tungstenfabric', 'stacklight'] as const

/** Two nodes may deadlock: each has a controller that waits for the other node's return. Null if no two nodes can. */
export function whyStandstill(
  update: UpdateOptions,
  nodes: readonly UpdateNode[],
  { maintenanceApi }: Pick<Cluster, 'maintenanceApi'>,
): Fault | null {
  for (const group of update.groups) {
    if (group.concurrentUpdates === 1) continue
    const found = pairOf(group, update, nodes, maintenanceApi.respectZone)
    if (found === null) continue
    const { one, other, controllers } = found
    return fault('GroupMayDeadlock', {
      group: group.name,
      one: one.name,
      other: other.name,
      controllers,
      areZonesApart: !update.zoneAtATime && one.zone !== other.zone,
    })
  }
  return null
}

function pairOf(
  group: UpdateGroup,
  { zoneAtATime }: UpdateOptions,
  nodes: readonly UpdateNode[],
  respectZone: boolean,
): { readonly one: UpdateNode; readonly other: UpdateNode; readonly controllers: readonly string[] } | null {
  const members = nodes.filter(({ name }) => group.nodes.includes(name))
  for (const [at, one] of members.entries()) {
    for (const other of members.slice(at + 1)) {
      if (zoneAtATime && one.zone !== other.zone) continue
      const controllers = holdingBack(one, other, respectZone)
      if (controllers.length > 1) return { one, other, controllers }
    }
  }
  return null
}

function holdingBack(one: UpdateNode, other: UpdateNode, respectZone: boolean): readonly string[] {
  const holdsBoth = (controller: string) =>
    one.controllers.includes(controller) && other.controllers.includes(controller)
  const isLimited = [one, other].some(({ roles }) => roles.includes('control') || roles.includes('gateway'))
  const isApart = respectZone && one.zone !== null && other.zone !== null && one.zone !== other.zone
  return [
    ...(holdsBoth('openstack') && (isLimited || isApart) ? ['openstack'] : []),
    ...ONE_AT_A_TIME.filter(holdsBoth),
  ]
}
