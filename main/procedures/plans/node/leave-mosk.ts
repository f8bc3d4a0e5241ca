import type { Plan } from '../../../../shared/domain/plan.ts'
import { planStep } from '../../../runs/engine/step.ts'
import { computeGivenBack } from '../../steps/compute/compute-given-back.ts'
import { noOtherRun } from '../../steps/general/no-other-run.ts'
import { nodeExists } from '../../steps/general/node-exists.ts'
import { nodeReady } from '../../steps/general/node-ready.ts'
import { permissionsSuffice } from '../../steps/general/permissions-suffice.ts'
import { uncordonNode } from '../../steps/general/uncordon-node.ts'
import { maintenanceApiReady } from '../../steps/requests/maintenance-api-ready.ts'
import { nodeLocksActive } from '../../steps/requests/node-locks-active.ts'
import { removeNodeRequest } from '../../steps/requests/remove-node-request.ts'
import { requestIsOurs } from '../../steps/requests/request-is-ours.ts'
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
