import {
  type ClusterMaintenanceRequest,
  makerOf,
  type NodeMaintenanceRequest,
  runOf,
} from '../../../../shared/domain/maintenance-api.ts'
import { fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import { blocker, cannotAsk, evidence, readyUnless } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'

/** No ClusterMaintenanceRequest but this run's exists (seed 001: LCM creates them). With `node`, that node's own checks judge its requests. */
export const noOtherMaintenance = checkStep({
  kind: 'no-other-maintenance',
  role: 'general',
  ...stepText('no-other-maintenance'),
  withinMs: 30_000,
  check: async (input, ctx) => {
    const read = await ctx.world.maintenanceApi.objects(ctx.signal)
    if (!read.ok) return cannotAsk(thing('MaintenanceRequests'), read.failure)
    const { clusterRequests, nodeRequests } = read.value
    const left = clusterRequests.filter(request => runOf(request) !== null && runOf(request) !== ctx.runId)
    const others = [
      ...clusterRequests.filter(request => runOf(request) === null),
      ...(ofNode(input) ? [] : nodeRequests.filter(request => runOf(request) !== ctx.runId)),
    ]
    const { name: cluster } = ctx.world.cluster
    return readyUnless(
      others.map(request => blocker(fault('MaintenanceRequested', { cluster, ...requestSeen(request) }))),
      found('NoOtherRequest'),
      {
        evidence: [
          evidence('maintenance requests', ctx.at(), {
            others: others.map(({ name }) => name),
            left: left.map(({ name }) => name),
          }),
        ],
        warnings: left.map(request =>
          found(ofNode(input) ? 'RequestLeftBehind' : 'RequestTakenOver', { cluster, ...requestSeen(request) }),
        ),
      },
    )
  },
})

function ofNode(input: Readonly<Record<string, unknown>>): boolean {
  return typeof input.node === 'string'
}

function requestSeen(request: ClusterMaintenanceRequest | NodeMaintenanceRequest) {
  return {
    request: request.name,
    node: 'nodeName' in request ? request.nodeName : null,
    maker: makerOf(request),
    at: request.createdAt,
    isOurs: runOf(request) !== null,
  }
}
