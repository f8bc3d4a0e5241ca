import { seconds } from '../../../../shared/domain/durations.ts'
import type { InstanceChoice } from '../../../../shared/domain/instance-choice.ts'
import { isSameJson } from '../../../../shared/domain/is-same-json.ts'
import type { Json } from '../../../../shared/domain/json.ts'
import type { MigrationSlope } from '../../../../shared/domain/migration-pace.ts'
import type { Instance, Migration } from '../../../../shared/domain/openstack.ts'
import type { RunFact } from '../../../../shared/domain/run.ts'
import {
  factText,
  INSTANCE_DECIDED,
  MIGRATION_ASKS,
  MIGRATION_ASKS_NO_MORE,
  MIGRATION_REQUESTED,
  MIGRATION_STALLED,
} from '../../../../shared/domain/run-facts.ts'
import { found } from '../../../../shared/words/step-texts.ts'
import type { Finding, Values } from '../../../../shared/words/steps/coded.ts'
import { cloudOf, type MaintenanceContext } from '../../node-input.ts'
import { instanceSubject } from './classify-instances.ts'
import { decisionAbout, type InstanceDecision } from './evacuation-facts.ts'
import { createLiveProgress, progressEveryMs } from './live-progress.ts'
import { isForbidden, isRefusedSince, type Steering, steer, steeredAt, steeringOf } from './steer-migration.ts'

interface UnderWay {
  readonly now: Instance
  /** Null if Nova has none yet. */
  readonly record: Migration | null
  /** The instance that Nova moves first; null if it does not wait. */
  readonly behind: Pick<Instance, 'id' | 'name'> | null
  readonly elapsedMs: number
}

interface DownEnd {
  readonly end: 'source' | 'destination'
  readonly cause: Finding
}

/** Without progress for this long, the watch checks whether nova-compute is up at both ends. */
const LOOK_AT_ENDS_AFTER_MS = seconds(10)
const LOOK_AT_ENDS_EVERY_MS = seconds(20)
/** A decision that has no visible effect within this time becomes a question. */
const EFFECT_WITHIN_MS = seconds(90)
const EVER = '1970-01-01T00:00:00.000Z'

/** A question that is open about a migration: why, and since when. */
interface OpenQuestion {
  readonly cause: Finding
  readonly since: string
}

/** One watched live migration, with what the watch remembers between two reads. */
interface StuckWatch {
  readonly instance: Pick<Instance, 'id' | 'name'>
  readonly subject: string
  readonly source: string
  readonly ctx: MaintenanceContext
  /** Whether this run requested the migration: the plan's rule applies to no other. */
  readonly isOurs: boolean
  readonly beganMs: number
  /** Requests of this process. An earlier process may not have sent its requests. */
  readonly sentHere: Set<string>
  endsReadMs: number
  downEnd: DownEnd | null
  unread: string | null
  /** The open question, which an earlier process may have asked. */
  question: OpenQuestion | null
  isReportedAgain: boolean
  isStallReported: boolean
}

/**
 * Watches one live migration in progress: reports its progress, carries out decisions about it, and applies the plan's rule when it is stuck, at once
 * where the cause is known. It never ends the following: the instance and its record show how the migration ends.
 */
export function createStuckWatch(
  instance: Pick<Instance, 'id' | 'name'>,
  source: string,
  ctx: MaintenanceContext,
  isOurs = true,
): (seen: UnderWay) => Promise<void> {
  const subject = instanceSubject(instance.id)
  const question = openQuestion(subject, ctx)
  const watch: StuckWatch = {
    instance,
    subject,
    source,
    ctx,
    isOurs,
    beganMs: ctx.clock.monotonicMs(),
    sentHere: new Set(),
    endsReadMs: Number.NEGATIVE_INFINITY,
    downEnd: null,
    unread: null,
    question,
    isReportedAgain: question === null,
    isStallReported: false,
  }
  const progress = createLiveProgress(instance, ctx)
  return async seen => {
    const decision = decisionAbout(ctx.history(), subject)
    const slope = await progress(seen.elapsedMs, seen.behind)
    if (!ctx.signal.aborted) await followProgress(watch, decision, seen, slope)
  }
}

