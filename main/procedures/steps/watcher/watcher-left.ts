import { ATTEMPTS_ANNOTATION, migrationAttempts } from '../../../../shared/domain/instance-policy.ts'
import type { Instance } from '../../../../shared/domain/openstack.ts'
import { OPERATOR_ANSWERED, WATCHER_LEFT, WATCHER_PLAN_STARTED } from '../../../../shared/domain/run-facts.ts'
import type { WatcherPlan } from '../../../../shared/domain/watcher.ts'
import { type CoverageChoices, type InstanceFate, instanceFate } from '../../../../shared/domain/watcher-coverage.ts'
import { moveOf, novaMovesLive, vmStateOf } from '../../../../shared/domain/watcher-moves.ts'
import { labelOf } from '../../../../shared/words/steps/coded.ts'
import { cloudOf, isOverridden, type MaintenanceContext } from '../../node-input.ts'
import type { ClassifiedInstance, ComputeHost } from '../compute/classify-instances.ts'
import { type EvacuationAnswer, evacuate } from '../compute/evacuation.ts'

/** An instance stays by the operator's options, or because the operator overrode its blocker. */
type WhyStaying = Extract<InstanceFate, { kind: 'stays' }>['why'] | 'Forced'

/** The instances left after Watcher's plan: some should be gone, others stay by the operator's choice. */
interface LeftOnHost {
  readonly left: readonly ClassifiedInstance[]
  readonly staying: readonly (ClassifiedInstance & { readonly why: WhyStaying })[]
}

/** Sorts leftovers by the operator's options and Nova's states, never by Watcher's reports. */
export function leftOnHost(host: ComputeHost, choices: CoverageChoices, ctx: MaintenanceContext): LeftOnHost {
  const forced = isOverridden(ctx, 'force') ? forcedToStay(ctx) : null
  const left: ClassifiedInstance[] = []
  const staying: (ClassifiedInstance & { readonly why: WhyStaying })[] = []
  for (const found of host.instances) {
    const fate = instanceFate(found.instance, null, choices)
    if (fate.kind === 'stays') staying.push({ ...found, why: fate.why })
    else if (forced !== null && (forced.has(found.instance.id) || isImmovable(found.instance)))
      staying.push({ ...found, why: 'Forced' })
    else left.push(found)
  }
  return { left, staying }
}

function isImmovable(instance: Instance): boolean {
  return !novaMovesLive(instance) && vmStateOf(instance) !== 'stopped'
}

function forcedToStay(ctx: MaintenanceContext): ReadonlySet<string> {
  const stay = ctx.history().findLast(({ fact }) => fact === WATCHER_PLAN_STARTED)?.values.forcedToStay
  return new Set(Array.isArray(stay) ? stay.filter(id => typeof id === 'string') : [])
}

/** The operator answered the last question about leftovers with a move through Nova. */
export function isNovaAgreed(ctx: Pick<MaintenanceContext, 'history'>): boolean {
  const last = ctx.history().findLast(({ fact }) => fact === OPERATOR_ANSWERED || fact === WATCHER_LEFT)
  return last?.fact === OPERATOR_ANSWERED
}

/** Moves as strategy `nova` does: each attempt is announced, followed and counted. */
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

/** At most this many leftover instances are read in Nova, one request each. */
const MOST_ASKED = 50

/** The leftovers with Watcher's reports of their actions and Nova's records of their last migrations. */
export async function whyLeft(left: readonly ClassifiedInstance[], plan: WatcherPlan, ctx: MaintenanceContext) {
  const first = left.slice(0, MOST_ASKED).map(async ({ instance }) => {
    const action = plan.actions.find(({ resourceId, kind }) => resourceId === instance.id && moveOf({ kind }) !== null)
    return {
      instance: labelOf(instance),
      status: instance.status,
      action: action === undefined ? null : { kind: action.kind, state: action.state, cause: action.statusMessage },
      migration: action?.state === 'FAILED' ? await lastMigration(instance, ctx) : null,
    }
  })
  return { items: await Promise.all(first), total: left.length }
}

async function lastMigration({ id }: Instance, ctx: MaintenanceContext) {
  const records = await cloudOf(ctx).migrations({ instanceId: id }, ctx.signal)
  const last = records.ok ? records.value.toSorted((a, b) => b.id - a.id)[0] : undefined
  return last === undefined ? null : { to: last.destHost, status: last.status }
}
