import { turnOf, type UpdateTimeline } from '../../shared/domain/update.ts'

interface Stretch {
  readonly fromMs: number
  readonly toMs: number
}

/** An idle stretch, drawn as a break of fixed width. */
interface TimeBreak extends Stretch {
  readonly x: number
  readonly width: number
}

interface TimeTick {
  readonly x: number
  readonly atMs: number
}

/** From time to pixels: linear, except that every idle stretch has the same width. */
export interface TimelineScale extends Stretch {
  readonly width: number
  readonly breaks: readonly TimeBreak[]
  readonly ticks: readonly TimeTick[]
  readonly x: (ms: number) => number
  readonly at: (x: number) => number
}

interface Piece extends Stretch {
  readonly x: number
  readonly width: number
  readonly isBreak: boolean
}

const BREAK_PX = 42
/** The largest share of the width that breaks take. */
const MOST_BROKEN = 1 / 3
/** A shorter stretch is never a break. */
const LEAST_IDLE_MS = 10 * 60_000
/** Nor is a smaller part of the whole. */
const LEAST_IDLE_PART = 1 / 12
const TICK_PX = 96
const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const TICK_STEPS = [
  ...[1, 2, 5, 10, 15, 30].map(amount => amount * SECOND),
  ...[1, 2, 5, 10, 15, 30].map(amount => amount * MINUTE),
  ...[1, 2, 3, 6, 12, 24, 48, 96, 192].map(amount => amount * HOUR),
]

/** The scale that fits a whole update into the width. Its end grows in steps, so that the past does not move every second. */
export function timelineScale(
  timeline: UpdateTimeline,
  width: number,
  nowMs: number,
  /** The expected end is in sight too. */
  untilMs: number = nowMs,
): TimelineScale {
  const extent = extentOf(timeline, nowMs, untilMs)
  const pieces = piecesOf(extent, idleStretches(timeline, extent, nowMs), Math.max(1, width))
  return {
    ...extent,
    width: Math.max(1, width),
    breaks: pieces
      .filter(piece => piece.isBreak)
      .map(({ fromMs, toMs, x, width: wide }) => ({ fromMs, toMs, x, width: wide })),
    ticks: ticksOf(pieces),
    x: ms => xOf(pieces, ms),
    at: x => atOf(pieces, x),
  }
}

/** From the first event to the last; while the update runs, to a little after now or after the expected end. */
function extentOf(timeline: UpdateTimeline, nowMs: number, untilMs: number): Stretch {
  const times = timesOf(timeline)
  const started = timeline.startedAt === null ? [] : [Date.parse(timeline.startedAt)]
  const fromMs = least([...started, ...times], nowMs)
  const last = most(times, fromMs)
  if (timeline.endedAt !== null) return { fromMs, toMs: Math.max(fromMs + SECOND, last, Date.parse(timeline.endedAt)) }
  const endMs = Math.max(last, nowMs, untilMs)
  const idle = idleStretches(timeline, { fromMs, toMs: endMs }, nowMs)
  // Cut-out stretches do not enlarge the step.
  const shown = endMs - fromMs - idle.reduce((sum, stretch) => sum + stretch.toMs - stretch.fromMs, 0)
  const step = TICK_STEPS.find(size => size * 24 >= shown) ?? 24 * HOUR
  return { fromMs, toMs: fromMs + Math.max(1, Math.ceil((endMs - fromMs) / step + 0.001)) * step }
}

/** Every instant with an event. */
function timesOf(timeline: UpdateTimeline): readonly number[] {
  const times: number[] = []
  const add = (at: string | null) => {
    if (at === null) return
    const ms = Date.parse(at)
    if (!Number.isNaN(ms)) times.push(ms)
  }
  for (const { fromAt, toAt } of timeline.phases) {
    add(fromAt)
    add(toAt)
  }
  for (const { spans } of timeline.lanes) {
    for (const span of spans) {
      add(span.fromAt)
      add(span.toAt)
      for (const wait of span.waits) {
        add(wait.fromAt)
        add(wait.toAt)
      }
      for (const retry of span.retries) add(retry.at)
    }
  }
  return times
}

