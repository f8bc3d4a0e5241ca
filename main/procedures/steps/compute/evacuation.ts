import type { Failure } from '../../../../shared/domain/failure.ts'
import { must } from '../../../../shared/domain/must.ts'
import type { Instance } from '../../../../shared/domain/openstack.ts'
import { ok, type Result } from '../../../../shared/domain/result.ts'
import { fault, found } from '../../../../shared/words/step-texts.ts'
import type { NotMoved } from '../../../../shared/words/steps/instances-moves.ts'
import { refusal } from '../../answers.ts'
import { cloudOf, type MaintenanceContext } from '../../node-input.ts'
import { instanceSubject, leavesNow, movePolicyOf, readComputeHost } from './classify-instances.ts'
import { isPending, pendingRequest } from './evacuation-facts.ts'
import { createHostWatch, type HostWatch } from './host-watch.ts'
import { workOnInstances } from './instance-pool.ts'
import { moveInstance } from './migrate-instance.ts'
import type { MovePolicy, MoveSource } from './move-source.ts'

export type EvacuationAnswer =
  | { readonly kind: 'emptied'; readonly moved: number }
  | { readonly kind: 'unresolved'; readonly instances: readonly NotMoved[] }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'stopped' }

interface EvacuationLimits {
  readonly concurrency: number
  readonly attempts: number
  /** Absent means all. Moves in progress are always followed. */
  readonly only?: (instance: Instance) => boolean
}

/** Empties a host within the limits. A stuck instance never blocks others (docs/domain.md E.6); members of a server group move in turn (E.10). */
export async function evacuate(
  node: string,
  limits: EvacuationLimits,
  ctx: MaintenanceContext,
): Promise<EvacuationAnswer> {
  const host = await readComputeHost(node, ctx)
  if (!host.ok) return ctx.signal.aborted ? { kind: 'stopped' } : { kind: 'failed', failure: host.failure }
  if (host.value.unreachable.length > 0) {
    const unreported = fault('InstancesNotAllTold', { host: host.value.service.host, causes: host.value.unreachable })
    return { kind: 'failed', failure: refusal('unreachable', unreported) }
  }
  const begun = host.value.instances.filter(
    ({ instance, policy }) =>
      policy.code === 'instance-migrating' || isPending(ctx.history(), instanceSubject(instance.id)),
  )
  const toBegin = host.value.instances.filter(
    each => !begun.includes(each) && leavesNow(each.policy) && (limits.only?.(each.instance) ?? true),
  )
  const elsewhere = await arrivedElsewhere(
    host.value.instances.map(({ instance }) => instance.id),
    ctx,
  )
  if (!elsewhere.ok) return ctx.signal.aborted ? { kind: 'stopped' } : { kind: 'failed', failure: elsewhere.failure }
  const { host: from } = host.value.service
  const { node: emptied } = host.value
  // Earlier requests are followed first: they may still be in progress in Nova and count against the limit.
  const waiting = [...elsewhere.value, ...[...begun, ...toBegin].map(({ instance }) => instance)]
  const policyOf = (now: Instance) => movePolicyOf(now, emptied, ctx)
  return moveAll(
    waiting.map(instance => ({ instance, from, to: null, policyOf })),
    limits,
    ctx,
  )
}

export interface Move {
  readonly instance: Instance
  readonly from: string
  /** Null if Nova's scheduler chooses. */
  readonly to: string | null
  readonly policyOf: (now: Instance) => MovePolicy
}

/** Moves instances in this order and within the limits; follows requests of an earlier process and never repeats them. */
export async function moveAll(
  moves: readonly Move[],
  limits: Pick<EvacuationLimits, 'concurrency' | 'attempts'>,
  ctx: MaintenanceContext,
): Promise<EvacuationAnswer> {
  const watches = new Map<string, HostWatch>()
  for (const host of new Set(moves.map(({ from }) => from))) {
    const watch = createHostWatch(host, ctx)
    const opened = await watch.open()
    if (!opened.ok) return ctx.signal.aborted ? { kind: 'stopped' } : { kind: 'failed', failure: opened.failure }
    watches.set(host, watch)
  }
  const knownMigrationIds = new Map<string, number>()
  const queue: QueuedMove[] = []
  for (const { instance, from, to, policyOf } of moves) {
    const watch = must(watches.get(from), 'each host of a move is watched')
    const pending = pendingRequest(ctx.history(), instanceSubject(instance.id))
    const records = await watch.recordsOf(instance.id)
    if (!records.ok) return ctx.signal.aborted ? { kind: 'stopped' } : { kind: 'failed', failure: records.failure }
    // A pending announced request keeps the id known then: a newer record belongs to that request.
    const asked = pending?.how === 'stop' ? null : pending
    knownMigrationIds.set(instance.id, asked?.knownMigrationId ?? records.value[0]?.id ?? 0)
    queue.push({ instance, source: { host: from, to, policyOf, knownMigrationIds, watch } })
  }
  return runPool(queue, limits, ctx)
}

interface QueuedMove {
  readonly instance: Instance
  readonly source: MoveSource
}

async function arrivedElsewhere(
  onHost: readonly string[],
  ctx: MaintenanceContext,
): Promise<Result<readonly Instance[]>> {
  const subjects = new Set(ctx.history().map(fact => fact.subject))
  const ids = [...subjects]
    .filter(subject => subject.startsWith('server/'))
    .map(subject => subject.slice('server/'.length))
  const left = ids.filter(id => !onHost.includes(id) && isPending(ctx.history(), instanceSubject(id)))
  const reads = await Promise.all(
    left.map(id => ctx.retryTransient(instanceSubject(id), () => cloudOf(ctx).getInstance(id, ctx.signal))),
  )
  const arrived: Instance[] = []
  for (const read of reads) {
    if (read.ok) arrived.push(read.value)
    else if (read.failure.code !== 'not-found') return read
  }
  return ok(arrived)
}

async function runPool(
  moves: readonly QueuedMove[],
  limits: Pick<EvacuationLimits, 'concurrency' | 'attempts'>,
  ctx: MaintenanceContext,
): Promise<EvacuationAnswer> {
  let moved = 0
  const answer = await workOnInstances(
    moves,
    { ...limits, mayRetry: ({ instance, source }) => stillMovable(instance, source, ctx) },
    async ({ instance, source }) => {
      const came = await moveInstance(instance.id, source, ctx)
      if (came.kind === 'moved') moved += 1
      return came.kind === 'moved' || came.kind === 'settled' || came.kind === 'stopped' ? { kind: 'over' } : came
    },
    ctx,
  )
  if (answer.kind !== 'over') return answer
  const unresolved = answer.unresolved.map(({ name, id, code, values, why: message, attempts }) => ({
    name,
    id,
    why: found('GivenUpAfterAttempts', { cause: { code, values, message }, attempts }),
  }))
  return unresolved.length > 0 ? { kind: 'unresolved', instances: unresolved } : { kind: 'emptied', moved }
}

async function stillMovable(instance: Instance, source: MoveSource, ctx: MaintenanceContext): Promise<boolean> {
  const subject = instanceSubject(instance.id)
  const now = await ctx.retryTransient(subject, () => cloudOf(ctx).getInstance(instance.id, ctx.signal))
  return now.ok && now.value.host === source.host && leavesNow(source.policyOf(now.value))
}
