import type { Plan } from '../../../../shared/domain/plan.ts'
import { planStep } from '../../../runs/engine/step.ts'
import { enableCompute } from '../../steps/compute/enable-compute.ts'
import { enableOvn } from '../../steps/control/enable-ovn.ts'
import { machineFound, machineInput } from '../../steps/general/machine-found.ts'
import { noOtherRun } from '../../steps/general/no-other-run.ts'
import { nodeExists } from '../../steps/general/node-exists.ts'
import { nodeReady } from '../../steps/general/node-ready.ts'
import { permissionsSuffice } from '../../steps/general/permissions-suffice.ts'
import { uncordonNode } from '../../steps/general/uncordon-node.ts'
import { returnCompute, returnInstances, spreadInstances } from './compute-steps.ts'
import type { PlanRequest } from './plan-request.ts'
import { storageLeave } from './storage-steps.ts'

/**
 * The steps that bring a node of a `sunbeam` cloud back (seed 004, "Disabling maintenance mode"): its pods and disks first, then its network
 * (docs/domain.md B.1: Sunbeam plans that and never applies it), then Nova; instances are spread again last, when a person agrees.
 */
export function leaveSunbeam(request: PlanRequest): Plan['steps'] {
  const { node, roles } = request
  if (request.isOutside === true) return leaveMachine(request)
  if (node === null) return [planStep(nodeExists, { node: request.name })]
  const input = { node: request.name }
  const storage = roles.includes('storage') ? storageLeave(request) : []
  const network = roles.includes('gateway') ? [planStep(enableOvn, input, { needs: [uncordonNode.kind] })] : []
  const before = [uncordonNode.kind, ...network.map(({ id }) => id)]
  return [
    ...[nodeExists, nodeReady, permissionsSuffice, noOtherRun].map(step => planStep(step, input)),
    planStep(uncordonNode, input),
    ...storage,
    ...network,
    ...(roles.includes('compute')
      ? [
          ...returnCompute(request, before),
          ...(request.cluster.cloud === null ? [] : returnInstances(request, [enableCompute.kind])),
          ...spreadInstances(request),
        ]
      : []),
  ]
}

/** A machine outside of Kubernetes: its disks first, then Nova may schedule onto it again. */
function leaveMachine(request: PlanRequest): Plan['steps'] {
  const { name, roles } = request
  return [
    planStep(machineFound, machineInput(request)),
    ...[permissionsSuffice, noOtherRun].map(step => planStep(step, { node: name })),
    ...(roles.includes('storage') ? storageLeave(request) : []),
    ...(roles.includes('compute')
      ? [...returnCompute(request, []), ...returnInstances(request, [enableCompute.kind]), ...spreadInstances(request)]
      : []),
  ]
}
