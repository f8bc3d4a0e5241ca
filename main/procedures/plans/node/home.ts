import type { PlannedStep } from '../../../../shared/domain/plan.ts'
import { planStep } from '../../../runs/engine/step.ts'
import { bringHome } from '../../steps/compute/bring-home.ts'
import { computeServiceFound } from '../../steps/compute/compute-service-found.ts'
import { machineFound, machineInput } from '../../steps/general/machine-found.ts'
import { noOtherRun } from '../../steps/general/no-other-run.ts'
import { nodeExists } from '../../steps/general/node-exists.ts'
import { nodeReady } from '../../steps/general/node-ready.ts'
import { permissionsSuffice } from '../../steps/general/permissions-suffice.ts'
import { homeInput } from './compute-steps.ts'
import { type PlanRequest, plan } from './plan-request.ts'

/** Brings a node's instances back after it returned to service. An unknown node gets only the check that reports it. */
export function homeSteps(request: PlanRequest): readonly PlannedStep[] {
  const { cluster, name, node, isOutside, away } = request
  if (node === null && isOutside !== true) return plan(request, nodeExists)
  const found =
    isOutside === true ? [planStep(machineFound, machineInput(request))] : plan(request, nodeExists, nodeReady)
  const brought =
    cluster.cloud === null
      ? plan(request, computeServiceFound)
      : [planStep(bringHome, homeInput(name, away ?? [], false))]
  return [...found, ...plan(request, permissionsSuffice, noOtherRun), ...brought]
}
