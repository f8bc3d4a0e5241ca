import {
  type NodeLane,
  type PhaseSpan,
  turnOf,
  type UpdatePhase,
  type UpdateTimeline,
} from '../../shared/domain/update.ts'
import type { TimelineNode } from '../../shared/domain/update-eta.ts'
import type { Ghost } from './timeline-forecast.ts'
import type { TimelineScale } from './timeline-scale.ts'

/** A stretch of the ribbon over the axis: a phase, or the part of it that is behind or still to come. */
export interface RibbonPart {
  readonly phase: UpdatePhase
  /** The batch, where the work has batches instead of phases. */
  readonly group: string | null
  /** `rest`: what is left of the phase that goes on. */
  readonly state: PhaseSpan['state'] | 'rest'
  readonly x: number
  readonly width: number
  /** Its nodes: through, not begun, and all of them; null: it is not about nodes. */
  readonly count: { readonly done: number; readonly ahead: number; readonly total: number } | null
  /** How many of them at once; null: not known. */
  readonly atOnce: number | null
  /** From when to when; null: nobody knows yet, and only its turn is told. */
  readonly fromMs: number | null
  readonly toMs: number | null
}

const GAP_PX = 4
/** What lies ahead and has no time takes this much, as long as there is room. */
const UNTIMED_PX = 172
const LEAST_PX = 10

/** Phases, or batches where there are none, across the top: behind, now, and to come. No two lie over each other. */
export function ribbonParts(
  timeline: Pick<UpdateTimeline, 'phases' | 'lanes' | 'endedAt'>,
  nodes: readonly TimelineNode[],
  ghosts: ReadonlyMap<string, Ghost>,
  scale: TimelineScale,
  nowMs: number,
): readonly RibbonPart[] {
  const planned = new Map(nodes.map(({ node, atOnce }) => [node, atOnce]))
  const parts: RibbonPart[] = []
  const ahead: Omit<RibbonPart, 'x' | 'width'>[] = []
  let cursor = 0
  for (const { phase, group, state, fromAt, toAt, lanes } of sectionsOf(timeline)) {
    const reported = { phase, group, count: countOf(lanes), atOnce: atOnceOf(lanes, planned) }
    if (fromAt !== null) {
      const from = Date.parse(fromAt)
      const to = Math.max(from, toAt === null ? nowMs : Date.parse(toAt))
      const x = Math.max(cursor, scale.x(from))
      // A hair's breadth lies between two that follow each other.
      const width = Math.max(0, scale.x(to) - x - (toAt === null ? 0 : GAP_PX))
      parts.push({ ...reported, state, x, width, fromMs: from, toMs: toAt === null ? null : to })
      cursor = Math.max(x + width, scale.x(to))
    }
    if (timeline.endedAt !== null || state === 'done') continue
    if (state === 'running' && (reported.count === null || reported.count.done === reported.count.total)) continue
    ahead.push({ ...reported, state: state === 'running' ? 'rest' : 'pending', ...timesAhead(lanes, ghosts, nowMs) })
  }
  if (timeline.endedAt === null) cursor = Math.max(cursor, scale.x(nowMs))
  ahead.forEach((part, index) => {
    const from = cursor + GAP_PX
    if (part.fromMs !== null && part.toMs !== null) {
      const x = Math.max(from, scale.x(part.fromMs))
      parts.push({ ...part, x, width: Math.max(LEAST_PX, scale.x(part.toMs) - x) })
      cursor = Math.max(x + LEAST_PX, scale.x(part.toMs))
      return
    }
    const share = (scale.width - cursor) / (ahead.length - index) - GAP_PX
    const width = Math.max(LEAST_PX, Math.min(UNTIMED_PX, share))
    parts.push({ ...part, x: from, width })
    cursor = from + width
  })
  return parts
}

