import type { Span } from '../../shared/domain/estimate.ts'
import { nearestRank } from '../../shared/domain/nearest-rank.ts'
import { type NodeLane, turnOf, type UpdateTimeline } from '../../shared/domain/update.ts'
import { laneBegunMs, laneLastedMs, type TimelineNode } from '../../shared/domain/update-eta.ts'
import { timelineRows } from './timeline-layout.ts'

/**
 * The future of a node. `expected`: the usual time range, and the slow case. `overdue`: it already takes longer than any known
 * case. `unknown`: the duration of this node, or of one before it, is unknown.
 */
export type Ghost =
  | { readonly kind: 'expected'; readonly fromMs: number; readonly toMs: number; readonly lateMs: number }
  | { readonly kind: 'overdue' }
  | { readonly kind: 'unknown' }

interface TimelineForecast {
  /** Unfinished nodes by name. */
  readonly ghosts: ReadonlyMap<string, Ghost>
  /** The turn of each node that has not started, from 1. */
  readonly turns: ReadonlyMap<string, number>
  /** When the last node will be finished, at the earliest and at the latest; null if unknown. */
  readonly end: { readonly lowMs: number; readonly highMs: number } | null
}

/** Measured times of nodes, used until a node of this update has finished. */
export type NodeSpans = ReadonlyMap<string, Span>

/**
 * The rest of the work, from now: groups follow each other, each with a limited number of nodes at a time. A node takes as long
 * as finished nodes of its kind, else as long as measured before. What follows a node of unknown duration is unknown too.
 */
export function timelineForecast(
  timeline: Pick<UpdateTimeline, 'lanes' | 'endedAt'>,
  nodes: readonly TimelineNode[],
  before: NodeSpans,
  nowMs: number,
): TimelineForecast {
  const ghosts = new Map<string, Ghost>()
  const turns = new Map<string, number>()
  if (timeline.endedAt !== null) return { ghosts, turns, end: null }
  const spanOf = spansOf(timeline.lanes, before)
  const planned = new Map(nodes.map(node => [node.node, node.atOnce]))
  let groupFrom: { readonly lowMs: number; readonly highMs: number } | null = { lowMs: nowMs, highMs: nowMs }
  for (const lanes of groupsInOrder(timeline.lanes)) {
    const left = lanes.filter(({ stage }) => turnOf(stage) !== 'over')
    const atOnce = Math.max(planned.get(lanes[0]?.node ?? '') ?? 1, mostAtOnce(lanes, nowMs))
    const low = new Slots(atOnce, groupFrom?.lowMs ?? nowMs)
    const high = new Slots(atOnce, groupFrom?.highMs ?? nowMs)
    let isKnown: boolean = groupFrom !== null
    // Running nodes take their places first.
    for (const lane of left.toSorted((a, b) => Number(isBegun(b)) - Number(isBegun(a)))) {
      if (!isBegun(lane)) turns.set(lane.node, turns.size + 1)
      const span = spanOf(lane)
      if (span === null || !isKnown) {
        // An overdue node blocks its place for an unknown time.
        isKnown = false
        ghosts.set(lane.node, { kind: 'unknown' })
        continue
      }
      const begunMs = isBegun(lane) ? (laneBegunMs(lane) ?? firstMs(lane)) : null
      if (begunMs !== null && nowMs - begunMs > span.highMs) {
        ghosts.set(lane.node, { kind: 'overdue' })
        low.take(nowMs, nowMs)
        high.take(nowMs, nowMs)
        continue
      }
      const fromMs = begunMs === null ? low.next() : nowMs
      const toMs = Math.max(nowMs, (begunMs ?? fromMs) + span.lowMs)
      const lateMs = Math.max(toMs, (begunMs ?? high.next()) + span.highMs)
      low.take(fromMs, toMs)
      high.take(begunMs === null ? high.next() : nowMs, lateMs)
      ghosts.set(lane.node, { kind: 'expected', fromMs, toMs, lateMs })
    }
    groupFrom = isKnown && groupFrom !== null ? { lowMs: low.last(), highMs: high.last() } : null
  }
  const isReported = [...ghosts.values()].some(({ kind }) => kind === 'expected')
  return { ghosts, turns, end: isReported ? groupFrom : null }
}

/** How long a node takes: like its kind in this update, else as measured before, else like any other node. */
function spansOf(lanes: readonly NodeLane[], before: NodeSpans): (lane: NodeLane) => Span | null {
  const seen = lanes.flatMap(lane => {
    const lasted = laneLastedMs(lane)
    return lasted === null ? [] : [{ phase: lane.phase, lasted }]
  })
  const spanOf = (lasted: readonly number[]): Span | null =>
    lasted.length === 0 ? null : { lowMs: nearestRank(lasted, 0.5), highMs: nearestRank(lasted, 0.9) }
  const byPhase = new Map(
    [...Map.groupBy(seen, ({ phase }) => phase)].map(([phase, alike]) => [
      phase,
      spanOf(alike.map(({ lasted }) => lasted)),
    ]),
  )
  const any = spanOf(seen.map(({ lasted }) => lasted))
  return ({ phase, node }) => byPhase.get(phase) ?? before.get(node) ?? any
}

/** Whether work on a node has started, including work that was left. */
function isBegun({ stage }: NodeLane): boolean {
  return turnOf(stage) !== 'to-come'
}

function firstMs({ spans }: NodeLane): number | null {
  const first = spans.find(({ stage }) => stage !== 'pending')
  return first === undefined ? null : Date.parse(first.fromAt)
}

/** The most nodes seen in work at the same time. An update that another tool runs gives no other number. */
export function mostAtOnce(lanes: readonly NodeLane[], nowMs: number): number {
  const edges = lanes.flatMap(lane => {
    const fromMs = firstMs(lane)
    const last = lane.spans.at(-1)
    if (fromMs === null || last === undefined) return []
    const toMs = turnOf(last.stage) === 'over' ? Date.parse(last.fromAt) : nowMs
    return toMs <= fromMs
      ? []
      : [
          { atMs: fromMs, by: 1 },
          { atMs: toMs, by: -1 },
        ]
  })
  let most = 1
  let now = 0
  for (const { by } of edges.toSorted((a, b) => a.atMs - b.atMs || a.by - b.by)) {
    now += by
    most = Math.max(most, now)
  }
  return most
}

/** Parallel places, each free from some moment. */
class Slots {
  readonly #freeMs: number[]
  #lastMs: number

  constructor(count: number, fromMs: number) {
    this.#freeMs = Array.from({ length: count }, () => fromMs)
    this.#lastMs = fromMs
  }

  next(): number {
    return Math.min(...this.#freeMs)
  }

  take(fromMs: number, untilMs: number): void {
    const at = this.#freeMs.indexOf(this.next())
    this.#freeMs[at] = Math.max(fromMs, untilMs)
    this.#lastMs = Math.max(this.#lastMs, untilMs)
  }

  last(): number {
    return this.#lastMs
  }
}

/** The groups in drawing and working order. */
function groupsInOrder(lanes: readonly NodeLane[]): readonly (readonly NodeLane[])[] {
  const ordered = timelineRows({ lanes: [...lanes] }).flatMap(row =>
    row.kind === 'lane' ? (lanes[row.lane] ?? []) : [],
  )
  return [...Map.groupBy(ordered, ({ phase, group }) => `${phase}/${group ?? ''}`).values()]
}
