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

/** A stretch of the ribbon above the axis: a phase, or its past or future part. */
export interface RibbonPart {
  readonly phase: UpdatePhase
  /** The batch, if the work has batches instead of phases. */
  readonly group: string | null
  /** `rest`: the remainder of the current phase. */
  readonly state: PhaseSpan['state'] | 'rest'
  readonly x: number
  readonly width: number
  /** Its nodes: done, ahead and all; null if it is not about nodes. */
  readonly count: { readonly done: number; readonly ahead: number; readonly total: number } | null
  /** How many nodes at a time; null if unknown. */
  readonly atOnce: number | null
  /** Its time range; null if unknown, and only its turn is shown. */
  readonly fromMs: number | null
  readonly toMs: number | null
}

const GAP_PX = 4
/** The width of a future part without a time, while there is room. */
const UNTIMED_PX = 172
const LEAST_PX = 10

/** Phases, or batches without phases, across the top: past, present and future, without overlap. */
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
    const part = { phase, group, count: countOf(lanes), atOnce: atOnceOf(lanes, planned) }
    if (fromAt !== null) {
      const from = Date.parse(fromAt)
      const to = Math.max(from, toAt === null ? nowMs : Date.parse(toAt))
      const x = Math.max(cursor, scale.x(from))
      // A small gap separates two parts.
      const width = Math.max(0, scale.x(to) - x - (toAt === null ? 0 : GAP_PX))
      parts.push({ ...part, state, x, width, fromMs: from, toMs: toAt === null ? null : to })
      cursor = Math.max(x + width, scale.x(to))
    }
    if (timeline.endedAt !== null || state === 'done') continue
    if (state === 'running' && (part.count === null || part.count.done === part.count.total)) continue
    ahead.push({ ...part, state: state === 'running' ? 'rest' : 'pending', ...timesAhead(lanes, ghosts, nowMs) })
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

/** The parts with their nodes counted at another moment; null means now. */
export function countedThen(parts: readonly RibbonPart[], then: readonly NodeLane[] | null): readonly RibbonPart[] {
  if (then === null) return parts
  return parts.map(part => {
    const own = then.filter(lane => lane.phase === part.phase && (part.group === null || lane.group === part.group))
    return part.count === null ? part : { ...part, count: countOf(own) }
  })
}

/** A name above the ribbon, at its part or as near to it as the names before it allow. */
interface RibbonLabel {
  readonly text: string
  readonly x: number
}

const LABEL_GAP_PX = 14

/** Every part keeps its name: all of them shorter where there is little room, and beside each other where parts are narrow. */
export function ribbonLabels(
  parts: readonly { readonly x: number; readonly names: readonly string[] }[],
  width: number,
  letterPx: number,
): readonly RibbonLabel[] {
  const textsAt = (level: number) => parts.map(({ names }) => names[Math.min(level, names.length - 1)] ?? '')
  const widthOf = (texts: readonly string[]) =>
    texts.reduce((sum, text) => sum + text.length * letterPx + LABEL_GAP_PX, -LABEL_GAP_PX)
  const last = Math.max(0, ...parts.map(({ names }) => names.length - 1))
  let level = 0
  while (level < last && widthOf(textsAt(level)) > width) level += 1
  const texts = textsAt(level)
  const xs: number[] = []
  parts.forEach(({ x }, at) => {
    const before = at === 0 ? 0 : (xs[at - 1] ?? 0) + (texts[at - 1] ?? '').length * letterPx + LABEL_GAP_PX
    xs.push(Math.max(x, before))
  })
  // From the right edge back: the last names end in sight.
  let until = width
  for (let at = xs.length - 1; at >= 0; at -= 1) {
    xs[at] = Math.max(0, Math.min(xs[at] ?? 0, until - (texts[at] ?? '').length * letterPx))
    until = (xs[at] ?? 0) - LABEL_GAP_PX
  }
  return texts.map((text, at) => ({ text, x: xs[at] ?? 0 }))
}

interface Section extends Pick<PhaseSpan, 'phase' | 'state' | 'fromAt' | 'toAt'> {
  readonly group: string | null
  readonly lanes: readonly NodeLane[]
}

/** The phases of an update, or else its batches. */
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

/** The expected time range of the remaining nodes; nulls if one of them has no estimate. */
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
