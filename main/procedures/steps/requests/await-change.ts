import type { Result } from '../../../../shared/domain/result.ts'
import { WAITS_FOR } from '../../../../shared/domain/run-facts.ts'
import { type Fault, found } from '../../../../shared/words/step-texts.ts'
import type { Finding } from '../../../../shared/words/steps/coded.ts'
import type { LockLife } from '../../../../shared/words/steps/requests-controllers.ts'
import type { Quiet, WaitsFor } from '../../../../shared/words/steps/requests-locks.ts'
import type { ApplyAnswer } from '../../../runs/engine/step.ts'
import { applied, asks, factValues } from '../../answers.ts'
import type { MaintenanceContext } from '../../node-input.ts'
import { STALL_REPORTED_AFTER_MS } from './await-locks.ts'

/** Often enough that an update is not kept waiting, seldom enough for an API server. */
const LOOK_EVERY_MS = 1_000

/** What one look at the world came to. */
type Look =
  | { readonly kind: 'so'; readonly note: Finding }
  /** Not yet; `what` it waits for, as a phrase. `mark` changes whenever anything moves; absent: when `what` does. */
  | { readonly kind: 'waits'; readonly what: Finding; readonly mark?: string }
  /** It cannot become so by itself: a person is asked at once. */
  | { readonly kind: 'stuck'; readonly why: Fault }
  /** It cannot be told whether it goes on: a person is asked at once, and cannot pass it. */
  | { readonly kind: 'open'; readonly why: Fault }

type Choices = Extract<ApplyAnswer, { kind: 'question' }>['choices']

/** What is waited for, and how to say it. */
type Wait = {
  /** `cluster`, or `node/<name>`: what the waiting is told of. */
  readonly subject: string
  readonly look: () => Promise<Result<Look>>
  /** More of what has not moved for half a minute: who should move it, and what is seen of them. */
  readonly still?: () => Promise<readonly LockLife[]>
  readonly choices: Choices
  /** The choices while what is waited for goes on, or may; absent: the same. */
  readonly whileItContinues?: readonly ('retry' | 'abort')[]
  /** Asks at that moment (ISO), whatever moves. Null: there is no such moment. */
  readonly until?: { readonly at: string; readonly over: (waits: WaitsFor) => Fault } | null
  /** Asks after so long a silence already, where the cluster's setting allows longer. */
  readonly patienceMs?: number
} & (
  | {
      /** What is asked after too long a silence. */
      readonly quiet: (quiet: Quiet) => Fault
    }
  /** It takes as long as it takes: a silence says nothing, and only `until` asks. */
  | { readonly mayBeSilent: true }
)

/**
 * Waits until something is so. The journal gets what it waits for whenever that changes; when nothing at all has moved for the cluster's
 * `blockedAfterMs`, it becomes a question instead of spinning silently (docs/domain.md G.6).
 */
export async function awaitChange(wait: Wait, ctx: MaintenanceContext): Promise<ApplyAnswer> {
  const { clock, signal } = ctx
  const { blockedAfterMs } = ctx.world.cluster.maintenanceApi
  const patienceMs = Math.min(blockedAfterMs, wait.patienceMs ?? blockedAfterMs)
  const choices = wait.whileItContinues ?? wait.choices
  const report = reporter(wait.subject, ctx)
  let mark: string | null = null
  let still: readonly LockLife[] | null = null
  let movedAt = clock.monotonicMs()
  while (!signal.aborted) {
    const askedAt = clock.monotonicMs()
    const seen = await ctx.retryTransient(wait.subject, wait.look)
    if (signal.aborted) break
    if (!seen.ok) return { kind: 'failed', failure: seen.failure }
    const look = seen.value
    if (look.kind === 'so') {
      report(null)
      return applied(look.note)
    }
    if (look.kind === 'stuck') return asks(look.why, wait.choices)
    if (look.kind === 'open') return asks(look.why, choices)
    const { what } = look
    if (wait.until != null && clock.now() >= Date.parse(wait.until.at)) {
      return asks(wait.until.over({ what }), choices)
    }
    const now = look.mark ?? keyOf(what)
    if (now !== mark) still = null
    // While nobody could look, nobody knows that nothing moved.
    movedAt = now === mark ? movedAt + (clock.monotonicMs() - askedAt) : clock.monotonicMs()
    mark = now
    const stillMs = clock.monotonicMs() - movedAt
    if (still === null && wait.still !== undefined && stillMs >= STALL_REPORTED_AFTER_MS) still = await wait.still()
    report(
      still === null || still.length === 0
        ? what
        : found('WaitDoesNotMove', { what, forMs: STALL_REPORTED_AFTER_MS, lives: still }),
    )
    if ('quiet' in wait && clock.monotonicMs() - movedAt >= patienceMs) {
      return asks(wait.quiet({ what, forMs: patienceMs }), choices)
    }
    await clock.sleep(LOOK_EVERY_MS, signal)
  }
  return { kind: 'stopped' }
}

/** Journals what is waited for when it is another thing than before. */
function reporter(subject: string, ctx: MaintenanceContext): (what: Finding | null) => void {
  let reported: string | null = null
  return what => {
    const key = what === null ? null : keyOf(what)
    if (key === reported) return
    reported = key
    ctx.report(WAITS_FOR, subject, what === null ? { what } : factValues('what', what))
  }
}

/** The same for two findings that say the same. */
function keyOf({ code, values }: Finding): string {
  return JSON.stringify([code, values])
}
