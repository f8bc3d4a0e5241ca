import { seconds } from '../../shared/domain/durations.ts'
import type { Failure } from '../../shared/domain/failure.ts'
import type { Result } from '../../shared/domain/result.ts'
import { WAITS_FOR } from '../../shared/domain/run-facts.ts'
import type { MaintenanceContext } from './node-input.ts'

/** How often Ceph is asked by Juju at most. */
const BY_JUJU_MS = seconds(5)

/** How a wait ended: `late` after its limit, with what is still missing. */
export type WaitEnd =
  | { readonly kind: 'over' }
  | { readonly kind: 'late'; readonly what: string }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'failed'; readonly failure: Failure }

/**
 * Looks at Ceph again and again until nothing is missing, and tells what is, whenever that changes. A Ceph that does not answer for a while is
 * waited for too.
 */
export async function waitForCeph(
  wait: {
    /** What the fact is about, such as `node/st-1`. */
    readonly subject: string
    readonly everyMs: number
    readonly limitMs: number
    /** What is still missing, in words; null: nothing. */
    readonly missing: () => Promise<Result<string | null>>
  },
  ctx: MaintenanceContext,
): Promise<WaitEnd> {
  const until = ctx.clock.now() + wait.limitMs
  // Every question by Juju is an operation that its controller keeps.
  const everyMs = ctx.world.microceph === null ? wait.everyMs : Math.max(wait.everyMs, BY_JUJU_MS)
  let told: string | null = null
  const tell = (what: string | null) => {
    if (what !== told) ctx.report(WAITS_FOR, wait.subject, { what })
    told = what
  }
  for (;;) {
    if (ctx.signal.aborted) return { kind: 'stopped' }
    const looked = await wait.missing()
    if (!looked.ok && looked.failure.code === 'aborted') return { kind: 'stopped' }
    if (!looked.ok && !looked.failure.retryable) return { kind: 'failed', failure: looked.failure }
    const what = looked.ok ? looked.value : `Ceph to answer: ${looked.failure.message}`
    tell(what)
    if (what === null) return { kind: 'over' }
    if (ctx.clock.now() >= until) return { kind: 'late', what }
    await ctx.clock.sleep(everyMs, ctx.signal)
  }
}
