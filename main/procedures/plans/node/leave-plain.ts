import type { Plan } from '../../../../shared/domain/plan.ts'
import { planStep } from '../../../runs/engine/step.ts'
import { computeReturns } from '../../steps/compute/compute-returns.ts'
import { computeServiceFound } from '../../steps/compute/compute-service-found.ts'
import { enableCompute } from '../../steps/compute/enable-compute.ts'
import { noOtherRun } from '../../steps/general/no-other-run.ts'
import { nodeExists } from '../../steps/general/node-exists.ts'
import { nodeReady } from '../../steps/general/node-ready.ts'
import { permissionsSuffice } from '../../steps/general/permissions-suffice.ts'
import { uncordonNode } from '../../steps/general/uncordon-node.ts'
import { returnInstances, spreadInstances } from './compute-steps.ts'
import type { PlanRequest } from './plan-request.ts'
import { nothingStored, storageLeave } from './storage-steps.ts'

/**
 * The steps that bring a node of a `plain` cloud back: uncordon, wait for its compute service and agents, and only then let Nova
 * schedule onto it (the order of domain.md A.3). A cloud's compute service that is down is waited for, not a blocker.
 */
export function leavePlain(request: PlanRequest): Plan['steps'] {
  if (request.node === null) return [planStep(nodeExists, { node: request.name })]
  const input = { node: request.name }
  const compute = request.roles.includes('compute')
  const cloud = request.cluster.cloud !== null
  const stores = request.roles.includes('storage')
  return [
    ...[nodeExists, nodeReady, permissionsSuffice, noOtherRun].map(step => planStep(step, input)),
    ...(compute && !cloud ? [planStep(computeServiceFound, input)] : []),
    ...(stores ? [] : nothingStored(request)),
    planStep(uncordonNode, input),
    ...(stores ? storageLeave(request) : []),
    ...(compute && cloud
      ? [
          // Nova-compute and agents each get the limit; they come back side by side, so the longer of both is their sum at most.
          planStep(computeReturns, input, {
            needs: [uncordonNode.kind],
            withinMs: 2 * request.cluster.limits.returnTimeoutMs,
          }),
          planStep(enableCompute, input, { needs: [computeReturns.kind] }),
          ...returnInstances(request, [enableCompute.kind]),
          ...spreadInstances(request),
        ]
      : []),
  ]
}
