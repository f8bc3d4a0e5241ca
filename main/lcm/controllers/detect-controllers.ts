import type { ControllerProposal } from '../../../shared/contract/index.ts'
import { ControllerName, MADE_BY_ANNOTATION, type MaintenanceObjects } from '../../../shared/domain/maintenance-api.ts'
import { ok, type Result } from '../../../shared/domain/result.ts'
import { CONTROLLERS_LEASE, type MaintenanceWorld } from '../../maintenance/ports.ts'
import { holderWords } from './holder-words.ts'

/** Workloads that answer maintenance requests in a cluster, by what their names hold (docs/domain.md A.2, A.9). */
const ANSWERERS: Readonly<Record<ControllerName, readonly string[]>> = {
  openstack: ['rockoon', 'openstack-controller'],
  ceph: ['ceph-controller', 'ceph-maintenance', 'pelagia'],
  tungstenfabric: ['tf-operator', 'tungstenfabric-operator', 'opensdn-operator'],
}

/** Looks who answers maintenance requests on a cluster, and proposes the setting; touches nothing. */
export async function detectControllers(
  world: MaintenanceWorld,
  signal?: AbortSignal,
): Promise<Result<readonly ControllerProposal[]>> {
  const [workloads, objects, osds, vrouters, holder] = await Promise.all([
    world.kubernetes.listWorkloads(['Deployment', 'StatefulSet'], signal),
    world.maintenanceApi.objects(signal),
    world.ceph.osds(signal),
    world.kubernetes.listPods(world.cluster.maintenanceApi.tungstenFabricNamespace, signal),
    world.kubernetes.leases.holder(CONTROLLERS_LEASE, signal),
  ])
  if (!workloads.ok) return workloads
  const has: Readonly<Record<ControllerName, string | null>> = {
    openstack: world.cluster.cloud === null ? null : 'The cluster has an OpenStack cloud',
    ceph: osds.ok && osds.value.length > 0 ? `Ceph answers, with ${osds.value.length} OSDs` : null,
    tungstenfabric:
      vrouters.ok && vrouters.value.some(pod => pod.name.includes('vrouter'))
        ? 'vRouter pods run in the cluster'
        : null,
  }
  return ok(
    ControllerName.options.map((controller): ControllerProposal => {
      const names = ANSWERERS[controller]
      const found = workloads.value.find(workload => names.some(name => workload.name.includes(name)))
      if (found !== undefined) {
        const state = found.readyReplicas > 0 ? 'runs' : 'is there, but none of its replicas is ready'
        return { controller, choice: 'cluster', why: `${found.kind} ${found.namespace}/${found.name} ${state}.` }
      }
      const there = has[controller]
      if (there === null) return { controller, choice: 'none', why: `Nothing of ${controller} was found.` }
      const own = objects.ok ? objects.value.nodeLocks.some(lock => lock.controller === controller) : false
      if (holder.ok && holder.value !== null && own) {
        // Whether another console or something of the cluster runs them, the setting already says.
        const choice = world.cluster.maintenanceApi.controllers[controller]
        return {
          controller,
          choice: choice === 'none' ? 'cluster' : choice,
          why: `${there}, and Lockkeeper's controllers answer, run by ${holderWords(holder.value)}.`,
        }
      }
      const locks = objects.ok ? foreignLocks(objects.value, controller) : 0
      return locks > 0
        ? {
            controller,
            choice: 'cluster',
            why: `${there}, and ${locks} of its locks are not ours: somebody answers, though no known controller was found.`,
          }
        : { controller, choice: 'console', why: `${there}, and nobody in the cluster answers for it.` }
    }),
  )
}

/** Locks that our controllers did not make: names do not tell, Rockoon's are the same (docs/domain.md A.1). */
function foreignLocks(objects: MaintenanceObjects, controller: ControllerName): number {
  return objects.nodeLocks.filter(
    lock => lock.controller === controller && lock.annotations[MADE_BY_ANNOTATION] === undefined,
  ).length
}
