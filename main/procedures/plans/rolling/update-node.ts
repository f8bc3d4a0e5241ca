import type { Cluster } from '../../../../shared/domain/cluster.ts'
import type { ApplicationCommand } from '../../../../shared/domain/command-work.ts'
import type { ClusterNode } from '../../../../shared/domain/kubernetes.ts'
import {
  type MaintenanceObjects,
  NO_MAINTENANCE_OBJECTS,
  nodeMeant,
} from '../../../../shared/domain/maintenance-api.ts'
import { rolesOfNode } from '../../../../shared/domain/node-roles.ts'
import type { ComputeService } from '../../../../shared/domain/openstack.ts'
import type { RunOptions } from '../../../../shared/domain/plan.ts'
import { ok, type Result } from '../../../../shared/domain/result.ts'
import { type NodeRole, openstackRolesOf } from '../../../../shared/domain/roles.ts'
import type { UpdateOptions } from '../../../../shared/domain/update.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import { computeServiceOf } from '../../steps/compute/compute-host.ts'

export interface UpdateNode {
  readonly name: string
  readonly roles: readonly NodeRole[]
  /** Nova's availability zone, else Kubernetes' zone label; null if there is no zone. */
  readonly zone: string | null
  readonly isReady: boolean
  /** Controllers that hold a lock on it; OpenStack's also where the labels require one. */
  readonly controllers: readonly string[]
}

export interface UpdateFacts {
  readonly nodes: readonly UpdateNode[]
  readonly clusterControllers: readonly string[]
}

/** A requested update: options, operator, and the cluster as read. */
export interface UpdateRequest {
  readonly id: string
  readonly madeAt: string
  readonly cluster: Cluster
  readonly facts: UpdateFacts
  readonly update: UpdateOptions
  /** Commands that start updates of applications that nothing else starts. */
  readonly commands?: readonly ApplicationCommand[]
  readonly options: RunOptions
  readonly operator: string
}

const ZONE_LABEL = 'topology.kubernetes.io/zone'

/** A cluster without the node maintenance API has no locks; the plan's checks report that. */
export async function readUpdateFacts(world: MaintenanceWorld, signal?: AbortSignal): Promise<Result<UpdateFacts>> {
  const [nodes, objects, services] = await Promise.all([
    world.kubernetes.listNodes(signal),
    world.maintenanceApi.objects(signal),
    world.openstack === null ? null : world.openstack.computeServices(signal),
  ])
  if (!nodes.ok) return nodes
  if (!objects.ok && objects.failure.code !== 'not-found') return objects
  if (services !== null && !services.ok) return services
  const found = objects.ok ? objects.value : NO_MAINTENANCE_OBJECTS
  return ok(factsOf(world.cluster, nodes.value, found, services?.value ?? []))
}

export function factsOf(
  cluster: Cluster,
  nodes: readonly ClusterNode[],
  objects: MaintenanceObjects,
  services: readonly ComputeService[],
): UpdateFacts {
  const names = nodes.map(({ name }) => name)
  return {
    nodes: nodes.map(node => ({
      name: node.name,
      // Labels and Nova both count: a compute node that lost its label is still one.
      roles: rolesOfNode(node, cluster, {
        computes: computeServiceOf(node, services) !== null,
        routes: 'not-asked',
        stores: 'not-asked',
        controls: null,
      }),
      zone: computeServiceOf(node, services)?.zone ?? node.labels[ZONE_LABEL] ?? null,
      isReady: node.readiness === 'ready',
      controllers: [
        ...new Set([
          ...objects.nodeLocks
            .filter(lock => nodeMeant(lock.nodeName, names) === node.name)
            .map(({ controller }) => controller),
          ...(carriesOpenStack(node, cluster) ? ['openstack'] : []),
        ]),
      ],
    })),
    clusterControllers: [...new Set(objects.clusterLocks.map(({ controller }) => controller))].sort(),
  }
}

function carriesOpenStack({ labels }: ClusterNode, { flavour, maintenanceApi, roleLabels }: Cluster): boolean {
  return (
    flavour === 'mosk' &&
    maintenanceApi.controllers.openstack !== 'none' &&
    openstackRolesOf(labels, roleLabels).length > 0
  )
}
