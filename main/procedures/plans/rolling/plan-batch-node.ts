import { must } from '../../../../shared/domain/must.ts'
import type { Plan, PlannedStep } from '../../../../shared/domain/plan.ts'
import { planStep } from '../../../runs/engine/step.ts'
import { noOtherRun } from '../../steps/general/no-other-run.ts'
import { permissionsSuffice } from '../../steps/general/permissions-suffice.ts'
import { batchCanLeave } from '../../steps/rolling/batch-can-leave.ts'
import { wholeMaintenance } from '../node/maintain.ts'
import type { PlanRequest } from '../node/plan-request.ts'
import type { RollingRequest } from './chosen-nodes.ts'

/** One node's maintenance as a lane. The checks run for the plan and again before the node's turn (main/runs/engine/walk-batch.ts). */
export function batchLane(
  place: {
    readonly node: string
    readonly batch: string
    readonly phase: 'control-nodes' | 'worker-nodes'
    /** Other nodes that are out of service at the same time. */
    readonly beside: readonly string[]
  },
  { cluster, nodes, options, update }: RollingRequest,
): Plan['steps'] {
  const name = place.node
  const known = must(
    nodes.find(({ node }) => node.name === name),
    'unknown nodes are refused before planning',
  )
  const request: PlanRequest = {
    cluster,
    name,
    node: known.node,
    roles: known.roles,
    options,
    watcher: null,
    ran: 'noted-in-this-run',
    ...(known.masakari === undefined ? {} : { masakari: known.masakari }),
  }
  const beside = place.beside.length === 0 ? [] : [planStep(batchCanLeave, { node: name, beside: [...place.beside] })]
  return wholeMaintenance(request, update.work, beside).flatMap(({ step, stage, undoneBy }): readonly PlannedStep[] =>
    step.kind === permissionsSuffice.kind
      ? []
      : [
          {
            ...step,
            id: `${step.id}@${name}`,
            needs: step.needs.map(id => `${id}@${name}`),
            // An update holds one Lease for the whole run, not one for each node.
            input: step.kind === noOtherRun.kind ? { ...step.input, ofUpdate: true } : step.input,
            lane: { batch: place.batch, name },
            phase: place.phase,
            stage,
            ...(undoneBy === null ? {} : { verifyFinally: false, holdsUntil: `${undoneBy}@${name}` }),
          },
        ],
  )
}
