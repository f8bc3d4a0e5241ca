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

/** The steps that bring a node back into service, by the cluster's flavour. An unknown node gets the one check that says so. */
export const LEAVE: Readonly<Record<ClusterFlavour, StepsOf>> = {
  plain: request => (request.node === null ? plan(request, nodeExists) : leavePlain(request)),
  mosk: request => (request.node === null ? plan(request, nodeExists) : leaveMosk(request)),
  sunbeam: request => {
    if (request.isOutside === true) return leaveMachine(request)
    return request.node === null ? plan(request, nodeExists) : leaveSunbeam(request)
  },
}

/** What is looked at of any node. */
const NODE_CHECKS = [nodeExists, nodeReady, permissionsSuffice, noOtherRun]

/**
 * Uncordon, disks, then its compute service and agents are waited for, and only then Nova may schedule onto it (the order of domain.md A.3). A
 * compute service that is down is waited for, not a blocker.
 */
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

/**
 * Pods and disks first, then its network (docs/domain.md B.1: Sunbeam plans that and never applies it), then Nova; instances are spread again last,
 * when a person agrees (seed 004, "Disabling maintenance mode").
 */
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

/** A machine of Sunbeam outside of Kubernetes: its disks first, then Nova may schedule onto it again. */
function leaveMachine(request: PlanRequest): readonly PlannedStep[] {
  return [
    planStep(machineFound, machineInput(request)),
    ...plan(request, permissionsSuffice, noOtherRun),
    ...storage(request),
    ...compute(request, []),
  ]
}

/**
 * Uncordon, remove the request, follow it while it is Terminating, and see every lock active again (docs/domain.md A.3). Services are enabled by
 * their controllers, never by us.
 */
function leaveMosk(request: PlanRequest): readonly PlannedStep[] {
  const input = { node: request.name }
  return [
    ...plan(request, ...NODE_CHECKS, maintenanceApiReady, requestIsOurs, ...tainted(request), uncordonNode),
    // Its controllers wait for a nova-compute that is up; what a rescue disabled is not theirs to enable.
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

/** The taint of a machine that was off goes before anything else: Kubernetes removes every pod while it is there. */
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
