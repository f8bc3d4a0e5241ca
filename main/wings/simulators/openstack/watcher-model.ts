import { capacityOf } from './allocations.ts'
import type { Cloud, VmState } from './cloud.ts'
import { isComputeUp } from './world.ts'

/** An instance as it was when the model was built. */
export interface ModelInstance {
  readonly uuid: string
  readonly name: string
  readonly state: VmState
  readonly vcpus: number
  readonly memoryMib: number
}

export interface ModelNode {
  readonly uuid: string
  readonly name: string
  readonly isEnabled: boolean
  readonly isUp: boolean
  readonly disabledReason: string | null
  readonly vcpus: number
  readonly memoryMib: number
  readonly instances: readonly ModelInstance[]
}

/** The decision engine's model of the cloud at the time it was built. */
export type Model = readonly ModelNode[]

/** Reads the cloud as Watcher's collector does. */
export function buildModel(cloud: Cloud): Model {
  return [...cloud.hosts.values()].map((host): ModelNode => {
    const service = cloud.services.find(each => each.binary === 'nova-compute' && each.host === host.name)
    const capacity = capacityOf(host)
    return {
      uuid: host.id,
      name: host.name,
      isEnabled: service?.enabled === true,
      isUp: isComputeUp(cloud, host.name),
      disabledReason: service?.disabledReason ?? null,
      vcpus: capacity.VCPU,
      memoryMib: capacity.MEMORY_MB,
      instances: [...cloud.servers.values()]
        .filter(server => server.host === host.name)
        .map(({ id, name, vmState, flavor }) => ({
          uuid: id,
          name,
          state: vmState,
          vcpus: flavor.vcpus,
          memoryMib: flavor.ramMib,
        })),
    }
  })
}

/** Sums the resources of a node's instances, as the model counts them. */
export function usedOf(node: ModelNode): { readonly vcpus: number; readonly memoryMib: number } {
  return {
    vcpus: node.instances.reduce((sum, each) => sum + each.vcpus, 0),
    memoryMib: node.instances.reduce((sum, each) => sum + each.memoryMib, 0),
  }
}
