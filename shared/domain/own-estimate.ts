import { minutes } from './durations.ts'
import type { NodeEstimate, OwnEstimate, Span } from './estimate.ts'
import type { EstimateBasis, EstimateGap, NodeBasis } from './estimate-findings.ts'
import type { MeasuredNode } from './history.ts'
import { expectedSpan, expectedTotal, type MeasuredMove } from './move-durations.ts'
import { nearestRank } from './nearest-rank.ts'
import { isNodeRun } from './plan.ts'
import { schedule } from './schedule.ts'
import type { UpdatePhase } from './update.ts'

export interface InstanceToMove {
  readonly name: string
  /** `other`: its way to move has no measurements. `owner`: its owner moves it. */
  readonly way: 'live' | 'other' | 'owner'
  readonly ramMib: number | null
}

export interface NodeOfEstimate {
  readonly node: string
  readonly isCompute: boolean
  /** Null if unreadable. */
  readonly instances: readonly InstanceToMove[] | null
}

export interface PartOfWork {
  /** From 1; parts of one batch also run one after another. */
  readonly batch: number
  readonly nodes: readonly string[]
  readonly atOnce: number
}

export interface WorkToEstimate {
  readonly parts: readonly PartOfWork[]
  /** Phases besides the nodes (an update of flavour `mosk`). */
  readonly phases: readonly UpdatePhase[]
  /** The operator's expectation; null means as measured. */
  readonly workMinutes: number | null
  /** False means instances stay where they are (scope drain). */
  readonly empties: boolean
  /** Lockkeeper and Watcher report single migrations, a controller only the end. */
  readonly movesSeen: boolean
  readonly migrationsAtOnce: number
}

export interface MeasuredHistory {
  readonly nodes: readonly MeasuredNode[]
  readonly moves: readonly MeasuredMove[]
  readonly phases: readonly { readonly phase: UpdatePhase; readonly ms: number }[]
}

export interface FoundNodeEstimate extends Omit<NodeEstimate, 'basis' | 'code' | 'values'> {
  readonly basis: NodeBasis
}

export interface FoundEstimate extends Pick<OwnEstimate, 'batches' | 'total'> {
  readonly nodes: readonly FoundNodeEstimate[]
  readonly basis: EstimateBasis
  readonly missing: readonly EstimateGap[]
}

/** Median to 90th percentile of this cluster's measurements. A time without measurements is null. */
export function ownEstimate(
  work: WorkToEstimate,
  facts: readonly NodeOfEstimate[],
  history: MeasuredHistory,
): FoundEstimate {
  const known = new Map(facts.map(node => [node.node, node]))
  const missing: EstimateGap[] = []
  const estimated = work.parts.map(({ batch, nodes, atOnce }) => {
    const own = nodes.map(node => nodeEstimate(node, batch, known, { work, history, missing }))
    return { batch, own, span: expectedTime(own, atOnce) }
  })
  const batches = [...Map.groupBy(estimated, ({ batch }) => batch)].sort(([a], [b]) => a - b)
  const around = work.phases.map(phase => phaseSpan(phase, history, missing))
  const spans = [...around, ...estimated.map(({ span }) => span)]
  return {
    nodes: estimated.flatMap(({ own }) => own),
    batches: batches.map(([batch, parts]) => ({ batch, span: sumOf(parts.map(({ span }) => span)) })),
    total: sumOf(spans),
    basis: basisOf(history),
    missing: eachOnce(missing),
  }
}

export function eachOnce(gaps: readonly EstimateGap[]): readonly EstimateGap[] {
  return [...new Map(gaps.map(gap => [JSON.stringify(gap), gap])).values()]
}

export function sumOf(spans: readonly (Span | null)[]): Span | null {
  let sum: Span = { lowMs: 0, highMs: 0 }
  for (const span of spans) {
    if (span === null) return null
    sum = { lowMs: sum.lowMs + span.lowMs, highMs: sum.highMs + span.highMs }
  }
  return sum
}

interface Known {
  readonly work: WorkToEstimate
  readonly history: MeasuredHistory
  readonly missing: EstimateGap[]
}

function nodeEstimate(
  name: string,
  batch: number,
  facts: ReadonlyMap<string, NodeOfEstimate>,
  { work, history, missing }: Known,
): FoundNodeEstimate {
  const node = facts.get(name) ?? null
  if (node === null) missing.push({ code: 'NodeUnknown', values: { node: name } })
  const alike = likeIt(node, facts, history)
  const from = (part: 'drain' | 'work' | 'return', ms: (measured: MeasuredNode) => number | null): Span | null => {
    const span = measuredSpan(alike.flatMap(measured => ms(measured) ?? []))
    if (span === null) missing.push({ code: 'PartNotMeasured', values: { part } })
    return span
  }
  const evacuation = evacuationOf(name, node, alike, { work, history, missing })
  const drain = from('drain', measured => measured.drainMs)
  const done =
    work.workMinutes === null
      ? from('work', measured => measured.workMs)
      : { lowMs: minutes(work.workMinutes), highMs: minutes(work.workMinutes) }
  const back = from('return', measured => measured.returnMs)
  const between = betweenParts(alike)
  return {
    node: name,
    batch,
    evacuation,
    drain,
    work: done,
    back,
    // Other steps and the time between them count too.
    total: sumOf([evacuation, drain, done, back, between]),
    basis: nodeBasis(alike, history, node, work),
  }
}

