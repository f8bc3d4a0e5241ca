import type {
  NodeLane,
  NodeStage,
  PhaseSpan,
  StageSpan,
  UpdatePhase,
  UpdateTimeline,
} from '../../shared/domain/update.ts'
import type { TimelineScale } from './timeline-scale.ts'

const LANE_PX = 24
const HEADING_PX = 26
/** Stages without a duration are drawn as a mark of this width. */
const MARK_PX = 12
const MARKS: ReadonlySet<NodeStage> = new Set(['done', 'skipped'])
/** The smallest width of a span that can be seen and clicked. */
const LEAST_SPAN_PX = 3

/** A phase as drawn across the top; one that has not begun has no box. */
export interface PhaseBox {
  readonly phase: UpdatePhase
  readonly state: PhaseSpan['state']
  readonly x: number
  readonly width: number
  readonly fromMs: number
  readonly toMs: number
}

/** A stretch within a span in which the node waited. */
interface WaitBox {
  readonly x: number
  readonly width: number
  readonly what: string
}

/** One stage of one node as drawn, with its times. */
export interface SpanBox {
  /** The index of the span in its lane. */
  readonly index: number
  readonly stage: NodeStage
  readonly x: number
  readonly width: number
  readonly fromMs: number
  readonly toMs: number
  readonly isRunning: boolean
  readonly waits: readonly WaitBox[]
  /** When each retry happened. */
  readonly retries: readonly number[]
}

/** A row of the timeline: the heading of a group of nodes, or a node's lane. */
export type TimelineRow =
  | {
      readonly kind: 'heading'
      readonly phase: UpdatePhase
      readonly group: string | null
      readonly y: number
      readonly height: number
      readonly done: number
      readonly total: number
    }
  | { readonly kind: 'lane'; readonly lane: number; readonly y: number; readonly height: number }

/** Every phase that has begun, from its beginning to its end, or to now. */
export function phaseBoxes(phases: readonly PhaseSpan[], scale: TimelineScale, nowMs: number): readonly PhaseBox[] {
  return phases.flatMap(({ phase, state, fromAt, toAt }) => {
    if (fromAt === null) return []
    const fromMs = Date.parse(fromAt)
    const toMs = Math.max(fromMs, toAt === null ? nowMs : Date.parse(toAt))
    const x = scale.x(fromMs)
    return [{ phase, state, x, width: scale.x(toMs) - x, fromMs, toMs }]
  })
}

/** The stages of one node in order; none begins before the previous one ends. */
export function laneBoxes(lane: NodeLane, scale: TimelineScale, nowMs: number): readonly SpanBox[] {
  return lane.spans.map((span, index) => {
    const fromMs = Date.parse(span.fromAt)
    const end = (at: string | null) => (at === null ? nowMs : Date.parse(at))
    const toMs = Math.max(fromMs, end(span.toAt))
    const x = scale.x(fromMs)
    const length = scale.x(toMs) - x
    const width = MARKS.has(span.stage) ? Math.min(MARK_PX, length) : length
    return {
      index,
      stage: span.stage,
      x,
      width,
      fromMs,
      toMs,
      isRunning: span.toAt === null,
      waits: span.waits.map(wait => {
        const left = Math.min(x + width, Math.max(x, scale.x(Date.parse(wait.fromAt))))
        const right = Math.min(x + width, Math.max(left, scale.x(end(wait.toAt))))
        return { x: left, width: right - left, what: wait.what }
      }),
      retries: span.retries.map(retry => Math.min(x + width, Math.max(x, scale.x(Date.parse(retry.at))))),
    }
  })
}

/** Heights of rows; `headsAll`: a group without a name has a heading too. */
interface RowSizes {
  readonly lanePx: number
  readonly headingPx: number
  readonly headsAll: boolean
}

const STILL_ROWS: RowSizes = { lanePx: LANE_PX, headingPx: HEADING_PX, headsAll: true }

/** Rows from top to bottom: lanes keep their order, each group of a phase below its heading. */
export function timelineRows(
  timeline: Pick<UpdateTimeline, 'lanes'>,
  { lanePx, headingPx, headsAll }: RowSizes = STILL_ROWS,
): readonly TimelineRow[] {
  const groups = new Map<string, { phase: UpdatePhase; group: string | null; lanes: number[] }>()
  timeline.lanes.forEach(({ phase, group }, index) => {
    const key = `${phase} ${group ?? ''}`
    const known = groups.get(key)
    if (known === undefined) groups.set(key, { phase, group, lanes: [index] })
    else known.lanes.push(index)
  })
  const ordered = [...groups.values()].sort((a, b) => phaseOrder(a.phase) - phaseOrder(b.phase))
  const rows: TimelineRow[] = []
  let y = 0
  for (const { phase, group, lanes } of ordered) {
    const done = lanes.filter(index => timeline.lanes[index]?.stage === 'done').length
    if (headsAll || group !== null) {
      rows.push({ kind: 'heading', phase, group, y, height: headingPx, done, total: lanes.length })
      y += headingPx
    }
    for (const lane of lanes) {
      rows.push({ kind: 'lane', lane, y, height: lanePx })
      y += lanePx
    }
  }
  return rows
}

