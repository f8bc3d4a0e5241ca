import type { Failure } from '../../../../shared/domain/failure.ts'
import type { Instance, Migration } from '../../../../shared/domain/openstack.ts'
import { ok, type Result } from '../../../../shared/domain/result.ts'
import {
  INSTANCE_MOVED,
  INSTANCE_SETTLED,
  MIGRATION_FAILED,
  MIGRATION_REQUESTED,
} from '../../../../shared/domain/run-facts.ts'
import { found } from '../../../../shared/words/step-texts.ts'
import type { Finding } from '../../../../shared/words/steps/coded.ts'
import { isPassing } from '../../../runs/engine/transient-retry.ts'
import { cloudOf, type MaintenanceContext } from '../../node-input.ts'
import { instanceSubject } from './classify-instances.ts'
import { attemptsMade, lastUnseen, type PendingRequest } from './evacuation-facts.ts'
import type { MoveAnswer, MoveSource } from './move-source.ts'
import { sendAttempt } from './send-attempt.ts'
import { cannotLook, type MoveLook, readInstance } from './watch-move.ts'
import { type Why, whyReported } from './why.ts'

/** How long a final migration record may be missing after an instance stopped migrating. */
export const RECORD_GRACE_MS = 30_000

/** Delays a move of two seconds or more by at most about 5 %, and by at most 5 s. */
export function pollIntervalMs(elapsedMs: number): number {
  if (elapsedMs < 500) return 250
  return Math.min(5_000, Math.max(100, elapsedMs * 0.05))
}

function announceMove(
  instance: Instance,
  /** An earlier process announced it and its request never reached Nova: the same attempt, not another one. */
  pending: Pick<PendingRequest, 'attempt'> | null,
  way: { readonly how?: 'cold' },
  source: MoveSource,
  ctx: MaintenanceContext,
): number {
  const subject = instanceSubject(instance.id)
  const attempt = pending?.attempt ?? attemptsMade(ctx.history(), subject) + 1
  ctx.announce(MIGRATION_REQUESTED, subject, {
    name: instance.name,
    ...way,
    attempt,
    source: source.host,
    ...(source.to === null ? {} : { to: source.to }),
    statusBefore: instance.status,
    knownMigrationId: source.knownMigrationIds.get(instance.id) ?? 0,
    // Later estimates relate the duration to its memory.
    ramMib: instance.flavor?.ramMib ?? null,
    ...(pending === null ? {} : { again: true }),
  })
  return attempt
}

/** No further attempt can succeed: a rule forbids it, or Nova refuses the credentials. */
export function isHopeless({ code }: Failure): boolean {
  return code === 'not-permitted' || code === 'unauthenticated'
}

/** Announces one move and follows it to its end. `pending`: announced earlier, never sent; `isMoving`: how Nova shows such a move. */
export async function requestMove(
  before: SeenBefore,
  pending: Pick<PendingRequest, 'attempt'> | null,
  way: {
    readonly announced: { readonly how?: 'cold' }
    readonly send: () => Promise<Result<void>>
    readonly isMoving: (now: Instance) => boolean
    /** `asked` is the instance as read before the request. */
    readonly follow: (asked: Instance, attempt: number) => Promise<MoveAnswer>
  },
  source: MoveSource,
  ctx: MaintenanceContext,
): Promise<MoveAnswer> {
  const unfit = await lookBeforeAsking(before, source, ctx)
  if (unfit.kind !== 'fit') return unfit
  const { instance } = unfit
  let attempt = pending?.attempt ?? 0
  const asked = await sendAttempt(
    instance,
    {
      announce: again => {
        attempt = announceMove(instance, again ? { attempt } : pending, way.announced, source, ctx)
      },
      send: way.send,
      hasArrived: () => hasBegun(instance, way.isMoving, source, ctx),
    },
    ctx,
  )
  if (asked.ok) return way.follow(instance, attempt)
  const begun = isHopeless(asked.failure) ? null : await hasBegun(instance, way.isMoving, source, ctx)
  if (begun?.ok && begun.value) return way.follow(instance, attempt)
  return refusedAttempt(instance, attempt, asked.failure, ctx)
}

