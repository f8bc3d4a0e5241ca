import type { Span } from '../../shared/domain/estimate.ts'
import { nearestRank } from '../../shared/domain/nearest-rank.ts'
import { type NodeLane, turnOf, type UpdateTimeline } from '../../shared/domain/update.ts'
import { laneBegunMs, laneLastedMs, type TimelineNode } from '../../shared/domain/update-eta.ts'
import { timelineRows } from './timeline-layout.ts'

/**
 * What is still to come of a node. `expected`: from when to when in the usual case, and until when in the slow one. `overdue`: it takes longer
 * already than all that is known. `unknown`: nothing says how long it, or a node before it, takes.
 */
export type Ghost =
  | { readonly kind: 'expected'; readonly fromMs: number; readonly toMs: number; readonly lateMs: number }
  | { readonly kind: 'overdue' }
  | { readonly kind: 'unknown' }

interface TimelineForecast {
  /** Of every node that is not through, by name. */
  readonly ghosts: ReadonlyMap<string, Ghost>
  /** Which turn each node has that was not begun, counted from 1. */
  readonly turns: ReadonlyMap<string, number>
  /** When the last node is through, at the earliest and at the latest; null: that is not known. */
  readonly end: { readonly lowMs: number; readonly highMs: number } | null
}

/** How long nodes take where none of this update is through: what was measured before, by node. */
export type NodeSpans = ReadonlyMap<string, Span>

/**
 * What is still to come, counted from now: groups follow each other, in each so many nodes at once, and each takes as long as those of its kind
 * took that are through, else as long as was measured before. What follows a node of unknown length is unknown too.
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
    // Nodes under way hold their places first.
    for (const lane of left.toSorted((a, b) => Number(isBegun(b)) - Number(isBegun(a)))) {
      if (!isBegun(lane)) turns.set(lane.node, turns.size + 1)
      const span = spanOf(lane)
      if (span === null || !isKnown) {
        // One that is under way takes its place for nobody knows how long.
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

/** How long a node takes in all: as those of its kind did in this update, else as it was measured before, else as any other did. */
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

/** Whether something goes on with a node, or did and was left. */
function isBegun({ stage }: NodeLane): boolean {
  return turnOf(stage) !== 'to-come'
}

function firstMs({ spans }: NodeLane): number | null {
  const first = spans.find(({ stage }) => stage !== 'pending')
  return first === undefined ? null : Date.parse(first.fromAt)
}

/** How many nodes were seen to be worked on at the same time: of an update that somebody else drives nothing else tells. */
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

/** Places beside each other, each free from some moment on. */
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

/** The groups in the order in which they are drawn and worked on. */
function groupsInOrder(lanes: readonly NodeLane[]): readonly (readonly NodeLane[])[] {
  const ordered = timelineRows({ lanes: [...lanes] }).flatMap(row =>
    row.kind === 'lane' ? (lanes[row.lane] ?? []) : [],
  )
  return [...Map.groupBy(ordered, ({ phase, group }) => `${phase}/${group ?? ''}`).values()]
}
