import type { Instance, Migration } from '../../../../shared/domain/openstack.ts'
import { CONFIRM_REQUESTED, MIGRATION_REQUESTED } from '../../../../shared/domain/run-facts.ts'
import { found } from '../../../../shared/words/step-texts.ts'
import { cloudOf, type MaintenanceContext } from '../../node-input.ts'
import { instanceSubject } from './classify-instances.ts'
import type { PendingRequest } from './evacuation-facts.ts'
import {
  arrival,
  cannotTellWhere,
  contradictionOf,
  failedAttempt,
  isHopeless,
  ofUnknownAge,
  RECORD_GRACE_MS,
  recordsAfter,
  requestMove,
  type SeenBefore,
  tryAgain,
} from './move-attempt.ts'
import type { MoveAnswer, MoveSource } from './move-source.ts'
import { cannotLook, watchMove } from './watch-move.ts'

/** How many refused confirmations of one arrived instance make its move a failure. */
const MOST_REFUSED_CONFIRMATIONS = 3

/** Resumes a cold migration that an earlier process announced; null if its request never reached Nova, as without a task, a new host or a record. */
export async function resumeColdMigration(
  instance: Instance,
  pending: PendingRequest,
  source: MoveSource,
  ctx: MaintenanceContext,
): Promise<MoveAnswer | null> {
  const isUnderWay = instance.taskState !== null || instance.vmState === 'resized' || instance.host !== source.host
  if (!isUnderWay) {
    const records = await recordsAfter(instance.id, pending.knownMigrationId, ctx)
    if (!records.ok) return cannotLook(records.failure, ctx)
    const last = records.value[0]
    if (last === undefined) return null
    if (hasFailed(last)) return failedAttempt(instance, pending.attempt, last, source, ctx)
  }
  return followColdMigration(ofUnknownAge(instance), pending.attempt, source, ctx)
}

/** Asks Nova for one cold migration and follows it to the confirmed arrival (docs/domain.md C.4). */
export async function migrateCold(
  seen: SeenBefore,
  pending: PendingRequest | null,
  source: MoveSource,
  ctx: MaintenanceContext,
): Promise<MoveAnswer> {
  return requestMove(
    seen,
    pending,
    {
      announced: { how: 'cold' },
      // Not the run's signal: an announced request is sent to its end, otherwise the journal would not know whether it was sent.
      send: () => cloudOf(ctx).coldMigrate(seen.instance.id, source.to),
      isMoving: isResizing,
      follow: (asked, attempt) => followColdMigration(asked, attempt, source, ctx),
    },
    source,
    ctx,
  )
}

async function followColdMigration(
  instance: Instance,
  attempt: number,
  source: MoveSource,
  ctx: MaintenanceContext,
): Promise<MoveAnswer> {
  const { clock } = ctx
  const known = source.knownMigrationIds.get(instance.id) ?? 0
  const watch = watchMove(instance, source, ctx)
  let settledSince: number | null = null
  while (!ctx.signal.aborted) {
    const look = await watch.look()
    if (ctx.signal.aborted) break
    if (look.kind === 'over') return look.answer
    if (look.kind === 'unseen') continue
    const { now } = look
    if (now.taskState !== null) {
      settledSince = null
      continue
    }
    if (now.vmState === 'resized') {
      settledSince = null
      const answer = await confirm(now, known, ctx)
      if (answer.kind === 'hopeless') return answer
      if (answer.kind === 'of-another') {
        const why = found('ResizedMeanwhile', { host: now.host }).message
        tryAgain(now, attempt, why, ctx)
        return { kind: 'in-vain', why }
      }
      if (answer.kind === 'refused' && confirmationsAsked(instance, ctx) >= MOST_REFUSED_CONFIRMATIONS) {
        const why = found('ArrivedUnconfirmed', { host: now.host, cause: answer.why }).message
        return tryAgain(now, attempt, why, ctx)
      }
      continue
    }
    const arrived = arrival(now, attempt, source, ctx)
    if (arrived !== null) return arrived
    settledSince ??= clock.monotonicMs()
    const records = await recordsAfter(instance.id, known, ctx)
    if (!records.ok) return cannotLook(records.failure, ctx)
    const last = records.value[0]
    if (last !== undefined && hasFailed(last)) return failedAttempt(now, attempt, last, source, ctx)
    if (clock.monotonicMs() - settledSince > RECORD_GRACE_MS) {
      return cannotTellWhere(now, { instance, attempt }, contradictionOf(now, last), ctx)
    }
  }
  return { kind: 'stopped' }
}

type ConfirmAnswer =
  | { readonly kind: 'waits' }
  | { readonly kind: 'refused'; readonly why: string }
  /** The confirmation belongs to a resize, which no run requests. */
  | { readonly kind: 'of-another' }
  | Extract<MoveAnswer, { readonly kind: 'hopeless' }>

/** Confirms only this run's own cold migration, once, while Nova's record says `finished`; a record that is `confirming` needs nothing. */
async function confirm(instance: Instance, knownId: number, ctx: MaintenanceContext): Promise<ConfirmAnswer> {
  const records = await recordsAfter(instance.id, knownId, ctx)
  if (!records.ok) return ctx.signal.aborted ? { kind: 'waits' } : { kind: 'hopeless', failure: records.failure }
  const finished = records.value.find(({ status }) => status === 'finished')
  if (finished === undefined) return { kind: 'waits' }
  if (finished.type === 'resize') return { kind: 'of-another' }
  const subject = instanceSubject(instance.id)
  ctx.announce(CONFIRM_REQUESTED, subject, { name: instance.name, migrationId: finished.id })
  const asked = await cloudOf(ctx).confirmResize(instance.id)
  if (asked.ok) return { kind: 'waits' }
  if (isHopeless(asked.failure)) return { kind: 'hopeless', failure: asked.failure }
  return { kind: 'refused', why: asked.failure.message }
}

/** How often this run, by any process, asked Nova to confirm its latest cold migration. */
function confirmationsAsked({ id }: Pick<Instance, 'id'>, ctx: MaintenanceContext): number {
  const own = ctx.history().filter(({ subject }) => subject === instanceSubject(id))
  const asked = own.findLastIndex(({ fact }) => fact === MIGRATION_REQUESTED)
  return own.slice(asked + 1).filter(({ fact }) => fact === CONFIRM_REQUESTED).length
}

function isResizing({ taskState, vmState }: Instance): boolean {
  return vmState === 'resized' || (taskState?.startsWith('resize_') ?? false)
}

function hasFailed({ status }: Migration): boolean {
  return ['error', 'failed', 'reverted', 'cancelled'].includes(status)
}
