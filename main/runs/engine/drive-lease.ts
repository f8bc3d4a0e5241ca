import type { Plan } from '../../../shared/domain/plan.ts'
import { ok, type Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Logger } from '../../platform/log/logger.ts'
import { retriesExhausted } from './drive.ts'
import type { Gates } from './gate.ts'
import { createHeldLease, type HeldLease } from './held-lease.ts'
import type { LeaseHandle } from './lease-keeper.ts'
import { type Moment, momentOf } from './lease-state.ts'
import { hasTouched, isCarriedOut, type RunRecord } from './run-record.ts'
import { finish, leave, type RestState, restFor } from './run-rest.ts'
import { codedOf } from './said.ts'
import type { SleepWatch } from './sleep-watch.ts'
import type { StopSwitch } from './stop-switch.ts'
import {
  createTransientRetry,
  TRANSIENT_RETRY_UNTOUCHED_MS,
  type TransientRetry,
  transientFailureOf,
} from './transient-retry.ts'

/** The Lease of a run while this process drives it: what it works with, and what has happened to it so far. */
export interface DrivenLease {
  readonly record: RunRecord
  readonly plan: Plan
  /** The subject of the Lease: a node, or the cluster's work on many nodes. */
  readonly node: string
  readonly handle: LeaseHandle
  readonly identity: string
  readonly resumed: boolean
  readonly stop: StopSwitch
  readonly gates: Gates
  readonly sleep: SleepWatch
  readonly clock: Clock
  readonly log: Logger
  readonly newId: () => string
  readonly onWaiting: (waiting: boolean) => void
  readonly retryForMs: number
  readonly until: AbortSignal
  hold: HeldLease | null
  /** Resolves when the renewals have ended; null until the Lease is taken. */
  kept: Promise<void> | null
  /** Why the run lost the Lease; empty if it never did. */
  whyAway: string
  question: string | null
}

const LEASE_CHOICES = ['retry', 'abort'] as const
/** How often a run that lost its Lease checks whether it has it back. */
const LOOK_AT_LEASE_MS = 500
/** Longest watch of a Lease whose holder may be gone; a longer Lease is refused at once, with its holder. */
const LONGEST_WATCH_MS = 90_000
const LOOK_AGAIN_MS = 2_000

/** Takes the Lease; returns how the run ends instead if it cannot. */
export async function takeRunLease(
  lease: DrivenLease,
): Promise<RestState | { readonly kind: 'held'; readonly hold: HeldLease }> {
  const { record, node, clock, stop } = lease
  const taken = await takeLease(lease.handle, {
    clock,
    signal: abortsOnFinalStop(lease),
    onWatching: (message, forMs) => record.append({ kind: 'lease-watched', node, message, forMs }),
    transientRetry: retryOfLease(lease),
  })
  if (taken.ok && taken.value.kind === 'acquired') return keepLease(lease, taken.value.askedAt)
  const reason = stop.reason()
  const rest = reason === null ? null : restFor(reason, record)
  if (rest !== null) return rest
  const why = taken.ok ? (taken.value.kind === 'held' ? taken.value.message : '') : taken.failure.message
  if (!lease.resumed) return finish(record, 'checks-failed', because('NothingTouched', { causes: [why] }))
  return leave(record, { code: 'LeaseNotTaken', node, cause: why })
}

type LeaseTaken =
  | { readonly kind: 'acquired'; readonly askedAt: Moment }
  | { readonly kind: 'held'; readonly message: string }

/** Takes a Lease, or watches one whose holder may be gone until it is free or renewed; `onWatching` receives the holder and the longest wait once. */
async function takeLease(
  handle: LeaseHandle,
  more: {
    readonly clock: Clock
    readonly signal: AbortSignal
    readonly onWatching: (message: string, forMs: number) => void
    readonly transientRetry: TransientRetry
  },
): Promise<Result<LeaseTaken>> {
  const { clock, signal, transientRetry } = more
  let reported = false
  for (;;) {
    const askedAt = momentOf(clock)
    const answer = await handle.acquire(signal)
    const trouble = answer.ok ? null : transientFailureOf(answer.failure)
    if (trouble === null) transientRetry.settled(answer.ok)
    else if ((await transientRetry.after('lease', trouble, signal)) === 'again') continue
    if (!answer.ok) return answer
    if (answer.value.kind === 'acquired') return ok({ kind: 'acquired', askedAt })
    const { message, freeInMs } = answer.value
    if (freeInMs === null) return ok({ kind: 'held', message })
    if (signal.aborted || freeInMs > LONGEST_WATCH_MS) {
      return ok({ kind: 'held', message: because('LeaseMayBeFreed', { held: message, freeInMs }).message })
    }
    if (!reported) more.onWatching(message, freeInMs)
    reported = true
    await clock.sleep(Math.min(freeInMs, LOOK_AGAIN_MS), signal)
  }
}

