import { ok } from '../../../../shared/domain/result.ts'
import { CLUSTER_REQUEST_REMOVED } from '../../../../shared/domain/run-facts.ts'
import { fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { Step } from '../../../runs/engine/step.ts'
import { cannotTell, cannotVerify, evidence, fails, holds } from '../../answers.ts'
import { awaitChange } from './await-change.ts'
import { clusterRequestName, ownClusterRequest } from './own-request.ts'

/** Controllers hold the request by finalizers until they have taken the cluster back (seed 003, phase 5). */
export const removeClusterRequest: Step<MaintenanceWorld> = {
  kind: 'remove-cluster-request',
  role: 'general',
  risk: 'reversible',
  ...stepText('remove-cluster-request'),
  verifyEarly: true,
  withinMs: 12 * 3_600_000,
  verifyEveryMs: 500,
  apply: async (_input, ctx) => {
    const objects = await ctx.world.maintenanceApi.objects(ctx.signal)
    if (!objects.ok) return { kind: 'failed', failure: objects.failure }
    const own = ownClusterRequest(objects.value, ctx)
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
          if (left === null) return ok({ kind: 'so', note: found('RequestGone') })
          const { name: request, finalizers } = left
          return ok({ kind: 'waits', what: found('ClusterRequestGoes', { request, finalizers }) })
        },
        quiet: quiet => fault('ClusterRequestDoesNotGo', quiet),
        choices: ['retry', 'skip', 'abort'],
      },
      ctx,
    )
  },
  verify: async (_input, ctx) => {
    const objects = await ctx.world.maintenanceApi.objects(ctx.signal)
    if (!objects.ok) return cannotVerify(thing('MaintenanceRequests'), objects.failure)
    const own = ownClusterRequest(objects.value, ctx)
    const read = evidence('cluster maintenance requests', ctx.at(), {
      requests: objects.value.clusterRequests.map(({ name }) => name),
    })
    if (own !== null) return fails(fault('ClusterRequestStillThere', { request: own.name }), [read])
    const name = clusterRequestName(ctx.runId)
    const there = await ctx.world.maintenanceApi.uidOf({ kind: 'ClusterMaintenanceRequest', name }, ctx.signal)
    if (!there.ok) return cannotVerify(thing('ClusterMaintenanceRequest', { request: name }), there.failure)
    return there.value === null
      ? holds(found('OwnClusterRequestGone'), [read])
      : cannotTell(fault('ClusterRequestHidden', { request: name }), [read])
  },
}
