import type { LeaseHolder } from '../../shared/domain/kubernetes.ts'
import { ok } from '../../shared/domain/result.ts'
import type { RunDriver } from '../../shared/domain/run.ts'
import type { LeaseKeeper } from '../engine/lease-keeper.ts'
import type { LeaseRequest, MaintenanceWorld } from './ports.ts'

/** Long enough to survive a slow API server, short enough that a dead console does not block a node for long. */
const DURATION_SECONDS = 60

/** The Lease that keeps two runs off one node (style G26), in the cluster's lease namespace. */
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
    acquire: async ({ node }, runId, world) => {
      const answer = await world.kubernetes.leases.acquire(requestOf(node, runId))
      if (!answer.ok || answer.value.kind === 'acquired') return answer.ok ? ok({ kind: 'acquired' }) : answer
      return ok({ kind: 'held', message: heldMessage(node, answer.value.by) })
    },
    renew: async ({ node }, runId, world) => {
      const answer = await world.kubernetes.leases.renew(requestOf(node, runId))
      if (!answer.ok || answer.value.kind === 'renewed') return answer.ok ? ok({ kind: 'renewed' }) : answer
      const { by } = answer.value
      return ok({ kind: 'lost', message: by === null ? `The Lease of ${node} is gone.` : heldMessage(node, by) })
    },
    release: ({ node }, runId, world) => world.kubernetes.leases.release(requestOf(node, runId)),
  }
}

function identityOf(runId: string): string {
  return `lockkeeper-${runId}`
}

/** Who holds the node, since when, from which machine. */
export function heldMessage(node: string, by: LeaseHolder): string {
  return `${by.operator ?? by.identity} on ${by.machine ?? 'another machine'} holds ${node} since ${by.since ?? 'an unknown time'} (run ${by.runId ?? by.identity}).`
}