/** Handles one look: carries out the decision, then judges how long the migration is without progress. */
async function followProgress(
  watch: StuckWatch,
  decision: InstanceDecision | null,
  seen: UnderWay,
  slope: MigrationSlope,
): Promise<void> {
  const { ctx } = watch
  const { clock } = ctx
  const isToBeCarriedOut =
    decision !== null && (decision.isOfThisMove || (steeringOf(decision.choice) !== null && isLasting(decision)))
  if (decision !== null && watch.question !== null && Date.parse(decision.at) >= Date.parse(watch.question.since))
    watch.question = null
  if (isToBeCarriedOut && (await carryOut(watch, decision, seen.record))) return
  if (ctx.signal.aborted) return
  // Nova runs a limited number at a time: one that waits for its turn is not stuck.
  if (seen.behind !== null) return
  const decidedAtMs = decision === null ? 0 : Date.parse(decision.at) - clock.now() + clock.monotonicMs()
  const stillMs = clock.monotonicMs() - Math.max(slope.progressedAtMs, decidedAtMs)
  if (stillMs <= LOOK_AT_ENDS_AFTER_MS + progressEveryMs(seen.elapsedMs)) {
    if (slope.progressedAtMs > watch.beganMs) withdrawQuestion(watch)
    else if (watch.question !== null && !watch.isReportedAgain) askOperator(watch, watch.question.cause, STEERINGS)
    return
  }
  const failed = isToBeCarriedOut ? whyNoEffect(watch, decision, seen.record) : null
  if (failed !== null) return askOperator(watch, failed, STEERINGS)
  await decideOrAsk(watch, decision, seen, { slope, stillMs })
}

/** For a migration without progress: the plan's rule decides where it may, otherwise the operator is asked. */
async function decideOrAsk(
  watch: StuckWatch,
  decision: InstanceDecision | null,
  seen: UnderWay,
  { slope, stillMs }: { readonly slope: MigrationSlope; readonly stillMs: number },
): Promise<void> {
  const { ctx, isOurs } = watch
  const { stuck } = ctx.options
  const down = await readDownEnd(watch, seen)
  if (ctx.signal.aborted) return
  if (down !== null) {
    const isDestination = down.end === 'destination'
    // A migration that cannot end cannot be forced to.
    const rule = stuck.do === 'force-complete' ? 'ask' : stuck.do
    if (isOurs && isDestination && mayRule(rule, decision, ctx)) return decideByRule(watch, down.cause)
    return askOperator(watch, down.cause, isDestination ? ['abort'] : [])
  }
  if (slope.kind === 'not-converging' || slope.kind === 'silent') reportStall(watch, slope)
  if (watch.question !== null && !watch.isReportedAgain) return askOperator(watch, watch.question.cause, STEERINGS)
  if (stillMs < stuck.afterMs) return
  const why = causeOf(slope, stillMs, stuck.afterMs)
  if (isOurs && mayRule(stuck.do, decision, ctx)) return decideByRule(watch, why)
  askOperator(watch, why, STEERINGS)
}

function askOperator(watch: StuckWatch, cause: Finding, steerings: readonly Steering[]): void {
  const { ctx, subject, instance, question } = watch
  if (question !== null && isSame(question.cause, cause) && watch.isReportedAgain) return
  const since = question?.since ?? ctx.at()
  watch.question = { cause, since }
  watch.isReportedAgain = true
  const { code, values, message } = cause
  const choices = choicesFor(steerings, ctx)
  ctx.report(MIGRATION_ASKS, subject, { name: instance.name, cause: message, code, values, choices, since })
}

function withdrawQuestion(watch: StuckWatch): void {
  const { ctx, subject, instance } = watch
  if (watch.question !== null || watch.isStallReported)
    ctx.report(MIGRATION_ASKS_NO_MORE, subject, { name: instance.name })
  watch.question = null
  watch.isStallReported = false
}

function decideByRule({ ctx, subject, instance }: StuckWatch, { code, values, message }: Finding): void {
  const { stuck } = ctx.options
  ctx.report(INSTANCE_DECIDED, subject, {
    name: instance.name,
    choice: stuck.do,
    by: ctx.operator,
    reason: message,
    code,
    values,
    rule: true,
  })
}

function reportStall(watch: StuckWatch, slope: MigrationSlope): void {
  if (watch.isStallReported) return
  watch.isStallReported = true
  const { ctx, subject, instance } = watch
  const { afterMs, do: rule } = ctx.options.stuck
  const remedy = found('DecideOrWait', { run: ctx.runId, instance: instance.id, afterMs, rule })
  ctx.report(MIGRATION_STALLED, subject, {
    name: instance.name,
    memoryRemaining: slope.bytesLeft,
    remedy: remedy.message,
  })
}

/** Sends a decision to Nova; returns whether that is all for now. */
async function carryOut(watch: StuckWatch, decision: InstanceDecision, record: Migration | null): Promise<boolean> {
  const { ctx, subject, instance, sentHere } = watch
  const { clock } = ctx
  watch.unread = null
  const what = steeringOf(decision.choice)
  if (what === null || record === null) return false
  if (isRefusedSince(ctx.history(), subject, what, decision.at)) return false
  const asked = steeredAt(ctx.history(), { subject, what, migrationId: record.id, since: decision.at })
  const key = `${what} ${record.id} ${decision.at}`
  // The same decision twice is one request: the first one may still take effect.
  const earlier = steeredAt(ctx.history(), { subject, what, migrationId: record.id, since: EVER })
  const isFresh = earlier !== null && clock.now() - Date.parse(earlier.at) < EFFECT_WITHIN_MS
  if (asked === null && isFresh && !isRefusedSince(ctx.history(), subject, what, earlier.at)) return true
  if (asked !== null && sentHere.has(key)) return clock.now() - Date.parse(asked.at) < EFFECT_WITHIN_MS
  const answer = await steer(instance, { what, migrationId: record.id, choice: decision.choice, announced: asked }, ctx)
  if (answer.kind === 'sent') sentHere.add(key)
  if (answer.kind === 'unknown') watch.unread = answer.why
  return answer.kind === 'sent' || answer.kind === 'stopped'
}

