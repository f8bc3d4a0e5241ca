import type { Failure } from '../../../../shared/domain/failure.ts'
import type { Instance, Migration } from '../../../../shared/domain/openstack.ts'
import { ok, type Result } from '../../../../shared/domain/result.ts'
import {
  INSTANCE_MOVED,
  INSTANCE_SETTLED,
  MIGRATION_FAILED,
  MIGRATION_REQUESTED,
} from '../../../../shared/domain/run-facts.ts'
import { cloudOf, type MaintenanceContext } from '../../node-input.ts'
import { reportsBlockers } from '../general/machine-off.ts'
import { instanceSubject } from './classify-instances.ts'
import { attemptsMade, type PendingRequest, pendingRequest } from './evacuation-facts.ts'
import { policyIn } from './read-rescue.ts'

/** How the evacuation of one instance ended. */
type EvacuateAnswer =
  | { readonly kind: 'rescued' }
  /** There is nothing to rescue any more: it is gone, or elsewhere without us. */
  | { readonly kind: 'settled' }
  /** This attempt came to nothing. */
  | { readonly kind: 'again'; readonly why: string }
  /** No other attempt would do better. */
  | { readonly kind: 'in-vain'; readonly why: string }
  /** Nothing more may be asked for, of no instance. */
  | { readonly kind: 'hopeless'; readonly failure: Failure }
  | { readonly kind: 'stopped' }

const LOOK_EVERY_MS = 2_000
/** So long an agreed request may show nothing: Nova writes task and record before it answers. */
const SHOWS_WITHIN_MS = 30_000
const ENDS_WITHIN_MS = 1_800_000
const HOST_LOOK_MS = 15_000

/**
 * Has Nova rebuild one instance on another host, once, and follows it to its end. What an earlier process announced is looked for first: Nova writes task
 * and record before it answers, and refuses a second request while the first goes on or after it arrived.
 */
export async function evacuateInstance(
  id: string,
  { host, node }: { readonly host: string; readonly node: string },
  ctx: MaintenanceContext,
): Promise<EvacuateAnswer> {
  const subject = instanceSubject(id)
  const pending = pendingRequest(ctx.history(), subject)
  const read = await ctx.outlast(subject, () => cloudOf(ctx).getInstance(id, ctx.signal))
  if (ctx.signal.aborted) return { kind: 'stopped' }
  if (!read.ok) return read.failure.code === 'not-found' ? settled(id, null, ctx) : hopeless(read.failure)
  const instance = read.value
  const records = await ctx.outlast(subject, () => evacuationsOf(id, ctx))
  if (ctx.signal.aborted) return { kind: 'stopped' }
  if (!records.ok) return hopeless(records.failure)
  const newest = Math.max(0, ...records.value.map(record => record.id))
  if (pending !== null) {
    const request = { host, attempt: pending.attempt, known: pending.knownMigrationId }
    if (hasArrived(instance, newest, request)) return follow(instance, request, ctx)
  }
  if (instance.host !== host) return settled(id, instance, ctx)
  const policy = policyIn(instance, ctx)
  if (policy.kind === 'stays') return { kind: 'in-vain', why: policy.reason }
  const away = await machineIsAway(node, ctx)
  if (!away.ok) return hopeless(away.failure)
  return ask(instance, { host, pending, known: newest, loses: policy.loses }, ctx)
}

interface Request {
  readonly host: string
  readonly attempt: number
  /** The newest evacuation of the instance before this one. */
  readonly known: number
}

async function ask(
  instance: Instance,
  asking: {
    readonly host: string
    readonly pending: PendingRequest | null
    readonly known: number
    readonly loses: boolean
  },
  ctx: MaintenanceContext,
): Promise<EvacuateAnswer> {
  const { host, pending, loses } = asking
  const subject = instanceSubject(instance.id)
  const attempt = pending?.attempt ?? attemptsMade(ctx.history(), subject) + 1
  const known = pending?.knownMigrationId ?? asking.known
  ctx.announce(MIGRATION_REQUESTED, subject, {
    name: instance.name,
    attempt,
    how: 'evacuate',
    source: host,
    statusBefore: instance.status,
    knownMigrationId: known,
    ramMib: instance.flavor?.ramMib ?? null,
    loses,
    ...(pending === null ? {} : { again: true }),
  })
  const request = { host, attempt, known }
  // Not the run's signal: a request that was announced is sent to its end, or the journal would not know whether it was.
  const asked = await cloudOf(ctx).evacuateInstance(instance.id)
  if (asked.ok) return follow(instance, request, ctx)
  if (asked.failure.code === 'not-permitted') return hopeless(asked.failure)
  // An answer that was lost says nothing about the request.
  const arrived = await lookForIt(instance.id, request, ctx)
  if (arrived !== null) return follow(arrived, request, ctx)
  if (ctx.signal.aborted) return { kind: 'stopped' }
  return failedAttempt(instance, attempt, asked.failure.message, ctx)
}

