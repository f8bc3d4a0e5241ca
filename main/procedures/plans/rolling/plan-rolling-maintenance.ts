import { strategyOf } from '../../../../shared/domain/cluster.ts'
import { must } from '../../../../shared/domain/must.ts'
import type { Plan, PlannedStep, RunOptions } from '../../../../shared/domain/plan.ts'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import type { UpdateGroup } from '../../../../shared/domain/update.ts'
import { fault } from '../../../../shared/words/step-texts.ts'
import { batchTitle, PLAN_TITLES } from '../../../../shared/words/steps/plans.ts'
import { planStep } from '../../../runs/engine/step.ts'
import { refusal } from '../../answers.ts'
import { noOtherRun } from '../../steps/general/no-other-run.ts'
import { permissionsSuffice } from '../../steps/general/permissions-suffice.ts'
import { noOtherDriver } from '../../steps/requests/no-other-driver.ts'
import { batchCanLeave } from '../../steps/rolling/batch-can-leave.ts'
import { batchesFit } from '../../steps/rolling/batches-fit.ts'
import { emptiedByNova } from '../../steps/rolling/emptied-by-nova.ts'
import { updatePermitted } from '../../steps/rolling/update-permitted.ts'
import { wholeMaintenance } from '../node/maintain.ts'
import type { PlanRequest } from '../node/plan-request.ts'
import { whyNotChosen } from './check-options.ts'
import type { ChosenNode, RollingRequest } from './chosen-nodes.ts'
import { planBatch, turnsOf } from './plan-batch.ts'

/**
 * Work on several nodes of a cluster without the node maintenance API. A group is a batch: its nodes go out, get the work and return side by side.
 */
export function planRollingMaintenance(request: RollingRequest): Result<Plan> {
  const { id, madeAt, cluster, facts, update } = request
  const refused = whyNotChosen(update, facts.nodes, cluster)
  if (refused !== null) return failed(refused)
  const rolling = update.groups.find(group => isRolling(group) && storageNodesOf(group, request).length > 1)
  if (rolling !== undefined) return failed(tooManyStores(rolling, request))
  const watched = strategyOf(cluster) === 'watcher'
  const options = optionsByNova(request)
  const complete: RollingRequest = { ...request, options }
  const batches = batchesOf(complete)
  const parts = batches.map(({ nodes, phase, ...batch }, at) =>
    planBatch({
      phase,
      batch,
      nodes,
      pauses: update.pauseBetweenNodes,
      isFirst: at === 0,
      laneOf: (node, batchId) =>
        batchLane(
          { node, batch: batchId, phase, beside: batch.atOnce > 1 ? nodes.filter(name => name !== node) : [] },
          complete,
        ),
    }),
  )
  const moves = update.scope === 'os' && request.nodes.some(({ roles }) => roles.includes('compute'))
  const phase = { phase: 'prepare' } as const
  return ok({
    id,
    kind: 'rolling-maintenance',
    cluster: cluster.name,
    flavour: cluster.flavour,
    madeAt,
    options,
    update,
    window: null,
    batches: parts.flatMap(({ batches }) => batches),
    steps: [
      planStep(permissionsSuffice, {}, phase),
      ...(update.work.kind === 'job'
        ? [planStep(updatePermitted, { jobNamespace: update.work.namespace, requests: false }, phase)]
        : []),
      planStep(noOtherDriver, {}, phase),
      ...(watched && moves ? [planStep(emptiedByNova, {}, phase)] : []),
      ...(moves
        ? [
            planStep(
              batchesFit,
              { batches: batches.flatMap(({ nodes, atOnce }) => turnsOf(nodes, atOnce)), warns: false },
              phase,
            ),
          ]
        : []),
      ...parts.flatMap(({ steps }) => steps),
    ],
  })
}

/** Nova moves the instances: Watcher's plans expire, and one made now would be invalid by the second batch. */
export function optionsByNova({ options, update }: Pick<RollingRequest, 'options' | 'update'>): RunOptions {
  return {
    ...options,
    scope: update.scope,
    reason: update.reason,
    strategy: 'nova',
    backupNode: null,
    excludedInstances: [],
    novaForRest: false,
  }
}