/** Stretches in which nothing began, ended or was in work. */
export function idleStretches(timeline: UpdateTimeline, extent: Stretch, nowMs: number): readonly Stretch[] {
  const end = (at: string | null) => (at === null ? Math.min(nowMs, extent.toMs) : Date.parse(at))
  const busy: Stretch[] = timesOf(timeline).map(ms => ({ fromMs: ms, toMs: ms }))
  for (const { spans } of timeline.lanes) {
    for (const span of spans) {
      // A node that is not in work, for any time.
      if (turnOf(span.stage) !== 'under-way') continue
      const waits = span.waits.map(wait => ({ fromMs: Date.parse(wait.fromAt), toMs: end(wait.toAt) }))
      busy.push(...without({ fromMs: Date.parse(span.fromAt), toMs: end(span.toAt) }, waits))
    }
  }
  busy.push({ fromMs: extent.fromMs, toMs: extent.fromMs })
  // After now there is room to grow, which is not idle time.
  if (timeline.endedAt !== null) busy.push({ fromMs: extent.toMs, toMs: extent.toMs })
  busy.sort((a, b) => a.fromMs - b.fromMs)
  const total = extent.toMs - extent.fromMs
  const least = Math.max(LEAST_IDLE_MS, total * LEAST_IDLE_PART)
  const idle: Stretch[] = []
  let until = extent.fromMs
  for (const { fromMs, toMs } of busy) {
    if (fromMs - until >= least) idle.push({ fromMs: until, toMs: fromMs })
    until = Math.max(until, toMs)
  }
  // The future is never cut out.
  const now = Math.min(nowMs, extent.toMs)
  if (timeline.endedAt === null && now - until >= least) idle.push({ fromMs: until, toMs: now })
  return idle
}

/** What is left of a stretch without the holes. */
function without(whole: Stretch, holes: readonly Stretch[]): readonly Stretch[] {
  const left: Stretch[] = []
  let from = whole.fromMs
  for (const hole of [...holes].sort((a, b) => a.fromMs - b.fromMs)) {
    if (hole.fromMs > from) left.push({ fromMs: from, toMs: Math.min(hole.fromMs, whole.toMs) })
    from = Math.max(from, hole.toMs)
  }
  if (from < whole.toMs) left.push({ fromMs: from, toMs: whole.toMs })
  return left
}

function piecesOf(extent: Stretch, idle: readonly Stretch[], width: number): readonly Piece[] {
  const room = Math.floor((width * MOST_BROKEN) / BREAK_PX)
  const kept = [...idle]
    .sort((a, b) => b.toMs - b.fromMs - (a.toMs - a.fromMs))
    .slice(0, room)
    .sort((a, b) => a.fromMs - b.fromMs)
  const idleMs = kept.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0)
  const shownMs = Math.max(1, extent.toMs - extent.fromMs - idleMs)
  const perMs = (width - kept.length * BREAK_PX) / shownMs
  const pieces: Piece[] = []
  let x = 0
  let from = extent.fromMs
  const add = (toMs: number, isBreak: boolean) => {
    if (toMs <= from) return
    const wide = isBreak ? BREAK_PX : (toMs - from) * perMs
    pieces.push({ fromMs: from, toMs, x, width: wide, isBreak })
    x += wide
    from = toMs
  }
  for (const { fromMs, toMs } of kept) {
    add(fromMs, false)
    add(toMs, true)
  }
  add(extent.toMs, false)
  return pieces
}

function xOf(pieces: readonly Piece[], ms: number): number {
  const piece = pieces.find(({ toMs }) => ms <= toMs) ?? pieces.at(-1)
  if (piece === undefined) return 0
  const part = (ms - piece.fromMs) / (piece.toMs - piece.fromMs)
  return piece.x + Math.min(1, Math.max(0, part)) * piece.width
}

function atOf(pieces: readonly Piece[], x: number): number {
  const piece = pieces.find(({ x: left, width }) => x <= left + width) ?? pieces.at(-1)
  if (piece === undefined) return 0
  const part = piece.width === 0 ? 0 : (x - piece.x) / piece.width
  return piece.fromMs + Math.min(1, Math.max(0, part)) * (piece.toMs - piece.fromMs)
}

/** Marks at round times in the linear stretches, far enough apart to be read. */
function ticksOf(pieces: readonly Piece[]): readonly TimeTick[] {
  const shown = pieces.filter(piece => !piece.isBreak)
  const perMs = Math.max(0, ...shown.map(({ width, fromMs, toMs }) => width / (toMs - fromMs)))
  if (perMs === 0) return []
  const step = TICK_STEPS.find(size => size * perMs >= TICK_PX) ?? TICK_STEPS.at(-1) ?? HOUR
  const ticks: TimeTick[] = []
  for (const piece of shown) {
    // A time needs room before a break or the edge.
    const lastX = piece.x + piece.width - TICK_PX * 0.65
    for (let atMs = Math.ceil(piece.fromMs / step) * step; atMs <= piece.toMs; atMs += step) {
      const x = xOf(pieces, atMs)
      if (x > lastX) break
      if (x - (ticks.at(-1)?.x ?? Number.NEGATIVE_INFINITY) >= TICK_PX * 0.75) ticks.push({ x, atMs })
    }
  }
  return ticks
}

/** Not by spreading: a long update has more instants than a call may have arguments. */
function least(times: readonly number[], fallback: number): number {
  return times.reduce((best, ms) => Math.min(best, ms), times[0] ?? fallback)
}

function most(times: readonly number[], fallback: number): number {
  return times.reduce((best, ms) => Math.max(best, ms), fallback)
}
