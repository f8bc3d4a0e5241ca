import { seconds } from '../../../../shared/domain/durations.ts'
import type { Failure } from '../../../../shared/domain/failure.ts'
import type { Result } from '../../../../shared/domain/result.ts'
import { WAITS_FOR } from '../../../../shared/domain/run-facts.ts'
import type { Finding } from '../../../../shared/words/steps/coded.ts'
import type { StepInput } from '../../../runs/engine/step.ts'
import type { MaintenanceContext } from '../../node-input.ts'

/** Each query through Juju is an operation that its controller stores. */
const BY_JUJU_MS = seconds(5)

type WaitEnd<Missing> =
  | { readonly kind: 'over' }
  | { readonly kind: 'late'; readonly missing: Missing }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'failed'; readonly failure: Failure }

/** Reads Ceph until nothing is missing, and journals each change. A silent Ceph is retried like any transient failure. */
export async function waitForCeph<Missing>(
  wait: {
    readonly subject: string
    readonly everyMs: number
    readonly limitMs: number
    /** Null if nothing is missing. */
    readonly missing: () => Promise<Result<Missing | null>>
    readonly words: (missing: Missing) => Finding
  },
  ctx: MaintenanceContext,
): Promise<WaitEnd<Missing>> {
  let until = ctx.clock.monotonicMs() + wait.limitMs
  const everyMs = ctx.world.microceph === null ? wait.everyMs : Math.max(wait.everyMs, BY_JUJU_MS)
  let reported = ''
  const report = (missing: Missing | null) => {
    const now = missing === null ? '' : JSON.stringify(missing)
    if (now !== reported) ctx.report(WAITS_FOR, wait.subject, waitOf(missing === null ? null : wait.words(missing)))
    reported = now
  }
  for (;;) {
    if (ctx.signal.aborted) return { kind: 'stopped' }
    const askedAt = ctx.clock.monotonicMs()
    const looked = await ctx.retryTransient(wait.subject, wait.missing)
    if (ctx.signal.aborted || (!looked.ok && looked.failure.code === 'aborted')) return { kind: 'stopped' }
    if (!looked.ok) return { kind: 'failed', failure: looked.failure }
    report(looked.value)
    if (looked.value === null) return { kind: 'over' }
    // Time without an answer from Ceph does not count.
    until += ctx.clock.monotonicMs() - askedAt
    if (ctx.clock.monotonicMs() >= until) return { kind: 'late', missing: looked.value }
    await ctx.clock.sleep(everyMs, ctx.signal)
  }
}

function waitOf(words: Finding | null): StepInput {
  return words === null ? { what: null } : { what: words.message, code: words.code, values: words.values }
}
