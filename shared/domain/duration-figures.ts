import type { MeasuredNode } from './history.ts'
import { nearestRank } from './nearest-rank.ts'
import { isNodeRun } from './plan.ts'

export const DURATION_PARTS = ['evacuation', 'per-gib', 'drain', 'work', 'return', 'enter', 'update'] as const
export type DurationPart = (typeof DURATION_PARTS)[number]

export interface DurationPoint {
  readonly atMs: number
  readonly ms: number
  readonly node: string
  readonly runId: string
}

export interface DurationFigures {
  readonly count: number
  readonly medianMs: number
  readonly p90Ms: number
  readonly lastMs: number
  readonly lastAt: number
}

export interface ClusterDurations {
  readonly cluster: string
  /** Oldest first. */
  readonly points: readonly DurationPoint[]
  readonly all: DurationFigures
  readonly nodes: readonly { readonly node: string; readonly figures: DurationFigures }[]
}

/** How long one part of the work took, cluster by cluster, each with its nodes. */
export function durationsOf(
  measured: readonly MeasuredNode[],
  part: DurationPart,
  inOrder: (a: string, b: string) => number,
): readonly ClusterDurations[] {
  return [...Map.groupBy(measured, ({ cluster }) => cluster)]
    .flatMap(([cluster, own]): readonly ClusterDurations[] => {
      const points = own
        .flatMap((each): readonly DurationPoint[] => {
          const ms = partOf(each, part)
          return ms === null ? [] : [{ atMs: Date.parse(each.at), ms, node: each.node, runId: each.runId }]
        })
        .toSorted((a, b) => a.atMs - b.atMs)
      const all = figuresOf(points)
      if (all === null) return []
      const nodes = [...Map.groupBy(points, ({ node }) => node)].flatMap(([node, of]) => {
        const figures = figuresOf(of)
        return figures === null ? [] : [{ node, figures }]
      })
      return [{ cluster, points, all, nodes: nodes.toSorted((a, b) => inOrder(a.node, b.node)) }]
    })
    .toSorted((a, b) => inOrder(a.cluster, b.cluster))
}

export function measuredParts(measured: readonly MeasuredNode[]): ReadonlySet<DurationPart> {
  return new Set(DURATION_PARTS.filter(part => measured.some(each => partOf(each, part) !== null)))
}

function partOf(of: MeasuredNode, part: DurationPart): number | null {
  switch (part) {
    case 'evacuation':
      // Without instances to move it says nothing about how long moving takes.
      return of.instancesMoved === 0 ? null : of.evacuationMs
    case 'per-gib':
      return of.evacuationMs === null || of.movedGib === null || of.movedGib === 0
        ? null
        : of.evacuationMs / of.movedGib
    case 'drain':
      return of.drainMs
    case 'work':
      return of.workMs
    case 'return':
      return of.returnMs
    case 'enter':
      return of.kind === 'enter' ? of.totalMs : null
    case 'update':
      return isNodeRun(of.kind) ? null : of.totalMs
  }
}

function figuresOf(points: readonly DurationPoint[]): DurationFigures | null {
  const last = points.at(-1)
  if (last === undefined) return null
  const times = points.map(({ ms }) => ms)
  return {
    count: points.length,
    medianMs: nearestRank(times, 0.5),
    p90Ms: nearestRank(times, 0.9),
    lastMs: last.ms,
    lastAt: last.atMs,
  }
}
