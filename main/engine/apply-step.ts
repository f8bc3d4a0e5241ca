import { type Failure, failure } from '../../shared/domain/failure.ts'
import type { PlannedStep, VerifyAnswer } from '../../shared/domain/plan.ts'
import type { Clock } from '../clock/clock.ts'
import type { Logger } from '../log/logger.ts'
import { type ApplyAnswer, type Step, type StepContext, StopStepping } from './step.ts'

/** No verify looks longer than this, however long its apply may take: by then an operator should know. */
const VERIFY_LIMIT_MS = 600_000

/** Applies a step within its deadline. A deadline or a crash is a failure of the step, never of the program. */
export async function applyStep<World>(
  planned: PlannedStep,
  step: Step<World>,
  contextWith: (signal: AbortSignal) => StepContext<World>,
  stop: AbortSignal,
  clock: Clock,
  log: Logger,
): Promise<ApplyAnswer> {
  const deadline = new AbortController()
  const finished = new AbortController()
  const timer = clock.sleep(planned.withinMs, finished.signal).then(() => {
    if (!finished.signal.aborted) deadline.abort()
  })
  const ctx = contextWith(AbortSignal.any([stop, deadline.signal]))
  const outOfTime = (): ApplyAnswer => ({ kind: 'failed', failure: timedOut(planned) })
  try {
    const answer = (await step.apply?.(planned.input, ctx)) ?? { kind: 'applied', note: '' }
    return answer.kind === 'stopped' && deadline.signal.aborted && !stop.aborted ? outOfTime() : answer
  } catch (error) {
    if (error instanceof StopStepping) return stop.aborted ? { kind: 'stopped' } : outOfTime()
    return { kind: 'failed', failure: crashOf(planned, error, log) }
  } finally {
    finished.abort()
    await timer
  }
}

/** Verifies a step, looking again until it holds, cannot hold any more, or its time is up. Null when the run stopped meanwhile. */
export async function verifyStep<World>(
  planned: PlannedStep,
  step: Step<World>,
  ctx: StepContext<World>,
  limitMs: number,
  log: Logger,
): Promise<VerifyAnswer | null> {
  const until = ctx.clock.now() + Math.min(planned.withinMs, VERIFY_LIMIT_MS, limitMs)
  for (;;) {
    const answer = await lookOnce(planned, step, ctx, log)
    if (ctx.signal.aborted) return null
    if (answer.kind === 'holds' || !answer.mayStillHold || ctx.clock.now() >= until) return answer
    await ctx.clock.sleep(step.verifyEveryMs, ctx.signal)
    if (ctx.signal.aborted) return null
  }
}

async function lookOnce<World>(
  planned: PlannedStep,
  step: Step<World>,
  ctx: StepContext<World>,
  log: Logger,
): Promise<VerifyAnswer> {
  try {
    const answer = await step.verify?.(planned.input, ctx)
    return answer ?? { kind: 'holds', reason: 'There is nothing to verify.', evidence: [] }
  } catch (error) {
    const crash = crashOf(planned, error, log)
    return {
      kind: 'fails',
      reason: crash.message,
      remedy: 'The log has the details; report them.',
      evidence: [],
      mayStillHold: false,
    }
  }
}

function timedOut(planned: PlannedStep): Failure {
  return failure(
    'timed-out',
    `"${planned.title}" did not finish within ${Math.round(planned.withinMs / 60_000)} minutes. Resume the run to go on with it.`,
  )
}

/** Exceptions are bugs (style G36): the run stops safely, the operator is told where to look. */
function crashOf(planned: PlannedStep, error: unknown, log: Logger): Failure {
  log.error('a step crashed', { step: planned.id, error })
  return failure(
    'internal',
    `"${planned.title}" failed on Lockkeeper's own side. What it had announced is in the journal; the log has the details.`,
  )
}
