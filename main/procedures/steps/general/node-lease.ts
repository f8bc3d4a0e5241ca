import { clockWords, isApart, type MeasuredClock, SKEW_REFUSED_MS } from '../../../../shared/domain/clock-skew.ts'
import { type Failure, failure } from '../../../../shared/domain/failure.ts'
import type { ChainHead } from '../../../../shared/domain/journal-chain.ts'
import { type LeaseName, nodeLease, UPDATE_LEASE } from '../../../../shared/domain/lease-name.ts'
import { isGone, type LeaseStanding } from '../../../../shared/domain/lease-standing.ts'
import {
  type Blocker,
  type Evidence,
  isNodePlan,
  isNodeRun,
  type Plan,
  planSubject,
} from '../../../../shared/domain/plan.ts'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import type { Fence, RunDriver } from '../../../../shared/domain/run.ts'
import { ageWords, atMostWords } from '../../../../shared/grammar/durations.ts'
import { instantWords } from '../../../../shared/grammar/times.ts'
import type { LeasePort, LeaseRequest, RunHeads } from '../../../ports/leases.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { LeaseClaim, LeaseHandle, LeaseHeld, LeaseKeeper } from '../../../runs/engine/lease-keeper.ts'
import { BY_FORCE, evidence } from '../../answers.ts'
import type { MaintenanceContext } from '../../node-input.ts'
import { fencedWorld } from './fenced-world.ts'

/** Long enough to survive a slow API server, short enough that a dead console does not block a node for long. */
const DURATION_SECONDS = 60

/**
 * The Lease that keeps two runs off one node, and two drivers off one cluster (style G26), in the cluster's lease namespace. A run of a
 * node and an update of its cluster exclude each other: each first takes its own Lease and then looks at the other's, so that of two that
 * begin at the same instant at least one sees the other. (An update looks at the node's Lease before it touches the node.)
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

/** One Lease as the engine keeps it; `subject` names it to people. */
export function leaseHandle(leases: LeasePort, request: LeaseRequest, subject: string): LeaseHandle {
  const lost = (by: LeaseStanding) => ({ kind: 'lost', message: heldMessage(subject, by) }) as const
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

function journalLacks(subject: string, runId: string, { seq, hash }: ChainHead): Failure {
  return failure(
    'conflict',
    `This journal does not hold all of run ${runId}: the Lease of ${subject} knows its entry ${seq}, which is not here. The journal's end was cut off, or it is an older copy. Nothing was touched. Put the right journal back and resume the run, or abort it and begin a new one, which looks at everything afresh.`,
    { target: `run/${runId}`, detail: `entry ${seq} has the hash ${hash}` },
  )
}

/** Takes the Lease of a node, and gives it back when a run over many nodes of the cluster turns out to be under way. */
function beforeUpdates(handle: LeaseHandle, leases: LeasePort, plan: Plan): LeaseHandle['acquire'] {
  return async signal => {
    const taken = await handle.acquire(signal)
    if (!taken.ok || taken.value.kind === 'held') return taken
    const update = await leases.holder(UPDATE_LEASE, signal)
    if (update.ok && (update.value === null || isGone(update.value))) return taken
    await handle.release(new AbortController().signal)
    if (!update.ok || update.value === null) return update.ok ? taken : update
    const message = `${MANY_UNDER_WAY} ${heldMessage(plan.cluster, update.value)} Maintain ${planSubject(plan)} when that run is over.`
    return ok(heldBy(message, update.value))
  }
}

function heldBy(message: string, by: LeaseStanding): LeaseHeld {
  return { kind: 'held', message, freeInMs: by.seenRenewed ? null : by.freeInMs }
}

/** Another one for each claim: neither a process of equal name and pid nor an earlier claim of this one is taken for it. */
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

/** Who holds the node, since when, from which machine, and what was seen of it. */
export function heldMessage(node: string, by: LeaseStanding): string {
  const who = `${by.operator ?? by.identity} on ${by.machine ?? 'another machine'}`
  return `${who} holds ${node} since ${sinceWords(by)} (run ${by.runId ?? by.identity}). ${seenWords(by)}`
}

/** Since when a Lease is held by one holder, in words: an instant of today without its day, as far as that is sure. */
export function sinceWords(by: LeaseStanding): string {
  if (by.since === null) return 'an unknown time'
  const isToday = by.seenRenewed && by.renewedAt !== null && dayOf(by.since) === dayOf(by.renewedAt)
  return isToday ? instantWords(by.since).slice(DAY_LENGTH) : instantWords(by.since)
}

function dayOf(at: string): string {
  return instantWords(at).slice(0, DAY_LENGTH)
}

const DAY_LENGTH = '2026-11-22 '.length

/** A holder that lives renews its Lease within this time (every 10 s now, every 20 s in earlier versions). */
export const LIVES_WITHIN_MS = 25_000
/** The Lease of work on many nodes is held; it does not say whether by an update or a rolling maintenance. */
export const MANY_UNDER_WAY = 'Work on many nodes of this cluster is under way.'
/** A Lease that may be free only later than this is not waited for by a check. */
export const WORTH_WAITING_MS = 90_000

/** Whether a holder's console seems gone: nobody saw its Lease renewed, and it may be free soon enough for a run to watch until then. */
export function seemsGone(by: LeaseStanding): boolean {
  return !by.seenRenewed && by.freeInMs <= WORTH_WAITING_MS
}

/** What a run does about a holder that seems gone. */
export function seemsGoneWords(subject: string, by: LeaseStanding): string {
  return `${heldMessage(subject, by)} Its console seems gone: the run first watches whether it still is renewed, up to ${atMostWords(by.freeInMs)}, and takes nothing that is.`
}

/** Who holds a Lease, watched until it was seen to be renewed, or to be gone, or for so long; the run that asks is not watched. */
export async function watchHolder(
  name: LeaseName,
  ctx: Pick<MaintenanceContext, 'world' | 'clock' | 'signal' | 'runId'>,
  forMs: number,
): Promise<Result<LeaseStanding | null>> {
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

/** Whether the list of all Leases shows that nobody holds this one. It guards nothing: whoever acts takes its Lease, or reads it by itself. */
export async function isListedFree(
  name: LeaseName,
  { world, signal }: Pick<MaintenanceContext, 'world' | 'signal'>,
): Promise<boolean> {
  const all = await world.kubernetes.leases.all(signal)
  return all.ok && all.value.get(name)?.held !== true
}

/** What the checks of a run of a node watch before they answer, and for how long at most: sentences. The check itself tells what cannot be read. */
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
    const seconds = Math.ceil(Math.min(by.value.freeInMs, LIVES_WITHIN_MS) / 1000)
    return [`${heldMessage(subject, by.value)} Its Lease is watched for up to ${seconds} s: whether it is renewed.`]
  })
  return (await Promise.all(words)).flat()
}

