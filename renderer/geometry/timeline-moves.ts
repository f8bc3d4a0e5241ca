import { nodeOfPlan, type Plan, type PlannedStep } from '../../shared/domain/plan.ts'
import type { RunEvent } from '../../shared/domain/run.ts'
import {
  factName,
  factNumber,
  factText,
  INSTANCE_MOVED,
  INSTANCE_STOPPED,
  MIGRATION_PROGRESS,
  MIGRATION_REQUESTED,
  STOP_REQUESTED,
  subjectName,
  WATCHER_ACTION,
} from '../../shared/domain/run-facts.ts'
import type { NodeLane, UpdateTimeline } from '../../shared/domain/update.ts'
import { updateNodeOf } from '../../shared/domain/update-nodes.ts'

/** An instance that left a node. */
export interface Departure {
  readonly atMs: number
  /** Null: that one left is known, not which. */
  readonly name: string | null
}

/** A figure at a moment; null: not known then. */
export interface FigurePoint {
  readonly atMs: number
  readonly value: number | null
}

/** What a run tells of the instances it moves itself. */
interface RunMoves {
  /** By node, in their order. */
  readonly departures: ReadonlyMap<string, readonly Departure[]>
  /** How many each node had to give away when it was begun. */
  readonly toLeave: ReadonlyMap<string, number>
  /** Instances still to leave the nodes that were begun; empty: it moves none itself. */
  readonly remaining: readonly FigurePoint[]
  /** Memory copied so far, in bytes; empty: nothing tells. */
  readonly copied: readonly FigurePoint[]
}

const LEAVES: ReadonlySet<string> = new Set(['live_migrate', 'cold_migrate', 'stop'])
const MIB = 1024 ** 2
export const GIB = 1024 ** 3

/** What a run's journal tells of the instances it moves: when each left, how many are left, how much memory was copied. */
export function movesOfRun(plan: Plan, events: readonly RunEvent[]): RunMoves {
  const steps = new Map(plan.steps.map(step => [step.id, step]))
  const planned = new Map<string, number>()
  const departures = new Map<string, Departure[]>()
  const toLeave = new Map<string, number>()
  const left = new Map<string, number>()
  const remaining: FigurePoint[] = []
  const memory = new Memory()
  const tell = (atMs: number) => remaining.push({ atMs, value: [...left.values()].reduce((sum, one) => sum + one, 0) })
  for (const { at, body } of events) {
    if (body.kind !== 'step-checked' && body.kind !== 'fact') continue
    const atMs = Date.parse(at)
    const node = nodeOf(plan, steps.get(body.stepId))
    if (node === null) continue
    if (body.kind === 'step-checked') {
      // One step looks at the instances, another one moves them.
      const found = body.answer.effects.filter(effect => effect.kind === 'instance')
      if (found.length === 0) continue
      planned.set(node, found.filter(({ action }) => LEAVES.has(action)).length)
      if (left.has(node)) left.set(node, planned.get(node) ?? 0)
      continue
    }
    memory.tell(atMs, body)
    const count = planned.get(node)
    if (isMove(body) && count !== undefined && !left.has(node)) {
      toLeave.set(node, count)
      left.set(node, count)
      tell(atMs)
    }
    if (!isDeparture(body)) continue
    departures.set(node, [...(departures.get(node) ?? []), { atMs, name: subjectName(body) }])
    if (!left.has(node)) continue
    left.set(node, Math.max(0, (left.get(node) ?? 0) - 1))
    tell(atMs)
  }
  return { departures, toLeave, remaining, copied: memory.points }
}

function nodeOf(plan: Plan, step: PlannedStep | undefined): string | null {
  if (step === undefined) return null
  return updateNodeOf(step) ?? nodeOfPlan(plan)
}

type Fact = Extract<RunEvent['body'], { kind: 'fact' }>

/** Whether an instance begins to leave, or has left. */
function isMove(fact: Fact): boolean {
  const name = factName(fact)
  return name === MIGRATION_REQUESTED || name === STOP_REQUESTED || isDeparture(fact)
}

function isDeparture(fact: Fact): boolean {
  switch (factName(fact)) {
    case INSTANCE_MOVED:
    case INSTANCE_STOPPED:
      return true
    case WATCHER_ACTION:
      return fact.subject.startsWith('server/') && factText(fact, 'state') === 'SUCCEEDED'
    default:
      return false
  }
}

/** How much memory was copied, instance by instance: an attempt that begins anew copies anew. */
class Memory {
  readonly points: FigurePoint[] = []
  readonly #ofAttempt = new Map<string, { copied: number; total: number | null; isLive: boolean }>()
  #sum = 0

