import type { ChosenPolicy } from '../../../../shared/domain/chosen-policy.ts'
import { seconds } from '../../../../shared/domain/durations.ts'
import { type Failure, failure } from '../../../../shared/domain/failure.ts'
import { UNDER_WAY } from '../../../../shared/domain/migration-under-way.ts'
import type { Instance, Migration } from '../../../../shared/domain/openstack.ts'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import {
  INSTANCE_MOVED,
  INSTANCE_SETTLED,
  MIGRATION_FAILED,
  MIGRATION_REQUESTED,
} from '../../../../shared/domain/run-facts.ts'
import { isPassing } from '../../../runs/engine/outlast.ts'
import { cloudOf, type MaintenanceContext } from '../../node-input.ts'
import { instanceSubject } from './classify-instances.ts'
import { attemptsMade, lastUnseen, type PendingRequest } from './evacuation-facts.ts'
import type { HostWatch } from './host-watch.ts'

/** What one attempt to move an instance, or to stop it, came to. */
export type MoveAnswer =
  | { readonly kind: 'moved' }
  /** It needs nothing any more: gone, moved by somebody else, stopped, or decided otherwise by its owner. */
  | { readonly kind: 'settled' }
  /** This attempt failed; another may be made. */
  | { readonly kind: 'again'; readonly why: string }
  /** The reason may pass by itself, and was waited out in vain: another attempt at once would be one more in vain. */
  | { readonly kind: 'in-vain'; readonly why: string }
  /** No attempt can succeed: a rule forbids it, or the world cannot be asked. */
  | { readonly kind: 'hopeless'; readonly failure: Failure }
  | { readonly kind: 'stopped' }

/** Where an instance is moved from and to, what is to be done to it, and what was known of its migrations when the step began. */
export interface MoveSource {
  readonly host: string
  /** Where it has to go; null: Nova's scheduler chooses. */
  readonly to: string | null
  /** What is to be done to an instance as it is now. */
  readonly policyOf: (now: Instance) => MovePolicy
  /** The highest migration id seen so far, by instance: what tells a request that arrived from one that never did. */
  readonly knownMigrationIds: Map<string, number>
  /** The looks at the host, which all who follow an instance of it share. */
  readonly watch: HostWatch
}

/** What is to be done to one instance, and why. */
export type MovePolicy = Pick<ChosenPolicy, 'action' | 'code' | 'reason'>

/** How long a server that left the migrating state on its old host may go without a final migration record. */
export const RECORD_GRACE_MS = 30_000

/** How far apart looks at a host may be for one instance: its end is seen late by some 5 % of what it took, never by more than 2.5 s. */
function lookEveryMs(elapsedMs: number): number {
  return Math.min(2_500, Math.max(500, elapsedMs * 0.05))
}

/** Often enough that waiting adds at most some 5 % to what takes two seconds or more, never rarer than every 5 s; at first nothing has ended. */
export function pollIntervalMs(elapsedMs: number): number {
  if (elapsedMs < 500) return 250
  return Math.min(5_000, Math.max(100, elapsedMs * 0.05))
}

/** Announces one attempt to move an instance; the number of the attempt. */
function announceMove(
  instance: Instance,
  /** The announcement of an earlier process whose request never reached Nova: the same attempt, not another one. */
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
    // The time it takes is later measured against this.
    ramMib: instance.flavor?.ramMib ?? null,
    ...(pending === null ? {} : { again: true }),
  })
  return attempt
}

/** Whether no further attempt can succeed: a rule forbids it, or the credentials are refused. */
export function isHopeless({ code }: Failure): boolean {
  return code === 'not-permitted' || code === 'unauthenticated'
}

/** How far apart the two looks are that have to show nothing of a request before it is sent again. */
export const LOOKS_APART_MS = seconds(5)

const STOPPED = failure('aborted', 'The run stopped before the request was sent again.')

/**
 * Sends an announced request to Nova, again while it is refused or lost in a way that may pass by itself; before each repetition the world is
 * looked at twice, because a request that was answered with nothing may have arrived. It stays one attempt, however often it is sent.
 */
