import type { ClusterFlavour } from '../../../../shared/domain/cluster.ts'
import { cephAccessOf } from '../../../../shared/domain/cluster.ts'
import type { PlannedStep } from '../../../../shared/domain/plan.ts'
import { planStep } from '../../../runs/engine/step.ts'
import { computeServiceDown } from '../../steps/compute/compute-service-down.ts'
import { computeServiceFound } from '../../steps/compute/compute-service-found.ts'
import { forceDownCompute } from '../../steps/compute/force-down-compute.ts'
import { instancesRescuable } from '../../steps/compute/instances-rescuable.ts'
import { rescueInstances } from '../../steps/compute/rescue-instances.ts'
import { cordonNode } from '../../steps/general/cordon-node.ts'
import { silentSinceInput } from '../../steps/general/machine-away.ts'
import { machineOff } from '../../steps/general/machine-off.ts'
import { noOtherRun } from '../../steps/general/no-other-run.ts'
import { nodeExists } from '../../steps/general/node-exists.ts'
import { notLastNode } from '../../steps/general/not-last-node.ts'
import { outOfServiceTaint } from '../../steps/general/out-of-service-taint.ts'
import { permissionsSuffice } from '../../steps/general/permissions-suffice.ts'
import { requestIsOurs } from '../../steps/requests/request-is-ours.ts'
import { osdsDown } from '../../steps/storage/osds-down.ts'
import { seesMasakari } from './masakari-steps.ts'
import { type PlanRequest, plan, type StepsOf } from './plan-request.ts'

/** Rescues the instances of a machine that is off with Nova and Kubernetes alone: Rockoon and Watcher handle no dead host (docs/domain.md). */
export const RESCUE: Readonly<Record<ClusterFlavour, StepsOf>> = {
  plain: request => rescue(request, []),
  // LCM or another operator may be working on this node.
  mosk: request => rescue(request, plan(request, requestIsOurs)),
  sunbeam: request => rescue(request, []),
}

/** The out-of-service taint is last: Kubernetes then deletes the pods. */
function rescue(request: PlanRequest, ofFlavour: readonly PlannedStep[]): readonly PlannedStep[] {
  if (request.node === null) return plan(request, nodeExists)
  const { cluster, name, options, roles } = request
  const input = { node: name }
  // Steps that are right only for a machine that is off get the time since when it was off.
  const off = { ...input, ...silentSinceInput(request.node) }
  const computes = roles.includes('compute')
  const asksCeph =
    cephAccessOf(cluster) !== 'none' && (roles.includes('storage') || cephAccessOf(cluster) === 'toolbox')
  const checks = [
    ...plan(request, nodeExists, machineOff, notLastNode, permissionsSuffice, noOtherRun),
    ...ofFlavour,
    ...(asksCeph ? [planStep(osdsDown, input)] : []),
  ]
  const cordoned = planStep(cordonNode, input)
  const taint = options.outOfServiceTaint ? [outOfServiceTaint] : []
  if (!computes) return [...checks, cordoned, ...taint.map(step => planStep(step, off, { needs: [cordoned.id] }))]
  if (cluster.cloud === null) return [...checks, planStep(computeServiceFound, input)]
  return [
    ...checks,
    ...plan(request, computeServiceDown, instancesRescuable),
    ...seesMasakari(request),
    cordoned,
    planStep(forceDownCompute, off, { needs: [cordoned.id] }),
    planStep(rescueInstances, off, { needs: [forceDownCompute.kind] }),
    ...taint.map(step => planStep(step, off, { needs: [rescueInstances.kind] })),
  ]
}