  tell(atMs: number, fact: Fact): void {
    const of = this.#ofAttempt.get(fact.subject)
    switch (factName(fact)) {
      case MIGRATION_REQUESTED: {
        const ram = factNumber(fact, 'ramMib')
        const isLive = factText(fact, 'how') === null
        this.#ofAttempt.set(fact.subject, { copied: 0, total: ram === null ? null : ram * MIB, isLive })
        this.points.push({ atMs, value: this.#sum })
        return
      }
      case MIGRATION_PROGRESS: {
        const [total, rest] = [factNumber(fact, 'memoryTotal'), factNumber(fact, 'memoryRemaining')]
        if (of === undefined || total === null || rest === null) return
        this.#copy(atMs, of, total - rest)
        of.total = total
        return
      }
      case INSTANCE_MOVED:
        // What was not told of the rest went over before it arrived.
        if (of?.isLive === true && of.total !== null) this.#copy(atMs, of, of.total)
        this.#ofAttempt.delete(fact.subject)
        return
      default:
        return
    }
  }

  #copy(atMs: number, of: { copied: number }, until: number): void {
    // Memory that is written to again is to be copied again: what is left may grow.
    const more = Math.max(0, until - of.copied)
    of.copied = Math.max(of.copied, until)
    this.#sum += more
    this.points.push({ atMs, value: this.#sum })
  }
}

const LEAST_BUCKET_MS = 15_000
const MOST_BUCKETS = 120

/** How much more there is a minute, in stretches of a quarter of one or more, from a count that grows. */
export function perMinute(points: readonly FigurePoint[], untilMs: number): readonly FigurePoint[] {
  const fromMs = points[0]?.atMs
  if (fromMs === undefined) return []
  const bucket = Math.max(LEAST_BUCKET_MS, Math.ceil((untilMs - fromMs) / MOST_BUCKETS))
  const rates: FigurePoint[] = []
  let at = 0
  let before = points[0]?.value ?? 0
  for (let begins = fromMs; begins < untilMs; begins += bucket) {
    let now = before
    for (; at < points.length && (points[at]?.atMs ?? 0) < begins + bucket; at += 1) now = points[at]?.value ?? now
    rates.push({ atMs: begins, value: (now - before) / (bucket / 60_000) })
    before = now
  }
  return rates
}

const EMPTYING: ReadonlySet<string> = new Set(['locks', 'draining'])

/**
 * When instances left a node, from what was counted over the whole cloud: told only of a stretch in which no other node was being emptied.
 */
export function departuresSeen(
  lanes: readonly NodeLane[],
  samples: UpdateTimeline['samples'],
): ReadonlyMap<string, readonly Departure[]> {
  const seen = new Map<string, Departure[]>()
  const counted = samples.flatMap(({ at, instancesRemaining }) =>
    instancesRemaining === null ? [] : [{ atMs: Date.parse(at), left: instancesRemaining }],
  )
  counted.forEach(({ atMs, left }, index) => {
    const before = counted[index - 1]
    if (before === undefined || left >= before.left) return
    const emptied = lanes.filter(lane => isEmptiedWithin(lane, before.atMs, atMs))
    const [only] = emptied
    if (only === undefined || emptied.length > 1) return
    const more = Array.from({ length: before.left - left }, () => ({ atMs, name: null }))
    seen.set(only.node, [...(seen.get(only.node) ?? []), ...more])
  })
  return seen
}

function isEmptiedWithin({ spans }: NodeLane, fromMs: number, toMs: number): boolean {
  return spans.some(
    ({ stage, fromAt, toAt }) =>
      EMPTYING.has(stage) && Date.parse(fromAt) <= toMs && (toAt === null || Date.parse(toAt) >= fromMs),
  )
}

const DOT_PX = 7

/** Where dots lie, right edge at their time, none over another as long as there is room from the left end on. */
export function dotPlaces(times: readonly number[], fromX: number): readonly number[] {
  const apart = Math.min(DOT_PX, ((times.at(-1) ?? fromX) - fromX) / Math.max(1, times.length))
  let next = Number.POSITIVE_INFINITY
  return times
    .toReversed()
    .map(x => {
      next = Math.min(x, next) - apart
      return next
    })
    .toReversed()
}

/** The figure at a moment: the last that was known then, unless it is older than a reading holds; null: not known. */
export function figureAt(
  points: readonly FigurePoint[],
  atMs: number,
  holdsMs: number = Number.POSITIVE_INFINITY,
): number | null {
  const last = points.findLast(point => point.atMs <= atMs && point.value !== null)
  return last === undefined || atMs - last.atMs > holdsMs ? null : last.value
}

/**
 * A curve in steps, from a point to the next: between two readings nobody looked, and none holds for ever. Empty: nothing is known.
 */
export function stepPath(
  points: readonly FigurePoint[],
  x: (ms: number) => number,
  height: number,
  untilMs: number,
  holdsMs: number = Number.POSITIVE_INFINITY,
): { readonly line: string; readonly area: string } {
  const known = points.filter(({ value }) => value !== null)
  const most = known.reduce((max, { value }) => Math.max(max, value ?? 0), 1)
  const y = (value: number | null) => round(height - ((value ?? 0) / most) * (height - 2) - 1)
  const pieces: { line: string; fromMs: number }[] = []
  known.forEach(({ atMs, value }, index) => {
    const before = known[index - 1]
    const piece = pieces.at(-1)
    const goesOn = before !== undefined && atMs - before.atMs <= holdsMs
    if (piece !== undefined && goesOn) piece.line += `H${round(x(atMs))}V${y(value)}`
    else pieces.push({ line: `M${round(x(atMs))} ${y(value)}`, fromMs: atMs })
    const nextMs = known[index + 1]?.atMs ?? Math.max(atMs, untilMs)
    const current = pieces.at(-1)
    if (current === undefined) return
    // Up to the next one it is drawn with that one.
    if (nextMs - atMs > holdsMs) current.line += `H${round(x(atMs + holdsMs))}`
    else if (index === known.length - 1) current.line += `H${round(x(nextMs))}`
  })
  const line = pieces.map(piece => piece.line).join('')
  return { line, area: pieces.map(piece => `${piece.line}V${height}H${round(x(piece.fromMs))}Z`).join('') }
}

function round(px: number): number {
  return Math.round(px * 10) / 10
}
