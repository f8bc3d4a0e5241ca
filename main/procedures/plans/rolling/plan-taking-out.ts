import { strategyOf } from '../../../../shared/domain/cluster.ts'
import { must } from '../../../../shared/domain/must.ts'
import type { Plan, PlannedStep } from '../../../../shared/domain/plan.ts'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import type { NodeStage } from '../../../../shared/domain/update.ts'
import { emptyTitle, PLAN_TITLES } from '../../../../shared/words/steps/plans.ts'
import { planStep } from '../../../runs/engine/step.ts'
import { disableCompute } from '../../steps/compute/disable-compute.ts'
import { noOtherRun } from '../../steps/general/no-other-run.ts'
import { permissionsSuffice } from '../../steps/general/permissions-suffice.ts'
import { noOtherDriver } from '../../steps/requests/no-other-driver.ts'
import { batchCanLeave } from '../../steps/rolling/batch-can-leave.ts'
import { batchesFit } from '../../steps/rolling/batches-fit.ts'
import { emptiedByNova } from '../../steps/rolling/emptied-by-nova.ts'
import { ENTER } from '../node/enter.ts'
import { lookIfEmpty, onlyLooks } from '../node/plan-request.ts'
import { whyNotChosen } from './check-options.ts'
import type { RollingRequest } from './chosen-nodes.ts'
import { optionsByNova, requestOf } from './plan-rolling-maintenance.ts'

const CLOSING = 'closing'

/**
 * Several nodes go out and stay out. First every node is closed for new instances, so that none moves to a node that has to be
 * emptied too. Room, quorums and disks are judged for all of them together.
 */
export function planTakingOut(given: RollingRequest): Result<Plan> {
  const { id, madeAt, cluster, facts, update } = given
  const refused = whyNotChosen(update, facts.nodes, cluster)
  if (refused !== null) return failed(refused)
  const request: RollingRequest = { ...given, options: optionsByNova(given) }
  const { controlNodes } = update
  const workers = update.groups.toSorted((a, b) => a.index - b.index)
  const nodes = [...controlNodes, ...workers.flatMap(group => group.nodes)]
  const lanes = nodes.map(node => laneOf(node, nodes, request))
  const closing = lanes.flatMap(lane => lane.closing)
  const emptying = [
    ...(controlNodes.length === 0 ? [] : [{ id: 'control-nodes', atOnce: 1, nodes: controlNodes }]),
    ...workers.map(group => ({ id: `workers-${group.name}`, atOnce: group.concurrentUpdates, nodes: group.nodes })),
  ]
  const moves =
    update.scope === 'os' &&
    request.nodes.some(({ node, roles }) => nodes.includes(node.name) && roles.includes('compute'))
  const phase = { phase: 'prepare' } as const
  return ok({
    id,
    kind: 'take-out',
    cluster: cluster.name,
    flavour: cluster.flavour,
    madeAt,
    options: request.options,
    update,
    window: null,
    batches: [
      ...(closing.length === 0 ? [] : [{ id: CLOSING, title: PLAN_TITLES.closing, atOnce: nodes.length }]),
      ...emptying.map(({ id: batch, atOnce }) => ({ id: batch, title: emptyTitle(batch, atOnce), atOnce })),
    ],
    steps: [
      planStep(permissionsSuffice, {}, phase),
      planStep(noOtherDriver, {}, phase),
      ...(strategyOf(cluster) === 'watcher' && moves ? [planStep(emptiedByNova, {}, phase)] : []),
      ...(moves || nodes.length > 1
        ? [planStep(batchesFit, { batches: [nodes], warns: false, isStill: !moves, together: true }, phase)]
        : []),
      ...closing,
      ...emptying.flatMap(batch =>
        lanes
          .filter(({ node }) => batch.nodes.includes(node))
          .flatMap(({ node, rest }) => rest.map(step => ({ ...step, lane: { batch: batch.id, name: node } }))),
      ),
    ],
  })
}

interface LaneOut {
  readonly node: string
  /** Until Nova schedules nothing more onto the node. */
  readonly closing: Plan['steps']
  readonly rest: Plan['steps']
}

function laneOf(node: string, all: readonly string[], request: RollingRequest): LaneOut {
  const known = must(
    request.nodes.find(each => each.node.name === node),
    'unknown nodes are refused before planning',
  )
  const own = requestOf(known, request)
  const entering = [...ENTER[own.cluster.flavour](own), ...lookIfEmpty(own)]
  const looks = entering.filter(step => onlyLooks(step) && step.kind !== permissionsSuffice.kind)
  const acts = entering.filter(step => !onlyLooks(step))
  const closes = acts.findIndex(({ kind }) => kind === disableCompute.kind) + 1
  const beside = all.filter(name => name !== node)
  const together = beside.length === 0 ? [] : [planStep(batchCanLeave, { node, beside })]
  const phase =
    known.roles.every(role => role === 'control') && known.roles.length > 0 ? 'control-nodes' : 'worker-nodes'
  const placed = (step: PlannedStep, stage: NodeStage): PlannedStep => ({
    ...step,
    id: `${step.id}@${node}`,
    needs: step.needs.map(need => `${need}@${node}`),
    // The run holds one Lease for all its nodes.
    input: step.kind === noOtherRun.kind ? { ...step.input, ofUpdate: true } : step.input,
    lane: { batch: CLOSING, name: node },
    phase,
    stage,
  })
  return {
    node,
    closing: acts.slice(0, closes).map(step => placed(step, 'draining')),
    rest: [
      ...[...looks, ...together].map(step => placed(step, 'pending')),
      ...acts.slice(closes).map(step => placed(step, 'draining')),
    ],
  }
}