/** When a held Lease comes free if its holder is gone: what an operator can do about it. */
export function waitRemedy(by: LeaseStanding): string {
  return `Let that run finish or abort it. If its console is gone for good, it may be free in ${atMostWords(by.freeInMs)}: try again then.`
}

/** What differences between the clocks of servers and ours come to before a run: warnings, and from half a minute on blockers, each by the clock's name. */
export function skewAnswer(
  clocks: readonly MeasuredClock[],
  readAt: string,
): {
  readonly warnings: readonly string[]
  readonly blockers: readonly Blocker[]
  readonly evidence: readonly Evidence[]
} {
  const apart = clocks.filter(isApart)
  const isRefused = ({ aheadMs }: MeasuredClock) => Math.abs(aheadMs) >= SKEW_REFUSED_MS
  const words = (clock: MeasuredClock) => `${clockWords(clock)} Times in the journal are this machine's.`
  return {
    warnings: apart.filter(clock => !isRefused(clock)).map(words),
    blockers: apart.filter(isRefused).map(clock => ({
      code: 'clocks-apart',
      message: words(clock),
      remedy:
        'Let both follow the same time server (NTP), or give a reason to go on: what happened when cannot be told from the journal then.',
      override: BY_FORCE,
    })),
    evidence: clocks.map(({ server, aheadMs }) => evidence(`clock of ${server}`, readAt, { aheadMs })),
  }
}

/** What was seen of the holder of a Lease: a sentence. Only what this console saw counts; the holder's clock may be wrong. */
export function seenWords(by: LeaseStanding): string {
  const unchanged = ageWords(by.unchangedForMs)
  if (isGone(by)) return `It was seen unchanged for ${unchanged}: its console is gone.`
  if (by.seenRenewed) return `It was seen to be renewed ${unchanged} ago.`
  return `Last renewed at ${by.renewedAt === null ? 'an unknown time' : instantWords(by.renewedAt)} by its own clock; seen unchanged for ${unchanged} so far.`
}
