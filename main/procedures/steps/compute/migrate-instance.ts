import { assertNever } from '../../../../shared/domain/must.ts'
import type { Instance } from '../../../../shared/domain/openstack.ts'
import { INSTANCE_SETTLED, MIGRATION_PROGRESS, MIGRATION_STALLED } from '../../../../shared/domain/run-facts.ts'
import { cloudOf, type MaintenanceContext } from '../../node-input.ts'
import { instanceSubject, leavesNow } from './classify-instances.ts'
import { migrateCold, resumeColdMigration } from './cold-migration.ts'
import { type PendingRequest, pendingRequest } from './evacuation-facts.ts'
import {
  arrival,
  cannotLook,
  cannotTellWhere,
  contradictionWords,
  contradicts,
  failedAttempt,
  type MoveAnswer,
  type MoveSource,
  ofUnknownAge,
  RECORD_GRACE_MS,
  recordsAfter,
  requestMove,
  type SeenBefore,
  watchMove,
} from './move-attempt.ts'
import { resumeStop, stopInPlace } from './stop-in-place.ts'

/**
 * Takes one instance off its host, or stops it there, as its policy says, by one request that is followed to its end. It looks at the world first, so that after an interruption a
 * migration that an earlier process asked for is followed, never asked for twice (domain.md E.8: arrived = other host and its old status).
 */
export async function moveInstance(id: string, source: MoveSource, ctx: MaintenanceContext): Promise<MoveAnswer> {
  const subject = instanceSubject(id)
  // First its records, then the instance: of two that contradict each other the instance is the newer one.
  const before = await source.watch.recordsOf(id)
  if (!before.ok) return cannotLook(before.failure, ctx)
  const read = await ctx.outlast(subject, () => cloudOf(ctx).getInstance(id, ctx.signal))
  if (ctx.signal.aborted) return { kind: 'stopped' }
  if (!read.ok) {
    if (read.failure.code !== 'not-found') return { kind: 'hopeless', failure: read.failure }
    ctx.report(INSTANCE_SETTLED, subject, { name: id, why: 'it no longer exists' })
    return { kind: 'settled' }
  }
  const instance = read.value
  const pending = pendingRequest(ctx.history(), subject)
  const resumed = pending === null ? null : await resume(instance, pending, source, ctx)
  if (resumed !== null) return resumed
  if (pending?.how === 'live' && (isMigrating(instance) || instance.host !== source.host)) {
    return follow(ofUnknownAge(instance), pending.attempt, source, ctx)
  }
  if (instance.host !== source.host) {
    ctx.report(INSTANCE_SETTLED, subject, { name: instance.name, why: `it runs on ${instance.host ?? 'no host'} now` })
    return { kind: 'settled' }
  }
  if (isMigrating(instance)) return follow(ofUnknownAge(instance), 0, source, ctx)
  const policy = source.policyOf(instance)
  if (!leavesNow(policy)) {
    if (policy.action === 'blocked') return { kind: 'again', why: policy.reason }
    ctx.report(INSTANCE_SETTLED, subject, { name: instance.name, why: policy.reason })
    return { kind: 'settled' }
  }
  const seen = { instance, justNow: pending === null }
  if (policy.action === 'stop') {
    return stopInPlace(seen, pending?.how === 'stop' ? pending : null, source, ctx)
  }
  if (policy.action === 'cold_migrate') {
    return migrateCold(seen, pending?.how === 'cold' ? pending : null, source, ctx)
  }
  if (pending?.how === 'live') {
    const records = await recordsAfter(id, pending.knownMigrationId, ctx)
    if (!records.ok) return cannotLook(records.failure, ctx)
    // It arrived: how it ended, or that it cannot be told, shows in following it.
    if (records.value.length > 0) return follow(ofUnknownAge(instance), pending.attempt, source, ctx)
  }
  return request(seen, pending?.how === 'live' ? pending : null, source, ctx)
}

/** What an earlier process announced other than a live migration, found again in the world; null when there is nothing of it. */
async function resume(
  instance: Instance,
  pending: PendingRequest,
  source: MoveSource,
  ctx: MaintenanceContext,
): Promise<MoveAnswer | null> {
  switch (pending.how) {
    case 'live':
      return null
    case 'cold':
      return resumeColdMigration(instance, pending, source, ctx)
    case 'stop':
      return resumeStop(instance, pending, ctx)
    default:
      return assertNever(pending.how, 'way of moving')
  }
}

