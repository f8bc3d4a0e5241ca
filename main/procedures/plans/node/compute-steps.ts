import type { PlannedStep } from '../../../../shared/domain/plan.ts'
import { watcherInput } from '../../../../shared/domain/watcher-input.ts'
import { planStep } from '../../../runs/engine/step.ts'
import { computeReturns } from '../../steps/compute/compute-returns.ts'
import { computeServiceFound } from '../../steps/compute/compute-service-found.ts'
import { destinationsExist } from '../../steps/compute/destinations-exist.ts'
import { disableCompute } from '../../steps/compute/disable-compute.ts'
import { enableCompute } from '../../steps/compute/enable-compute.ts'
import { instancesClassified } from '../../steps/compute/instances-classified.ts'
import { instancesQuiet } from '../../steps/compute/instances-quiet.ts'
import { instancesReturn, UNKNOWN } from '../../steps/compute/instances-return.ts'
import { instancesStatus } from '../../steps/compute/instances-status.ts'
import { migrateInstances } from '../../steps/compute/migrate-instances.ts'
import { noEphemeralDisks } from '../../steps/compute/no-ephemeral-disks.ts'
import { rebalanceInstances } from '../../steps/watcher/rebalance-instances.ts'
import { runWatcherPlan } from '../../steps/watcher/run-watcher-plan.ts'
import { watcherAvailable } from '../../steps/watcher/watcher-available.ts'
import { watcherRecommends } from '../../steps/watcher/watcher-recommends.ts'
import type { PlanRequest, WatcherAnswer } from './plan-request.ts'

/** How a compute node is taken out of service: by Watcher's action plan, or by Lockkeeper through Nova (seed 004, compute role). */
export function emptyCompute(request: PlanRequest): readonly PlannedStep[] {
  const { cluster, options, watcher } = request
  const input = { node: request.name }
  if (cluster.cloud === null) return [planStep(computeServiceFound, input)]
  if (options.scope === 'drain') {
    return [
      ...[computeServiceFound, instancesClassified].map(step => planStep(step, input)),
      planStep(disableCompute, input),
    ]
  }
  if (watcher !== null) return emptyByWatcher(request, watcher)
  // Sunbeam's own checks of instances, whoever moves them.
  const bySeed = cluster.flavour === 'sunbeam' ? [instancesStatus, noEphemeralDisks] : []
  return [
    ...[computeServiceFound, ...bySeed, instancesClassified, instancesQuiet, destinationsExist].map(step =>
      planStep(step, input),
    ),
    planStep(disableCompute, input),
    planStep(migrateInstances, input, { needs: [disableCompute.kind] }),
  ]
}

function emptyByWatcher({ name, options }: PlanRequest, { host, answer }: WatcherAnswer): readonly PlannedStep[] {
  const input = { node: name }
  const checks = [watcherAvailable, computeServiceFound, instancesStatus, noEphemeralDisks].map(step =>
    planStep(step, input),
  )
  if (!answer.ok) {
    return [...checks, planStep(watcherRecommends, { ...input, problem: answer.failure.message })]
  }
  const { plan } = answer.value
  return [
    ...checks,
    planStep(runWatcherPlan, watcherInput({ node: name, host, plan, excluded: options.excludedInstances })),
  ]
}

/**
 * How a compute node comes back: services and agents first, then Nova may schedule onto it (docs/domain.md A.3, B.1), then what ran there is on
 * again; instances are spread last.
 */
export function returnCompute(request: PlanRequest, needs: readonly string[]): readonly PlannedStep[] {
  const { cluster, name, options } = request
  const input = { node: name }
  if (cluster.cloud === null) return [planStep(computeServiceFound, input)]
  const spreads = options.strategy === 'watcher' && !options.disableInstanceRebalancing
  return [
    // Nova-compute and agents each get the limit; they come back side by side, so the longer of both is their sum at most.
    planStep(computeReturns, input, { needs, withinMs: 2 * cluster.limits.returnTimeoutMs }),
    planStep(enableCompute, input, { needs: [computeReturns.kind] }),
    ...returnInstances(request, enableCompute.kind),
    // Watcher is asked once the node takes instances, and a person agrees (seed 004, "Enable instance rebalancing").
    ...(spreads ? [planStep(rebalanceInstances, input, { needs: [enableCompute.kind] })] : []),
  ]
}

/** Who is off on a node that comes back, where it is known who ran on it. */
export function returnInstances({ name, ran, options }: PlanRequest, after: string): readonly PlannedStep[] {
  // Whoever chose to have them started is told that nobody can tell which.
  if (ran === null && !options.startInstances) return []
  const instances = ran === null ? UNKNOWN : ran === 'noted-in-this-run' ? null : ran.map(instance => ({ ...instance }))
  return [planStep(instancesReturn, { node: name, ran: instances }, { needs: [after] })]
}
