import type { ClusterFlavour } from '../../../../shared/domain/cluster.ts'
import type { PlannedStep } from '../../../../shared/domain/plan.ts'
import { planStep } from '../../../runs/engine/step.ts'
import { controlQuorum } from '../../steps/control/control-quorum.ts'
import { datastoreQuorum } from '../../steps/control/datastore-quorum.ts'
import { noJujuController } from '../../steps/control/no-juju-controller.ts'
import { otherControlNode } from '../../steps/control/other-control-node.ts'
import { alreadyOutOfService } from '../../steps/general/already-out-of-service.ts'
import { cordonNode } from '../../steps/general/cordon-node.ts'
import { drainNode } from '../../steps/general/drain-node.ts'
import { gatesInput, healthGates } from '../../steps/general/health-gates.ts'
import { machineFound, machineInput } from '../../steps/general/machine-found.ts'
import { noOtherMaintenance } from '../../steps/general/no-other-maintenance.ts'
import { noOtherRun } from '../../steps/general/no-other-run.ts'
import { nodeExists } from '../../steps/general/node-exists.ts'
import { nodeStateKnown } from '../../steps/general/node-state-known.ts'
import { notLastNode } from '../../steps/general/not-last-node.ts'
import { otherNodesInMaintenance } from '../../steps/general/other-nodes-in-maintenance.ts'
import { permissionsSuffice } from '../../steps/general/permissions-suffice.ts'
import { replicasRedundancy } from '../../steps/general/replicas-redundancy.ts'
import { rolesAgree } from '../../steps/general/roles-agree.ts'
import { lockLimitsAllow } from '../../steps/requests/lock-limits-allow.ts'
import { maintenanceApiReady } from '../../steps/requests/maintenance-api-ready.ts'
import { nodeLocksInactive } from '../../steps/requests/node-locks-inactive.ts'
import { nodeLocksSound } from '../../steps/requests/node-locks-sound.ts'
import { requestNodeMaintenance } from '../../steps/requests/request-node-maintenance.ts'
import { cephCanSpare } from '../../steps/storage/ceph-can-spare.ts'
import { emptyCompute } from './compute-steps.ts'
import { masakariSteps } from './masakari-steps.ts'
import { onlyLooks, type PlanRequest, plan, type StepsOf } from './plan-request.ts'
import { cephSpares, storageEnter } from './storage-steps.ts'

/** The steps that take a node out of service, by flavour. An unknown node gets only the check that reports it. */
export const ENTER: Readonly<Record<ClusterFlavour, StepsOf>> = {
  plain: request => (request.node === null ? plan(request, nodeExists) : enterPlain(request)),
  mosk: request => (request.node === null ? plan(request, nodeExists) : enterMosk(request)),
  sunbeam: request => {
    if (request.isOutside === true) return enterMachine(request)
    return request.node === null ? plan(request, nodeExists) : enterSunbeam(request)
  },
}

function enterPlain(request: PlanRequest): readonly PlannedStep[] {
  const storage = request.roles.includes('storage') ? storageEnter(request) : cephSpares(request)
  const roles = [...compute(request), ...control(request), ...storage]
  const acts = roles.filter(step => !onlyLooks(step))
  return [
    ...nodeChecks(request),
    ...roles.filter(onlyLooks),
    ...plan(request, replicasRedundancy),
    ...acts,
    ...cordonAndDrain(request, acts),
  ]
}

/** Roles in the order of seed 004 and docs/domain.md B.1; the drain is last, so that instances and disks are safe before any pod leaves. */
function enterSunbeam(request: PlanRequest): readonly PlannedStep[] {
  const roles = [...compute(request), ...storage(request)]
  return [
    ...nodeChecks(request),
    ...control(request),
    // Any node that runs pods may run the Juju controller.
    ...plan(request, noJujuController, replicasRedundancy),
    ...roles,
    ...cordonAndDrain(
      request,
      roles.filter(step => !onlyLooks(step)),
    ),
  ]
}

/** A machine of Sunbeam outside Kubernetes: its instances move and its OSDs are protected; there is no cordon or drain. */
function enterMachine(request: PlanRequest): readonly PlannedStep[] {
  return [
    planStep(machineFound, machineInput(request)),
    ...plan(request, permissionsSuffice, noOtherRun),
    ...health(request),
    ...compute(request),
    ...storage(request),
  ]
}

/** Lockkeeper acts as LCM (seed 003; docs/domain.md A.2, A.4): it drains after all application controllers have set their locks inactive. */
function enterMosk(request: PlanRequest): readonly PlannedStep[] {
  const { cluster, name, options } = request
  const requested = [
    planStep(requestNodeMaintenance, { node: name, scope: options.scope }),
    planStep(nodeLocksInactive, { node: name }, { needs: [requestNodeMaintenance.kind] }),
  ]
  return [
    ...nodeChecks(request),
    ...plan(request, maintenanceApiReady, noOtherMaintenance, nodeLocksSound, lockLimitsAllow),
    ...compute(request),
    ...control(request),
    // Ceph may have daemons on the node whatever its roles are.
    ...(cluster.maintenanceApi.controllers.ceph === 'none' ? [] : plan(request, cephCanSpare)),
    ...plan(request, replicasRedundancy),
    ...masakariSteps(request),
    ...requested,
    ...cordonAndDrain(request, requested.slice(-1)),
  ]
}

function nodeChecks(request: PlanRequest): readonly PlannedStep[] {
  const others = request.cluster.flavour === 'sunbeam' ? [notLastNode, otherNodesInMaintenance] : [notLastNode]
  const known = [nodeExists, nodeStateKnown, rolesAgree, alreadyOutOfService]
  return [...plan(request, ...known, ...others, permissionsSuffice, noOtherRun), ...health(request)]
}

/** The operator's own health gates, where the cluster settings have any. */
function health({ cluster, name }: PlanRequest): readonly PlannedStep[] {
  const gates = gatesInput(cluster)
  return gates === null ? [] : [planStep(healthGates, { node: name, ...gates })]
}

function compute(request: PlanRequest): readonly PlannedStep[] {
  return request.roles.includes('compute') ? emptyCompute(request) : []
}

function storage(request: PlanRequest): readonly PlannedStep[] {
  return request.roles.includes('storage') ? storageEnter(request) : []
}

function control(request: PlanRequest): readonly PlannedStep[] {
  const quorum = request.cluster.flavour === 'mosk' ? controlQuorum : datastoreQuorum
  return request.roles.includes('control') ? plan(request, otherControlNode, quorum) : []
}

/** Pods leave last, after the steps of the node's roles. */
function cordonAndDrain({ name, options }: PlanRequest, after: readonly PlannedStep[]): readonly PlannedStep[] {
  const input = { node: name }
  const withinMs = options.drainTimeoutMs === 0 ? 24 * 3_600_000 : options.drainTimeoutMs + 60_000
  return [
    planStep(cordonNode, input, { needs: after.map(({ id }) => id) }),
    planStep(drainNode, input, { needs: [cordonNode.kind], withinMs }),
  ]
}