async function request(
  seen: SeenBefore,
  pending: { readonly attempt: number } | null,
  source: MoveSource,
  ctx: MaintenanceContext,
): Promise<MoveAnswer> {
  return requestMove(
    seen,
    pending,
    {
      announced: {},
      // Not the run's signal: a request that was announced is sent to its end, or the journal would not know whether it was.
      send: () => cloudOf(ctx).liveMigrate(seen.instance.id, source.to),
      isMoving: isMigrating,
      follow: (asked, attempt) => follow(asked, attempt, source, ctx),
    },
    source,
    ctx,
  )
}

function isMigrating({ taskState, status }: Instance): boolean {
  return taskState === 'migrating' || status === 'MIGRATING'
}

/** How long memory left may stand still before the operator is told. */
const STALL_MS = 60_000

/** How far apart a migration's progress is asked for: most are over before the first time, and what takes long is asked for less often. */
function progressEveryMs(elapsedMs: number): number {
  return Math.min(15_000, Math.max(3_000, elapsedMs * 0.1))
}

async function follow(
  instance: Instance,
  attempt: number,
  source: MoveSource,
  ctx: MaintenanceContext,
): Promise<MoveAnswer> {
  const { clock } = ctx
  const watch = watchMove(instance, source, ctx)
  const progress = createProgressReporter(instance, ctx)
  let settledSince: number | null = null
  while (!ctx.signal.aborted) {
    const look = await watch.look()
    if (ctx.signal.aborted) break
    if (look.kind === 'over') return look.answer
    if (look.kind === 'unseen') continue
    const { now } = look
    if (now.taskState !== null || now.status === 'MIGRATING') {
      settledSince = null
      await progress(watch.elapsedMs())
      continue
    }
    const arrived = arrival(now, attempt, source, ctx)
    if (arrived !== null) return arrived
    settledSince ??= clock.monotonicMs()
    const last = look.records[0]
    // Of a record and an instance that contradict each other one may be of the past: the next look may tell.
    const isOver = last !== undefined && OVER.has(last.status) && !contradicts(last, now)
    if (isOver) return failedAttempt(now, attempt, last, source, ctx)
    if (clock.monotonicMs() - settledSince > RECORD_GRACE_MS) {
      return cannotTellWhere(now, { instance, attempt }, contradictionWords(now, last), ctx)
    }
  }
  return { kind: 'stopped' }
}

/** How a record of a live migration ends. */
const OVER: ReadonlySet<string> = new Set(['failed', 'error', 'cancelled', 'completed', 'done'])

/** Journals where a migration stands every few seconds, and says when it stands still (domain.md E.6). */
function createProgressReporter(instance: Instance, ctx: MaintenanceContext): (elapsedMs: number) => Promise<void> {
  const subject = instanceSubject(instance.id)
  let reportedAt = 0
  let least = Number.POSITIVE_INFINITY
  let leastAt = 0
  let stallTold = false
  return async elapsedMs => {
    if (elapsedMs - reportedAt < progressEveryMs(elapsedMs)) return
    reportedAt = elapsedMs
    const running = await cloudOf(ctx).runningMigration(instance.id, ctx.signal)
    if (!running.ok || running.value === null) return
    const { status, progress } = running.value
    ctx.report(MIGRATION_PROGRESS, subject, {
      name: instance.name,
      migrationStatus: status,
      memoryTotal: progress?.memoryTotal ?? null,
      memoryRemaining: progress?.memoryRemaining ?? null,
    })
    if (progress === null || progress.memoryTotal === 0) return
    if (progress.memoryRemaining < least) {
      least = progress.memoryRemaining
      leastAt = elapsedMs
      stallTold = false
    } else if (elapsedMs - leastAt > STALL_MS && !stallTold) {
      stallTold = true
      ctx.report(MIGRATION_STALLED, subject, {
        name: instance.name,
        migrationId: running.value.id,
        memoryRemaining: progress.memoryRemaining,
        remedy: 'Abort it or force it to complete with the openstack client; the run follows what you do.',
      })
    }
  }
}
