import type { NodeLane, UpdatePhase, UpdateTimeline } from '../../../shared/domain/update.ts'
import { isUnderWay, NOTHING_KNOWN, type NodeKnowledge } from './derive.ts'

export interface WatchedNode {
  readonly known: NodeKnowledge
  /** It was seen before its request: it certainly passed stages that were too short to see. */
  readonly wasSeenIdle: boolean
  readonly wait: string | null
  readonly trouble: string | null
  readonly note: string
  readonly notedAtMs: number
}

export interface WatchedUpdate {
  readonly id: string
  readonly phase: UpdatePhase
  readonly wait: string | null
  /** When its request was created, by the API server's clock; null if unknown. Earlier statuses belong to an earlier update. */
  readonly sinceAt: string | null
}

export interface Knowledge {
  readonly update: WatchedUpdate | null
  readonly nodes: ReadonlyMap<string, WatchedNode>
  /** The cluster was seen without an update. */
  readonly wasSeenIdle: boolean
}

export const NO_KNOWLEDGE: Knowledge = { update: null, nodes: new Map(), wasSeenIdle: false }

export const UNWATCHED: WatchedNode = {
  known: NOTHING_KNOWN,
  wasSeenIdle: false,
  wait: null,
  trouble: null,
  note: '',
  notedAtMs: 0,
}

export function knowledgeFrom(id: string, timeline: UpdateTimeline): Knowledge | null {
  if (timeline.phase === null) return null
  return {
    update: { id, phase: timeline.phase, wait: null, sinceAt: timeline.startedAt },
    nodes: new Map(
      timeline.lanes.map(lane => [
        lane.node,
        { ...UNWATCHED, known: knownOf(lane), wasSeenIdle: isIdle(lane), wait: waitOf(lane) },
      ]),
    ),
    wasSeenIdle: false,
  }
}

/** Only a node seen without a request is reported as pending or done. */
function isIdle({ stage }: NodeLane): boolean {
  return stage === 'pending' || stage === 'done'
}

function knownOf(lane: NodeLane): NodeKnowledge {
  if (lane.stage === 'unseen') return NOTHING_KNOWN
  if (lane.stage === 'pending' || lane.stage === 'skipped') return { ...NOTHING_KNOWN, stage: lane.stage }
  const requested = lane.spans.findLastIndex(({ stage }) => stage === 'requested')
  const stages = new Set(lane.spans.slice(requested + 1).map(({ stage }) => stage))
  const cordoned = stages.has('work')
  // A node seen coming back without its request had an inactive lock.
  const isBackUnseen = requested < 0 && stages.has('returning')
  const released = cordoned || lane.stage === 'done' || stages.has('draining') || isBackUnseen
  return { ...NOTHING_KNOWN, stage: lane.stage, released, cordoned: cordoned && isUnderWay(lane.stage) }
}

function waitOf(lane: NodeLane): string | null {
  const wait = lane.spans.at(-1)?.waits.at(-1)
  return wait !== undefined && wait.toAt === null ? wait.what : null
}
