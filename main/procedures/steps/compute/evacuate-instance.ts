import type { Failure } from '../../../../shared/domain/failure.ts'
import type { Instance, Migration } from '../../../../shared/domain/openstack.ts'
import { isRebuild } from '../../../../shared/domain/rescue.ts'
import { ok, type Result } from '../../../../shared/domain/result.ts'
import {
  INSTANCE_MOVED,
  INSTANCE_SETTLED,
  MIGRATION_FAILED,
  MIGRATION_REQUESTED,
} from '../../../../shared/domain/run-facts.ts'
import { found } from '../../../../shared/words/step-texts.ts'
import type { Finding } from '../../../../shared/words/steps/coded.ts'
import { cloudOf, type MaintenanceContext } from '../../node-input.ts'
import { instanceSubject } from './classify-instances.ts'
import { attemptsMade, type PendingRequest, pendingRequest } from './evacuation-facts.ts'
import { policyIn } from './read-rescue.ts'
import { LOOKS_APART_MS, sendAttempt } from './send-attempt.ts'

type EvacuateAnswer =
  | { readonly kind: 'rescued' }
  | { readonly kind: 'settled' }
  | { readonly kind: 'again'; readonly why: string }
  | { readonly kind: 'in-vain'; readonly why: string }
  | { readonly kind: 'hopeless'; readonly failure: Failure }
  | { readonly kind: 'stopped' }

const LOOK_EVERY_MS = 2_000
/** How long an accepted request may show no effect: Nova writes task and record before it answers. */
const SHOWS_WITHIN_MS = 30_000
const ENDS_WITHIN_MS = 1_800_000
const HOST_LOOK_MS = 15_000

interface DeadHost {
  readonly host: string
  readonly isAway: () => Promise<Result<void>>
  /** Asked immediately before each request, because a repeated request may come minutes later. */
  readonly isSilent: () => Promise<Result<void>>
}

/** Nova rebuilds one instance on another host. Before a repeated request it checks twice for an effect: two rebuilds would share the volumes. */
export async function evacuateInstance(id: string, from: DeadHost, ctx: MaintenanceContext): Promise<EvacuateAnswer> {
  const { host, isAway, isSilent } = from
  const subject = instanceSubject(id)
  const pending = pendingRequest(ctx.history(), subject)
  const request = pending === null ? null : { host, attempt: pending.attempt, known: pending.knownMigrationId }
  const seen = await lookBefore(id, request, ctx)
  if (ctx.signal.aborted) return { kind: 'stopped' }
  if (!seen.ok) return isGone(seen.failure) ? settled(id, null, ctx) : hopeless(seen.failure)
  const { instance, newest } = seen.value
  if (request !== null && hasArrived(seen.value, request)) return follow(instance, request, ctx)
  if (instance.host !== host) return settled(id, instance, ctx)
  const policy = policyIn(instance, ctx)
  if (policy.kind === 'stays') {
    const remedy = isRebuilding(instance) ? await unstick(instance, newest, ctx) : null
    return { kind: 'in-vain', why: found('NotToBeRescued', { because: policy.because, remedy }).message }
  }
  const mayBeSent = async () => {
    const away = await isAway()
    return away.ok ? isSilent() : away
  }
  const dead = await mayBeSent()
  if (!dead.ok) return hopeless(dead.failure)
  return requestEvacuation(instance, { host, pending, known: newest?.id ?? 0, loses: policy.loses, mayBeSent }, ctx)
}

interface Request {
  readonly host: string
  readonly attempt: number
  /** The newest evacuation of the instance before this one. */
  readonly known: number
}

