import type { ClusterNode } from '../../shared/domain/kubernetes.ts'
import { NO_MAINTENANCE_OBJECTS } from '../../shared/domain/maintenance-api.ts'
import type { Instance } from '../../shared/domain/openstack.ts'
import { ok, type Result } from '../../shared/domain/result.ts'
import type { MaintenanceWorld } from '../ports/world.ts'
import { factsOf, type UpdateNode } from '../procedures/plans/rolling/update-node.ts'
import { computeServiceOf } from '../procedures/steps/compute/compute-host.ts'

export interface WorkNode {
  readonly node: ClusterNode
  readonly update: UpdateNode
  readonly isCompute: boolean
  /** Null if unreadable. */
  readonly instances: readonly Instance[] | null
}

/** The current facts about a cluster for estimates and lists of owners. */
export interface WorkFacts {
  readonly nodes: readonly WorkNode[]
  readonly unreachable: readonly string[]
}

/** Reads the nodes of a cluster and their instances. If the cloud does not answer, the nodes have no instances, and the answer says so. */
export async function readWorkFacts(world: MaintenanceWorld, cloudFailure: string | null): Promise<Result<WorkFacts>> {
  const { kubernetes, openstack } = world
  const [nodes, services, listed] = await Promise.all([
    kubernetes.listNodes(),
    openstack === null ? null : openstack.computeServices(),
    openstack === null ? null : openstack.listInstances(),
  ])
  if (!nodes.ok) return nodes
  const known = services?.ok ? services.value : []
  const byHost = listed?.ok ? Map.groupBy(listed.value.items, ({ host }) => host) : null
  const noCloud = openstack === null && cloudFailure === null
  const places = factsOf(world.cluster, nodes.value, NO_MAINTENANCE_OBJECTS, known).nodes
  return ok({
    nodes: nodes.value.flatMap((node, at) => {
      const update = places[at]
      const service = computeServiceOf(node, known)
      if (update === undefined) return []
      const isCompute = service !== null || update.roles.includes('compute')
      const instances = noCloud || !isCompute ? [] : instancesOf(service?.host ?? null, services?.ok === true, byHost)
      return [{ node, update, isCompute, instances }]
    }),
    unreachable: [
      ...(cloudFailure === null ? [] : [cloudFailure]),
      ...(services === null || services.ok ? [] : [services.failure.message]),
      ...(listed === null ? [] : listed.ok ? listed.value.unreachable : [listed.failure.message]),
    ],
  })
}

/** Instances of a host; null if they or the compute services are unreadable. A compute node without a service has none. */
function instancesOf(
  host: string | null,
  servicesKnown: boolean,
  byHost: ReadonlyMap<string | null, readonly Instance[]> | null,
): readonly Instance[] | null {
  if (byHost === null || !servicesKnown) return null
  return host === null ? [] : (byHost.get(host) ?? [])
}
