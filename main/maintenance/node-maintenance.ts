import { parseLockMessage } from '../../shared/domain/lock-message.ts'
import {
  type MaintenanceObjects,
  type NodeMaintenanceRequest,
  type NodeWorkloadLock,
  nodeMeant,
} from '../../shared/domain/maintenance-api.ts'
import type { Evidence } from '../../shared/domain/plan.ts'
import { ok, type Result } from '../../shared/domain/result.ts'
import { evidence, some } from './answers.ts'
import type { MaintenanceContext } from './node-input.ts'

/** What the node maintenance API says of one node, read afresh (docs/domain.md A.1: matched on specs, never on names). */
export interface NodeMaintenance {
  readonly node: string
  readonly locks: readonly NodeWorkloadLock[]
  readonly requests: readonly NodeMaintenanceRequest[]
  readonly objects: MaintenanceObjects
  /** Every node of the cluster. */
  readonly names: readonly string[]
}

/** Reads the maintenance objects and picks those of one node. */
export async function readNodeMaintenance(node: string, ctx: MaintenanceContext): Promise<Result<NodeMaintenance>> {
  const [objects, nodes] = await Promise.all([
    ctx.world.maintenanceApi.objects(ctx.signal),
    ctx.world.kubernetes.listNodes(ctx.signal),
  ])
  if (!objects.ok) return objects
  if (!nodes.ok) return nodes
  const names = nodes.value.map(({ name }) => name)
  return ok(maintenanceOf(node, names, objects.value))
}

/** Picks what is of one node; `names` are all nodes of the cluster. */
export function maintenanceOf(node: string, names: readonly string[], objects: MaintenanceObjects): NodeMaintenance {
  const means = (nodeName: string) => nodeMeant(nodeName, names) === node
  return {
    node,
    names,
    objects,
    locks: objects.nodeLocks
      .filter(lock => means(lock.nodeName))
      .sort((a, b) => a.controller.localeCompare(b.controller)),
    requests: objects.nodeRequests.filter(request => means(request.nodeName)),
  }
}

/** The locks of a node as evidence. */
export function locksEvidence(found: NodeMaintenance, ctx: MaintenanceContext): Evidence {
  return evidence(`locks of ${found.node}`, ctx.at(), {
    locks: found.locks.map(({ name, controller, state, errorMessage, resourceVersion }) => ({
      name,
      controller,
      state,
      message: errorMessage,
      resourceVersion,
    })),
  })
}

/** The requests for a node as evidence. */
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

/** Whose turn it is, in a sentence: `openstack: Starting migration for …; ceph: waits`. */
export function waitingFor(locks: readonly NodeWorkloadLock[], verb: string): string {
  return some(
    locks.map(lock => {
      const { text } = parseLockMessage(lock.errorMessage)
      return text === '' ? `${lock.controller} ${verb}` : `${lock.controller}: ${text.replace(/\.$/, '')}`
    }),
    4,
  )
}
