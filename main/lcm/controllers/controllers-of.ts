import { ControllerName } from '../../../shared/domain/maintenance-api.ts'
import type { Clock } from '../../clock/clock.ts'
import type { ControllerWorld } from '../../ports/world.ts'
import type { ApplicationController } from './application-controller.ts'
import { cephController } from './ceph.ts'
import { openstackController } from './openstack.ts'
import { stacklightController } from './stacklight.ts'
import { tungstenFabricController } from './tungstenfabric.ts'

const MAKERS: Readonly<Record<ControllerName, (world: ControllerWorld, clock: Clock) => ApplicationController>> = {
  openstack: openstackController,
  ceph: ({ cluster }, clock) => cephController(cluster, clock),
  tungstenfabric: tungstenFabricController,
  stacklight: stacklightController,
}

/** The controllers that the cluster's settings give to this console. */
export function controllersOf(world: ControllerWorld, clock: Clock): readonly ApplicationController[] {
  const { controllers } = world.cluster.maintenanceApi
  return ControllerName.options.filter(name => controllers[name] === 'console').map(name => MAKERS[name](world, clock))
}
