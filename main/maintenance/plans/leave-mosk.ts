import type { Plan } from '../../../shared/domain/plan.ts'
import { planStep } from '../../runs/engine/step.ts'
import { computeGivenBack } from '../steps/compute-given-back.ts'
import { maintenanceApiReady } from '../steps/maintenance-api-ready.ts'
import { noOtherRun } from '../steps/no-other-run.ts'
import { nodeExists } from '../steps/node-exists.ts'
import { nodeLocksActive } from '../steps/node-locks-active.ts'
import { nodeReady } from '../steps/node-ready.ts'
import { permissionsSuffice } from '../steps/permissions-suffice.ts'
import { removeNodeRequest } from '../steps/remove-node-request.ts'
import { requestIsOurs } from '../steps/request-is-ours.ts'
import { uncordonNode } from '../steps/uncordon-node.ts'
import { returnInstances } from './compute-steps.ts'
import type { PlanRequest } from './plan-request.ts'

/**
 * The steps that bring a node of a `mosk` cloud back: uncordon, remove the request, follow it while it is Terminating, and see every lock
 * active again (docs/domain.md A.3). Services are enabled by their controllers, never by us.
 */
export function leaveMosk(request: PlanRequest): Plan['steps'] {
  if (request.node === null) return [planStep(nodeExists, { node: request.name })]
  const input = { node: request.name }
  return [
    ...[nodeExists, nodeReady, permissionsSuffice, noOtherRun, maintenanceApiReady].map(step => planStep(step, input)),
    planStep(requestIsOurs, input),
    planStep(uncordonNode, input),
    planStep(removeNodeRequest, input, { needs: [uncordonNode.kind] }),
    planStep(nodeLocksActive, input, { needs: [removeNodeRequest.kind] }),
    ...(request.roles.includes('compute') && request.cluster.cloud !== null
      ? [
          planStep(computeGivenBack, input, { needs: [nodeLocksActive.kind] }),
          ...returnInstances(request, [computeGivenBack.kind]),
        ]
      : []),
  ]
}
