import type { AwayInstance } from '../../../../shared/domain/home.ts'
import type { PlannedStep } from '../../../../shared/domain/plan.ts'
import { FORCED_DOWN_ANNOTATION } from '../../../../shared/domain/rescue.ts'
import { watcherInput } from '../../../../shared/domain/watcher-input.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import { planStep, type Step } from '../../../runs/engine/step.ts'
import { bringHome } from '../../steps/compute/bring-home.ts'
import { computeReturns } from '../../steps/compute/compute-returns.ts'
import { computeServiceFound } from '../../steps/compute/compute-service-found.ts'
import { destinationsExist } from '../../steps/compute/destinations-exist.ts'
import { disableCompute } from '../../steps/compute/disable-compute.ts'
import { enableCompute } from '../../steps/compute/enable-compute.ts'
import { forceUpCompute } from '../../steps/compute/force-up-compute.ts'
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
import { endsMasakari, masakariSteps } from './masakari-steps.ts'
import type { PlanRequest } from './plan-request.ts'

/** The service that moves instances off a compute node. `nobody`: they stay, the scope is `drain`. */
type Mover =
  | { readonly kind: 'controllers' | 'lockkeeper' | 'nobody' }
  | { readonly kind: 'watcher'; readonly recommended: NonNullable<PlanRequest['watcher']> }

/** All checks of a compute node that goes out of service, each with its condition. Add a new one here. */
const COMPUTE_CHECKS: readonly {
  readonly step: Step<MaintenanceWorld>
  readonly isMade: (mover: Mover['kind'], request: PlanRequest) => boolean
}[] = [
  { step: watcherAvailable, isMade: mover => mover === 'watcher' },
  // The controllers of flavour `mosk` find the compute service themselves.
  { step: computeServiceFound, isMade: mover => mover !== 'controllers' },
  { step: instancesStatus, isMade: asksSunbeam },
  { step: noEphemeralDisks, isMade: asksSunbeam },
  { step: instancesClassified, isMade: mover => mover !== 'watcher' },
  { step: instancesQuiet, isMade: mover => mover === 'lockkeeper' },
  {
    step: destinationsExist,
    isMade: (mover, { options }) => mover === 'lockkeeper' || (mover === 'controllers' && options.scope === 'os'),
  },
]

/** The same checks as steps, so that a plan of the journal finds them again. */
export const computeChecks: readonly Step<MaintenanceWorld>[] = COMPUTE_CHECKS.map(({ step }) => step)

function asksSunbeam(mover: Mover['kind'], { cluster }: PlanRequest): boolean {
  return mover === 'watcher' || (mover === 'lockkeeper' && cluster.flavour === 'sunbeam')
}

function moverOf({ cluster, options, watcher }: PlanRequest): Mover {
  if (cluster.flavour === 'mosk') return { kind: 'controllers' }
  if (options.scope === 'drain') return { kind: 'nobody' }
  return watcher === null ? { kind: 'lockkeeper' } : { kind: 'watcher', recommended: watcher }
}

/** Takes a compute node out of service: its checks, then what empties it (seed 004, compute role). */
export function emptyCompute(request: PlanRequest): readonly PlannedStep[] {
  const { cluster, name } = request
  const mover = moverOf(request)
  const input = { node: name }
  if (cluster.cloud === null) return mover.kind === 'controllers' ? [] : [planStep(computeServiceFound, input)]
  const checked = mover.kind === 'controllers' ? { ...input, waits: true } : input
  const checks = COMPUTE_CHECKS.filter(({ isMade }) => isMade(mover.kind, request))
  // The controllers empty it after the maintenance request; enter.ts notifies Masakari before that.
  const forMasakari = mover.kind === 'controllers' ? [] : masakariSteps(request)
  return [...checks.map(({ step }) => planStep(step, checked)), ...forMasakari, ...emptying(mover, request)]
}

function emptying(mover: Mover, { name, options }: PlanRequest): readonly PlannedStep[] {
  const input = { node: name }
  switch (mover.kind) {
    case 'controllers':
      return []
    case 'watcher': {
      const { host, answer } = mover.recommended
      if (!answer.ok) return [planStep(watcherRecommends, { ...input, problem: answer.failure.message })]
      const { plan } = answer.value
      return [planStep(runWatcherPlan, watcherInput({ node: name, host, plan, excluded: options.excludedInstances }))]
    }
    case 'nobody':
      return [planStep(disableCompute, input)]
    case 'lockkeeper':
      return [planStep(disableCompute, input), planStep(migrateInstances, input, { needs: [disableCompute.kind] })]
  }
}

/** Brings a compute node back (docs/domain.md A.3, B.1): services, agents, Nova's scheduler, instances; spreading them comes last. */
export function returnCompute(request: PlanRequest, needs: readonly string[]): readonly PlannedStep[] {
  const { cluster, name, options } = request
  const input = { node: name }
  if (cluster.cloud === null) return [planStep(computeServiceFound, input)]
  // Either its own instances return, or Watcher spreads instances: never both.
  const spreads = options.strategy === 'watcher' && !options.disableInstanceRebalancing && !options.home
  const forced = forcedUp(request, needs)
  return [
    ...forced,
    // nova-compute and the agents return side by side and each get the limit, so the sum is an upper bound.
    planStep(computeReturns, input, {
      needs: [...needs, ...forced.map(({ id }) => id)],
      withinMs: 2 * cluster.limits.returnTimeoutMs,
    }),
    planStep(enableCompute, input, { needs: [computeReturns.kind] }),
    ...endsMasakari(request, enableCompute.kind),
    ...returnInstances(request, enableCompute.kind),
    ...(options.home ? [homeStep(request, enableCompute.kind)] : []),
    // Watcher runs after the node accepts instances, and after the operator agrees (seed 004, "Enable instance rebalancing").
    ...(spreads ? [planStep(rebalanceInstances, input, { needs: [enableCompute.kind] })] : []),
  ]
}

/** Brings its instances back once Nova may use the host again. */
export function homeStep({ name, ran, away }: PlanRequest, after: string): PlannedStep {
  const known = away ?? (ran === 'noted-in-this-run' ? ran : [])
  return planStep(bringHome, homeInput(name, known, true), { needs: [after] })
}

/** Which instances have left, if the plan knows; otherwise the step reads this run's own facts. */
export function homeInput(
  node: string,
  away: readonly AwayInstance[] | 'noted-in-this-run',
  opens: boolean,
): PlannedStep['input'] {
  return { node, away: away === 'noted-in-this-run' ? null : away.map(each => ({ ...each })), opens }
}

/** Nova keeps a nova-compute that a rescue forced down as down until the force-down is lifted. */
export function forcedUp({ cluster, name, node }: PlanRequest, needs: readonly string[]): readonly PlannedStep[] {
  if (node?.annotations[FORCED_DOWN_ANNOTATION] === undefined || cluster.cloud === null) return []
  return [planStep(forceUpCompute, { node: name }, { needs, withinMs: 2 * cluster.limits.returnTimeoutMs })]
}

/** Starts the instances that are off on a returning node, where a record says which ran there. */
export function returnInstances({ name, ran, options }: PlanRequest, after: string): readonly PlannedStep[] {
  // An operator who asked to start them learns that the record is missing.
  if (ran === null && !options.startInstances) return []
  const instances = ran === null ? UNKNOWN : ran === 'noted-in-this-run' ? null : ran.map(instance => ({ ...instance }))
  return [planStep(instancesReturn, { node: name, ran: instances }, { needs: [after] })]
}
