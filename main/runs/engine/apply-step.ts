import type { Failure } from '../../../shared/domain/failure.ts'
import type { PlannedStep } from '../../../shared/domain/plan.ts'
import type { RunFact } from '../../../shared/domain/run.ts'
import { NOT_VERIFIED_YET, type RunFactName } from '../../../shared/domain/run-facts.ts'
import type { VerifyAnswer } from '../../../shared/domain/step-answers.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import { type Fault, fault, found } from '../../../shared/words/step-texts.ts'
import type { Logger } from '../../platform/log/logger.ts'
import { JournalRefused } from '../../ports/journal.ts'
import { deadlineAfter, resultOrHung } from './patience.ts'
import type { SleepWatch } from './sleep-watch.ts'
import { type ApplyAnswer, type Step, type StepContext, StopStepping } from './step.ts'
import type { TransientRetry } from './transient-retry.ts'

/** Upper limit of a verify, unless its step sets one: an operator should learn of the failure by then. */
const VERIFY_LIMIT_MS = 600_000

/** A repeated verify reports changes at most this often, because some of them count seconds. */
const REPORT_EVERY_MS = 10_000

/** The attempt has no result because the machine slept: it is repeated, and reads the world again. */
interface SleptOver {
  readonly kind: 'slept'
}

/** Ends an attempt: the run stops, or the machine slept. */
interface AttemptEnds {
  readonly stop: AbortSignal
  readonly sleep: SleepWatch
}

/** Applies a step within its deadline. A crash is a failure of the step; a refusal of an effect's gate counts more than the step's answer. */
export async function applyStep<World>(
  planned: PlannedStep,
  step: Step<World>,
  contextWith: (signal: AbortSignal, refuse: (why: Failure) => void) => StepContext<World>,
  { stop, sleep }: AttemptEnds,
  log: Logger,
): Promise<ApplyAnswer | SleptOver> {
  const { clock } = sleep
  const deadline = deadlineAfter(planned.withinMs, clock)
  const slept = sleep.signal
  const gate = new AbortController()
  let refused: Failure | null = null
  const refuse = (why: Failure) => {
    refused ??= why
    gate.abort()
  }
  const signal = AbortSignal.any([stop, deadline.signal, slept, gate.signal])
  const interrupted = (): ApplyAnswer | SleptOver => {
    if (stop.aborted) return { kind: 'stopped' }
    return slept.aborted ? { kind: 'slept' } : { kind: 'failed', failure: refused ?? timedOut(planned) }
  }
  try {
    const work = step.apply?.(planned.input, contextWith(signal, refuse))
    const answer = work === undefined ? APPLIED : await resultOrHung(work, signal, clock)
    if (answer === 'hung') {
      log.warn('step-goes-on-after-stop', { step: planned.id })
      return interrupted()
    }
    if (gate.signal.aborted) return interrupted()
    const cutShort = answer.kind === 'stopped' || (answer.kind === 'failed' && answer.failure.code === 'aborted')
    return cutShort && signal.aborted ? interrupted() : answer
  } catch (error) {
    if (error instanceof StopStepping) return interrupted()
    return { kind: 'failed', failure: crashOf(planned, error, log) }
  } finally {
    await deadline.cancel()
  }
}

const APPLIED: ApplyAnswer = { kind: 'applied', note: '' }

