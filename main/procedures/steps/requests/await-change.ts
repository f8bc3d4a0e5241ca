import type { Result } from '../../../../shared/domain/result.ts'
import { WAITS_FOR } from '../../../../shared/domain/run-facts.ts'
import { durationWords } from '../../../../shared/grammar/durations.ts'
import type { ApplyAnswer } from '../../../runs/engine/step.ts'
import type { MaintenanceContext } from '../../node-input.ts'
import { TOLD_STILL_AFTER_MS } from './await-locks.ts'

/** Often enough that an update is not kept waiting, seldom enough for an API server. */
const LOOK_EVERY_MS = 1_000

/** What one look at the world came to. */
type Look =
  | { readonly kind: 'so'; readonly note: string }
  /** Not yet; `what` it waits for, in words. `mark` changes whenever anything moves; absent: when `what` does. */
  | { readonly kind: 'waits'; readonly what: string; readonly mark?: string }
  /** It cannot become so by itself: a person is asked at once. */
  | { readonly kind: 'stuck'; readonly why: string }
  /** It cannot be told whether it goes on: a person is asked at once, and cannot pass it. */
  | { readonly kind: 'open'; readonly why: string; readonly remedy: string }

/** What is waited for, and how to say it. */
interface Wait {
  /** `cluster`, or `node/<name>`: what the waiting is told of. */
  readonly subject: string
  readonly look: () => Promise<Result<Look>>
  /** What an operator can do, for the question after too long a silence. */
  readonly remedy: string
  /** More to say of what has not moved for half a minute: who should move it, and what is seen of them; empty: nothing. */
  readonly still?: () => Promise<string>
  readonly choices: readonly ('continue' | 'retry' | 'skip' | 'abort')[]
  /** The choices while what is waited for goes on, or may; absent: the same. */
  readonly whileItGoesOn?: readonly ('retry' | 'abort')[]
  /** Asks at that moment (ISO), whatever moves: `said` is why, in a sentence. Null: there is no such moment. */
  readonly until?: { readonly at: string; readonly said: string; readonly remedy?: string } | null
  /** Asks after so long a silence already, where the cluster's setting allows longer. */
  readonly patienceMs?: number
  /** It takes as long as it takes: a silence says nothing, and only `until` asks. */
  readonly mayBeSilent?: true
}

/**
 * Waits until something is so. The journal gets what it waits for whenever that changes; when nothing at all has moved for the cluster's
 * `blockedAfterMs`, it becomes a question instead of spinning silently (docs/domain.md G.6).
 */
export async function awaitChange(wait: Wait, ctx: MaintenanceContext): Promise<ApplyAnswer> {
  const { clock, signal } = ctx
  const { blockedAfterMs } = ctx.world.cluster.maintenanceApi
  const patienceMs = Math.min(blockedAfterMs, wait.patienceMs ?? blockedAfterMs)
  const limitMs = wait.mayBeSilent ? Number.POSITIVE_INFINITY : patienceMs
  let told: string | null = null
  let mark: string | null = null
  let still: string | null = null
  let movedAt = clock.monotonicMs()
  const tell = (what: string | null) => {
    if (what === told) return
    told = what
    ctx.report(WAITS_FOR, wait.subject, { what })
  }
  while (!signal.aborted) {
    const askedAt = clock.monotonicMs()
    const found = await ctx.outlast(wait.subject, wait.look)
    if (signal.aborted) break
    if (!found.ok) return { kind: 'failed', failure: found.failure }
    const look = found.value
    if (look.kind === 'so') {
      tell(null)
      return { kind: 'applied', note: look.note }
    }
    if (look.kind === 'stuck') {
      return { kind: 'question', question: `${look.why} ${wait.remedy}`, choices: wait.choices }
    }
    if (look.kind === 'open') {
      return { kind: 'question', question: `${look.why} ${look.remedy}`, choices: wait.whileItGoesOn ?? wait.choices }
    }
    if (wait.until != null && clock.now() >= Date.parse(wait.until.at)) {
      return {
        kind: 'question',
        question: `${wait.until.said} It waits for ${look.what}. ${wait.until.remedy ?? wait.remedy}`,
        choices: wait.whileItGoesOn ?? wait.choices,
      }
    }
    const now = look.mark ?? look.what
    if (now !== mark) still = null
    // While nobody could look, nobody knows that nothing moved.
    movedAt = now === mark ? movedAt + (clock.monotonicMs() - askedAt) : clock.monotonicMs()
    mark = now
    const stillMs = clock.monotonicMs() - movedAt
    if (still === null && wait.still !== undefined && stillMs >= TOLD_STILL_AFTER_MS) still = await wait.still()
    tell(
      still === null || still === ''
        ? look.what
        : `${look.what}; it has not moved for ${durationWords(TOLD_STILL_AFTER_MS)} (${still})`,
    )
    if (clock.monotonicMs() - movedAt >= limitMs) {
      return {
        kind: 'question',
        question: `Nothing has moved for ${durationWords(limitMs)}: ${look.what}. ${wait.remedy}`,
        choices: wait.whileItGoesOn ?? wait.choices,
      }
    }
    await clock.sleep(LOOK_EVERY_MS, signal)
  }
  return { kind: 'stopped' }
}
