/** The visible stretch of time on a line. */
export interface TimeAxis {
  readonly fromMs: number
  readonly toMs: number
}

/** A bar on the axis, in hundredths of its length. */
interface AxisBar {
  readonly leftPercent: number
  readonly widthPercent: number
}

interface Stretch {
  readonly id: string
  readonly fromMs: number
  readonly toMs: number
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Distances of ticks, in the order in which they are tried. */
const TICK_STEPS = [HOUR_MS, 3 * HOUR_MS, 6 * HOUR_MS, DAY_MS, 2 * DAY_MS, 7 * DAY_MS] as const
const MOST_TICKS = 14

/** The place of a stretch on the axis, cut at its ends; null when none of it is visible. */
export function barOn(axis: TimeAxis, { fromMs, toMs }: Pick<Stretch, 'fromMs' | 'toMs'>): AxisBar | null {
  const from = Math.max(fromMs, axis.fromMs)
  const to = Math.min(toMs, axis.toMs)
  if (to <= from) return null
  const whole = axis.toMs - axis.fromMs
  return { leftPercent: ((from - axis.fromMs) / whole) * 100, widthPercent: ((to - from) / whole) * 100 }
}

/** The place of a moment on the axis, in hundredths; null outside. */
export function pointOn(axis: TimeAxis, atMs: number): number | null {
  if (atMs < axis.fromMs || atMs > axis.toMs) return null
  return ((atMs - axis.fromMs) / (axis.toMs - axis.fromMs)) * 100
}

/** The marks: whole days or hours of the given offset (minutes east of UTC), at most fourteen. */
export function axisTicks(axis: TimeAxis, offsetMinutes: number): readonly number[] {
  const step = TICK_STEPS.find(each => (axis.toMs - axis.fromMs) / each <= MOST_TICKS) ?? 30 * DAY_MS
  const offsetMs = offsetMinutes * 60_000
  const first = Math.ceil((axis.fromMs + offsetMs) / step) * step - offsetMs
  const count = Math.max(0, Math.floor((axis.toMs - first) / step) + 1)
  return Array.from({ length: count }, (_, at) => first + at * step)
}

/** The line of each stretch: the first free one, so that none overlap. */
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
