import type { Plan } from '../../../../shared/domain/plan.ts'
import type { NodeRole } from '../../../../shared/domain/roles.ts'
import { planStep } from '../../../runs/engine/step.ts'
import { destinationsExist } from '../../steps/compute/destinations-exist.ts'
import { instancesClassified } from '../../steps/compute/instances-classified.ts'
import { controlQuorum } from '../../steps/control/control-quorum.ts'
import { otherControlNode } from '../../steps/control/other-control-node.ts'
import { alreadyOutOfService } from '../../steps/general/already-out-of-service.ts'
import { cordonNode } from '../../steps/general/cordon-node.ts'
import { drainNode } from '../../steps/general/drain-node.ts'
import { noOtherMaintenance } from '../../steps/general/no-other-maintenance.ts'
import { noOtherRun } from '../../steps/general/no-other-run.ts'
import { nodeExists } from '../../steps/general/node-exists.ts'
import { nodeStateKnown } from '../../steps/general/node-state-known.ts'
import { notLastNode } from '../../steps/general/not-last-node.ts'
import { permissionsSuffice } from '../../steps/general/permissions-suffice.ts'
import { replicasRedundancy } from '../../steps/general/replicas-redundancy.ts'
import { rolesAgree } from '../../steps/general/roles-agree.ts'
import { lockLimitsAllow } from '../../steps/requests/lock-limits-allow.ts'
import { maintenanceApiReady } from '../../steps/requests/maintenance-api-ready.ts'
import { nodeLocksInactive } from '../../steps/requests/node-locks-inactive.ts'
import { nodeLocksSound } from '../../steps/requests/node-locks-sound.ts'
import { requestNodeMaintenance } from '../../steps/requests/request-node-maintenance.ts'
import { cephCanSpare } from '../../steps/storage/ceph-can-spare.ts'
import type { PlanRequest } from './plan-request.ts'

/**
 * The steps that take a node of a `mosk` cloud out of service: Lockkeeper is LCM. It requests the maintenance, waits until every application
 * controller has made its lock inactive, and only then cordons and drains (seed 003; the order of docs/domain.md A.2, A.4).
 */
export function enterMosk(request: PlanRequest): Plan['steps'] {
  const { node, options, cluster } = request
  if (node === null) return [planStep(nodeExists, { node: request.name })]
  const input = { node: request.name }
  const asked = { ...input, scope: options.scope }
  const has = (role: NodeRole) => request.roles.includes(role)
  const drainWithinMs = options.drainTimeoutMs === 0 ? 24 * 3_600_000 : options.drainTimeoutMs + 60_000
  return [
    ...[nodeExists, nodeStateKnown, rolesAgree, alreadyOutOfService, notLastNode, permissionsSuffice, noOtherRun].map(
      step => planStep(step, input),
    ),
    ...[maintenanceApiReady, noOtherMaintenance, nodeLocksSound].map(step => planStep(step, input)),
    planStep(lockLimitsAllow, input),
    ...(has('compute') && cluster.cloud !== null ? [planStep(instancesClassified, { ...input, waits: true })] : []),
    ...(has('compute') && cluster.cloud !== null && options.scope === 'os'
      ? [planStep(destinationsExist, { ...input, waits: true })]
      : []),
    ...(has('control') ? [planStep(otherControlNode, input), planStep(controlQuorum, input)] : []),
    // Asks Ceph only where it has something on the node, whatever the roles say.
    ...(cluster.maintenanceApi.controllers.ceph === 'none' ? [] : [planStep(cephCanSpare, input)]),
    planStep(replicasRedundancy, input),
    planStep(requestNodeMaintenance, asked),
    planStep(nodeLocksInactive, input, { needs: [requestNodeMaintenance.kind] }),
    planStep(cordonNode, input, { needs: [nodeLocksInactive.kind] }),
    planStep(drainNode, input, { needs: [cordonNode.kind], withinMs: drainWithinMs }),
  ]
}
