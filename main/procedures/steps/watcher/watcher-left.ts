import { ATTEMPTS_ANNOTATION, migrationAttempts } from '../../../../shared/domain/instance-policy.ts'
import type { Instance } from '../../../../shared/domain/openstack.ts'
import { OPERATOR_ANSWERED, WATCHER_LEFT, WATCHER_PLAN_STARTED } from '../../../../shared/domain/run-facts.ts'
import type { WatcherPlan } from '../../../../shared/domain/watcher.ts'
import { type CoverageChoices, instanceFate } from '../../../../shared/domain/watcher-coverage.ts'
import { moveOf, novaMovesLive, vmStateOf } from '../../../../shared/domain/watcher-moves.ts'
import { endedWords } from '../../../../shared/words/steps/instances-moves.ts'
import { cloudOf, isOverridden, type MaintenanceContext } from '../../node-input.ts'
import { type ClassifiedInstance, type ComputeHost, instanceLabel } from '../compute/classify-instances.ts'
import { type EvacuationAnswer, evacuate } from '../compute/evacuation.ts'

/** The instances of a host after Watcher's plan: those that should be gone, and those that stay because the operator said so. */
interface LeftOnHost {
  readonly left: readonly ClassifiedInstance[]
  readonly staying: readonly (ClassifiedInstance & { readonly reason: string })[]
}

/** Tells what is left from what stays by choice: by the operator's options and by Nova's states now, never by what Watcher says it did. */
export function leftOnHost(host: ComputeHost, choices: CoverageChoices, ctx: MaintenanceContext): LeftOnHost {
  const forced = isOverridden(ctx, 'force') ? forcedToStay(ctx) : null
  const left: ClassifiedInstance[] = []
  const staying: (ClassifiedInstance & { readonly reason: string })[] = []
  for (const found of host.instances) {
    const fate = instanceFate(found.instance, null, choices)
    if (fate.kind === 'stays') staying.push({ ...found, reason: fate.reason })
    else if (forced !== null && (forced.has(found.instance.id) || isImmovable(found.instance)))
      staying.push({
        ...found,
        reason: `stays on the host: it is ${found.instance.status}, and the operator forced it`,
      })
    else left.push(found)
  }
  return { left, staying }
}

/** Neither Watcher nor Nova moves it as it is. */
function isImmovable(instance: Instance): boolean {
  return !novaMovesLive(instance) && vmStateOf(instance) !== 'stopped'
}

/** Instances that the check named and the operator forced past, as they were when the plan was started. */
function forcedToStay(ctx: MaintenanceContext): ReadonlySet<string> {
  const stay = ctx.history().findLast(({ fact }) => fact === WATCHER_PLAN_STARTED)?.values.forcedToStay
  return new Set(Array.isArray(stay) ? stay.filter(id => typeof id === 'string') : [])
}

/** Whether a person said, since last asked about what is left, that Nova is to move it. */
export function isNovaAgreed(ctx: Pick<MaintenanceContext, 'history'>): boolean {
  const last = ctx.history().findLast(({ fact }) => fact === OPERATOR_ANSWERED || fact === WATCHER_LEFT)
  return last?.fact === OPERATOR_ANSWERED
}

/** Moves instances through Nova as strategy `nova` does: each attempt announced, followed and counted. */
export async function moveThroughNova(
  host: ComputeHost,
  ids: ReadonlySet<string>,
  ctx: MaintenanceContext,
): Promise<EvacuationAnswer> {
  const annotated = migrationAttempts(
    host.node.annotations[ATTEMPTS_ANNOTATION] ?? null,
    ctx.world.cluster.limits.migrationAttempts,
  )
  const limits = {
    concurrency: ctx.options.concurrency,
    attempts: ctx.options.attempts ?? annotated.attempts,
    only: (instance: Instance) => ids.has(instance.id),
  }
  return evacuate(host.node.name, limits, ctx)
}

/** Each instance that is left, with why it is: what Watcher says of its action, and what Nova says of its last migration. */
export async function whyLeft(
  left: readonly ClassifiedInstance[],
  plan: WatcherPlan,
  ctx: MaintenanceContext,
): Promise<readonly string[]> {
  return Promise.all(
    left.map(async ({ instance }) => {
      const action = plan.actions.find(
        ({ resourceId, kind }) => resourceId === instance.id && moveOf({ kind }) !== null,
      )
      const byWatcher =
        action === undefined
          ? "Watcher's plan did not have it"
          : `Watcher's ${action.kind} ${ENDS.get(action.state) ?? `is ${action.state}`}${action.statusMessage === null ? '' : ` (${action.statusMessage})`}`
      const records = await cloudOf(ctx).migrations({ instanceId: instance.id }, ctx.signal)
      const last = records.ok ? records.value.toSorted((a, b) => b.id - a.id)[0] : undefined
      const byNova =
        last === undefined ? '' : `; ${endedWords('its last migration', { to: last.destHost, status: last.status })}`
      return `${instanceLabel(instance)}, ${instance.status}: ${byWatcher}${action?.state === 'FAILED' ? byNova : ''}`
    }),
  )
}

const ENDS: ReadonlyMap<string, string> = new Map([
  ['FAILED', 'FAILED'],
  ['SKIPPED', 'was skipped'],
  ['CANCELLED', 'was cancelled'],
  ['PENDING', 'was not run'],
  ['SUCCEEDED', 'SUCCEEDED, but it is still here'],
])
