import { ok } from '../../shared/domain/result.ts'
import type { MaintenanceWorld } from '../ports/world.ts'
import { computeServiceOf } from '../procedures/steps/compute/compute-host.ts'

/** Nodes by Nova host; if unknown, an edit names no node. */
export async function nodesByHost(world: MaintenanceWorld): Promise<ReadonlyMap<string, string>> {
  const [nodes, computes] = await Promise.all([
    world.kubernetes.listNodes(),
    world.openstack?.computeServices() ?? ok([]),
  ])
  if (!nodes.ok || !computes.ok) return new Map()
  return new Map(
    nodes.value.flatMap(node => {
      const service = computeServiceOf(node, computes.value)
      return service === null ? [] : [[service.host, node.name] as const]
    }),
  )
}
