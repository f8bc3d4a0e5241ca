import type { ComputeService } from '../../../shared/domain/openstack.ts'
import { rolesOf } from '../../../shared/domain/roles.ts'
import type { ControllerWorld } from '../../ports/world.ts'
import { computeServiceOf } from '../../procedures/steps/compute/compute-host.ts'
import { heldBackByLimits, limitedNode } from '../../procedures/steps/requests/lock-limits.ts'
import type { ApplicationController } from './application-controller.ts'
import { componentsWait } from './openstack-health.ts'
import { createInstanceMover } from './openstack-instances.ts'
import { prepareOpenStack } from './openstack-prepare.ts'
import { restoreOpenStack } from './openstack-restore.ts'

/** The OpenStack Controller's part of a maintenance (seed 000; docs/domain.md A.2 to A.6). */
export function openstackController(world: ControllerWorld): ApplicationController {
  const { cluster } = world
  const mover = createInstanceMover()
  /** Null until Nova could be asked. */
  let services: readonly ComputeService[] | null = null
  return {
    name: 'openstack',
    // Storage alone is no role of OpenStack's: Rockoon knows controllers, computes and gateways (A.10).
    concerns: node => rolesOf(node.labels, cluster.roleLabels).some(role => role !== 'storage'),
    heldBack: (node, started) => {
      const zonesCount = cluster.maintenanceApi.respectZone && world.openstack !== null
      if (zonesCount && services === null) return `Waiting for Nova to tell the availability zone of ${node.name}`
      const limited = (candidate: typeof node) =>
        limitedNode(candidate, cluster.roleLabels, computeServiceOf(candidate, services ?? [])?.zone ?? null)
      return heldBackByLimits(
        limited(node),
        started.map(({ node: other }) => limited(other)),
        cluster.maintenanceApi,
      )
    },
    prepare: work => prepareOpenStack(work, mover),
    restore: async work => {
      mover.forget(work.node.name)
      return restoreOpenStack(work)
    },
    clusterWaits: (_world, _snapshot, signal) => componentsWait(world, signal),
    refresh: async (_world, _snapshot, signal) => {
      const read = await world.openstack?.computeServices(signal)
      if (read?.ok) services = read.value
    },
  }
}