/** `justNow`: read after its migration records, with no change since. */
export interface SeenBefore {
  readonly instance: Instance
  readonly justNow: boolean
}

/** Reads immediately before a request: Nova would move an instance off any host, so only one on this step's host may be requested. */
export async function lookBeforeAsking(
  { instance: before, justNow }: SeenBefore,
  source: MoveSource,
  ctx: MaintenanceContext,
): Promise<MoveAnswer | { readonly kind: 'fit'; readonly instance: Instance }> {
  const records = await source.watch.recordsOf(before.id)
  if (!records.ok) return cannotLook(records.failure, ctx)
  const look: MoveLook = justNow ? { kind: 'seen', now: before } : await readInstance(before, ctx)
  if (look.kind === 'over') return look.answer
  if (look.kind === 'unseen') return { kind: 'stopped' }
  const { now } = look
  if (now.host !== source.host) {
    return settled(now, found('RunsNow', { host: now.host }), 'elsewhere', ctx)
  }
  const last = records.value[0]
  if (last !== undefined && contradicts(last, now) && !isChangedSince(last, now)) {
    return cannotTellWhere(now, null, contradictionOf(now, last), ctx)
  }
  const unseenSince = lastUnseen(ctx.history(), instanceSubject(now.id))
  if (unseenSince !== null && now.updatedAt !== null && now.updatedAt <= unseenSince) {
    return cannotTellWhere(now, null, found('StillAsBefore', { changedAt: now.updatedAt }), ctx)
  }
  return { kind: 'fit', instance: now }
}

/** Record and instance name different hosts: one is outdated, or Nova lost track (docs/domain.md E.8). */
export function contradicts(record: Migration, now: Instance): boolean {
  const { status, destHost } = record
  return now.status !== 'ERROR' && WENT.has(status) && destHost !== null && destHost !== now.host
}

/** An instance that changed after the record ended may be back, as by an unshelve. */
function isChangedSince({ updatedAt }: Migration, now: Instance): boolean {
  return updatedAt !== null && now.updatedAt !== null && now.updatedAt > updatedAt
}

/** Statuses of moves that succeeded; an evacuation ends as `done`, a cold migration as `confirmed`. */
const WENT: ReadonlySet<string> = new Set(['completed', 'done', 'confirmed'])

/** The finding for an instance that did not go where it was requested. */
export function contradictionOf({ status, host }: Instance, record: Migration | undefined): Finding {
  return record === undefined
    ? found('NoRecordTells', { status, host })
    : found('RecordContradicts', { status, host, to: record.destHost, record: record.status })
}

/** Nova does not show where an instance is, so the operator decides. `asked`: as read before an accepted request, to see whether it took effect. */
export function cannotTellWhere(
  now: Instance,
  asked: { readonly instance: Instance; readonly attempt: number } | null,
  why: Finding,
  ctx: MaintenanceContext,
): MoveAnswer {
  const before = asked?.instance.updatedAt ?? null
  const isUnseen = before !== null && now.updatedAt !== null && now.updatedAt <= before
  const placeUnknown = found('PlaceNotKnown', { id: now.id, why })
  ctx.report(MIGRATION_FAILED, instanceSubject(now.id), {
    name: now.name,
    attempt: asked?.attempt ?? attemptsMade(ctx.history(), instanceSubject(now.id)),
    ...whyReported(placeUnknown),
    isUnknown: true,
    ...(isUnseen ? { unseenSince: before } : {}),
  })
  return { kind: 'in-vain', why: placeUnknown }
}

/** Read before or after a request of an earlier process, or of another client: nobody knows. */
export function ofUnknownAge(instance: Instance): Instance {
  return { ...instance, updatedAt: null }
}

