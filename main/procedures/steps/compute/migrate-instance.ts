import { assertNever } from '../../../../shared/domain/must.ts'
import type { Instance, Migration } from '../../../../shared/domain/openstack.ts'
import { found } from '../../../../shared/words/step-texts.ts'
import type { Finding } from '../../../../shared/words/steps/coded.ts'
import { cloudOf, type MaintenanceContext } from '../../node-input.ts'
import { instanceSubject, leavesNow } from './classify-instances.ts'
import { migrateCold, resumeColdMigration } from './cold-migration.ts'
import { decidedPolicy, decisionAbout, type PendingRequest, pendingRequest } from './evacuation-facts.ts'
import {
  arrival,
  cannotTellWhere,
  contradictionOf,
  contradicts,
  endOf,
  failedAttempt,
  ofUnknownAge,
  RECORD_GRACE_MS,
  recordsAfter,
  requestMove,
  type SeenBefore,
  settled,
  tryAgain,
} from './move-attempt.ts'
import type { MoveAnswer, MoveSource } from './move-source.ts'
import { resumeStop, stopInPlace } from './stop-in-place.ts'
import { createStuckWatch } from './stuck-migration.ts'
import { cannotLook, watchMove } from './watch-move.ts'

/**
 * Moves or stops one instance by its policy. Reads first, so that it follows an earlier process's request and never repeats it (docs/domain.md E.8).
 */
export async function moveInstance(id: string, source: MoveSource, ctx: MaintenanceContext): Promise<MoveAnswer> {
  const subject = instanceSubject(id)
  // Records first, then the instance: if they contradict, the instance is newer.
  const before = await source.watch.recordsOf(id)
  if (!before.ok) return cannotLook(before.failure, ctx)
  const read = await ctx.retryTransient(subject, () => cloudOf(ctx).getInstance(id, ctx.signal))
  if (ctx.signal.aborted) return { kind: 'stopped' }
  if (!read.ok) {
    if (read.failure.code !== 'not-found') return { kind: 'hopeless', failure: read.failure }
    return settled({ id, name: id }, found('NoLongerExists'), 'deleted', ctx)
  }
  const instance = read.value
  const pending = pendingRequest(ctx.history(), subject)
  const resumed = pending === null ? null : await resume(instance, pending, source, ctx)
  if (resumed !== null) return resumed
  if (pending?.how === 'live' && (isMigrating(instance) || instance.host !== source.host)) {
    return follow(ofUnknownAge(instance), pending.attempt, source, ctx)
  }
  if (instance.host !== source.host)
    return settled(instance, found('RunsNow', { host: instance.host }), 'elsewhere', ctx)
  if (isMigrating(instance)) return follow(ofUnknownAge(instance), 0, source, ctx)
  const decided = decidedPolicy(decisionAbout(ctx.history(), subject))
  const usual = source.policyOf(instance)
  const policy = decided ?? usual
  if (!leavesNow(policy)) {
    const why = found('ByPolicy', { policy: decided === null ? usual.code : null, reason: policy.reason })
    return policy.action === 'blocked' ? { kind: 'again', why } : settled(instance, why, null, ctx)
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
    // It arrived: following it shows how it ended, or that this is unknown.
    if (records.value.length > 0) return follow(ofUnknownAge(instance), pending.attempt, source, ctx)
  }
  return request(seen, pending?.how === 'live' ? pending : null, source, ctx)
}

/** Resumes what an earlier process announced, other than a live migration; null if Nova shows no trace. */
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
      // Not the run's signal: an announced request is sent to its end, otherwise the journal would not know whether it was sent.
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

async function follow(
  instance: Instance,
  attempt: number,
  source: MoveSource,
  ctx: MaintenanceContext,
): Promise<MoveAnswer> {
  const { clock } = ctx
  const watch = watchMove(instance, source, ctx)
  const lookAfter = createStuckWatch(instance, source.host, ctx, attempt > 0)
  let settledSince: number | null = null
  let overSince: number | null = null
  while (!ctx.signal.aborted) {
    const look = await watch.look()
    if (ctx.signal.aborted) break
    if (look.kind === 'over') return look.answer
    if (look.kind === 'unseen') continue
    const { now } = look
    if (now.taskState !== null || now.status === 'MIGRATING') {
      settledSince = null
      const record = look.records[0] ?? null
      if (record !== null && OVER.has(record.status)) {
        // Nova writes the two in turn: only a lasting contradiction is an error.
        overSince ??= clock.monotonicMs()
        if (clock.monotonicMs() - overSince <= RECORD_GRACE_MS) continue
        return isMigrating(now)
          ? cannotTellWhere(now, { instance, attempt }, lostMigration(now, record), ctx)
          : tryAgain(now, attempt, found('MigrationEndedInTask', { ...endOf(record), task: now.taskState }), ctx)
      }
      overSince = null
      if (isMigrating(now)) {
        await lookAfter({ now, record, behind: look.behind, elapsedMs: watch.elapsedMs() })
      }
      continue
    }
    overSince = null
    const arrived = arrival(now, attempt, source, ctx)
    if (arrived?.kind === 'moved' && attempt > 0) source.watch.took(watch.took())
    if (arrived !== null) return arrived
    settledSince ??= clock.monotonicMs()
    const last = look.records[0]
    // If record and instance contradict, one may be outdated: the next read may show it.
    const hasEnded = last !== undefined && OVER.has(last.status) && !contradicts(last, now)
    if (hasEnded) return asDecided(now, ctx) ?? failedAttempt(now, attempt, last, source, ctx)
    if (clock.monotonicMs() - settledSince > RECORD_GRACE_MS) {
      return cannotTellWhere(now, { instance, attempt }, contradictionOf(now, last), ctx)
    }
  }
  return { kind: 'stopped' }
}

const OVER: ReadonlySet<string> = new Set(['failed', 'error', 'cancelled', 'completed', 'done'])

function lostMigration({ taskState, status, host }: Instance, record: Migration): Finding {
  return found('MigrationLost', { ...endOf(record), state: taskState ?? status, host })
}

/** Settles an instance whose migration was cancelled so that it stays; null if it still has to move. */
function asDecided(now: Instance, ctx: MaintenanceContext): MoveAnswer | null {
  const policy = decidedPolicy(decisionAbout(ctx.history(), instanceSubject(now.id)))
  if (policy?.action !== 'ignore') return null
  return settled(now, found('ByPolicy', { policy: null, reason: policy.reason }), null, ctx)
}
