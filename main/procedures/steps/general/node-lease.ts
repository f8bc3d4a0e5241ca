import { isApart, type MeasuredClock, SKEW_REFUSED_MS } from '../../../../shared/domain/clock-skew.ts'
import type { Failure } from '../../../../shared/domain/failure.ts'
import type { ChainHead } from '../../../../shared/domain/journal-chain.ts'
import { type LeaseName, nodeLease, UPDATE_LEASE } from '../../../../shared/domain/lease-name.ts'
import { isGone, type LeaseState } from '../../../../shared/domain/lease-state.ts'
import { isNodePlan, isNodeRun, type Plan, planSubject } from '../../../../shared/domain/plan.ts'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import type { Fence, RunDriver } from '../../../../shared/domain/run.ts'
import type { Blocker, Evidence } from '../../../../shared/domain/step-answers.ts'
import { afterMany, heldMessage, severalNodesHeld, watchedFor } from '../../../../shared/words/leases.ts'
import { fault, found } from '../../../../shared/words/step-texts.ts'
import type { Finding } from '../../../../shared/words/steps/coded.ts'
import type { LeasePort, LeaseRequest, RunHeads } from '../../../ports/leases.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { LeaseClaim, LeaseHandle, LeaseHeld, LeaseKeeper } from '../../../runs/engine/lease-keeper.ts'
import { BY_FORCE, blocker, evidence, refusal } from '../../answers.ts'
import type { MaintenanceContext } from '../../node-input.ts'
import { fencedWorld } from './fenced-world.ts'

/** Survives a slow API server; a dead console does not block a node for long. */
const DURATION_SECONDS = 60

/**
 * The Lease that keeps two runs off one node (style G26). A node's run and an update take their own first, then read the other's: one of two sees the
 * other.
 */
export function nodeLeaseKeeper(
  driver: RunDriver,
  durationSeconds = DURATION_SECONDS,
  journal?: RunHeads,
): LeaseKeeper<MaintenanceWorld> {
  return {
    identityOf,
    of: (plan, claim, { kubernetes: { leases } }) => {
      const request: LeaseRequest = {
        name: isNodePlan(plan) ? nodeLease(plan.node) : UPDATE_LEASE,
        identity: identityOf(claim),
        runId: claim.runId,
        operator: driver.operator,
        machine: driver.machine,
        durationSeconds,
        isPredecessor: identity => isOfGoneDriver(identity, claim),
        ...(journal === undefined ? {} : { journal }),
      }
      const handle = leaseHandle(leases, request, planSubject(plan))
      return isNodeRun(plan.kind) ? { ...handle, acquire: beforeUpdates(handle, leases, plan) } : handle
    },
    fenced: fencedWorld,
  }
}

/** `subject` names the Lease for people. */
export function leaseHandle(leases: LeasePort, request: LeaseRequest, subject: string): LeaseHandle {
  const lost = (by: LeaseState) => ({ kind: 'lost', message: heldMessage(subject, by) }) as const
  return {
    durationMs: request.durationSeconds * 1000,
    acquire: async signal => {
      const answer = await leases.acquire(request, signal)
      if (!answer.ok) return answer
      if (answer.value.kind === 'journal-lacks') return failed(journalLacks(subject, request.runId, answer.value.head))
      return ok(
        answer.value.kind === 'held' ? heldBy(heldMessage(subject, answer.value.by), answer.value.by) : answer.value,
      )
    },
    renew: async signal => {
      const answer = await leases.renew(request, signal)
      if (!answer.ok) return answer
      return ok(answer.value.kind === 'lost' ? lost(answer.value.by) : answer.value)
    },
    confirm: async signal => {
      const answer = await leases.confirm(request, signal)
      if (!answer.ok) return answer
      return ok(answer.value.kind === 'lost' ? lost(answer.value.by) : answer.value)
    },
    release: signal => leases.release(request, signal),
  }
}

function journalLacks(subject: string, run: string, { seq, hash }: ChainHead): Failure {
  return refusal('conflict', fault('JournalLacks', { subject, run, seq }), {
    target: `run/${run}`,
    detail: `entry ${seq} has the hash ${hash}`,
  })
}

/** Releases the Lease again if a run over many nodes of the cluster is in progress. */
function beforeUpdates(handle: LeaseHandle, leases: LeasePort, plan: Plan): LeaseHandle['acquire'] {
  return async signal => {
    const taken = await handle.acquire(signal)
    if (!taken.ok || taken.value.kind === 'held') return taken
    const update = await leases.holder(UPDATE_LEASE, signal)
    if (update.ok && (update.value === null || isGone(update.value))) return taken
    await handle.release(new AbortController().signal)
    if (!update.ok || update.value === null) return update.ok ? taken : update
    const message = `${severalNodesHeld(plan.cluster, update.value)} ${afterMany(planSubject(plan))}`
    return ok(heldBy(message, update.value))
  }
}

