/** A plan this old is better checked again. */
const OLD_AFTER_MS = 60_000
/** A plan this old is not started any more: what it found may be long untrue. */
const TOO_OLD_AFTER_MS = 5 * 60_000

type PlanAge = 'fresh' | 'old' | 'too-old'

/** How far a plan that was answered at a time of this page's own clock may be trusted now. */
export function planAge(madeAtMs: number, nowMs: number): PlanAge {
  const ms = nowMs - madeAtMs
  return ms >= TOO_OLD_AFTER_MS ? 'too-old' : ms >= OLD_AFTER_MS ? 'old' : 'fresh'
}
