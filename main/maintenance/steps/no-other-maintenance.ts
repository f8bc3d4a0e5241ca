import type { Step } from '../../../engine/step.ts'
import { cannotAsk, evidence, readyUnless } from '../../../maintenance/answers.ts'
import type { MaintenanceWorld } from '../../../maintenance/ports.ts'
import { madeBy, runOf } from '../own-request.ts'

/** Nobody else maintains this cluster or a node of it: no request but this run's own. */
export const noOtherMaintenance: Step<MaintenanceWorld> = {
  kind: 'no-other-maintenance',
  role: 'general',
  risk: 'none',
  why: 'Two updates of one cluster, or an update beside the maintenance of a node, undo each other.',
  title: () => 'No other maintenance is requested',
  verifyEarly: false,
  withinMs: 30_000,
  verifyEveryMs: 1_000,
  undo: 'Nothing to undo: it only reads.',
  check: async (_input, ctx) => {
    const found = await ctx.world.maintenanceApi.objects(ctx.signal)
    if (!found.ok) return cannotAsk('The maintenance requests', found.failure)
    const { clusterRequests, nodeRequests } = found.value
    const left = clusterRequests.filter(request => runOf(request) !== null && runOf(request) !== ctx.runId)
    const others = [
      ...clusterRequests.filter(request => runOf(request) === null),
      ...nodeRequests.filter(request => runOf(request) !== ctx.runId),
    ]
    return readyUnless(
      others.map(request => ({
        code: 'maintenance-requested',
        message: `${'nodeName' in request ? `Maintenance of ${request.nodeName}` : 'Maintenance of the cluster'} is requested already (${request.name}, made ${madeBy(request)} at ${request.createdAt}).`,
        remedy:
          'nodeName' in request && runOf(request) !== null
            ? `Bring the node back first: \`lockkeeper leave ${ctx.world.cluster.name} ${request.nodeName}\`.`
            : 'Let that maintenance end, or have it ended where it was begun.',
        override: { kind: 'never', why: 'two drivers on one cluster undo each other' } as const,
      })),
      'No other request is there.',
      {
        evidence: [
          evidence('maintenance requests', ctx.at(), {
            others: others.map(({ name }) => name),
            left: left.map(({ name }) => name),
          }),
        ],
        warnings: left.map(
          request =>
            `${request.name}, made ${madeBy(request)}, is still there and nobody goes on with it: this update takes it over.`,
        ),
      },
    )
  },
}