/** Compute nodes differ from others; without measurements of the same kind, the others count. */
function likeIt(
  node: NodeOfEstimate | null,
  facts: ReadonlyMap<string, NodeOfEstimate>,
  { nodes }: MeasuredHistory,
): readonly MeasuredNode[] {
  const alike = nodes.filter(measured => facts.get(measured.node)?.isCompute === node?.isCompute)
  return node !== null && alike.length > 0 ? alike : nodes
}

function evacuationOf(
  name: string,
  node: NodeOfEstimate | null,
  alike: readonly MeasuredNode[],
  { work, history, missing }: Known,
): Span | null {
  if (!work.movesSeen) {
    // The controllers prepare every node, even one without instances: only the total is measured.
    const whole = measuredSpan(alike.flatMap(({ evacuationMs }) => evacuationMs ?? []))
    if (whole === null) missing.push({ code: 'PreparationNotMeasured', values: {} })
    return whole
  }
  if (!work.empties || node?.isCompute === false) return { lowMs: 0, highMs: 0 }
  if (node === null || node.instances === null) {
    missing.push({ code: 'InstancesNotRead', values: { node: name } })
    return null
  }
  const waiting = node.instances.filter(({ way }) => way === 'owner')
  if (waiting.length > 0) {
    missing.push({ code: 'InstancesWaitForOwner', values: { node: name, total: waiting.length } })
  }
  const others = node.instances.filter(({ way }) => way === 'other')
  if (others.length > 0) missing.push({ code: 'InstancesNotLive', values: { node: name, total: others.length } })
  const live = node.instances.filter(({ way }) => way === 'live')
  if (live.length === 0) return { lowMs: 0, highMs: 0 }
  const span = expectedTotal(
    live.map(({ ramMib }) => expectedSpan(ramMib, history.moves)),
    work.migrationsAtOnce,
  )
  if (span === null) missing.push({ code: 'MigrationsNotMeasured', values: {} })
  return span === null ? null : { lowMs: span.low, highMs: span.high }
}

function phaseSpan(phase: UpdatePhase, { phases }: MeasuredHistory, missing: EstimateGap[]): Span | null {
  const span = measuredSpan(phases.flatMap(measured => (measured.phase === phase ? [measured.ms] : [])))
  if (span === null) missing.push({ code: 'PhaseNotMeasured', values: { phase } })
  return span
}

/** Median to 90th percentile; null without measurements. */
export function measuredSpan(measured: readonly number[]): Span | null {
  if (measured.length === 0) return null
  return { lowMs: nearestRank(measured, 0.5), highMs: nearestRank(measured, 0.9) }
}

function betweenParts(alike: readonly MeasuredNode[]): Span {
  const rest = alike.flatMap(({ kind, totalMs, evacuationMs, drainMs, workMs, returnMs }) =>
    isNodeRun(kind) || totalMs === null
      ? []
      : [Math.max(0, totalMs - (evacuationMs ?? 0) - (drainMs ?? 0) - (workMs ?? 0) - (returnMs ?? 0))],
  )
  return measuredSpan(rest) ?? { lowMs: 0, highMs: 0 }
}

/** Each node starts as soon as there is room. */
function expectedTime(nodes: readonly FoundNodeEstimate[], atOnce: number): Span | null {
  const work = nodes.map(({ node, total }) => ({ name: node, begunAt: null, span: total }))
  const span = schedule([{ work, atOnce }], null)
  return span === null ? null : { lowMs: span.lowMs, highMs: span.highMs }
}

function basisOf({ nodes, moves }: MeasuredHistory): EstimateBasis {
  if (nodes.length === 0) return { code: 'NothingMeasured', values: {} }
  const names = new Set(nodes.map(({ node }) => node)).size
  const runs = new Set(nodes.map(({ runId }) => runId)).size
  return { code: 'Measured', values: { nodes: names, runs, migrations: moves.length } }
}

function nodeBasis(
  alike: readonly MeasuredNode[],
  { moves }: MeasuredHistory,
  node: NodeOfEstimate | null,
  work: WorkToEstimate,
): NodeBasis {
  const nodes = new Set(alike.map(each => each.node)).size
  const live = work.movesSeen && work.empties ? (node?.instances ?? []).filter(({ way }) => way === 'live') : []
  if (live.length === 0) return { code: 'NodesMeasured', values: { nodes } }
  const known = live.flatMap(({ ramMib }) => ramMib ?? [])
  const mib = known.length < live.length ? null : known.reduce((sum, each) => sum + each, 0)
  return {
    code: 'MovesMeasured',
    values: { nodes, instances: live.length, mib, migrations: moves.length, atOnce: work.migrationsAtOnce },
  }
}