/** Whether nova-compute at an end of the migration is down, read at most every 20 s. */
async function readDownEnd(watch: StuckWatch, { record, now }: UnderWay): Promise<DownEnd | null> {
  const { ctx, source } = watch
  const { clock } = ctx
  if (clock.monotonicMs() - watch.endsReadMs < LOOK_AT_ENDS_EVERY_MS) return watch.downEnd
  watch.endsReadMs = clock.monotonicMs()
  const services = await cloudOf(ctx).computeServices(ctx.signal)
  // If the services cannot be read, the last known cause stays.
  if (!services.ok) return watch.downEnd
  const isDown = (host: string | null) =>
    host !== null && services.value.some(service => service.host === host && service.state === 'down')
  const [destination, origin] = [record?.destHost ?? null, now.host ?? source]
  if (destination !== null && isDown(destination))
    watch.downEnd = { end: 'destination', cause: found('DestinationDown', { host: destination }) }
  else if (isDown(origin)) watch.downEnd = { end: 'source', cause: found('SourceDown', { host: origin }) }
  else watch.downEnd = null
  return watch.downEnd
}

const STEERINGS: readonly Steering[] = ['abort', 'force-complete']

/** The choices for a migration in progress, by what Nova supports and these credentials may do. */
function choicesFor(steerings: readonly Steering[], ctx: MaintenanceContext): InstanceChoice[] {
  const may = (what: Steering) => steerings.includes(what) && !isForbidden(ctx, what)
  return [
    'wait',
    ...(may('force-complete') ? (['force-complete'] as const) : []),
    ...(may('abort') ? (['abort-and-retry', 'abort-and-leave', 'cold', 'stop'] as const) : []),
  ]
}

/** Whether a choice stays valid for an instance however often it moves. */
function isLasting({ choice }: InstanceDecision): boolean {
  return choice !== 'wait' && choice !== 'force-complete' && choice !== 'abort-and-retry'
}

/** The plan's rule decides: it acts, these credentials may, and it has not acted on this migration before. */
function mayRule(rule: string, decision: InstanceDecision | null, ctx: MaintenanceContext): boolean {
  if (rule === 'ask') return false
  const what: Steering = rule === 'force-complete' ? 'force-complete' : 'abort'
  return !isForbidden(ctx, what) && (decision === null || !decision.isOfThisMove || decision.choice === 'wait')
}

/** Why a decision had no effect; null if it had one, or nothing was requested. */
function whyNoEffect(
  { subject, unread, ctx }: StuckWatch,
  { choice, at }: InstanceDecision,
  record: Migration | null,
): Finding | null {
  const what = steeringOf(choice)
  if (what === null) return null
  if (isRefusedSince(ctx.history(), subject, what, at)) return found('SteeringRefused', { steering: what })
  if (unread !== null) return found('SteeringUnread', { steering: what, cause: unread })
  // Without a record of the migration there was nothing to act on.
  if (record === null) return null
  const asked = steeredAt(ctx.history(), { subject, what, migrationId: record.id, since: at })
  return asked === null ? null : found('SteeringUnheeded', { steering: what })
}

function causeOf({ kind, bytesLeft }: MigrationSlope, stillMs: number, afterMs: number): Finding {
  const forMs = Math.max(afterMs, Math.floor(stillMs / 60_000) * 60_000)
  if (kind === 'silent' || bytesLeft === null) return found('MigrationSilent', { forMs })
  return found('MigrationStuck', { forMs, leftMib: Math.ceil(bytesLeft / 2 ** 20) })
}

function isSame(asked: Finding, cause: Finding): boolean {
  return asked.code === cause.code && isSameJson(asked.values, cause.values)
}

function openQuestion(subject: string, ctx: MaintenanceContext): OpenQuestion | null {
  const kinds: readonly string[] = [MIGRATION_ASKS, MIGRATION_ASKS_NO_MORE, INSTANCE_DECIDED, MIGRATION_REQUESTED]
  const last = ctx.history().findLast(fact => fact.subject === subject && kinds.includes(fact.fact))
  if (last === undefined || last.fact !== MIGRATION_ASKS) return null
  return { cause: causeIn(last), since: factText(last, 'since') ?? last.at }
}

/** An earlier version recorded only the text. */
function causeIn(fact: RunFact): Finding {
  const { code, values } = fact.values
  const message = factText(fact, 'cause') ?? ''
  return typeof code === 'string' && isRecord(values)
    ? { code, values, message }
    : found('AskedBefore', { cause: message })
}

function isRecord(value: Json | undefined): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