async function lookForIt(id: string, request: Request, ctx: MaintenanceContext): Promise<Instance | null> {
  for (let look = 0; look < 3 && !ctx.signal.aborted; look += 1) {
    const [now, records] = await Promise.all([cloudOf(ctx).getInstance(id, ctx.signal), evacuationsOf(id, ctx)])
    if (now.ok && records.ok) {
      const newest = Math.max(0, ...records.value.map(record => record.id))
      return hasArrived(now.value, newest, request) ? now.value : null
    }
    await ctx.clock.sleep(LOOK_EVERY_MS, ctx.signal)
  }
  return null
}

function hasArrived(instance: Instance, newest: number, { host, known }: Request): boolean {
  return newest > known || instance.host !== host || (instance.taskState ?? '').startsWith('rebuild')
}

async function follow(before: Instance, request: Request, ctx: MaintenanceContext): Promise<EvacuateAnswer> {
  const { host, attempt, known } = request
  const { id, name } = before
  const subject = instanceSubject(id)
  const began = ctx.clock.monotonicMs()
  let hostsLookedAt = began
  while (!ctx.signal.aborted) {
    const read = await ctx.outlast(subject, () => cloudOf(ctx).getInstance(id, ctx.signal))
    const records = read.ok ? await ctx.outlast(subject, () => evacuationsOf(id, ctx)) : read
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
      const to = record.destHost === null ? 'no host took it' : `on ${record.destHost}`
      return failedAttempt(now, attempt, `Nova's evacuation ended in ${record.status}, ${to}`, ctx)
    }
    if (record === undefined && now.taskState === null && waitedMs > SHOWS_WITHIN_MS) {
      return failedAttempt(now, attempt, 'Nova agreed to it, and nothing came of it', ctx)
    }
    if (ctx.clock.monotonicMs() - hostsLookedAt > HOST_LOOK_MS && record?.destHost) {
      hostsLookedAt = ctx.clock.monotonicMs()
      const dest = await cloudOf(ctx).computeService(record.destHost, ctx.signal)
      if (dest.ok && dest.value?.state === 'down') {
        return inVain(now, attempt, `nova-compute of its destination ${record.destHost} is down. ${unstick(now)}`, ctx)
      }
    }
    if (waitedMs > ENDS_WITHIN_MS) {
      return inVain(now, attempt, `Nova did not end it within half an hour. ${unstick(now)}`, ctx)
    }
    await ctx.clock.sleep(LOOK_EVERY_MS, ctx.signal)
  }
  return { kind: 'stopped' }
}

function unstick({ id, taskState }: Instance): string {
  return taskState === null
    ? ''
    : `Its task ${taskState} ends by \`openstack server set --state error ${id}\`; then retry.`
}

/** Evacuations of an instance, newest first. */
async function evacuationsOf(id: string, ctx: MaintenanceContext): Promise<Result<readonly Migration[]>> {
  const read = await cloudOf(ctx).migrations({ instanceId: id }, ctx.signal)
  return read.ok
    ? ok(read.value.filter(({ type }) => type === 'evacuation').toSorted((one, other) => other.id - one.id))
    : read
}

/** Whether Kubernetes still hears nothing of the machine: one that was switched on again starts what was not rebuilt yet. */
async function machineIsAway(node: string, ctx: MaintenanceContext): Promise<Result<void>> {
  const read = await ctx.outlast(`node/${node}`, () => ctx.world.kubernetes.getNode(node, ctx.signal))
  if (!read.ok) return read
  const [reports] = reportsBlockers(read.value)
  return reports === undefined
    ? ok(undefined)
    : {
        ok: false,
        failure: { code: 'conflict', message: `${reports.message} Nothing more is rebuilt.`, retryable: false },
      }
}

function settled(id: string, instance: Instance | null, ctx: MaintenanceContext): EvacuateAnswer {
  const why = instance === null ? 'it was deleted meanwhile' : `it is on ${instance.host ?? 'no host'} already`
  ctx.report(INSTANCE_SETTLED, instanceSubject(id), { name: instance?.name ?? id, why })
  return { kind: 'settled' }
}

function failedAttempt({ id, name }: Instance, attempt: number, why: string, ctx: MaintenanceContext): EvacuateAnswer {
  ctx.report(MIGRATION_FAILED, instanceSubject(id), { name, attempt, why })
  return { kind: 'again', why }
}

function inVain(instance: Instance, attempt: number, why: string, ctx: MaintenanceContext): EvacuateAnswer {
  failedAttempt(instance, attempt, why, ctx)
  return { kind: 'in-vain', why }
}

function hopeless(failure: Failure): EvacuateAnswer {
  return { kind: 'hopeless', failure }
}

const ENDED_BADLY: ReadonlySet<string> = new Set(['failed', 'error', 'cancelled'])