export async function sendAttempt(
  instance: Pick<Instance, 'id'>,
  way: {
    readonly announce: (again: boolean) => void
    readonly send: () => Promise<Result<void>>
    /** Whether the world shows that the request arrived. */
    readonly hasArrived: () => Promise<Result<boolean>>
  },
  ctx: MaintenanceContext,
): Promise<Result<void>> {
  let isSent = false
  return ctx.outlast(`request for ${instanceSubject(instance.id)}`, async () => {
    if (isSent) {
      // The services behind Nova's API may tell the past for a while: one look that shows nothing is no proof that nothing came.
      for (const waitMs of [0, LOOKS_APART_MS]) {
        await ctx.clock.sleep(waitMs, ctx.signal)
        if (ctx.signal.aborted) return failed(STOPPED)
        const arrived = await way.hasArrived()
        if (!arrived.ok) return arrived
        if (arrived.value) return ok(undefined)
      }
    }
    way.announce(isSent)
    isSent = true
    return way.send()
  })
}

/**
 * Asks Nova to move an instance to another host, by one attempt that is announced before and followed to its end. `pending` is the announcement
 * of an earlier process whose request never reached Nova; `isMoving` tells a move of this way by the instance itself.
 */
export async function requestMove(
  before: SeenBefore,
  pending: Pick<PendingRequest, 'attempt'> | null,
  way: {
    readonly announced: { readonly how?: 'cold' }
    readonly send: () => Promise<Result<void>>
    readonly isMoving: (now: Instance) => boolean
    /** `asked` is the instance as it was read before the request. */
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

/** An instance as it was read last; `justNow`: by itself, after its records, with nothing done since. */
export interface SeenBefore {
  readonly instance: Instance
  readonly justNow: boolean
}

/**
 * The look right before a request is announced. Nova moves an instance off whatever host it is on, and stops it wherever it is: its requests have no
 * precondition. So only
 * one that is seen on the host of this step is asked for, and not where what is seen of it is older than what is known.
 */
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
    const why = `it runs on ${now.host ?? 'no host'} now`
    ctx.report(INSTANCE_SETTLED, instanceSubject(now.id), { name: now.name, why, became: 'elsewhere' })
    return { kind: 'settled' }
  }
  const last = records.value[0]
  if (last !== undefined && contradicts(last, now) && !isChangedSince(last, now)) {
    return cannotTellWhere(now, null, contradictionWords(now, last), ctx)
  }
  const unseenSince = lastUnseen(ctx.history(), instanceSubject(now.id))
  if (unseenSince !== null && now.updatedAt !== null && now.updatedAt <= unseenSince) {
    const why = `Nova agreed to migrate it and still tells it as it was before (changed ${now.updatedAt})`
    return cannotTellWhere(now, null, why, ctx)
  }
  return { kind: 'fit', instance: now }
}

/**
 * Whether a record says that an instance went elsewhere than it is told to be: of the two, one is of the past, or Nova lost track (domain.md E.8).
 */
export function contradicts(record: Migration, now: Instance): boolean {
  const { status, destHost } = record
  return now.status !== 'ERROR' && WENT.has(status) && destHost !== null && destHost !== now.host
}

/** Whether an instance was changed after a record ended: then it may be back, by being unshelved for one. */
function isChangedSince({ updatedAt }: Migration, now: Instance): boolean {
  return updatedAt !== null && now.updatedAt !== null && now.updatedAt > updatedAt
}

/** How Nova's record of a migration that went through ends; `done` is that of an evacuation, `confirmed` of a cold one. */
const WENT: ReadonlySet<string> = new Set(['completed', 'done', 'confirmed'])

/** What is told of an instance that did not go where it was asked to, and of its record where Nova has one. */
export function contradictionWords(now: Instance, record: Migration | undefined): string {
  const seen = `it is ${now.status} on ${now.host ?? 'no host'}`
  if (record === undefined) return `${seen}, and no migration record of Nova tells more`
  return `inconsistent record: ${seen}, and Nova's migration record to ${record.destHost ?? 'no host'} says ${record.status}`
}

/**
 * The answers about an instance do not tell where it is: asking again might move it off a host that is not this step's, so a person is asked,
 * and told how to look. `asked` is the instance as it was read before a request that Nova agreed to: one that has not changed since knows nothing of that request.
 */
