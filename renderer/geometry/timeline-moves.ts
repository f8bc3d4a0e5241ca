import type { InstanceAttempt } from '../../shared/domain/instance-attempts.ts'
import type { InstanceHistory } from '../../shared/domain/instance-history.ts'
import { instancesConcerned, isOutOfTheWay, stateOf } from '../../shared/domain/instance-state.ts'
import type { Plan } from '../../shared/domain/plan.ts'
import type { RunEvent } from '../../shared/domain/run.ts'
import { historyOf } from '../../shared/domain/run-history.ts'
import type { NodeLane, UpdateTimeline } from '../../shared/domain/update.ts'

export interface Departure {
  readonly atMs: number
  /** Null if unknown which instance left. */
  readonly name: string | null
}

/** A figure at a moment; null means unknown then. */
export interface FigurePoint {
  readonly atMs: number
  readonly value: number | null
}

/** What a run reports about the instances that it moves. */
interface RunMoves {
  /** Keyed by node, in order. */
  readonly departures: ReadonlyMap<string, readonly Departure[]>
  /** How many instances each node had when its work began. */
  readonly toLeave: ReadonlyMap<string, number>
  /** Instances still on the nodes in work; empty if the run moves none. */
  readonly remaining: readonly FigurePoint[]
  /** Memory copied so far, in bytes; empty if unknown. */
  readonly copied: readonly FigurePoint[]
}

const MIB = 1024 ** 2
export const GIB = 1024 ** 3

/** From a run's journal: when each instance left, how many remain, how much memory was copied. */
export function movesOfRun(plan: Plan, events: readonly RunEvent[]): RunMoves {
  const byNode = Map.groupBy(instancesConcerned(historyOf(plan, events).instances.values()), ({ node }) => node)
  byNode.delete('')
  const begun = [...byNode].filter(([, instances]) => instances.some(({ attempts }) => attempts.length > 0))
  const departures = begun.map(([node, instances]) => [node, departuresOf(instances)] as const)
  return {
    departures: new Map(departures.filter(([, left]) => left.length > 0)),
    toLeave: new Map(begun.map(([node, instances]) => [node, instances.length])),
    remaining: summed(begun.flatMap(([, instances]) => changesOf(instances))),
    copied: summed([...byNode.values()].flat().flatMap(({ attempts }) => attempts.flatMap(copiesOf))),
  }
}

/** A figure that goes up or down at a moment. */
interface Change {
  readonly atMs: number
  readonly by: number
}

function summed(changes: readonly Change[]): readonly FigurePoint[] {
  let value = 0
  return changes
    .toSorted((a, b) => a.atMs - b.atMs)
    .map(({ atMs, by }) => {
      value += by
      return { atMs, value }
    })
}

function departuresOf(instances: readonly InstanceHistory[]): readonly Departure[] {
  return instances
    .flatMap(({ id, name, attempts }) => {
      const left = attempts.findLast(({ end }) => end?.kind === 'moved' || end?.kind === 'stopped')?.end
      return left == null ? [] : [{ atMs: Date.parse(left.at), name: name ?? id }]
    })
    .toSorted((a, b) => a.atMs - b.atMs)
}

/** A node has all its instances when its first is asked to leave, and one less with each that has left. */
function changesOf(instances: readonly InstanceHistory[]): readonly Change[] {
  const beganMs = Math.min(
    ...instances.flatMap(({ attempts }) => attempts.slice(0, 1).map(({ startedAt }) => Date.parse(startedAt))),
  )
  const settled = instances.filter(instance => isOutOfTheWay(stateOf(instance)))
  return [
    { atMs: beganMs, by: instances.length },
    ...settled.map(({ attempts, decision }) => {
      const at = attempts.at(-1)?.end?.at ?? decision?.at ?? null
      return { atMs: at === null ? beganMs : Math.max(beganMs, Date.parse(at)), by: -1 }
    }),
  ]
}

/** How much memory an attempt copied: a new attempt copies everything again, and memory written meanwhile is copied once more. */
function copiesOf({ asked, startedAt, copies, end }: InstanceAttempt): readonly Change[] {
  if (asked === null || asked.how === 'stop') return []
  let copied = 0
  const until = (at: string, bytes: number): Change => {
    const by = Math.max(0, bytes - copied)
    copied = Math.max(copied, bytes)
    return { atMs: Date.parse(at), by }
  }
  const total = copies.at(-1)?.memoryTotal ?? (asked.ramMib === null ? null : asked.ramMib * MIB)
  return [
    { atMs: Date.parse(startedAt), by: 0 },
    ...copies.map(({ at, memoryTotal, memoryRemaining }) => until(at, memoryTotal - memoryRemaining)),
    // The unreported rest was copied before the instance arrived.
    ...(end?.kind === 'moved' && asked.how === 'live' && total !== null ? [until(end.at, total)] : []),
  ]
}

const LEAST_BUCKET_MS = 15_000
const MOST_BUCKETS = 120

/** The growth per minute of a count, in stretches of at least a quarter of a minute. */
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

/** When instances left a node, from counts over the whole cloud: only for stretches in which no other node was being emptied. */
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

/** Places of dots: the right edge at their time, without overlap while there is room from the left end. */
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

/** The last known figure at a moment, unless it is too old; null if unknown. */
export function figureAt(
  points: readonly FigurePoint[],
  atMs: number,
  holdsMs: number = Number.POSITIVE_INFINITY,
): number | null {
  const last = points.findLast(point => point.atMs <= atMs && point.value !== null)
  return last === undefined || atMs - last.atMs > holdsMs ? null : last.value
}

/** A corner of a curve, in pixels; a null value ends the line there. */
export interface CurvePoint {
  readonly x: number
  readonly value: number | null
}

/** A curve in steps. Between two readings nothing was measured, and a reading does not last for ever. Empty if nothing is known. */
export function curvePoints(
  points: readonly FigurePoint[],
  x: (ms: number) => number,
  untilMs: number,
  holdsMs: number = Number.POSITIVE_INFINITY,
): readonly CurvePoint[] {
  const known = points.filter(({ value }) => value !== null)
  return known.flatMap(({ atMs, value }, index): readonly CurvePoint[] => {
    const here = { x: x(atMs), value }
    const nextMs = known[index + 1]?.atMs ?? Math.max(atMs, untilMs)
    if (nextMs - atMs > holdsMs) {
      const end = x(atMs + holdsMs)
      return [here, { x: end, value }, { x: end, value: null }]
    }
    return index === known.length - 1 ? [here, { x: x(nextMs), value }] : [here]
  })
}
