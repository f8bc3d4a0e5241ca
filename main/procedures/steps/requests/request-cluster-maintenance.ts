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
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { Step, StepInput } from '../../../runs/engine/step.ts'
import { cannotAsk, cannotVerify, evidence, fails, holds, ready } from '../../answers.ts'
import { clusterRequestName, ownClusterRequest } from './own-request.ts'
import { scopeOf } from './request-node-maintenance.ts'

/** The ClusterMaintenanceRequest by which every application controller learns of the update (seed 003, phase 1). */
export const requestClusterMaintenance: Step<MaintenanceWorld> = {
  kind: 'request-cluster-maintenance',
  role: 'general',
  risk: 'disruptive',
  why: 'Creates the ClusterMaintenanceRequest, which notifies the application controllers about the planned maintenance.',
  title: input => `Request maintenance of the cluster, scope ${scopeOf(input)}`,
  verifyEarly: true,
  withinMs: 60_000,
  verifyEveryMs: 500,
  undo: 'Remove the ClusterMaintenanceRequest: the controllers take the cluster back.',
  check: async (input, ctx) => {
    const found = await ctx.world.maintenanceApi.objects(ctx.signal)
    if (!found.ok) return cannotAsk('The maintenance requests', found.failure)
    const own = ownClusterRequest(found.value, ctx)
    return ready(own === null ? 'No request for the cluster yet.' : `${own.name} is there already.`, {
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
    const found = await ctx.world.maintenanceApi.objects(ctx.signal)
    if (!found.ok) return { kind: 'failed', failure: found.failure }
    const there = ownClusterRequest(found.value, ctx)
    if (there !== null && there.deletingSince === null && there.scope === scopeOf(input)) {
      return { kind: 'applied', note: `${there.name} is there already.` }
    }
    if (there !== null && there.deletingSince === null) {
      return {
        kind: 'question',
        question: `${there.name} is there with scope ${there.scope ?? 'none'}, not ${scopeOf(input)}. Remove it (kubectl delete clustermaintenancerequest ${there.name}) and retry once it is gone, or abort.`,
        choices: ['retry', 'abort'],
      }
    }
    if (there !== null) {
      return {
        kind: 'question',
        question: `Somebody removed ${there.name}; it is held by ${there.finalizers.join(', ') || 'nobody'}. Find out who and why, then retry once it is gone, or abort.`,
        choices: ['retry', 'abort'],
      }
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
    if (made.ok) return { kind: 'applied', note: `${made.value.name} is made.` }
    // An answer that was lost is no refusal: the world is looked at.
    const now = await ctx.world.maintenanceApi.objects(ctx.signal)
    const own = now.ok ? ownClusterRequest(now.value, ctx) : null
    return own === null ? { kind: 'failed', failure: made.failure } : { kind: 'applied', note: `${own.name} is there.` }
  },
  verify: async (input, ctx) => {
    const found = await ctx.world.maintenanceApi.objects(ctx.signal)
    if (!found.ok) return cannotVerify('The maintenance requests', found.failure)
    const own = ownClusterRequest(found.value, ctx)
    const read = evidence('cluster maintenance requests', ctx.at(), {
      requests: found.value.clusterRequests.map(({ name, scope, deletingSince }) => ({ name, scope, deletingSince })),
    })
    if (own === null || own.deletingSince !== null) {
      return fails(
        'The ClusterMaintenanceRequest of this run is gone or going.',
        'Somebody removed it; find out who before going on.',
        [read],
      )
    }
    return own.scope === scopeOf(input)
      ? holds(`${own.name} is there, scope ${own.scope}.`, [read])
      : fails(`${own.name} has scope ${own.scope ?? 'none'}.`, 'Somebody changed it; find out who.', [read], false)
  },
}

/** Tells the controllers how their applications are seen to be updated: a lock is released when they are. */
function applicationsOf(input: StepInput): Readonly<Record<string, string>> {
  const read = ApplicationUpdate.array().safeParse(input.applications)
  return read.success && read.data.length > 0
    ? { [REQUEST_APPLICATIONS_ANNOTATION]: announcedApplications(read.data) }
    : {}
}
