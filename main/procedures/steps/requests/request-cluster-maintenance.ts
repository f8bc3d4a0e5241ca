import {
  ApplicationUpdate,
  announcedApplications,
  REQUEST_APPLICATIONS_ANNOTATION,
} from '../../../../shared/domain/application-update.ts'
import {
  REQUEST_OPERATOR_ANNOTATION,
  REQUEST_REASON_ANNOTATION,
  REQUEST_RUN_ANNOTATION,
} from '../../../../shared/domain/maintenance-api.ts'
import { CLUSTER_REQUEST_CREATED } from '../../../../shared/domain/run-facts.ts'
import { fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { Step, StepInput } from '../../../runs/engine/step.ts'
import { applied, asks, cannotAsk, cannotVerify, evidence, fails, holds, ready } from '../../answers.ts'
import { clusterRequestName, ownClusterRequest } from './own-request.ts'
import { scopeOf } from './request-node-maintenance.ts'

/** Announces the update to all application controllers (seed 003, phase 1). */
export const requestClusterMaintenance: Step<MaintenanceWorld> = {
  kind: 'request-cluster-maintenance',
  role: 'general',
  risk: 'disruptive',
  ...stepText('request-cluster-maintenance'),
  verifyEarly: true,
  withinMs: 60_000,
  verifyEveryMs: 500,
  check: async (input, ctx) => {
    const objects = await ctx.world.maintenanceApi.objects(ctx.signal)
    if (!objects.ok) return cannotAsk(thing('MaintenanceRequests'), objects.failure)
    const own = ownClusterRequest(objects.value, ctx)
    return ready(own === null ? found('ClusterNotRequested') : found('ClusterWasRequested', { request: own.name }), {
      evidence: [evidence('cluster maintenance requests', ctx.at(), { own: own?.name ?? null })],
      effects:
        own === null
          ? [
              {
                kind: 'change',
                target: 'ClusterMaintenanceRequest',
                from: 'absent',
                to: `scope ${scopeOf(input)}`,
              },
            ]
          : [],
    })
  },
  apply: async (input, ctx) => {
    const objects = await ctx.world.maintenanceApi.objects(ctx.signal)
    if (!objects.ok) return { kind: 'failed', failure: objects.failure }
    const there = ownClusterRequest(objects.value, ctx)
    if (there !== null) {
      const { name: request, scope, finalizers } = there
      const wanted = scopeOf(input)
      if (there.deletingSince !== null) {
        return asks(fault('ClusterRequestTerminating', { request, finalizers }), ['retry', 'abort'])
      }
      return scope === wanted
        ? applied(found('ClusterWasRequested', { request }))
        : asks(fault('ClusterRequestOfOtherScope', { request, scope, wanted }), ['retry', 'abort'])
    }
    const name = clusterRequestName(ctx.runId)
    ctx.announce(CLUSTER_REQUEST_CREATED, 'cluster', { name, scope: scopeOf(input) })
    const made = await ctx.world.maintenanceApi.createClusterRequest(
      {
        name,
        scope: scopeOf(input),
        release: typeof input.release === 'string' ? input.release : null,
        annotations: {
          [REQUEST_RUN_ANNOTATION]: ctx.runId,
          ...(typeof input.operator === 'string' ? { [REQUEST_OPERATOR_ANNOTATION]: input.operator } : {}),
          ...applicationsOf(input),
          ...(ctx.options.reason === '' ? {} : { [REQUEST_REASON_ANNOTATION]: ctx.options.reason }),
        },
      },
      ctx.signal,
    )
    if (made.ok) return applied(found('ClusterRequested', { request: made.value.name }))
    // A lost answer does not mean a refusal.
    const now = await ctx.world.maintenanceApi.objects(ctx.signal)
    const own = now.ok ? ownClusterRequest(now.value, ctx) : null
    return own === null
      ? { kind: 'failed', failure: made.failure }
      : applied(found('ClusterRequestMadeUnseen', { request: own.name }))
  },
  verify: async (input, ctx) => {
    const objects = await ctx.world.maintenanceApi.objects(ctx.signal)
    if (!objects.ok) return cannotVerify(thing('MaintenanceRequests'), objects.failure)
    const own = ownClusterRequest(objects.value, ctx)
    const read = evidence('cluster maintenance requests', ctx.at(), {
      requests: objects.value.clusterRequests.map(({ name, scope, deletingSince }) => ({ name, scope, deletingSince })),
    })
    if (own === null || own.deletingSince !== null) return fails(fault('OwnClusterRequestRemoved'), [read])
    const { name: request, scope } = own
    return scope === scopeOf(input)
      ? holds(found('ClusterRequestStays', { request, scope }), [read])
      : fails(fault('ClusterRequestScopeChanged', { request, scope }), [read], false)
  },
}

/** How the controllers recognize that their application is updated: then they release the lock. */
function applicationsOf(input: StepInput): Readonly<Record<string, string>> {
  const read = ApplicationUpdate.array().safeParse(input.applications)
  return read.success && read.data.length > 0
    ? { [REQUEST_APPLICATIONS_ANNOTATION]: announcedApplications(read.data) }
    : {}
}
