import type { ClusterFlavour } from '../../../../shared/domain/cluster.ts'
import type { PlannedStep } from '../../../../shared/domain/plan.ts'
import { OUT_OF_SERVICE_ANNOTATION } from '../../../../shared/domain/rescue.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import { planStep, type Step } from '../../../runs/engine/step.ts'
import { computeGivenBack } from '../../steps/compute/compute-given-back.ts'
import { enableCompute } from '../../steps/compute/enable-compute.ts'
import { forceUpCompute } from '../../steps/compute/force-up-compute.ts'
import { enableOvn } from '../../steps/control/enable-ovn.ts'
import { machineFound, machineInput } from '../../steps/general/machine-found.ts'
import { noOtherRun } from '../../steps/general/no-other-run.ts'
import { nodeExists } from '../../steps/general/node-exists.ts'
import { nodeReady } from '../../steps/general/node-ready.ts'
import { permissionsSuffice } from '../../steps/general/permissions-suffice.ts'
import { takeBackTaint } from '../../steps/general/take-back-taint.ts'
import { uncordonNode } from '../../steps/general/uncordon-node.ts'
import { maintenanceApiReady } from '../../steps/requests/maintenance-api-ready.ts'
import { nodeLocksActive } from '../../steps/requests/node-locks-active.ts'
import { removeNodeRequest } from '../../steps/requests/remove-node-request.ts'
import { requestIsOurs } from '../../steps/requests/request-is-ours.ts'
import { forcedUp, homeStep, returnCompute, returnInstances } from './compute-steps.ts'
import { endsMasakari } from './masakari-steps.ts'
import { onlyLooks, type PlanRequest, plan, type StepsOf } from './plan-request.ts'
import { nothingStored, storageLeave } from './storage-steps.ts'

/** The steps that bring a node back into service, by flavour. An unknown node gets only the check that reports it. */
export const LEAVE: Readonly<Record<ClusterFlavour, StepsOf>> = {
  plain: request => (request.node === null ? plan(request, nodeExists) : leavePlain(request)),
  mosk: request => (request.node === null ? plan(request, nodeExists) : leaveMosk(request)),
  sunbeam: request => {
    if (request.isOutside === true) return leaveMachine(request)
    return request.node === null ? plan(request, nodeExists) : leaveSunbeam(request)
  },
}

const NODE_CHECKS = [nodeExists, nodeReady, permissionsSuffice, noOtherRun]

/** In the order of docs/domain.md A.3. Lockkeeper waits for a compute service that is down; it is not a blocker. */
function leavePlain(request: PlanRequest): readonly PlannedStep[] {
  const back = compute(request, [uncordonNode.kind])
  const stores = request.roles.includes('storage')
  return [
    ...plan(request, ...NODE_CHECKS),
    ...back.filter(onlyLooks),
    ...(stores ? [] : nothingStored(request)),
    ...plan(request, ...tainted(request), uncordonNode),
    ...storage(request),
    ...back.filter(step => !onlyLooks(step)),
  ]
}

/** Pods and disks, the network (docs/domain.md B.1: Sunbeam plans that and never applies it), Nova; spreading instances is last (seed 004). */
function leaveSunbeam(request: PlanRequest): readonly PlannedStep[] {
  const input = { node: request.name }
  const network = request.roles.includes('gateway') ? [planStep(enableOvn, input, { needs: [uncordonNode.kind] })] : []
  return [
    ...plan(request, ...NODE_CHECKS, ...tainted(request), uncordonNode),
    ...storage(request),
    ...network,
    ...compute(request, [uncordonNode.kind, ...network.map(({ id }) => id)]),
  ]
}

/** A machine of Sunbeam outside Kubernetes: its disks return first, then Nova may use it again. */
function leaveMachine(request: PlanRequest): readonly PlannedStep[] {
  return [
    planStep(machineFound, machineInput(request)),
    ...plan(request, permissionsSuffice, noOtherRun),
    ...storage(request),
    ...compute(request, []),
  ]
}

/** Removes the request and waits until all locks are active again (docs/domain.md A.3). The controllers enable the services. */
function leaveMosk(request: PlanRequest): readonly PlannedStep[] {
  const input = { node: request.name }
  return [
    ...plan(request, ...NODE_CHECKS, maintenanceApiReady, requestIsOurs, ...tainted(request), uncordonNode),
    // The controllers wait for a nova-compute that is up, and do not enable what a rescue disabled.
    ...rescuedCompute(request),
    planStep(removeNodeRequest, input, { needs: [uncordonNode.kind] }),
    planStep(nodeLocksActive, input, { needs: [removeNodeRequest.kind] }),
    ...(request.roles.includes('compute') && request.cluster.cloud !== null
      ? [
          planStep(computeGivenBack, input, { needs: [nodeLocksActive.kind] }),
          ...endsMasakari(request, computeGivenBack.kind),
          ...returnInstances(request, computeGivenBack.kind),
          ...(request.options.home ? [homeStep(request, computeGivenBack.kind)] : []),
        ]
      : []),
  ]
}

/** The out-of-service taint goes first: Kubernetes deletes all pods while it is there. */
function tainted({ node }: PlanRequest): readonly Step<MaintenanceWorld>[] {
  return node?.annotations[OUT_OF_SERVICE_ANNOTATION] === undefined ? [] : [takeBackTaint]
}

function rescuedCompute(request: PlanRequest): readonly PlannedStep[] {
  const forced = forcedUp(request, [uncordonNode.kind])
  return forced.length === 0
    ? []
    : [...forced, planStep(enableCompute, { node: request.name }, { needs: [forceUpCompute.kind] })]
}

function compute(request: PlanRequest, needs: readonly string[]): readonly PlannedStep[] {
  return request.roles.includes('compute') ? returnCompute(request, needs) : []
}

function storage(request: PlanRequest): readonly PlannedStep[] {
  return request.roles.includes('storage') ? storageLeave(request) : []
}
