import { madeBy, runOf } from '../../../../shared/domain/maintenance-api.ts'
import { shellWord } from '../../../../shared/grammar/shell-word.ts'
import { cannotAsk, evidence, readyUnless } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'

/**
 * Nobody else maintains this cluster: no ClusterMaintenanceRequest but this run's own (seed 001: LCM makes them, so one that we did not
 * make has another driver). With `node`, as a maintenance of it asks, the requests for nodes are left to the checks of that node; an update,
 * which takes every node, counts them too.
 */
export const noOtherMaintenance = checkStep({
  kind: 'no-other-maintenance',
  role: 'general',
  why: 'Two drivers on one cluster undo each other: what one has released, the other takes back.',
  title: input => (ofNode(input) ? 'Nobody else maintains the cluster' : 'No other maintenance is requested'),
  withinMs: 30_000,
  check: async (input, ctx) => {
    const found = await ctx.world.maintenanceApi.objects(ctx.signal)
    if (!found.ok) return cannotAsk('The maintenance requests', found.failure)
    const { clusterRequests, nodeRequests } = found.value
    const left = clusterRequests.filter(request => runOf(request) !== null && runOf(request) !== ctx.runId)
    const others = [
      ...clusterRequests.filter(request => runOf(request) === null),
      ...(ofNode(input) ? [] : nodeRequests.filter(request => runOf(request) !== ctx.runId)),
    ]
    const { name: cluster } = ctx.world.cluster
    return readyUnless(
      others.map(request => ({
        code: 'maintenance-requested',
        message: `${'nodeName' in request ? `Maintenance of ${request.nodeName}` : 'Maintenance of the cluster'} is requested already (${request.name}, made ${madeBy(request)} at ${request.createdAt}).`,
        remedy:
          'nodeName' in request && runOf(request) !== null
            ? `Bring the node back first: \`lockkeeper leave ${shellWord(cluster)} ${shellWord(String(request.nodeName))}\`.`
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
            `${request.name}, made ${madeBy(request)}, is still there and nobody goes on with it: ${ofNode(input) ? `\`lockkeeper update start ${cluster}\` takes it over and ends it.` : 'this update takes it over.'}`,
        ),
      },
    )
  },
})

function ofNode(input: Readonly<Record<string, unknown>>): boolean {
  return typeof input.node === 'string'
}
