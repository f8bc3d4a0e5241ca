import type { DeploymentStatus } from '../../../shared/domain/maintenance-api.ts'
import { because } from '../../../shared/words/reasons.ts'
import { type Finding, namesOf } from '../../../shared/words/steps/coded.ts'
import type { ControllerWorld } from '../../ports/world.ts'

/** The application that shows the health of each service (Rockoon 1390883a, health_groups). Services without an entry have no health. */
const HEALTH_OF: ReadonlyMap<string, string> = new Map([
  ['alarming', 'aodh'],
  ['app-gateway', 'app-gateway'],
  ['baremetal', 'ironic'],
  ['block-storage', 'cinder'],
  ['cloudprober', 'cloudprober'],
  ['compute', 'nova'],
  ['coordination', 'etcd'],
  ['dashboard', 'horizon'],
  ['database', 'mariadb'],
  ['dns', 'designate'],
  ['event', 'panko'],
  ['identity', 'keystone'],
  ['image', 'glance'],
  ['ingress', 'ingress'],
  ['instance-ha', 'masakari'],
  ['key-manager', 'barbican'],
  ['load-balancer', 'octavia'],
  ['memcached', 'memcached'],
  ['messaging', 'rabbitmq'],
  ['metering', 'ceilometer'],
  ['metric', 'gnocchi'],
  ['metric-storage', 'aetos'],
  ['networking', 'neutron'],
  ['orchestration', 'heat'],
  ['placement', 'placement'],
  ['shared-file-system', 'manila'],
])

/** Why OpenStack as a whole is not ready for maintenance (docs/domain.md A.3): by the OpenStackDeploymentStatus where the cluster serves it, else by its pods. */
export async function componentsWait(world: ControllerWorld, signal: AbortSignal): Promise<Finding | null> {
  const namespace = world.cluster.openstackNamespace
  const status = await world.maintenanceApi.deploymentStatus(namespace, signal)
  if (!status.ok) return because('DeploymentStatusUnread', { cause: status.failure.message })
  if (status.value !== null) return deploymentWaits(status.value, world.cluster.maintenanceApi.release)
  const pods = await world.kubernetes.listPods(namespace, signal)
  if (!pods.ok) return because('PodsOfNamespaceUnread', { namespace, cause: pods.failure.message })
  const unready = pods.value.filter(pod => isService(pod) && !pod.ready)
  return unready.length === 0
    ? null
    : because('ServicePodsUnready', { namespace, pods: namesOf(unready.map(pod => pod.name)) })
}

function deploymentWaits(
  { name, state, release, services, components }: DeploymentStatus,
  wanted: string | null,
): Finding | null {
  if (state !== 'APPLIED') return because('DeploymentNotApplied', { state })
  if (wanted !== null && release !== null && release !== wanted)
    return because('DeploymentOfOtherRelease', { wanted, deployment: name, release })
  // An empty list proves nothing: the controller writes it some time after the deployment.
  if (components.length === 0) return because('ComponentsNotShown', { deployment: name })
  const unwell = components.filter(component => component.status !== 'Ready')
  if (unwell.length > 0)
    return because('ComponentsUnwell', { components: unwell.map(each => ({ name: each.name, status: each.status })) })
  const shown = new Set(components.map(component => component.name.split('/')[0]))
  const missing = services.filter(service => {
    const application = HEALTH_OF.get(service)
    return application !== undefined && !shown.has(application)
  })
  return missing.length === 0 ? null : because('ServicesWithoutHealth', { services: missing })
}

/** The labels of a Job's pods, which remain after the Job is gone. */
const JOB_LABELS = ['job-name', 'batch.kubernetes.io/job-name'] as const

/** A pod that must be ready: not a Job's, which ends, and not one that has ended or is being deleted. */
export function isService(pod: {
  readonly controller: { readonly kind: string } | null
  readonly labels: Readonly<Record<string, string>>
  readonly phase: string
  readonly deletionAt: string | null
}): boolean {
  if (pod.controller?.kind === 'Job' || JOB_LABELS.some(label => Object.hasOwn(pod.labels, label))) return false
  return pod.phase !== 'Succeeded' && pod.phase !== 'Failed' && pod.deletionAt === null
}
