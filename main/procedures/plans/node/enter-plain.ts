import type { Plan } from '../../../../shared/domain/plan.ts'
import type { NodeRole } from '../../../../shared/domain/roles.ts'
import { planStep } from '../../../runs/engine/step.ts'
import { computeServiceFound } from '../../steps/compute/compute-service-found.ts'
import { destinationsExist } from '../../steps/compute/destinations-exist.ts'
import { disableCompute } from '../../steps/compute/disable-compute.ts'
import { instancesClassified } from '../../steps/compute/instances-classified.ts'
import { instancesQuiet } from '../../steps/compute/instances-quiet.ts'
import { migrateInstances } from '../../steps/compute/migrate-instances.ts'
import { datastoreQuorum } from '../../steps/control/datastore-quorum.ts'
import { otherControlNode } from '../../steps/control/other-control-node.ts'
import { alreadyOutOfService } from '../../steps/general/already-out-of-service.ts'
import { cordonNode } from '../../steps/general/cordon-node.ts'
import { drainNode } from '../../steps/general/drain-node.ts'
import { noOtherRun } from '../../steps/general/no-other-run.ts'
import { nodeExists } from '../../steps/general/node-exists.ts'
import { nodeStateKnown } from '../../steps/general/node-state-known.ts'
import { notLastNode } from '../../steps/general/not-last-node.ts'
import { permissionsSuffice } from '../../steps/general/permissions-suffice.ts'
import { replicasRedundancy } from '../../steps/general/replicas-redundancy.ts'
import { rolesAgree } from '../../steps/general/roles-agree.ts'
import { emptyCompute } from './compute-steps.ts'
import type { PlanRequest } from './plan-request.ts'
import { cephSpares, storageEnter } from './storage-steps.ts'

/**
 * The steps that take a node of a `plain` cloud out of service, by its roles: checks of every role first, then the compute service,
 * the instances, the cordon and the drain. An unknown node gets the one check that says so.
 */
export function enterPlain(request: PlanRequest): Plan['steps'] {
  const { node, options, cluster } = request
  if (node === null) return [planStep(nodeExists, { node: request.name })]
  const input = { node: request.name }
  const has = (role: NodeRole) => request.roles.includes(role)
  const moves = options.scope === 'os'
  // Who chose Watcher gets its plan instead of ours.
  const watched = has('compute') && request.watcher !== null ? emptyCompute(request) : []
  const compute = has('compute') && cluster.cloud !== null && watched.length === 0
  const storage = has('storage') ? storageEnter(request) : cephSpares(request)
  const protect = storage.filter(({ verbs }) => verbs.includes('apply'))
  const watcher = watched.filter(({ verbs }) => verbs.includes('apply'))
  const emptied = compute ? [moves ? migrateInstances.kind : disableCompute.kind] : watcher.map(({ id }) => id)
  const drainWithinMs = options.drainTimeoutMs === 0 ? 24 * 3_600_000 : options.drainTimeoutMs + 60_000
  return [
    ...[nodeExists, nodeStateKnown, rolesAgree, alreadyOutOfService, notLastNode, permissionsSuffice, noOtherRun].map(
      step => planStep(step, input),
    ),
    ...(has('compute') && watched.length === 0 ? [planStep(computeServiceFound, input)] : []),
    ...watched.filter(step => !watcher.includes(step)),
    ...(compute ? [planStep(instancesClassified, input)] : []),
    ...(compute && moves ? [planStep(instancesQuiet, input), planStep(destinationsExist, input)] : []),
    ...(has('control') ? [planStep(otherControlNode, input), planStep(datastoreQuorum, input)] : []),
    ...storage.filter(step => !protect.includes(step)),
    planStep(replicasRedundancy, input),
    ...(compute ? [planStep(disableCompute, input)] : []),
    ...(compute && moves ? [planStep(migrateInstances, input, { needs: [disableCompute.kind] })] : []),
    ...watcher,
    ...protect,
    planStep(cordonNode, input, { needs: [...emptied, ...protect.map(({ id }) => id)] }),
    planStep(drainNode, input, { needs: [cordonNode.kind], withinMs: drainWithinMs }),
  ]
}