export function cannotTellWhere(
  now: Instance,
  asked: { readonly instance: Instance; readonly attempt: number } | null,
  why: string,
  ctx: MaintenanceContext,
): MoveAnswer {
  const before = asked?.instance.updatedAt ?? null
  const isUnseen = before !== null && now.updatedAt !== null && now.updatedAt <= before
  const told = `${why}. Look where it is with \`openstack server show ${now.id}\` and \`openstack server migration list --server ${now.id}\``
  ctx.report(MIGRATION_FAILED, instanceSubject(now.id), {
    name: now.name,
    attempt: asked?.attempt ?? attemptsMade(ctx.history(), instanceSubject(now.id)),
    why: told,
    isUnknown: true,
    ...(isUnseen ? { unseenSince: before } : {}),
  })
  return { kind: 'in-vain', why: told }
}

/** An instance of which it is not known whether it was read before or after a request that an earlier process, or somebody else, sent. */
export function ofUnknownAge(instance: Instance): Instance {
  return { ...instance, updatedAt: null }
}

/** Whether the move that was asked for shows in the world: it goes on, went elsewhere, or left a record. */
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
  // Deleted meanwhile: following it finds that out.
  if (!now.ok) return now.failure.code === 'not-found' ? ok(true) : now
  if (!records.ok) return records
  const known = source.knownMigrationIds.get(instance.id) ?? 0
  return ok(isMoving(now.value) || now.value.host !== source.host || records.value.some(({ id }) => id > known))
}

/** An instance looked at while it moves: as it is now, nothing told this time, or the end of following it. */
type MoveLook =
  | { readonly kind: 'seen'; readonly now: Instance }
  | { readonly kind: 'unseen' }
  | { readonly kind: 'over'; readonly answer: MoveAnswer }

/** Asks Nova for one instance that moves; one that was deleted meanwhile needs nothing any more. */
async function readInstance(instance: Pick<Instance, 'id' | 'name'>, ctx: MaintenanceContext): Promise<MoveLook> {
  const subject = instanceSubject(instance.id)
  const read = await ctx.outlast(subject, () => cloudOf(ctx).getInstance(instance.id, ctx.signal))
  if (read.ok) return { kind: 'seen', now: read.value }
  if (read.failure.code === 'not-found') {
    const why = 'it was deleted while it moved'
    ctx.report(INSTANCE_SETTLED, subject, { name: instance.name, why, became: 'deleted' })
    return { kind: 'over', answer: { kind: 'settled' } }
  }
  if (ctx.signal.aborted || read.failure.code === 'aborted') return { kind: 'unseen' }
  return { kind: 'over', answer: { kind: 'hopeless', failure: read.failure } }
}

/** A look at an instance that moves, with its records since the move was asked for, newest first, and the instance that Nova moves before it. */
type Look = MoveLook & {
  readonly records: readonly Migration[]
  readonly behind: Pick<Instance, 'id' | 'name'> | null
}

/** Looks at one instance that moves, by the looks at its host that it shares with others. */
interface MoveWatch {
  /** How long it is followed. */
  elapsedMs(): number
  look(): Promise<Look>
}

/**
 * Begins to follow an instance. It is seen by the list of its host, begun after this call; one that is in the list no more, or whose
 * record says that its migration ended, is asked for by itself: absence is a claim, and what ended has to be proved.
 */
export function watchMove(
  instance: Pick<Instance, 'id' | 'name'>,
  source: MoveSource,
  ctx: MaintenanceContext,
): MoveWatch {
  const { watch } = source
  const since = watch.begun()
  const beganMs = ctx.clock.monotonicMs()
  const known = source.knownMigrationIds.get(instance.id) ?? 0
  const elapsedMs = () => ctx.clock.monotonicMs() - beganMs
  return {
    elapsedMs,
    look: async () => {
      const seen = await watch.next(lookEveryMs(elapsedMs()))
      if (ctx.signal.aborted) return { kind: 'unseen', records: [], behind: null }
      if (!seen.ok) return { kind: 'over', answer: cannotLook(seen.failure, ctx), records: [], behind: null }
      const { listed, instances } = seen.value
      const records = seen.value.recordsOf(instance.id).filter(({ id }) => id > known)
      const isQueued = records[0] !== undefined && QUEUED.has(records[0].status)
      const first = isQueued ? seen.value.carriedOut().find(({ instanceId }) => instanceId !== instance.id) : undefined
      const behind =
        first === undefined
          ? null
          : { id: first.instanceId, name: instances.get(first.instanceId)?.name ?? first.instanceId }
      const mayHaveEnded = records[0] !== undefined && !UNDER_WAY.has(records[0].status)
      if (listed <= since && !mayHaveEnded) return { kind: 'unseen', records, behind }
      const now = listed > since ? instances.get(instance.id) : undefined
      if (now !== undefined && !mayHaveEnded) return { kind: 'seen', now, records, behind }
      return { ...(await readInstance(instance, ctx)), records, behind }
    },
  }
}

