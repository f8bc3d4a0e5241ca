import type { ControllerWorld } from '../../ports/world.ts'

/**
 * Why OpenStack as a whole is not ready for maintenance; null when it is (docs/domain.md A.3: every component healthy). By the
 * OpenStackDeploymentStatus where there is one, else by the readiness of the pods in the OpenStack namespace.
 */
export async function componentsWait(world: ControllerWorld, signal: AbortSignal): Promise<string | null> {
  const namespace = world.cluster.openstackNamespace
  const status = await world.maintenanceApi.deploymentStatus(namespace, signal)
  if (!status.ok) return `The status of the OpenStack deployment could not be read: ${status.failure.message}`
  if (status.value !== null) {
    const { state, components, controllerVersion } = status.value
    const { release } = world.cluster.maintenanceApi
    if (state !== 'APPLIED') return `Waiting osdpl status APPLIED, current state is ${state || 'unknown'}`
    if (release !== null && controllerVersion !== null && controllerVersion !== release) {
      return `Waiting for cwl release ${release}: the OpenStack deployment ${status.value.name} is still of ${controllerVersion}`
    }
    const unwell = components.filter(component => component.status !== 'Ready')
    return unwell.length === 0
      ? null
      : `Waiting for all OpenStack services are healthy: ${unwell.map(component => `${component.name} ${component.status}`).join(', ')}`
  }
  const pods = await world.kubernetes.listPods(namespace, signal)
  if (!pods.ok) return `The pods of ${namespace} could not be read: ${pods.failure.message}`
  const unready = pods.value.filter(pod => isService(pod) && !pod.ready)
  return unready.length === 0
    ? null
    : `Waiting for all OpenStack services are healthy: not ready in ${namespace}: ${named(unready.map(pod => pod.name))}`
}

/** A pod that has to be ready: not one of a Job, which ends, nor one that has ended or is on its way out. */
export function isService(pod: {
  readonly controller: { readonly kind: string } | null
  readonly phase: string
  readonly deletionAt: string | null
}): boolean {
  return (
    pod.controller?.kind !== 'Job' && pod.phase !== 'Succeeded' && pod.phase !== 'Failed' && pod.deletionAt === null
  )
}

/** A few names, and how many more there are. */
export function named(names: readonly string[]): string {
  const shown = names.slice(0, 5).join(', ')
  return names.length > 5 ? `${shown} and ${names.length - 5} more` : shown
}
