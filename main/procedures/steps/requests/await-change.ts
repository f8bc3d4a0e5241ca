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

const LOOK_EVERY_MS = 1_000

type Look =
  | { readonly kind: 'so'; readonly note: Finding }
  /** `what` it waits for, as a phrase. `mark` changes whenever anything moves; when absent, a change of `what` counts. */
  | { readonly kind: 'waits'; readonly what: Finding; readonly mark?: string }
  | { readonly kind: 'stuck'; readonly why: Fault }
  /** Nobody knows whether it continues: ask at once, without a skip. */
  | { readonly kind: 'open'; readonly why: Fault }

type Choices = Extract<ApplyAnswer, { kind: 'question' }>['choices']

type Wait = {
  readonly subject: string
  readonly look: () => Promise<Result<Look>>
  /** Signs of life of the responsible controller, after half a minute without movement. */
  readonly still?: () => Promise<readonly LockLife[]>
  readonly choices: Choices
  /** While the awaited work continues, or may. Absent means the same choices. */
  readonly whileItContinues?: readonly ('retry' | 'abort')[]
  /** Asks at this time (ISO), even during progress. Null means never. */
  readonly until?: { readonly at: string; readonly over: (waits: WaitsFor) => Fault } | null
  /** Asks after this long, where the cluster's setting allows longer. */
  readonly patienceMs?: number
} & (
  | {
      readonly quiet: (quiet: Quiet) => Fault
    }
  | { readonly mayBeSilent: true }
)

/** Journals each change of what it waits for, and asks after the cluster's `blockedAfterMs` without movement (docs/domain.md G.6). */
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
    // Time without an answer does not count as time without movement.
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

function reporter(subject: string, ctx: MaintenanceContext): (what: Finding | null) => void {
  let reported: string | null = null
  return what => {
    const key = what === null ? null : keyOf(what)
    if (key === reported) return
    reported = key
    ctx.report(WAITS_FOR, subject, what === null ? { what } : factValues('what', what))
  }
}

function keyOf({ code, values }: Finding): string {
  return JSON.stringify([code, values])
}
