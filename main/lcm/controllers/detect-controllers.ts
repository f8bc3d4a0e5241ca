import type { ControllerProposal } from '../../../shared/contract/index.ts'
import { CONTROLLERS_LEASE } from '../../../shared/domain/lease-name.ts'
import {
  type ClusterWorkloadLock,
  ControllerName,
  MADE_BY_ANNOTATION,
  type MaintenanceObjects,
  NO_MAINTENANCE_OBJECTS,
  type NodeWorkloadLock,
} from '../../../shared/domain/maintenance-api.ts'
import { ok, type Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import type { MaintenanceWorld } from '../../ports/world.ts'
import { answerersOf, isMadeByUs } from '../../procedures/steps/requests/controller-life.ts'

/** Finds out who answers maintenance requests on a cluster, and proposes the setting; changes nothing. */
export async function detectControllers(
  world: MaintenanceWorld,
  signal?: AbortSignal,
): Promise<Result<readonly ControllerProposal[]>> {
  const [workloads, objects, osds, vrouters, stacklight, holder, deployment] = await Promise.all([
    world.kubernetes.listWorkloads(['Deployment', 'StatefulSet'], signal),
    world.maintenanceApi.objects(signal),
    world.ceph.osds(signal),
    world.kubernetes.listPods(world.cluster.maintenanceApi.tungstenFabricNamespace, signal),
    world.kubernetes.listPods(world.cluster.maintenanceApi.stacklightNamespace, signal),
    world.kubernetes.leases.holder(CONTROLLERS_LEASE, signal),
    world.maintenanceApi.deploymentStatus(world.cluster.openstackNamespace, signal),
  ])
  if (!workloads.ok) return workloads
  // Without the API there are no locks; an unreadable answer proves nothing.
  if (!objects.ok && objects.failure.code !== 'not-found') return objects
  const known = objects.ok ? objects.value : NO_MAINTENANCE_OBJECTS
  const namespace = world.cluster.maintenanceApi.stacklightNamespace
  const lights = stacklight.ok ? stacklight.value.filter(pod => pod.namespace === namespace) : []
  const has: Readonly<Record<ControllerName, Finding | null>> = {
    openstack: world.cluster.cloud === null ? null : because('ClusterHasOpenStack'),
    ceph: osds.ok && osds.value.length > 0 ? because('CephAnswers', { osds: osds.value.length }) : null,
    tungstenfabric:
      vrouters.ok && vrouters.value.some(pod => pod.name.includes('vrouter')) ? because('VRouterPodsRun') : null,
    stacklight: lights.length === 0 ? null : because('StackLightPodsRun', { pods: lights.length, namespace }),
  }
  return ok(
    ControllerName.options.map((controller): ControllerProposal => {
      const propose = (
        choice: ControllerProposal['choice'],
        { code, values, message: why }: Finding,
      ): ControllerProposal => ({ controller, choice, why, code, values })
      const [found] = answerersOf(controller, workloads.value)
      if (found !== undefined) {
        const { kind, namespace: where, name, readyReplicas } = found
        return propose(
          'cluster',
          because('ControllerFound', { kind, namespace: where, name, isReady: readyReplicas > 0 }),
        )
      }
      const foreign = foreignLocks(known, controller)
      if (foreign > 0) return propose('cluster', because('LocksOfOthers', { locks: foreign, controller }))
      if (controller === 'openstack' && deployment.ok && deployment.value !== null)
        return propose('cluster', because('DeploymentOfController', { deployment: deployment.value.name }))
      const there = has[controller]
      if (there === null) return propose('none', because('ApplicationNotFound', { controller }))
      if (holder.ok && holder.value !== null && isMadeByUs(controller, known)) {
        // The setting itself says whether another console or the cluster runs them.
        const choice = world.cluster.maintenanceApi.controllers[controller]
        const { identity, operator, machine, since } = holder.value
        const by = { identity, operator, machine, since }
        return propose(choice === 'none' ? 'cluster' : choice, because('AnsweredByOurs', { there, by }))
      }
      return propose('console', because('NobodyAnswers', { there }))
    }),
  )
}

/** Locks that our controllers did not create: names prove nothing, as Rockoon's are the same (docs/domain.md A.1). */
function foreignLocks({ clusterLocks, nodeLocks }: MaintenanceObjects, controller: ControllerName): number {
  const foreign = (locks: readonly NodeWorkloadLock[] | readonly ClusterWorkloadLock[]) =>
    locks.filter(lock => lock.controller === controller && lock.annotations[MADE_BY_ANNOTATION] === undefined).length
  const ofNodes = foreign(nodeLocks)
  // Earlier versions did not mark the cluster's lock.
  const isOurs = ofNodes === 0 && nodeLocks.some(lock => lock.controller === controller)
  return ofNodes + (isOurs ? 0 : foreign(clusterLocks))
}