/** How Nova's record of a migration is that was not begun. */
const QUEUED: ReadonlySet<string> = new Set(['accepted', 'queued'])

/** Journals that an instance is well on another host, the one that was named where one was; null: it is not. */
export function arrival(
  now: Instance,
  attempt: number,
  source: MoveSource,
  ctx: MaintenanceContext,
): MoveAnswer | null {
  if (now.host === null || now.host === source.host || now.status === 'ERROR') return null
  if (source.to !== null && now.host !== source.to) {
    const why = `it runs on ${now.host} now, not on ${source.to}`
    ctx.report(INSTANCE_SETTLED, instanceSubject(now.id), { name: now.name, why, became: 'elsewhere' })
    return { kind: 'settled' }
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

/** Journals that a migration came to nothing, by Nova's own record of it. */
export function failedAttempt(
  instance: Instance,
  attempt: number,
  record: Migration,
  source: MoveSource,
  ctx: MaintenanceContext,
): MoveAnswer {
  source.knownMigrationIds.set(instance.id, record.id)
  const why =
    instance.status === 'ERROR'
      ? `${endedWords('the migration', record)}, and the instance is in ERROR`
      : endedWords('the migration', record)
  return tryAgain(instance, attempt, why, ctx)
}

/** How a migration ended, by Nova's record of it; `which` is how the sentence calls it. */
export function endedWords(which: string, { destHost, status }: Pick<Migration, 'destHost' | 'status'>): string {
  const how = status === 'error' || status === 'failed' ? 'failed' : `ended as ${status}`
  return destHost === null ? `${which} ${how} before a host was found for it` : `${which} to ${destHost} ${how}`
}

/** What a request came to that was refused: for good, in vain, or so that another attempt may be made. */
export function refusedAttempt(
  instance: Pick<Instance, 'id' | 'name'>,
  attempt: number,
  failure: Failure,
  ctx: MaintenanceContext,
): MoveAnswer {
  // Stopped while it was waited out, or kept back for it: what was announced is gone on with by whoever drives next.
  if (ctx.signal.aborted && (isPassing(failure) || failure.code === 'aborted')) return { kind: 'stopped' }
  if (isHopeless(failure)) return { kind: 'hopeless', failure }
  tryAgain(instance, attempt, failure.message, ctx)
  return { kind: isPassing(failure) ? 'in-vain' : 'again', why: failure.message }
}

/** Journals that an attempt failed, and why. */
export function tryAgain(
  instance: Pick<Instance, 'id' | 'name'>,
  attempt: number,
  why: string,
  ctx: MaintenanceContext,
): MoveAnswer {
  ctx.report(MIGRATION_FAILED, instanceSubject(instance.id), { name: instance.name, attempt, why })
  return { kind: 'again', why }
}

/** Migration records of an instance newer than the known one, newest first. Records that could not be read are not none. */
export async function recordsAfter(
  id: string,
  knownId: number,
  ctx: MaintenanceContext,
): Promise<Result<readonly Migration[]>> {
  const records = await ctx.outlast(`migrations of ${instanceSubject(id)}`, () =>
    cloudOf(ctx).migrations({ instanceId: id }, ctx.signal),
  )
  return records.ok ? ok(records.value.filter(record => record.id > knownId).sort((a, b) => b.id - a.id)) : records
}

/** What a look that failed comes to: the run stops, or nothing can be done without it. */
export function cannotLook(failure: Failure, ctx: MaintenanceContext): MoveAnswer {
  return ctx.signal.aborted ? { kind: 'stopped' } : { kind: 'hopeless', failure }
}
