import type { Cluster } from '../../../../shared/domain/cluster.ts'
import type { ClusterNode } from '../../../../shared/domain/kubernetes.ts'
import { parseLockMessage } from '../../../../shared/domain/lock-message.ts'
import {
  type MaintenanceObjects,
  type NodeMaintenanceRequest,
  type NodeWorkloadLock,
  nodeMeant,
} from '../../../../shared/domain/maintenance-api.ts'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import { NodeRole, openstackRolesOf, rolesOf } from '../../../../shared/domain/roles.ts'
import type { Counted, Evidence, VerifyAnswer } from '../../../../shared/domain/step-answers.ts'
import { fault, found } from '../../../../shared/words/step-texts.ts'
import type { Finding } from '../../../../shared/words/steps/coded.ts'
import type { LockSays } from '../../../../shared/words/steps/requests-locks.ts'
import { cannotTell, evidence, refusal } from '../../answers.ts'
import type { MaintenanceContext } from '../../node-input.ts'
import { computeServiceOf } from '../compute/compute-host.ts'

/** The maintenance objects of one node, matched by spec, never by name (docs/domain.md A.1). */
export interface NodeMaintenance {
  readonly node: string
  readonly locks: readonly NodeWorkloadLock[]
  readonly requests: readonly NodeMaintenanceRequest[]
  readonly objects: MaintenanceObjects
  readonly names: readonly string[]
  /** The roles that its labels give; without OpenStack's lock, also the roles that Nova gives. */
  readonly roles: readonly NodeRole[]
  /** Controllers that should hold a lock on it, by the settings and the node's roles. */
  readonly expected: readonly string[]
}

export async function readNodeMaintenance(node: string, ctx: MaintenanceContext): Promise<Result<NodeMaintenance>> {
  const [objects, nodes] = await Promise.all([
    ctx.world.maintenanceApi.objects(ctx.signal),
    ctx.world.kubernetes.listNodes(ctx.signal),
  ])
  if (!objects.ok) return objects
  if (!nodes.ok) return nodes
  const { cluster, openstack } = ctx.world
  const picked = maintenanceOf(node, nodes.value, objects.value, cluster)
  if (!picked.ok) return picked
  const found = picked.value
  const answers = cluster.maintenanceApi.controllers.openstack !== 'none'
  if (!answers || found.roles.includes('compute') || found.locks.some(({ controller }) => controller === 'openstack')) {
    return ok(found)
  }
  // A compute node that lost its label and lock still needs its preparation.
  const services = await (openstack?.computeServices(ctx.signal) ?? null)
  const place = nodes.value.find(({ name }) => name === node)
  if (!services?.ok || place === undefined || computeServiceOf(place, services.value) === null) return ok(found)
  const roles = NodeRole.options.filter(role => role === 'compute' || found.roles.includes(role))
  return ok({
    ...found,
    roles,
    expected: expectedControllers({ openstack: true, storage: roles.includes('storage') }, cluster),
  })
}

/** `nodes`: all of the cluster. A node that is not among them is a failure: its roles decide which locks it should have. */
export function maintenanceOf(
  node: string,
  nodes: readonly ClusterNode[],
  objects: MaintenanceObjects,
  cluster: Cluster,
): Result<NodeMaintenance> {
  const names = nodes.map(({ name }) => name)
  const place = nodes.find(({ name }) => name === node)
  if (place === undefined) {
    return failed(refusal('unreadable', fault('NodeNotListed', { node, total: names.length })))
  }
  const roles = rolesOf(place.labels, cluster.roleLabels)
  const means = (nodeName: string) => nodeMeant(nodeName, names) === node
  return ok({
    node,
    names,
    roles,
    expected: expectedControllers(
      { openstack: openstackRolesOf(place.labels, cluster.roleLabels).length > 0, storage: roles.includes('storage') },
      cluster,
    ),
    objects,
    locks: objects.nodeLocks
      .filter(lock => means(lock.nodeName))
      .sort((a, b) => a.controller.localeCompare(b.controller)),
    requests: objects.nodeRequests.filter(request => means(request.nodeName)),
  })
}

/** OpenStack where the node has a role of it, Ceph where it stores. */
function expectedControllers(
  has: { readonly openstack: boolean; readonly storage: boolean },
  { maintenanceApi }: Cluster,
): readonly string[] {
  const { controllers } = maintenanceApi
  return [
    ...(controllers.openstack !== 'none' && has.openstack ? ['openstack'] : []),
    ...(controllers.ceph !== 'none' && has.storage ? ['ceph'] : []),
  ]
}

export function countedLocks({ locks }: NodeMaintenance): readonly Counted[] {
  return locks.map(({ uid, name, controller }) => ({ kind: 'lock', id: uid, name, values: { controller } }))
}

/** The locks that the list lacks; null if it is complete. A counted lock that is missing was deleted or is hidden, not inactive. */
export function missingLocks(node: NodeMaintenance, ctx: MaintenanceContext): Finding | null {
  const seen = ctx.counted().filter(({ kind }) => kind === 'lock')
  const gone = seen.filter(({ id, values }) =>
    node.locks.every(({ uid, controller }) => uid !== id && controller !== values.controller),
  )
  if (gone.length > 0) {
    return found('NodeLocksVanished', { locks: gone.map(({ name }) => name) })
  }
  const unseen = node.expected.filter(controller => node.locks.every(lock => lock.controller !== controller))
  if (unseen.length > 0) {
    return found('NodeLocksUnseen', { node: node.node, controllers: unseen })
  }
  const { controllers } = ctx.world.cluster.maintenanceApi
  const answering = Object.entries(controllers).flatMap(([name, by]) => (by === 'none' ? [] : [name]))
  if (node.objects.nodeLocks.length === 0 && answering.length > 0) {
    return found('NoNodeLockAnywhere', { controllers: answering })
  }
  return null
}

export function locksUnreported(missing: Finding, seen: readonly Evidence[]): VerifyAnswer {
  return cannotTell(fault('NodeLocksUntold', { missing }), seen)
}

export function locksEvidence(found: NodeMaintenance, ctx: MaintenanceContext): Evidence {
  return evidence(`locks of ${found.node}`, ctx.at(), {
    locks: found.locks.map(({ name, uid, controller, state, errorMessage, resourceVersion }) => ({
      name,
      uid,
      controller,
      state,
      message: errorMessage,
      resourceVersion,
    })),
  })
}

export function requestsEvidence(found: NodeMaintenance, ctx: MaintenanceContext): Evidence {
  return evidence(`maintenance requests of ${found.node}`, ctx.at(), {
    requests: found.requests.map(({ name, scope, deletingSince, finalizers, resourceVersion }) => ({
      name,
      scope,
      deletingSince,
      finalizers,
      resourceVersion,
    })),
  })
}

export function controllersOf(locks: readonly NodeWorkloadLock[]): readonly string[] {
  return locks.map(({ controller }) => controller)
}

export function lockSays({ controller, name, state, errorMessage }: NodeWorkloadLock): LockSays {
  return { controller, name, state, says: parseLockMessage(errorMessage).text }
}