/** Nova shows the requested move: in progress, arrived elsewhere, or on record. */
async function hasBegun(
  instance: Instance,
  isMoving: (now: Instance) => boolean,
  source: MoveSource,
  ctx: MaintenanceContext,
): Promise<Result<boolean>> {
  const [now, records] = await Promise.all([
    cloudOf(ctx).getInstance(instance.id),
    cloudOf(ctx).migrations({ instanceId: instance.id }),
  ])
  // Deleted meanwhile: following it shows that.
  if (!now.ok) return now.failure.code === 'not-found' ? ok(true) : now
  if (!records.ok) return records
  const known = source.knownMigrationIds.get(instance.id) ?? 0
  return ok(isMoving(now.value) || now.value.host !== source.host || records.value.some(({ id }) => id > known))
}

/** Journals that an instance runs on another host, the named one if any; null if it does not. */
export function arrival(
  now: Instance,
  attempt: number,
  source: MoveSource,
  ctx: MaintenanceContext,
): MoveAnswer | null {
  if (now.host === null || now.host === source.host || now.status === 'ERROR') return null
  if (source.to !== null && now.host !== source.to) {
    return settled(now, found('RunsElsewhere', { host: now.host, to: source.to }), 'elsewhere', ctx)
  }
  ctx.report(INSTANCE_MOVED, instanceSubject(now.id), {
    name: now.name,
    from: source.host,
    to: now.host,
    status: now.status,
    powerState: now.powerState,
    attempt,
  })
  return { kind: 'moved' }
}

/** Journals that a migration failed, by Nova's record. */
export function failedAttempt(
  instance: Instance,
  attempt: number,
  record: Migration,
  source: MoveSource,
  ctx: MaintenanceContext,
): MoveAnswer {
  source.knownMigrationIds.set(instance.id, record.id)
  const code = instance.status === 'ERROR' ? 'MigrationEndedInError' : 'MigrationEnded'
  return tryAgain(instance, attempt, found(code, endOf(record)), ctx)
}

export function endOf({ destHost, status }: Pick<Migration, 'destHost' | 'status'>) {
  return { to: destHost, status }
}

/** Journals that an instance needs nothing more, and why. */
export function settled(
  { id, name }: Pick<Instance, 'id' | 'name'>,
  why: Finding,
  became: 'deleted' | 'elsewhere' | null,
  ctx: MaintenanceContext,
): MoveAnswer {
  ctx.report(INSTANCE_SETTLED, instanceSubject(id), {
    name,
    ...whyReported(why),
    ...(became === null ? {} : { became }),
  })
  return { kind: 'settled' }
}

/** A refusal is permanent, useless to repeat, or open to another attempt. */
export function refusedAttempt(
  instance: Pick<Instance, 'id' | 'name'>,
  attempt: number,
  failure: Failure,
  ctx: MaintenanceContext,
): MoveAnswer {
  // The next console to drive the run continues the announced request.
  if (ctx.signal.aborted && (isPassing(failure) || failure.code === 'aborted')) return { kind: 'stopped' }
  if (isHopeless(failure)) return { kind: 'hopeless', failure }
  const why = found('RequestRefused', { failure: failure.code, cause: failure.message })
  tryAgain(instance, attempt, why, ctx)
  return { kind: isPassing(failure) ? 'in-vain' : 'again', why }
}

export function tryAgain(
  instance: Pick<Instance, 'id' | 'name'>,
  attempt: number,
  why: Why,
  ctx: MaintenanceContext,
): MoveAnswer {
  ctx.report(MIGRATION_FAILED, instanceSubject(instance.id), { name: instance.name, attempt, ...whyReported(why) })
  return { kind: 'again', why }
}

/** Newer than the known record, newest first. Unreadable records are a failure, not an empty list. */
export async function recordsAfter(
  id: string,
  knownId: number,
  ctx: MaintenanceContext,
): Promise<Result<readonly Migration[]>> {
  const records = await ctx.retryTransient(`migrations of ${instanceSubject(id)}`, () =>
    cloudOf(ctx).migrations({ instanceId: id }, ctx.signal),
  )
  return records.ok ? ok(records.value.filter(record => record.id > knownId).sort((a, b) => b.id - a.id)) : records
}