/** Journals that the Lease is taken, and starts to renew it. */
function keepLease(lease: DrivenLease, askedAt: Moment): { readonly kind: 'held'; readonly hold: HeldLease } {
  const { record, node, clock, log, stop } = lease
  record.append({ kind: 'lease-acquired', node, identity: lease.identity })
  const hold = createHeldLease({
    handle: lease.handle,
    askedAt,
    clock,
    log,
    onAway: why => {
      lease.whyAway = why.message
      stop.stop({ kind: 'lease-away' })
      record.append({ kind: 'lease-away', node, why: why.message, ...codedOf(why) })
    },
    onBack: awayMs => record.append({ kind: 'lease-back', node, awayMs: Math.round(awayMs) }),
    onGone: why => stop.stop({ kind: 'lease-lost', why }),
    until: lease.until,
  })
  lease.kept = hold.keep().catch((error: unknown) => {
    // The journal rejected an event: nothing more starts (run-record.ts), and the run is found interrupted.
    log.error('lease-kept-no-longer', { runId: record.runId, error })
    stop.stop({ kind: 'lease-lost', why: because('JournalUnwritten') })
  })
  lease.hold = hold
  return { kind: 'held', hold }
}

/** Before the first change the wait is shorter. The next step's facts show it. */
function retryOfLease({ record, plan, sleep, resumed, retryForMs }: DrivenLease): TransientRetry {
  const first = nextStep(record, plan)
  return createTransientRetry({
    clock: sleep.clock,
    patienceMs: () => (resumed ? retryForMs : Math.min(retryForMs, TRANSIENT_RETRY_UNTOUCHED_MS)),
    report: (fact, values) => {
      if (first === undefined) return
      record.append({
        kind: 'fact',
        stepId: first.id,
        fact,
        subject: first.id,
        announces: false,
        values: { ...values },
      })
    },
  })
}

/** Aborts once the run stops for good; a pause waits until the Lease is taken. */
function abortsOnFinalStop({ stop, until }: DrivenLease): AbortSignal {
  const scope = new AbortController()
  const follow = async () => {
    while (!until.aborted && !scope.signal.aborted) {
      const reason = stop.reason()
      if (reason !== null && reason.kind !== 'pause') scope.abort()
      else await stop.changed()
    }
  }
  void follow()
  return scope.signal
}

/** Waits until a pause, or an absence of the Lease, ends; returns how the run ends if it does not continue. A long absence becomes a question. */
export async function waitUntilContinues(lease: DrivenLease, hold: HeldLease): Promise<RestState | null> {
  const { record, stop, sleep, clock } = lease
  let saidPaused = false
  let sinceMs = sleep.clock.monotonicMs()
  for (;;) {
    const reason = stop.reason()
    // After a pause the Lease may still be away: the pause was the more urgent reason and replaced it.
    if (reason === null && hold.isHeld()) return null
    const rest = reason === null ? null : restFor(reason, record)
    if (rest !== null) return rest
    if (reason?.kind === 'pause' && !saidPaused) {
      record.append({ kind: 'paused' })
      saidPaused = true
    }
    if (reason?.kind === 'lease-away' && hold.isHeld()) stop.leaseIsBack()
    else if (reason?.kind === 'pause') {
      await stop.changed()
      sinceMs = sleep.clock.monotonicMs()
    } else {
      if (sleep.clock.monotonicMs() - sinceMs >= patienceMs(lease)) askAboutLease(lease)
      if (await isRetryAnswered(lease)) sinceMs = sleep.clock.monotonicMs()
      await clock.sleep(LOOK_AT_LEASE_MS, lease.until)
    }
  }
}

/** Before the first change the operator can just as well start later. */
function patienceMs({ record, retryForMs }: DrivenLease): number {
  return hasTouched(record) ? retryForMs : Math.min(retryForMs, TRANSIENT_RETRY_UNTOUCHED_MS)
}

/** Asks at the next step, unless the run already waits for an answer. */
function askAboutLease(lease: DrivenLease): void {
  const { record, plan, gates, node } = lease
  const next = nextStep(record, plan)
  if (next === undefined || record.view().openGates.length > 0) return
  const gateId = lease.newId()
  const asked = retriesExhausted({ kind: 'lease-away', node, cause: lease.whyAway }, { retryForMs: patienceMs(lease) })
  gates.open(gateId, LEASE_CHOICES)
  record.append({ kind: 'gate-opened', stepId: next.id, gateId, ...asked, choices: [...LEASE_CHOICES] })
  lease.question = gateId
  lease.onWaiting(true)
}

/** Reads answers while the run has no Lease: an abort, or to wait longer for the Lease. All others are read when the run continues. */
async function isRetryAnswered(lease: DrivenLease): Promise<boolean> {
  const { record, gates, stop } = lease
  for (const gate of record.view().openGates) {
    const answer = await gates.wait(gate.gateId, Promise.resolve())
    if (answer === null) continue
    const { gateId, choice, reason, by } = answer
    if (choice !== 'abort' && gateId !== lease.question) continue
    record.append({ kind: 'gate-answered', stepId: gate.stepId, gateId, choice, reason, by })
    gates.close(gateId)
    lease.onWaiting(gates.isAnyOpen())
    if (choice === 'abort') stop.stop({ kind: 'abort', by, reason })
    else return true
  }
  return false
}

function nextStep(record: RunRecord, plan: Plan): Plan['steps'][number] | undefined {
  return plan.steps.find(step => !isCarriedOut(record, step)) ?? plan.steps[0]
}
