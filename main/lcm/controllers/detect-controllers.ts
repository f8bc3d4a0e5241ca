import type { ControllerProposal } from '../../../shared/contract/index.ts'
import type { LeaseHolder } from '../../../shared/domain/kubernetes.ts'
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
import { counted } from '../../../shared/grammar/counts.ts'
import { instantWords } from '../../../shared/grammar/times.ts'
import type { MaintenanceWorld } from '../../ports/world.ts'
import { answerersOf, isMadeByUs } from '../../procedures/steps/requests/controller-life.ts'

/** Looks who answers maintenance requests on a cluster, and proposes the setting; touches nothing. */
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
  // Without the API there are no locks; an answer that could not be read is no proof that nobody answers.
  if (!objects.ok && objects.failure.code !== 'not-found') return objects
  const known = objects.ok ? objects.value : NO_MAINTENANCE_OBJECTS
  const namespace = world.cluster.maintenanceApi.stacklightNamespace
  const lights = stacklight.ok ? stacklight.value.filter(pod => pod.namespace === namespace) : []
  const has: Readonly<Record<ControllerName, string | null>> = {
    openstack: world.cluster.cloud === null ? null : 'The cluster has an OpenStack cloud',
    ceph: osds.ok && osds.value.length > 0 ? `Ceph answers, with ${osds.value.length} OSDs` : null,
    tungstenfabric:
      vrouters.ok && vrouters.value.some(pod => pod.name.includes('vrouter'))
        ? 'vRouter pods run in the cluster'
        : null,
    stacklight:
      lights.length === 0 ? null : `StackLight has ${counted(lights.length, 'pod')} in namespace ${namespace}`,
  }
  return ok(
    ControllerName.options.map((controller): ControllerProposal => {
      const [found] = answerersOf(controller, workloads.value)
      if (found !== undefined) {
        const state = found.readyReplicas > 0 ? 'runs' : 'is there, but none of its replicas is ready'
        return { controller, choice: 'cluster', why: `${found.kind} ${found.namespace}/${found.name} ${state}.` }
      }
      const foreign = foreignLocks(known, controller)
      if (foreign > 0) {
        const why = `${foreign === 1 ? '1 lock' : `${foreign} locks`} of ${controller} ${foreign === 1 ? 'is' : 'are'} not ours: somebody in the cluster answers, though no known controller was found.`
        return { controller, choice: 'cluster', why }
      }
      if (controller === 'openstack' && deployment.ok && deployment.value !== null) {
        const why = `The OpenStackDeployment ${deployment.value.name} is there, which the OpenStack Controller keeps, though it was not found running.`
        return { controller, choice: 'cluster', why }
      }
      const there = has[controller]
      if (there === null) return { controller, choice: 'none', why: `Nothing of ${controller} was found.` }
      if (holder.ok && holder.value !== null && isMadeByUs(controller, known)) {
        // Whether another console or something of the cluster runs them, the setting already says.
        const choice = world.cluster.maintenanceApi.controllers[controller]
        return {
          controller,
          choice: choice === 'none' ? 'cluster' : choice,
          why: `${there}, and Lockkeeper's controllers answer, run by ${holderWords(holder.value)}.`,
        }
      }
      return { controller, choice: 'console', why: `${there}, and nobody in the cluster answers for it.` }
    }),
  )
}

/** Locks that our controllers did not make: names do not tell, Rockoon's are the same (docs/domain.md A.1). */
function foreignLocks({ clusterLocks, nodeLocks }: MaintenanceObjects, controller: ControllerName): number {
  const foreign = (locks: readonly NodeWorkloadLock[] | readonly ClusterWorkloadLock[]) =>
    locks.filter(lock => lock.controller === controller && lock.annotations[MADE_BY_ANNOTATION] === undefined).length
  const ofNodes = foreign(nodeLocks)
  // Earlier versions of ours did not mark the cluster's lock.
  const isOurs = ofNodes === 0 && nodeLocks.some(lock => lock.controller === controller)
  return ofNodes + (isOurs ? 0 : foreign(clusterLocks))
}

/** Who runs the controllers, for people: `root on bastion-1 since 2026-11-21 10:40:12 UTC`. */
export function holderWords({ operator, identity, machine, since }: LeaseHolder): string {
  const when = since === null ? 'an unknown time' : instantWords(since)
  return `${operator ?? identity} on ${machine ?? 'another machine'} since ${when}`
}
