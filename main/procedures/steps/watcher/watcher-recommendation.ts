import { nodeLease } from '../../../../shared/domain/lease-name.ts'
import type { RunOptions } from '../../../../shared/domain/plan.ts'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import type { WatcherPlan } from '../../../../shared/domain/watcher.ts'
import { fault, found } from '../../../../shared/words/step-texts.ts'
import type { Finding } from '../../../../shared/words/steps/coded.ts'
import type { WatcherPort } from '../../../ports/watcher.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import { refusal } from '../../answers.ts'
import { watcherOf } from './watcher-look.ts'

/** Goal and strategy that empty a host (docs/domain.md B.2). */
const MAINTENANCE_AUDIT = { goal: 'cluster_maintaining', strategy: 'host_maintenance' } as const

const AUDIT_PREFIX = 'lockkeeper-'

/** Watcher's limit for an audit name. */
const MOST_LETTERS = 63

/** Watcher's recommendation for a host, with warnings about how it was requested. */
export interface MaintenanceRecommendation {
  readonly plan: WatcherPlan
  /** Our older recommendations for this host, by plan uuid. */
  readonly cancelled: readonly string[]
  /** Older recommendations that could not be cancelled. */
  readonly warnings: readonly Finding[]
}

export interface RecommendationRequest {
  /** While a run holds this node's Lease, older recommendations may be that run's, and stay. */
  readonly node: string
  readonly host: string
  readonly options: Pick<RunOptions, 'disableMigration' | 'backupNode'>
  /** Makes the audit's name unique, such as the id of the plan. */
  readonly name: string
}

/** Asks Watcher how it would empty a host; writes only Watcher's own records. Options that it does not know are `bad-input` before any request. */
export async function recommendMaintenance(
  world: Pick<MaintenanceWorld, 'watcher' | 'kubernetes'>,
  request: RecommendationRequest,
  signal?: AbortSignal,
): Promise<Result<MaintenanceRecommendation>> {
  const asked = watcherOf({ world })
  if (!asked.ok) return asked
  const watcher = asked.value
  const about = await watcher.about(signal)
  if (!about.ok) return about
  const parameters = maintenanceParameters(request)
  const unknown = Object.keys(parameters).filter(name => !about.value.maintenanceParameters.includes(name))
  if (unknown.length > 0) return failed(notKnown(unknown, about.value.version))
  const older = await cancelOlder(world, watcher, request, signal)
  const plan = await watcher.recommend({ ...MAINTENANCE_AUDIT, parameters, name: auditName(request) }, signal)
  return plan.ok ? ok({ plan: plan.value, ...older }) : plan
}

/** Only chosen options: an older Watcher refuses unknown parameters, even with default values. */
export function maintenanceParameters({
  host,
  options,
}: Pick<RecommendationRequest, 'host' | 'options'>): Readonly<Record<string, boolean | string>> {
  const { backupNode, disableMigration } = options
  return {
    maintenance_node: host,
    ...(backupNode === null ? {} : { backup_node: backupNode }),
    ...(disableMigration === 'live' || disableMigration === 'both' ? { disable_live_migration: true } : {}),
    ...(disableMigration === 'cold' || disableMigration === 'both' ? { disable_cold_migration: true } : {}),
  }
}

/** Such as `lockkeeper-cmp-1-1a2b3c4d`. */
export function auditName({ host, name }: Pick<RecommendationRequest, 'host' | 'name'>): string {
  const end = `-${name.replaceAll(/[^A-Za-z0-9]/g, '').slice(-12)}`
  return `${AUDIT_PREFIX}${host}`.slice(0, MOST_LETTERS - end.length) + end
}

function notKnown(parameters: readonly string[], version: string) {
  return refusal('bad-input', fault('WatcherParametersUnknown', { version, parameters }), { target: 'watcher' })
}

async function cancelOlder(
  world: Pick<MaintenanceWorld, 'kubernetes'>,
  watcher: WatcherPort,
  { node, host }: RecommendationRequest,
  signal?: AbortSignal,
): Promise<Pick<MaintenanceRecommendation, 'cancelled' | 'warnings'>> {
  const waiting = await watcher.recommended(signal)
  if (!waiting.ok) {
    return { cancelled: [], warnings: [found('OlderPlansNotRead', { cause: waiting.failure.message })] }
  }
  const ours = waiting.value.filter(
    ({ auditName, parameters }) => auditName.startsWith(AUDIT_PREFIX) && parameters.maintenance_node === host,
  )
  // Read directly: a list without the Lease proves nothing, and a run may hold it.
  const holder = ours.length === 0 ? null : await world.kubernetes.leases.holder(nodeLease(node), signal)
  if (holder?.ok !== true || holder.value !== null) return { cancelled: [], warnings: [] }
  const cancelled: string[] = []
  const warnings: Finding[] = []
  for (const { planUuid } of ours) {
    const answer = await watcher.cancelRecommended(planUuid, signal)
    if (answer.ok) cancelled.push(planUuid)
    // Started or cancelled meanwhile: it no longer is a recommendation.
    else if (answer.failure.code !== 'conflict' && answer.failure.code !== 'not-found')
      warnings.push(found('OlderPlanNotCancelled', { plan: planUuid, cause: answer.failure.message }))
  }
  return { cancelled, warnings }
}