async function requestEvacuation(
  instance: Instance,
  asking: {
    readonly host: string
    readonly pending: PendingRequest | null
    readonly known: number
    readonly loses: boolean
    readonly mayBeSent: () => Promise<Result<void>>
  },
  ctx: MaintenanceContext,
): Promise<EvacuateAnswer> {
  const { host, pending, loses, mayBeSent } = asking
  let isFirst = true
  const subject = instanceSubject(instance.id)
  const attempt = pending?.attempt ?? attemptsMade(ctx.history(), subject) + 1
  const known = pending?.knownMigrationId ?? asking.known
  const request = { host, attempt, known }
  const asked = await sendAttempt(
    instance,
    {
      announce: again =>
        ctx.announce(MIGRATION_REQUESTED, subject, {
          name: instance.name,
          attempt,
          how: 'evacuate',
          source: host,
          statusBefore: instance.status,
          knownMigrationId: known,
          ramMib: instance.flavor?.ramMib ?? null,
          loses,
          ...(again || pending !== null ? { again: true } : {}),
        }),
      // Not the run's signal: an announced request is sent to its end, otherwise the journal would not know whether it was sent.
      send: async () => {
        const dead = isFirst ? ok(undefined) : await mayBeSent()
        isFirst = false
        return dead.ok ? cloudOf(ctx).evacuateInstance(instance.id) : dead
      },
      hasArrived: async () => {
        const seen = await look(instance.id, ctx)
        return seen.ok ? ok(hasArrived(seen.value, request)) : isGone(seen.failure) ? ok(true) : seen
      },
    },
    ctx,
  )
  if (asked.ok) return follow(instance, request, ctx)
  if (asked.failure.code === 'not-permitted') return hopeless(asked.failure)
  if (ctx.signal.aborted) return { kind: 'stopped' }
  // A request that may have arrived is not reported as failed: it stays announced, and the next driver looks for it.
  const seen = await lookBefore(instance.id, request, ctx)
  if (ctx.signal.aborted) return { kind: 'stopped' }
  if (!seen.ok) return isGone(seen.failure) ? settled(instance.id, instance, ctx) : hopeless(seen.failure)
  if (hasArrived(seen.value, request)) return follow(seen.value.instance, request, ctx)
  return failedAttempt(instance, attempt, found('EvacuationRefused', { cause: asked.failure.message }), ctx)
}

interface Seen {
  readonly instance: Instance
  readonly newest: Migration | null
}

/** Reads an instance before a decision, twice some seconds apart if a request may have arrived. */
async function lookBefore(id: string, request: Request | null, ctx: MaintenanceContext): Promise<Result<Seen>> {
  const first = await ctx.retryTransient(instanceSubject(id), () => look(id, ctx))
  if (!first.ok || request === null || hasArrived(first.value, request)) return first
  await ctx.clock.sleep(LOOKS_APART_MS, ctx.signal)
  return ctx.retryTransient(instanceSubject(id), () => look(id, ctx))
}

async function look(id: string, ctx: MaintenanceContext): Promise<Result<Seen>> {
  const instance = await cloudOf(ctx).getInstance(id, ctx.signal)
  if (!instance.ok) return instance
  const records = await evacuationsOf(id, ctx)
  return records.ok ? ok({ instance: instance.value, newest: records.value[0] ?? null }) : records
}

function isGone({ code }: Failure): boolean {
  return code === 'not-found'
}

function hasArrived({ instance, newest }: Seen, { host, known }: Request): boolean {
  return (newest?.id ?? 0) > known || instance.host !== host || isRebuilding(instance)
}

function isRebuilding({ taskState }: Instance): boolean {
  return taskState !== null && isRebuild(taskState)
}