/** The parts with their nodes counted as they stood at another moment; null: as they stand. */
export function countedThen(parts: readonly RibbonPart[], then: readonly NodeLane[] | null): readonly RibbonPart[] {
  if (then === null) return parts
  return parts.map(part => {
    const own = then.filter(lane => lane.phase === part.phase && (part.group === null || lane.group === part.group))
    return part.count === null ? part : { ...part, count: countOf(own) }
  })
}

interface Section extends Pick<PhaseSpan, 'phase' | 'state' | 'fromAt' | 'toAt'> {
  readonly group: string | null
  readonly lanes: readonly NodeLane[]
}

/** The phases of an update; work without them is told by its batches. */
function sectionsOf({ phases, lanes }: Pick<UpdateTimeline, 'phases' | 'lanes'>): readonly Section[] {
  const isOfNodes = (phase: UpdatePhase) => phase === 'control-nodes' || phase === 'worker-nodes'
  const begun = phases.filter(({ fromAt }) => fromAt !== null)
  const isByBatch =
    phases.length === 0 || (begun.length === 1 && begun[0]?.phase === 'worker-nodes' && hasBatches(lanes))
  if (!isByBatch) {
    return phases.flatMap(({ phase, state, fromAt, toAt }) => {
      const own = lanes.filter(lane => lane.phase === phase)
      const isNothing = isOfNodes(phase) && own.length === 0 && fromAt === null
      return isNothing ? [] : [{ phase, group: null, state, fromAt, toAt, lanes: isOfNodes(phase) ? own : [] }]
    })
  }
  return [...Map.groupBy(lanes, ({ group }) => group)].map(([group, own]) => {
    const [first] = own
    const spans = own.flatMap(lane => lane.spans.filter(({ stage }) => stage !== 'pending'))
    const isThrough = own.every(({ stage }) => turnOf(stage) === 'over')
    const fromAt = spans.map(span => span.fromAt).toSorted()[0] ?? null
    const state = isThrough ? 'done' : fromAt === null ? 'pending' : 'running'
    const toAt = isThrough
      ? (spans
          .map(span => span.toAt ?? span.fromAt)
          .toSorted()
          .at(-1) ?? null)
      : null
    return { phase: first?.phase ?? 'worker-nodes', group, state, fromAt, toAt, lanes: own }
  })
}

function hasBatches(lanes: readonly NodeLane[]): boolean {
  return lanes.some(({ group }) => group?.startsWith('batch') === true)
}

function isPast({ stage }: NodeLane): boolean {
  return stage === 'done' || stage === 'skipped'
}

function countOf(lanes: readonly NodeLane[]): RibbonPart['count'] {
  if (lanes.length === 0) return null
  const ahead = lanes.filter(({ stage }) => stage === 'pending').length
  return { done: lanes.filter(isPast).length, ahead, total: lanes.length }
}

function atOnceOf(lanes: readonly NodeLane[], planned: ReadonlyMap<string, number>): number | null {
  const known = lanes.flatMap(({ node }) => planned.get(node) ?? [])
  return known.length === 0 ? null : Math.max(...known)
}

/** From when to when the nodes that are left are expected to be worked on; nulls where one of them has no estimate. */
function timesAhead(
  lanes: readonly NodeLane[],
  ghosts: ReadonlyMap<string, Ghost>,
  nowMs: number,
): Pick<RibbonPart, 'fromMs' | 'toMs'> {
  const own = lanes.flatMap(({ node }) => ghosts.get(node) ?? [])
  const expected = own.flatMap(ghost => (ghost.kind === 'expected' ? [ghost] : []))
  if (expected.length === 0 || own.some(({ kind }) => kind === 'unknown')) return { fromMs: null, toMs: null }
  const toMs = Math.max(...expected.map(ghost => ghost.toMs))
  if (toMs <= nowMs) return { fromMs: null, toMs: null }
  return { fromMs: Math.max(nowMs, Math.min(...expected.map(ghost => ghost.fromMs))), toMs }
}
