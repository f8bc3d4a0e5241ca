import { must } from '../../../../shared/domain/must.ts'
import type { Plan, PlannedStep } from '../../../../shared/domain/plan.ts'
import type { NodeStage } from '../../../../shared/domain/update.ts'
import { UPDATE_WHYS } from '../../../../shared/words/steps/plans.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import { planStep, type Step, type StepInput } from '../../../runs/engine/step.ts'
import { instancesReturn } from '../../steps/compute/instances-return.ts'
import { controlQuorum } from '../../steps/control/control-quorum.ts'
import { otherControlNode } from '../../steps/control/other-control-node.ts'
import { cordonNode } from '../../steps/general/cordon-node.ts'
import { drainNode } from '../../steps/general/drain-node.ts'
import { gatesInput, healthGates } from '../../steps/general/health-gates.ts'
import { noOtherRun } from '../../steps/general/no-other-run.ts'
import { nodeExists } from '../../steps/general/node-exists.ts'
import { replicasRedundancy } from '../../steps/general/replicas-redundancy.ts'
import { rolesAgree } from '../../steps/general/roles-agree.ts'
import { uncordonNode } from '../../steps/general/uncordon-node.ts'
import { nodeLocksActive } from '../../steps/requests/node-locks-active.ts'
import { nodeLocksInactive } from '../../steps/requests/node-locks-inactive.ts'
import { removeNodeRequest } from '../../steps/requests/remove-node-request.ts'
import { requestNodeMaintenance } from '../../steps/requests/request-node-maintenance.ts'
import { nodeReadyAgain } from '../../steps/rolling/node-ready-again.ts'
import { nodeWork } from '../../steps/rolling/node-work.ts'
import { noteNode } from '../../steps/rolling/note-node.ts'
import { cephCanSpare } from '../../steps/storage/ceph-can-spare.ts'
import type { UpdateNode, UpdateRequest } from './update-node.ts'

interface LanePlace {
  readonly node: string
  readonly batch: string
  readonly phase: 'control-nodes' | 'worker-nodes'
}

/**
 * One node's lane in an update (seed 003, phases 3 and 4): request, locks, cordon and drain, the work, and back. A control-plane node without another
 * role has no lock and gets no request.
 */
export function nodeLane(
  place: LanePlace,
  { cluster, facts, update, options, operator }: UpdateRequest,
): Plan['steps'] {
  const { node, phase } = place
  const known = must(
    facts.nodes.find(({ name }) => name === node),
    'unknown nodes are refused before planning',
  )
  const add = (step: Step<MaintenanceWorld>, stage: NodeStage, more: LaneStep = {}) =>
    laneStep(place, step, stage, more)
  const hasRequest = phase === 'worker-nodes' || isCollocated(known)
  const isControl = known.roles.includes('control')
  const hasCephController = cluster.maintenanceApi.controllers.ceph !== 'none'
  const hasInstances = cluster.cloud !== null && known.roles.includes('compute')
  const { scope, release } = update
  const gates = gatesInput(cluster)
  const drainWithinMs = options.drainTimeoutMs === 0 ? 24 * 3_600_000 : options.drainTimeoutMs + 60_000
  const request = {
    input: { scope, release, operator },
    until: removeNodeRequest.kind,
    why: UPDATE_WHYS.request(scope),
  }
  const locks = { until: removeNodeRequest.kind, why: UPDATE_WHYS.locks }
  const drain = { until: uncordonNode.kind, withinMs: drainWithinMs, why: UPDATE_WHYS.drain }
  const warns = { input: { warns: true } }
  return [
    add(nodeExists, 'pending'),
    add(rolesAgree, 'pending'),
    add(noOtherRun, 'pending', { input: { ofUpdate: true } }),
    ...(gates === null ? [] : [add(healthGates, 'pending', { input: gates })]),
    // Checked again before the node's turn: another control-plane node may be down by then.
    ...(isControl ? [add(otherControlNode, 'pending'), add(controlQuorum, 'pending')] : []),
    // Warns during planning about what would block this node's maintenance alone, and again before its turn.
    ...(hasCephController ? [add(cephCanSpare, 'pending', warns)] : []),
    add(replicasRedundancy, 'pending', warns),
    ...(hasRequest ? [add(requestNodeMaintenance, 'requested', request), add(nodeLocksInactive, 'locks', locks)] : []),
    add(noteNode, 'draining'),
    add(cordonNode, 'draining', { until: uncordonNode.kind }),
    add(drainNode, 'draining', drain),
    add(nodeWork, 'work', { input: { work: update.work } }),
    add(nodeReadyAgain, 'returning'),
    add(uncordonNode, 'returning'),
    ...(hasRequest ? [add(removeNodeRequest, 'returning'), add(nodeLocksActive, 'returning')] : []),
    ...(hasRequest && hasInstances ? [add(instancesReturn, 'returning', { input: { ran: null } })] : []),
  ]
}

interface LaneStep {
  readonly input?: StepInput
  /** The kind of the step of this lane that undoes it. */
  readonly until?: string
  readonly withinMs?: number
  readonly why?: string
}

function laneStep(
  { node, batch, phase }: LanePlace,
  step: Step<MaintenanceWorld>,
  stage: NodeStage,
  { input, until, withinMs, why }: LaneStep,
): PlannedStep {
  const planned = planStep(
    step,
    { node, ...input },
    {
      id: `${step.kind}@${node}`,
      lane: { batch, name: node },
      phase,
      stage,
      ...(until === undefined ? {} : { holdsUntil: `${until}@${node}` }),
      ...(withinMs === undefined ? {} : { withinMs }),
    },
  )
  return why === undefined ? planned : { ...planned, why }
}

/** Whether a control-plane node has another role, or an application that holds a lock on it. */
function isCollocated({ roles, controllers }: UpdateNode): boolean {
  return roles.some(role => role !== 'control') || controllers.length > 0
}
