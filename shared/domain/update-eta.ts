import type { Eta } from './estimate-findings.ts'
import { nearestRank } from './nearest-rank.ts'
import { schedule } from './schedule.ts'
import { type NodeLane, turnOf, type UpdatePhase, type UpdateTimeline } from './update.ts'

export interface TimelineNode {
  readonly node: string
  /** `control-nodes` or `worker-nodes`. */
  readonly phase: UpdatePhase
  readonly group: string | null
  readonly atOnce: number
}

/** The end by the median and the 90th percentile of the finished nodes. Null if none has finished yet, or none is left. */
export function updateEta(
  timeline: Pick<UpdateTimeline, 'lanes' | 'endedAt'>,
  nodes: readonly TimelineNode[],
  now: string,
): Eta | null {
  if (timeline.endedAt !== null) return null
  const left = timeline.lanes.filter(lane => turnOf(lane.stage) !== 'over')
  if (left.length === 0) return null
  const seen = timeline.lanes.flatMap(lane => {
    const lasted = laneLastedMs(lane)
    return lasted === null ? [] : [{ phase: lane.phase, lasted }]
  })
  if (seen.length === 0) return null
  const nowMs = Date.parse(now)
  const planned = new Map(nodes.map(node => [node.node, node]))
  // Groups follow each other; within one, nodes run side by side.
  const ahead = schedule(
    byGroup(left).map(lanes => {
      const phase = lanes[0]?.phase ?? 'worker-nodes'
      // Control nodes take other times than workers; until one of a kind has finished, the others' times count.
      const alike = seen.filter(each => each.phase === phase)
      const lasted = (alike.length > 0 ? alike : seen).map(each => each.lasted)
      const span = { lowMs: nearestRank(lasted, 0.5), highMs: nearestRank(lasted, 0.9) }
      return {
        work: lanes.map(lane => ({ name: lane.node, begunAt: begunAt(lane), span })),
        atOnce: Math.max(1, planned.get(lanes[0]?.node ?? '')?.atOnce ?? 1),
      }
    }),
    now,
  )
  if (ahead === null) return null
  const { lowMs, highMs, overdue } = ahead
  const durations = seen.map(each => each.lasted)
  return {
    lowAt: new Date(nowMs + lowMs).toISOString(),
    highAt: new Date(nowMs + highMs).toISOString(),
    reasonsGiven: [
      {
        code: 'NodesThroughTook',
        values: {
          through: seen.length,
          middleMs: nearestRank(durations, 0.5),
          slowMs: nearestRank(durations, 0.9),
          left: left.length,
          overdue,
        },
      },
    ],
  }
}

/** How long a lane took without unobserved time; null if unfinished, or its start was not observed. */
export function laneLastedMs(lane: NodeLane): number | null {
  const from = laneBegunMs(lane)
  const to = lane.spans.at(-1)
  if (lane.stage !== 'done' || from === null || to?.stage !== 'done') return null
  return Date.parse(to.fromAt) - from - unwatchedMs(lane, from)
}

/** Time between two stages in which no process drove the update: it predicts nothing. */
function unwatchedMs({ spans }: NodeLane, fromMs: number): number {
  const since = spans.filter(({ fromAt }) => Date.parse(fromAt) >= fromMs)
  return since.reduce((sum, { toAt }, at) => {
    const next = since[at + 1]
    return toAt === null || next === undefined ? sum : sum + Math.max(0, Date.parse(next.fromAt) - Date.parse(toAt))
  }, 0)
}

/** When work on a node started, by its request (or its cordon without one); null if not started, or not observed. */
export function laneBegunMs(lane: NodeLane): number | null {
  const at = begunAt(lane)
  return at === null ? null : Date.parse(at)
}

function begunAt({ spans }: NodeLane): string | null {
  const from = spans.findLast(({ stage }) => stage === 'requested') ?? spans.find(({ stage }) => stage === 'draining')
  return from?.fromAt ?? null
}

function byGroup(lanes: readonly NodeLane[]): readonly (readonly NodeLane[])[] {
  return [...Map.groupBy(lanes, ({ phase, group }) => `${phase}/${group ?? ''}`).values()]
}