/** One of the chosen nodes, as the procedures of single nodes plan it. */
export function requestOf({ node, roles, masakari }: ChosenNode, { cluster, options }: RollingRequest): PlanRequest {
  return {
    cluster,
    name: node.name,
    node,
    roles,
    options,
    watcher: null,
    ran: 'noted-in-this-run',
    ...(masakari === undefined ? {} : { masakari }),
  }
}

interface PlannedBatch {
  readonly id: string
  readonly title: string
  readonly atOnce: number
  readonly nodes: readonly string[]
  readonly phase: 'control-nodes' | 'worker-nodes'
}

/** Control-plane nodes chosen separately come first, one by one; then the groups by index. */
function batchesOf(request: RollingRequest): readonly PlannedBatch[] {
  const { update } = request
  const control: PlannedBatch = {
    id: 'control-nodes',
    title: PLAN_TITLES.controlNodes,
    atOnce: 1,
    nodes: update.controlNodes,
    phase: 'control-nodes',
  }
  const groups = update.groups
    .toSorted((a, b) => a.index - b.index)
    .flatMap((group): readonly PlannedBatch[] =>
      zonesOf(group, request).map(({ zone, nodes }) => ({
        id: zone === null ? `workers-${group.name}` : `workers-${group.name}-${zone}`,
        title: batchTitle({ name: group.name, atOnce: group.concurrentUpdates }, zone, 'rolling-maintenance'),
        atOnce: group.concurrentUpdates,
        nodes,
        phase: nodes.every(name => isOnlyControl(name, request)) ? 'control-nodes' : 'worker-nodes',
      })),
    )
  return [control, ...groups].filter(({ nodes }) => nodes.length > 0)
}

function zonesOf({ nodes }: UpdateGroup, { update, facts }: RollingRequest) {
  if (!update.zoneAtATime) return [{ zone: null, nodes }]
  const zoneOf = (name: string) => facts.nodes.find(node => node.name === name)?.zone ?? 'none'
  return [...new Set(nodes.map(zoneOf))].map(zone => ({ zone, nodes: nodes.filter(node => zoneOf(node) === zone) }))
}

function isOnlyControl(name: string, { nodes }: RollingRequest): boolean {
  const roles = nodes.find(({ node }) => node.name === name)?.roles ?? []
  return roles.length > 0 && roles.every(role => role === 'control')
}

/** The group has more nodes than may be out at a time: which are out together is unknown. */
function isRolling({ nodes, concurrentUpdates }: UpdateGroup): boolean {
  return concurrentUpdates > 1 && concurrentUpdates < nodes.length
}

function storageNodesOf({ nodes }: UpdateGroup, request: RollingRequest): readonly string[] {
  return nodes.filter(name => request.nodes.find(({ node }) => node.name === name)?.roles.includes('storage'))
}

function tooManyStores(group: UpdateGroup, request: RollingRequest) {
  const { name, concurrentUpdates: atOnce, nodes } = group
  const together = fault('StorageNodesTogether', {
    group: name,
    atOnce,
    total: nodes.length,
    nodes: storageNodesOf(group, request),
  })
  return refusal('bad-input', together, { target: `cluster/${request.cluster.name}` })
}

/** One node's maintenance as a lane. The checks run for the plan and again before the node's turn (main/runs/engine/walk-batch.ts). */
function batchLane(
  place: {
    readonly node: string
    readonly batch: string
    readonly phase: 'control-nodes' | 'worker-nodes'
    /** Other nodes that are out of service at the same time. */
    readonly beside: readonly string[]
  },
  rolling: RollingRequest,
): Plan['steps'] {
  const name = place.node
  const known = must(
    rolling.nodes.find(({ node }) => node.name === name),
    'unknown nodes are refused before planning',
  )
  const beside = place.beside.length === 0 ? [] : [planStep(batchCanLeave, { node: name, beside: [...place.beside] })]
  return wholeMaintenance(requestOf(known, rolling), rolling.update.work, beside).flatMap(
    ({ step, stage, undoneBy }): readonly PlannedStep[] =>
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
