import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import { WATCHER_PLAN_STARTED } from '../../../../shared/domain/run-facts.ts'
import type { WatcherAbout, WatcherAction, WatcherPlan } from '../../../../shared/domain/watcher.ts'
import { type CoverageChoices, type InstanceFate, instanceFate } from '../../../../shared/domain/watcher-coverage.ts'
import type { WatcherStepInput } from '../../../../shared/domain/watcher-input.ts'
import { moveOf } from '../../../../shared/domain/watcher-moves.ts'
import { type PlanStatus, planStatus } from '../../../../shared/domain/watcher-plan-status.ts'
import { fault } from '../../../../shared/words/step-texts.ts'
import type { WatcherPort } from '../../../ports/watcher.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import { refusal } from '../../answers.ts'
import type { MaintenanceContext } from '../../node-input.ts'
import { type ClassifiedInstance, type ComputeHost, readComputeHost } from '../compute/classify-instances.ts'

/** Watcher's plan compared with the host now. */
export interface WatcherLook {
  readonly host: ComputeHost
  readonly about: WatcherAbout
  readonly plan: WatcherPlan
  readonly status: PlanStatus
  readonly choices: CoverageChoices
  readonly fates: readonly (ClassifiedInstance & { readonly fate: InstanceFate })[]
  /** Pending actions for instances that are not on the host: Watcher's data is outdated. */
  readonly astray: readonly WatcherAction[]
}

/** Reads the host, Watcher and its plan, and decides what happens to every instance. */
export async function lookAtWatcherPlan(
  input: WatcherStepInput,
  ctx: MaintenanceContext,
): Promise<Result<WatcherLook>> {
  const watcher = watcherOf(ctx)
  if (!watcher.ok) return watcher
  const [host, about, plan] = await Promise.all([
    readComputeHost(input.node, ctx),
    watcher.value.about(ctx.signal),
    // Some versions of Watcher store no plan for a recommendation without actions.
    input.actions.length === 0 ? ok(emptyPlan(input)) : watcher.value.plan(input.planUuid, ctx.signal),
  ])
  if (!host.ok) return host
  if (!about.ok) return about
  if (!plan.ok) return plan
  if (host.value.unreachable.length > 0) {
    const { service, unreachable } = host.value
    return failed(refusal('unreachable', fault('InstancesNotAllKnown', { host: service.host, causes: unreachable })))
  }
  const choices = coverageChoices(input, about.value.canSkip, ctx)
  const byInstance = new Map(plan.value.actions.filter(isAboutInstance).map(action => [action.resourceId, action]))
  const onHost = new Set(host.value.instances.map(({ instance }) => instance.id))
  return ok({
    host: host.value,
    about: about.value,
    plan: plan.value,
    status: planStateOf(input, plan.value, host.value, ctx),
    choices,
    fates: host.value.instances.map(found => ({
      ...found,
      fate: instanceFate(found.instance, byInstance.get(found.instance.id) ?? null, choices),
    })),
    astray: plan.value.actions.filter(
      action => isAboutInstance(action) && action.state === 'PENDING' && !onHost.has(action.resourceId),
    ),
  })
}

export function actionLabel({ resourceName, resourceId }: Pick<WatcherAction, 'resourceName' | 'resourceId'>): string {
  return `${resourceName} (${resourceId})`
}

/** A cluster without a cloud has no Watcher. */
export function watcherOf(ctx: { readonly world: Pick<MaintenanceWorld, 'watcher'> }): Result<WatcherPort> {
  const { watcher } = ctx.world
  return watcher === null ? failed(refusal('not-found', fault('NoCloudForWatcher'))) : ok(watcher)
}

export function coverageChoices(
  input: Pick<WatcherStepInput, 'excluded'>,
  canSkip: boolean,
  { options }: Pick<MaintenanceContext, 'options'>,
): CoverageChoices {
  const { disableMigration, novaForRest } = options
  return { disableMigration, novaForRest, canSkip, excluded: new Set(input.excluded) }
}

export function planSubjectOf(planUuid: string): string {
  return `watcher-plan/${planUuid}`
}

/** From then on the plan may be running. */
export function isStartedByUs(planUuid: string, ctx: Pick<MaintenanceContext, 'runHistory'>): boolean {
  return ctx
    .runHistory()
    .some(({ fact, subject }) => fact === WATCHER_PLAN_STARTED && subject === planSubjectOf(planUuid))
}

function planStateOf(
  input: WatcherStepInput,
  plan: WatcherPlan,
  host: ComputeHost,
  ctx: MaintenanceContext,
): PlanStatus {
  const disabled = plan.actions.filter(({ kind }) => kind === 'disable-service')
  if (input.host !== host.service.host || disabled.some(({ resourceName }) => resourceName !== host.service.host)) {
    const empties = disabled[0]?.resourceName ?? input.host
    return { kind: 'unusable', why: { code: 'WatcherPlanOfOtherHost', host: empties, own: host.service.host } }
  }
  return planStatus(plan, {
    shown: input.actions,
    startedByUs: isStartedByUs(plan.uuid, ctx),
    now: ctx.clock.now(),
  })
}

function isAboutInstance(action: WatcherAction): boolean {
  return moveOf(action) !== null
}

function emptyPlan({ planUuid, auditUuid }: WatcherStepInput): WatcherPlan {
  return { uuid: planUuid, auditUuid, state: 'SUCCEEDED', createdAt: null, actions: [] }
}