async function follow(before: Instance, request: Request, ctx: MaintenanceContext): Promise<EvacuateAnswer> {
  const { host, attempt, known } = request
  const { id, name } = before
  const subject = instanceSubject(id)
  const began = ctx.clock.monotonicMs()
  let hostsLookedAt = began
  while (!ctx.signal.aborted) {
    const read = await ctx.retryTransient(subject, () => cloudOf(ctx).getInstance(id, ctx.signal))
    const records = read.ok ? await ctx.retryTransient(subject, () => evacuationsOf(id, ctx)) : read
    if (ctx.signal.aborted) break
    if (!read.ok) return read.failure.code === 'not-found' ? settled(id, before, ctx) : hopeless(read.failure)
    if (!records.ok) return hopeless(records.failure)
    const now = read.value
    const record = records.value.find(each => each.id > known)
    const waitedMs = ctx.clock.monotonicMs() - began
    if (now.host !== null && now.host !== host && now.taskState === null) {
      const { status, powerState } = now
      ctx.report(INSTANCE_MOVED, subject, { name, from: host, to: now.host, status, powerState, attempt })
      return { kind: 'rescued' }
    }
    if (record !== undefined && ENDED_BADLY.has(record.status) && now.taskState === null) {
      const { destHost, status } = record
      return failedAttempt(now, attempt, found('EvacuationEnded', { host: destHost, status }), ctx)
    }
    if (record === undefined && now.taskState === null && waitedMs > SHOWS_WITHIN_MS) {
      return failedAttempt(now, attempt, found('EvacuationNeverShowed'), ctx)
    }
    if (ctx.clock.monotonicMs() - hostsLookedAt > HOST_LOOK_MS && record?.destHost) {
      hostsLookedAt = ctx.clock.monotonicMs()
      const dest = await cloudOf(ctx).computeService(record.destHost, ctx.signal)
      if (dest.ok && dest.value?.state === 'down') {
        const remedy = await unstick(now, record, ctx)
        return inVain(now, attempt, found('RebuildStandsStill', { remedy }), ctx)
      }
    }
    if (waitedMs > ENDS_WITHIN_MS) {
      const remedy = await unstick(now, record ?? null, ctx)
      return inVain(now, attempt, found('RebuildDidNotEnd', { remedy }), ctx)
    }
    await ctx.clock.sleep(LOOK_EVERY_MS, ctx.signal)
  }
  return { kind: 'stopped' }
}

/** How to end its task safely; null if it has no task. A reset during a rebuild makes Nova rebuild it twice on the same volumes. */
async function unstick(now: Instance, record: Migration | null, ctx: MaintenanceContext): Promise<Finding | null> {
  const { id, taskState } = now
  if (taskState === null) return null
  const task = { id, task: taskState }
  if (!isRebuild(taskState)) return found('TaskToReset', task)
  if (record !== null && ENDED_BADLY.has(record.status)) {
    return found('TaskOfEndedRebuild', { ...task, status: record.status })
  }
  const dest = record?.destHost ? await cloudOf(ctx).computeService(record.destHost, ctx.signal) : null
  if (dest?.ok && dest.value?.state === 'down') {
    return found('TaskOfDeadDestination', { ...task, host: dest.value.host })
  }
  return found('TaskMayGoOn', { host: record?.destHost ?? null })
}

/** Evacuations of an instance, newest first. */
async function evacuationsOf(id: string, ctx: MaintenanceContext): Promise<Result<readonly Migration[]>> {
  const read = await cloudOf(ctx).migrations({ instanceId: id }, ctx.signal)
  return read.ok
    ? ok(read.value.filter(({ type }) => type === 'evacuation').toSorted((one, other) => other.id - one.id))
    : read
}

function settled(id: string, instance: Instance | null, ctx: MaintenanceContext): EvacuateAnswer {
  const why = instance === null ? found('DeletedMeanwhile') : found('OnAnotherHostAlready', { host: instance.host })
  const became = instance === null ? 'deleted' : 'elsewhere'
  ctx.report(INSTANCE_SETTLED, instanceSubject(id), { name: instance?.name ?? id, ...because(why), became })
  return { kind: 'settled' }
}

function failedAttempt({ id, name }: Instance, attempt: number, why: Finding, ctx: MaintenanceContext): EvacuateAnswer {
  ctx.report(MIGRATION_FAILED, instanceSubject(id), { name, attempt, ...because(why) })
  return { kind: 'again', why: why.message }
}

function inVain(instance: Instance, attempt: number, why: Finding, ctx: MaintenanceContext): EvacuateAnswer {
  failedAttempt(instance, attempt, why, ctx)
  return { kind: 'in-vain', why: why.message }
}

function because({ code, values, message }: Finding) {
  return { why: message, code, values }
}

function hopeless(failure: Failure): EvacuateAnswer {
  return { kind: 'hopeless', failure }
}

const ENDED_BADLY: ReadonlySet<string> = new Set(['failed', 'error', 'cancelled'])
