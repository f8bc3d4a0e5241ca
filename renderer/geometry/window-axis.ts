/** A stretch of time on a line: what is shown of it, from its left end to its right. */
export interface TimeAxis {
  readonly fromMs: number
  readonly toMs: number
}

/** A bar on the axis, in hundredths of its length. */
interface AxisBar {
  readonly leftPercent: number
  readonly widthPercent: number
}

/** Something with a beginning and an end. */
interface Stretch {
  readonly id: string
  readonly fromMs: number
  readonly toMs: number
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** How far apart ticks may be, in the order in which they are tried. */
const TICK_STEPS = [HOUR_MS, 3 * HOUR_MS, 6 * HOUR_MS, DAY_MS, 2 * DAY_MS, 7 * DAY_MS] as const
const MOST_TICKS = 14

/** Where a stretch lies on the axis, cut at its ends; null when none of it is shown. */
export function barOn(axis: TimeAxis, { fromMs, toMs }: Pick<Stretch, 'fromMs' | 'toMs'>): AxisBar | null {
  const from = Math.max(fromMs, axis.fromMs)
  const to = Math.min(toMs, axis.toMs)
  if (to <= from) return null
  const whole = axis.toMs - axis.fromMs
  return { leftPercent: ((from - axis.fromMs) / whole) * 100, widthPercent: ((to - from) / whole) * 100 }
}

/** Where a moment lies on the axis, in hundredths; null when it is outside. */
export function pointOn(axis: TimeAxis, atMs: number): number | null {
  if (atMs < axis.fromMs || atMs > axis.toMs) return null
  return ((atMs - axis.fromMs) / (axis.toMs - axis.fromMs)) * 100
}

/** The moments that are marked: whole days or hours of the given offset (minutes east of UTC), at most fourteen. */
export function axisTicks(axis: TimeAxis, offsetMinutes: number): readonly number[] {
  const step = TICK_STEPS.find(each => (axis.toMs - axis.fromMs) / each <= MOST_TICKS) ?? 30 * DAY_MS
  const offsetMs = offsetMinutes * 60_000
  const first = Math.ceil((axis.fromMs + offsetMs) / step) * step - offsetMs
  const count = Math.max(0, Math.floor((axis.toMs - first) / step) + 1)
  return Array.from({ length: count }, (_, at) => first + at * step)
}

/** The line of each stretch, such that no two on a line overlap: each takes the first that is free. */
export function linesOf(stretches: readonly Stretch[]): ReadonlyMap<string, number> {
  const freeFrom: number[] = []
  const lines = new Map<string, number>()
  for (const { id, fromMs, toMs } of [...stretches].sort((a, b) => a.fromMs - b.fromMs || b.toMs - a.toMs)) {
    const free = freeFrom.findIndex(each => each <= fromMs)
    const line = free < 0 ? freeFrom.length : free
    freeFrom[line] = toMs
    lines.set(id, line)
  }
  return lines
}