const PHASES: readonly UpdatePhase[] = ['prepare', 'applications', 'control-nodes', 'worker-nodes', 'finalize']

function phaseOrder(phase: UpdatePhase): number {
  return PHASES.indexOf(phase)
}

/** The span at a place of a lane, or a thin one within reach; null between spans. */
export function spanAt(boxes: readonly SpanBox[], x: number): SpanBox | null {
  let best: SpanBox | null = null
  let nearest = LEAST_SPAN_PX + 1
  for (const box of boxes) {
    const away = Math.max(box.x - x, x - box.x - box.width, 0)
    if (away < nearest || (away === nearest && box.width < (best?.width ?? 0))) {
      best = box
      nearest = away
    }
  }
  return best
}

/** A row that may be a lane; the order of the rows is the order of the keys. */
type LaneOrRow = { readonly kind: string; readonly lane?: number }

/** The row at a height; null below the last. */
export function rowAt<Row extends { readonly y: number; readonly height: number }>(
  rows: readonly Row[],
  y: number,
): Row | null {
  return rows.find(row => y >= row.y && y < row.y + row.height) ?? null
}

/** The span that the keyboard points at. */
export interface SpanPlace {
  readonly lane: number
  readonly span: number
}

/** Where an arrow key leads: along the lane, or to the span of the next lane at the same time. Null if it leads nowhere. */
export function spanBeside(
  timeline: Pick<UpdateTimeline, 'lanes'>,
  rows: readonly LaneOrRow[],
  from: SpanPlace,
  key: 'ArrowLeft' | 'ArrowRight' | 'ArrowUp' | 'ArrowDown' | 'Home' | 'End',
): SpanPlace | null {
  const spans = timeline.lanes[from.lane]?.spans ?? []
  switch (key) {
    case 'ArrowLeft':
      return from.span > 0 ? { ...from, span: from.span - 1 } : null
    case 'ArrowRight':
      return from.span < spans.length - 1 ? { ...from, span: from.span + 1 } : null
    case 'Home':
      return spans.length === 0 ? null : { ...from, span: 0 }
    case 'End':
      return spans.length === 0 ? null : { ...from, span: spans.length - 1 }
    default:
      return inOtherLane(timeline, rows, from, key === 'ArrowUp' ? -1 : 1)
  }
}

function inOtherLane(
  timeline: Pick<UpdateTimeline, 'lanes'>,
  rows: readonly LaneOrRow[],
  from: SpanPlace,
  by: -1 | 1,
): SpanPlace | null {
  const order = rows.flatMap(({ lane }) => lane ?? [])
  const here = timeline.lanes[from.lane]?.spans[from.span]
  for (let at = order.indexOf(from.lane) + by; at >= 0 && at < order.length; at += by) {
    const lane = order[at] ?? -1
    const spans = timeline.lanes[lane]?.spans ?? []
    if (spans.length === 0) continue
    if (here === undefined) return { lane, span: 0 }
    return { lane, span: nearestInTime(spans, here) }
  }
  return null
}

/** The span that shares most of its time with another; else the last one before it, else the first. */
function nearestInTime(spans: readonly StageSpan[], other: StageSpan): number {
  const end = ({ toAt }: StageSpan) => (toAt === null ? Number.MAX_SAFE_INTEGER : Date.parse(toAt))
  const shared = (span: StageSpan) =>
    Math.min(end(span), end(other)) - Math.max(Date.parse(span.fromAt), Date.parse(other.fromAt))
  const most = spans.reduce((best, span) => Math.max(best, shared(span)), 0)
  if (most > 0) return spans.findIndex(span => shared(span) === most)
  const wanted = Date.parse(other.fromAt)
  return Math.max(
    0,
    spans.findLastIndex(({ fromAt }) => Date.parse(fromAt) <= wanted),
  )
}

/** Where the keyboard begins: the first running span, else the first span. Null if there is none. */
export function firstPlace(timeline: Pick<UpdateTimeline, 'lanes'>, rows: readonly LaneOrRow[]): SpanPlace | null {
  let first: SpanPlace | null = null
  for (const row of rows) {
    if (row.lane === undefined) continue
    const spans = timeline.lanes[row.lane]?.spans ?? []
    const running = spans.findIndex(({ toAt, stage }) => toAt === null && stage !== 'pending' && stage !== 'done')
    if (running >= 0) return { lane: row.lane, span: running }
    if (first === null && spans.length > 0) first = { lane: row.lane, span: 0 }
  }
  return first
}
