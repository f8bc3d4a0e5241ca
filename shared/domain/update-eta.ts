import type { NodeLane, UpdatePhase, UpdateTimeline } from './update.ts'

/** A node of an update as it is planned, or found: its place on the timeline. */
export interface TimelineNode {
  readonly node: string
  /** `control-nodes` or `worker-nodes`. */
  readonly phase: UpdatePhase
  readonly group: string | null
  /** How many nodes of its group are worked on at once. */
  readonly atOnce: number
}

/**
 * When the nodes will be through, from how long those took that are: in the middle, and at the slowest tenth. Null where that says
 * nothing: no node is through yet, or none is left.
 */
export function updateEta(
  timeline: Pick<UpdateTimeline, 'lanes' | 'endedAt'>,
  nodes: readonly TimelineNode[],
  now: string,
): UpdateTimeline['eta'] {
  if (timeline.endedAt !== null) return null
  const left = timeline.lanes.filter(lane => lane.stage !== 'done' && lane.stage !== 'skipped')
  if (left.length === 0) return null
  const seen = timeline.lanes.flatMap(lane => {
    const lasted = durationOf(lane)
    return lasted === null ? [] : [{ phase: lane.phase, lasted }]
  })
  if (seen.length === 0) return null
  const nowMs = Date.parse(now)
  const planned = new Map(nodes.map(node => [node.node, node]))
  let lowMs = 0
  let highMs = 0
  // Groups follow each other; within one, so many nodes at once.
  for (const lanes of byGroup(left)) {
    const phase = lanes[0]?.phase ?? 'worker-nodes'
    const atOnce = Math.min(lanes.length, Math.max(1, planned.get(lanes[0]?.node ?? '')?.atOnce ?? 1))
    // Control nodes take other times than workers; until one of a kind is through, the others' times are what there is.
    const alike = seen.filter(each => each.phase === phase)
    const lasted = (alike.length > 0 ? alike : seen).map(each => each.lasted)
    lowMs += groupMs(lanes, quantile(lasted, 0.5), atOnce, nowMs)
    highMs += groupMs(lanes, quantile(lasted, 0.9), atOnce, nowMs)
  }
  const durations = seen.map(each => each.lasted)
  const [middle, slow] = [inWords(quantile(durations, 0.5)), inWords(quantile(durations, 0.9))]
  const through = seen.length === 1 ? 'the one node that is through took' : `${seen.length} nodes that are through took`
  const took = middle === slow ? `about ${middle}` : `${middle} (half of them) to ${slow} (nine in ten)`
  return {
    lowAt: new Date(nowMs + lowMs).toISOString(),
    highAt: new Date(nowMs + highMs).toISOString(),
    basis: `${through} ${took}; ${left.length === 1 ? 'one is' : `${left.length} are`} left, without what follows the last node`,
  }
}

/** From its request to its being done; null while it is not, or where its beginning was not seen. */
function durationOf(lane: NodeLane): number | null {
  if (lane.stage !== 'done') return null
  const from = lane.spans.findLast(({ stage }) => stage === 'requested')
  const to = lane.spans.at(-1)
  if (from === undefined || to === undefined || to.stage !== 'done') return null
  return Date.parse(to.fromAt) - Date.parse(from.fromAt)
}

/** What is left of a group: the work of all its nodes over those at once, but no less than what one of them still needs. */
function groupMs(lanes: readonly NodeLane[], lasts: number, atOnce: number, nowMs: number): number {
  const each = lanes.map(lane => {
    const begun = lane.spans.find(({ stage }) => stage !== 'pending')
    return begun === undefined ? lasts : Math.max(0, lasts - (nowMs - Date.parse(begun.fromAt)))
  })
  const sum = each.reduce((all, one) => all + one, 0)
  return Math.max(sum / atOnce, ...each)
}

function byGroup(lanes: readonly NodeLane[]): readonly (readonly NodeLane[])[] {
  return [...Map.groupBy(lanes, ({ phase, group }) => `${phase}/${group ?? ''}`).values()]
}

/** The least value that so large a part of all is not above. */
function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? 0
}

function inWords(ms: number): string {
  const seconds = Math.round(ms / 1000)
  if (seconds < 90) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
