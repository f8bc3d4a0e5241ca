/** A plan this old should be checked again. */
const OLD_AFTER_MS = 60_000
/** A plan this old cannot start: its checks may be wrong by now. */
const TOO_OLD_AFTER_MS = 5 * 60_000

type PlanAge = 'fresh' | 'old' | 'too-old'

/** How old a plan is, by this page's own clock. */
export function planAge(madeAtMs: number, nowMs: number): PlanAge {
  const ms = nowMs - madeAtMs
  return ms >= TOO_OLD_AFTER_MS ? 'too-old' : ms >= OLD_AFTER_MS ? 'old' : 'fresh'
}