/** Verifies a step: checks until the effect is confirmed, has become impossible, or the time is up. Null if the run stopped. */
export async function verifyStep<World>(
  planned: PlannedStep,
  step: Step<World>,
  contextWith: (signal: AbortSignal) => StepContext<World>,
  more: AttemptEnds & {
    readonly limitMs: number
    readonly log: Logger
    readonly transientRetry: TransientRetry
    readonly report: (fact: RunFactName, values: RunFact['values']) => void
  },
): Promise<VerifyAnswer | null> {
  const { stop, sleep, log, transientRetry, report } = more
  const { clock } = sleep
  const limitMs = Math.min(planned.withinMs, step.verifyWithinMs ?? VERIFY_LIMIT_MS, more.limitMs)
  let until = clock.monotonicMs() + limitMs
  let looks = 0
  let reported: { readonly reason: string; readonly atMs: number } | null = null
  for (;;) {
    const beganMs = clock.monotonicMs()
    const answer = await verifyOnce(planned, step, contextWith, { stop, sleep }, log)
    if (stop.aborted) return null
    if (answer.kind === 'slept') continue
    if (answer.kind === 'cannot-tell' && answer.passing !== undefined) {
      const trouble = { reason: answer.reason, retryAfterMs: answer.passing.retryAfterMs }
      const next = await transientRetry.after('verify', trouble, stop)
      if (next !== 'again') return next === 'stopped' ? null : answer
      // The failure was reported meanwhile; report the next answer too.
      reported = null
      // An answer that shows nothing does not count against the limit.
      until += clock.monotonicMs() - beganMs
      continue
    }
    transientRetry.progressed('verify')
    if (answer.kind === 'holds' || !answer.mayStillHold || clock.monotonicMs() >= until) return answer
    looks += 1
    const nowMs = clock.monotonicMs()
    const isNew = reported === null || (reported.reason !== answer.reason && nowMs - reported.atMs >= REPORT_EVERY_MS)
    // Most verifies that fail at first pass at the second attempt.
    if (looks > 1 && isNew) {
      const leftMs = Math.round(until - nowMs)
      report(NOT_VERIFIED_YET, { reason: answer.reason, until: new Date(clock.now() + leftMs).toISOString(), leftMs })
      reported = { reason: answer.reason, atMs: nowMs }
    }
    await clock.sleep(step.verifyEveryMs, stop)
    if (stop.aborted) return null
  }
}

export async function verifyOnce<World>(
  planned: PlannedStep,
  step: Step<World>,
  contextWith: (signal: AbortSignal) => StepContext<World>,
  { stop, sleep }: AttemptEnds,
  log: Logger,
): Promise<VerifyAnswer | SleptOver> {
  const { clock } = sleep
  const deadline = deadlineAfter(VERIFY_LIMIT_MS, clock)
  const slept = sleep.signal
  const signal = AbortSignal.any([stop, deadline.signal, slept])
  try {
    const work = step.verify?.(planned.input, contextWith(signal))
    if (work === undefined) {
      const { code, values, message: reason } = found('NothingToVerify')
      return { kind: 'holds', code, values: { ...values }, reason, evidence: [] }
    }
    const answer = await resultOrHung(work, signal, clock)
    // Applies to a passing answer too: parts of it may be older than the sleep.
    if (slept.aborted) return { kind: 'slept' }
    return answer === 'hung' ? unreported(fault('VerifyNotAnswered', { title: planned.title })) : answer
  } catch (error) {
    if (slept.aborted) return { kind: 'slept' }
    return crashedVerify(planned, error, log)
  } finally {
    await deadline.cancel()
  }
}

function unreported({ code, values, message: reason, remedy }: Fault): VerifyAnswer {
  return { kind: 'cannot-tell', code, values: { ...values }, reason, remedy, evidence: [], mayStillHold: false }
}

function timedOut({ title, withinMs }: PlannedStep): Failure {
  // Its time is up: an immediate retry would make the deadline pointless.
  return refusal('timed-out', fault('StepTimedOut', { title, forMs: withinMs }), { retryable: false })
}

/** Exceptions are bugs (style G36): the run stops safely, and the message tells the operator where to look. */
function crashOf(planned: PlannedStep, error: unknown, log: Logger): Failure {
  if (error instanceof JournalRefused) return error.failure
  log.error('a step crashed', { step: planned.id, error })
  return refusal('internal', { ...fault('StepCrashed', { title: planned.title }), remedy: '' })
}

/** A look that crashed shows nothing about the state. */
function crashedVerify(planned: PlannedStep, error: unknown, log: Logger): VerifyAnswer {
  const crashed = fault('StepCrashed', { title: planned.title })
  return unreported({ ...crashed, message: crashOf(planned, error, log).message })
}
