import type { ControllerName } from '../../../shared/domain/maintenance-api.ts'
import type { ControllerWorld } from '../ports.ts'
import type { ApplicationController } from './application-controller.ts'
import { openstackController } from './openstack.ts'

const MAKERS: Readonly<Partial<Record<ControllerName, (world: ControllerWorld) => ApplicationController>>> = {
  openstack: openstackController,
}

/** The controllers that the cluster's settings give to this console. */
export function controllersOf(world: ControllerWorld): readonly ApplicationController[] {
  const { controllers } = world.cluster.maintenanceApi
  return (Object.keys(controllers) as ControllerName[])
    .filter(name => controllers[name] === 'console')
    .flatMap(name => {
      const make = MAKERS[name]
      return make === undefined ? [] : [make(world)]
    })
}
