import type { LeaseHolder } from '../../shared/domain/kubernetes.ts'
import { must } from '../../shared/domain/must.ts'
import { type Plan, planSubject } from '../../shared/domain/plan.ts'
import { ok } from '../../shared/domain/result.ts'
import type { RunDriver } from '../../shared/domain/run.ts'
import type { LeaseKeeper } from '../engine/lease-keeper.ts'
import { type LeaseRequest, type MaintenanceWorld, UPDATE_LEASE } from './ports.ts'

/** Long enough to survive a slow API server, short enough that a dead console does not block a node for long. */
const DURATION_SECONDS = 60

/**
 * The Lease that keeps two runs off one node, and two drivers off one cluster (style G26), in the cluster's lease namespace. A run of a
 * node and an update of its cluster exclude each other: each first takes its own Lease and then looks at the other's, so that of two that
 * begin at the same instant at least one sees the other. (An update looks at the node's Lease before it touches the node.)
 */
export function nodeLeaseKeeper(driver: RunDriver): LeaseKeeper<MaintenanceWorld> {
  const requestOf = (node: string, runId: string): LeaseRequest => ({
    node,
    identity: identityOf(runId),
    runId,
    operator: driver.operator,
    machine: driver.machine,
    durationSeconds: DURATION_SECONDS,
  })
  return {
    durationMs: DURATION_SECONDS * 1000,
    identityOf,
    acquire: async (plan, runId, world) => {
      const { leases } = world.kubernetes
      const request = requestOf(leaseSubject(plan), runId)
      const answer = await leases.acquire(request)
      if (!answer.ok) return answer
      if (answer.value.kind === 'held')
        return ok({ kind: 'held', message: heldMessage(planSubject(plan), answer.value.by) })
      if (plan.kind === 'update') return ok({ kind: 'acquired' })
      const update = await leases.holder(UPDATE_LEASE)
      if (update.ok && update.value === null) return ok({ kind: 'acquired' })
      await leases.release(request)
      if (!update.ok) return update
      const by = must(update.value, 'a free Lease was answered above')
      return ok({
        kind: 'held',
        message: `The whole cluster is being updated. ${heldMessage(plan.cluster, by)} Maintain ${plan.node} when the update is over.`,
      })
    },
    renew: async (plan, runId, world) => {
      const node = planSubject(plan)
      const answer = await world.kubernetes.leases.renew(requestOf(leaseSubject(plan), runId))
      if (!answer.ok || answer.value.kind === 'renewed') return answer.ok ? ok({ kind: 'renewed' }) : answer
      const { by } = answer.value
      return ok({ kind: 'lost', message: by === null ? `The Lease of ${node} is gone.` : heldMessage(node, by) })
    },
    release: (plan, runId, world) => world.kubernetes.leases.release(requestOf(leaseSubject(plan), runId)),
  }
}

function leaseSubject(plan: Plan): string {
  return plan.kind === 'update' ? UPDATE_LEASE : plan.node
}

function identityOf(runId: string): string {
  return `lockkeeper-${runId}`
}

/** Who holds the node, since when, from which machine. */
export function heldMessage(node: string, by: LeaseHolder): string {
  return `${by.operator ?? by.identity} on ${by.machine ?? 'another machine'} holds ${node} since ${by.since ?? 'an unknown time'} (run ${by.runId ?? by.identity}).`
}
