import { ok } from '../../../../shared/domain/result.ts'
import { CLUSTER_REQUEST_REMOVED } from '../../../../shared/domain/run-facts.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { Step } from '../../../runs/engine/step.ts'
import { cannotTell, cannotVerify, evidence, fails, holds } from '../../answers.ts'
import { awaitChange } from './await-change.ts'
import { clusterRequestName, ownClusterRequest } from './own-request.ts'

/** The ClusterMaintenanceRequest is removed; controllers hold it by finalizers until they have taken the cluster back (seed 003, phase 5). */
export const removeClusterRequest: Step<MaintenanceWorld> = {
  kind: 'remove-cluster-request',
  role: 'general',
  risk: 'reversible',
  why: 'The controllers take the cluster back when the request goes.',
  title: () => 'Remove the ClusterMaintenanceRequest',
  verifyEarly: true,
  withinMs: 12 * 3_600_000,
  verifyEveryMs: 500,
  undo: 'Update the cluster again.',
  apply: async (_input, ctx) => {
    const found = await ctx.world.maintenanceApi.objects(ctx.signal)
    if (!found.ok) return { kind: 'failed', failure: found.failure }
    const own = ownClusterRequest(found.value, ctx)
    if (own !== null && own.deletingSince === null) {
      const { name, uid } = own
      ctx.announce(CLUSTER_REQUEST_REMOVED, 'cluster', { name, uid })
      const gone = await ctx.world.maintenanceApi.deleteRequest(
        { kind: 'ClusterMaintenanceRequest', name, uid },
        ctx.signal,
      )
      if (!gone.ok) return { kind: 'failed', failure: gone.failure }
    }
    return awaitChange(
      {
        subject: 'cluster',
        look: async () => {
          const now = await ctx.world.maintenanceApi.objects(ctx.signal)
          if (!now.ok) return now
          const left = ownClusterRequest(now.value, ctx)
          if (left === null) return ok({ kind: 'so', note: 'The request is gone.' })
          return ok({
            kind: 'waits',
            what: `${left.name} is Terminating, held by ${left.finalizers.join(', ') || 'nobody'}`,
          })
        },
        remedy:
          'Look at what its controllers wait for and retry. Never remove a finalizer by hand: the controller would forget the cluster.',
        choices: ['retry', 'skip', 'abort'],
      },
      ctx,
    )
  },
  verify: async (_input, ctx) => {
    const found = await ctx.world.maintenanceApi.objects(ctx.signal)
    if (!found.ok) return cannotVerify('The maintenance requests', found.failure)
    const own = ownClusterRequest(found.value, ctx)
    const read = evidence('cluster maintenance requests', ctx.at(), {
      requests: found.value.clusterRequests.map(({ name }) => name),
    })
    if (own === null) {
      const name = clusterRequestName(ctx.runId)
      const there = await ctx.world.maintenanceApi.uidOf({ kind: 'ClusterMaintenanceRequest', name }, ctx.signal)
      if (!there.ok) return cannotVerify(`The request ${name}`, there.failure)
      if (there.value !== null) {
        return cannotTell(
          `No list of maintenance requests shows ${name}, which is there when asked for by itself.`,
          'Look with `kubectl get clustermaintenancerequests`, then resume.',
          [read],
        )
      }
    }
    return own === null
      ? holds('The ClusterMaintenanceRequest of this run is gone.', [read])
      : fails(`${own.name} is still there.`, 'Look at what its finalizers wait for, then resume.', [read])
  },
}
