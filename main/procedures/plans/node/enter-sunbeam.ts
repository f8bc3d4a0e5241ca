import type { Plan } from '../../../../shared/domain/plan.ts'
import type { NodeRole } from '../../../../shared/domain/roles.ts'
import { planStep } from '../../../runs/engine/step.ts'
import { datastoreQuorum } from '../../steps/control/datastore-quorum.ts'
import { noJujuController } from '../../steps/control/no-juju-controller.ts'
import { otherControlNode } from '../../steps/control/other-control-node.ts'
import { alreadyOutOfService } from '../../steps/general/already-out-of-service.ts'
import { cordonNode } from '../../steps/general/cordon-node.ts'
import { drainNode } from '../../steps/general/drain-node.ts'
import { machineFound, machineInput } from '../../steps/general/machine-found.ts'
import { noOtherRun } from '../../steps/general/no-other-run.ts'
import { nodeExists } from '../../steps/general/node-exists.ts'
import { nodeStateKnown } from '../../steps/general/node-state-known.ts'
import { notLastNode } from '../../steps/general/not-last-node.ts'
import { otherNodesInMaintenance } from '../../steps/general/other-nodes-in-maintenance.ts'
import { permissionsSuffice } from '../../steps/general/permissions-suffice.ts'
import { replicasRedundancy } from '../../steps/general/replicas-redundancy.ts'
import { rolesAgree } from '../../steps/general/roles-agree.ts'
import { emptyCompute } from './compute-steps.ts'
import type { PlanRequest } from './plan-request.ts'
import { storageEnter } from './storage-steps.ts'

/**
 * The steps that take a node of a `sunbeam` cloud into maintenance (seed 004; docs/domain.md B.1): checks of every role, then compute, storage
 * and control in this order. The drain is last, so that instances and disks are safe before any pod leaves.
 */
export function enterSunbeam(request: PlanRequest): Plan['steps'] {
  const { node, options } = request
  if (request.isOutside === true) return enterMachine(request)
  if (node === null) return [planStep(nodeExists, { node: request.name })]
  const input = { node: request.name }
  const has = (role: NodeRole) => request.roles.includes(role)
  const drainWithinMs = options.drainTimeoutMs === 0 ? 24 * 3_600_000 : options.drainTimeoutMs + 60_000
  const control = has('control') ? [otherControlNode, datastoreQuorum] : []
  const roles = [...(has('compute') ? emptyCompute(request) : []), ...(has('storage') ? storageEnter(request) : [])]
  const applied = roles.filter(({ verbs }) => verbs.includes('apply')).map(({ id }) => id)
  return [
    ...[
      nodeExists,
      nodeStateKnown,
      rolesAgree,
      alreadyOutOfService,
      notLastNode,
      otherNodesInMaintenance,
      permissionsSuffice,
      noOtherRun,
    ].map(step => planStep(step, input)),
    // Any node that runs pods may be the one with the controller.
    ...[...control, noJujuController, replicasRedundancy].map(step => planStep(step, input)),
    ...roles,
    planStep(cordonNode, input, { needs: applied }),
    planStep(drainNode, input, { needs: [cordonNode.kind], withinMs: drainWithinMs }),
  ]
}

/** A machine outside of Kubernetes: its instances leave, its OSDs are kept in, and there is nothing to cordon or to drain. */
function enterMachine(request: PlanRequest): Plan['steps'] {
  const { name, roles } = request
  return [
    planStep(machineFound, machineInput(request)),
    ...[permissionsSuffice, noOtherRun].map(step => planStep(step, { node: name })),
    ...(roles.includes('compute') ? emptyCompute(request) : []),
    ...(roles.includes('storage') ? storageEnter(request) : []),
  ]
}