function heldBy(message: string, by: LeaseState): LeaseHeld {
  return { kind: 'held', message, freeInMs: by.seenRenewed ? null : by.freeInMs }
}

/** Unique for each claim, also for a process with the same name and pid. */
function identityOf({ runId, fence }: { readonly runId: string; readonly fence: Fence }): string {
  return `${identityPrefix(runId)}${fence.id}/${fence.epoch}`
}

function identityPrefix(runId: string): string {
  return `lockkeeper-${runId}/`
}

function isOfGoneDriver(identity: string, { runId, fence, isDriverGone }: LeaseClaim): boolean {
  if (identity === identityOf({ runId, fence }) || !identity.startsWith(identityPrefix(runId))) return false
  const [driverId = ''] = identity.slice(identityPrefix(runId).length).split('/')
  return isDriverGone(driverId)
}

/** A living holder renews within this time (every 10 s; every 20 s in earlier versions). */
export const LIVES_WITHIN_MS = 25_000
/** A check does not wait for a Lease that expires later than this. */
export const WORTH_WAITING_MS = 90_000

/** No renewal was seen, and the Lease expires soon enough to wait for that. */
export function seemsGone(by: LeaseState): boolean {
  return !by.seenRenewed && by.freeInMs <= WORTH_WAITING_MS
}

/** Watches a Lease until a renewal, its end, or the time limit. The run's own Lease is not watched. */
export async function watchHolder(
  name: LeaseName,
  ctx: Pick<MaintenanceContext, 'world' | 'clock' | 'signal' | 'runId'>,
  forMs: number,
): Promise<Result<LeaseState | null>> {
  const until = ctx.clock.monotonicMs() + forMs
  for (;;) {
    const seen = await ctx.world.kubernetes.leases.holder(name, ctx.signal)
    if (!seen.ok || seen.value === null) return seen
    const { runId, seenRenewed, freeInMs } = seen.value
    const leftMs = Math.min(until - ctx.clock.monotonicMs(), freeInMs)
    if (runId === ctx.runId || seenRenewed || leftMs <= 0 || freeInMs > WORTH_WAITING_MS) return seen
    await ctx.clock.sleep(Math.min(leftMs, 1_000), ctx.signal)
    if (ctx.signal.aborted) return seen
  }
}

/** Whether the list of Leases shows it as free. That protects nothing: a run takes its Lease, or reads it directly. */
export async function isListedFree(
  name: LeaseName,
  { world, signal }: Pick<MaintenanceContext, 'world' | 'signal'>,
): Promise<boolean> {
  const all = await world.kubernetes.leases.all(signal)
  return all.ok && all.value.get(name)?.held !== true
}

/** What the checks of a node's run watch and for how long, as sentences. The check itself reports what is unreadable. */
export async function watchedWords(
  node: string,
  { cluster, kubernetes }: MaintenanceWorld,
): Promise<readonly string[]> {
  const subjects = [
    { name: nodeLease(node), subject: node },
    { name: UPDATE_LEASE, subject: cluster.name },
  ]
  const all = await kubernetes.leases.all()
  const words = subjects.map(async ({ name, subject }) => {
    if (all.ok && all.value.get(name)?.held !== true) return []
    const by = await kubernetes.leases.holder(name)
    if (!by.ok || by.value === null || isGone(by.value) || !seemsGone(by.value)) return []
    return [watchedFor(subject, by.value, Math.min(by.value.freeInMs, LIVES_WITHIN_MS))]
  })
  return (await Promise.all(words)).flat()
}

/** Clocks of servers that differ from ours: warnings, and blockers from half a minute on. */
export function skewAnswer(
  clocks: readonly MeasuredClock[],
  readAt: string,
): {
  readonly warnings: readonly Finding[]
  readonly blockers: readonly Blocker[]
  readonly evidence: readonly Evidence[]
} {
  const apart = clocks.filter(isApart)
  const isRefused = ({ aheadMs }: MeasuredClock) => Math.abs(aheadMs) >= SKEW_REFUSED_MS
  return {
    warnings: apart.filter(clock => !isRefused(clock)).map(clock => found('ClockDiffers', clock)),
    blockers: apart.filter(isRefused).map(clock => blocker(fault('ClocksApart', clock), BY_FORCE)),
    evidence: clocks.map(({ server, aheadMs }) => evidence(`clock of ${server}`, readAt, { aheadMs })),
  }
}
