import type { Estimate, Span } from '../../shared/domain/estimate.ts'
import type { NodeLane } from '../../shared/domain/update.ts'
import type { TimelineNode } from '../../shared/domain/update-eta.ts'
import { type Ghost, type NodeSpans, timelineForecast } from './timeline-forecast.ts'

/** The times of a plan: measured on this cloud, by the vendor's formula, or none: then only the order is drawn. */
interface PlanTimes {
  readonly from: 'measured' | 'vendor' | 'order'
  readonly spans: NodeSpans
  /** Nodes without a measured time, drawn as long as the longest of the others. */
  readonly missing: readonly string[]
  /** The phases before the nodes; null if unknown. */
  readonly prepare: Span | null
  readonly applications: Span | null
}

interface Stretch {
  readonly fromMs: number
  readonly toMs: number
}

/** A plan as it lies ahead if it starts now. */
export interface PlanAhead {
  readonly times: Pick<PlanTimes, 'from' | 'missing'>
  /** Null if unknown. */
  readonly prepare: Stretch | null
  readonly applications: Stretch | null
  readonly ghosts: ReadonlyMap<string, Extract<Ghost, { kind: 'expected' }>>
  /** When the last node ends, usually and at the latest. Without times it only bounds the drawing. */
  readonly end: { readonly lowMs: number; readonly highMs: number }
}

const MINUTE_MS = 60_000
/** Without times every node is drawn alike. */
const UNIT: Span = { lowMs: 10 * MINUTE_MS, highMs: 10 * MINUTE_MS }

/** The times of these lanes: measured ones first, else the vendor's formula. */
function planTimes(estimate: Estimate | null, lanes: readonly NodeLane[]): PlanTimes {
  const measured = new Map(
    (estimate?.own.nodes ?? []).flatMap(({ node, total }) => (total === null ? [] : [[node, total] as const])),
  )
  const nodes = lanes.map(({ node }) => node)
  const known = nodes.flatMap(node => measured.get(node) ?? [])
  if (known.length > 0) {
    const longest = known.reduce((most, span) => (span.highMs > most.highMs ? span : most))
    return {
      from: 'measured',
      spans: new Map(nodes.map(node => [node, measured.get(node) ?? longest])),
      missing: nodes.filter(node => !measured.has(node)),
      prepare: null,
      applications: null,
    }
  }
  const vendor = estimate?.vendor ?? null
  if (vendor === null) return { ...ORDER, spans: new Map(nodes.map(node => [node, UNIT])) }
  const minutes = (code: string): Span => {
    const found = vendor.readings.flatMap(({ stages }) => stages.filter(stage => stage.code === code))
    const all = found.map(stage => stage.minutes * MINUTE_MS)
    return { lowMs: Math.min(...all), highMs: Math.max(...all) }
  }
  const share = (span: Span, count: number): Span => ({ lowMs: span.lowMs / count, highMs: span.highMs / count })
  const [masters, workers] = [vendor.inputs.NKC ?? 1, vendor.inputs.NKM ?? 1]
  const ofMaster = share(sum(minutes('HostOsOnMasters'), minutes('KubernetesOnMasters')), Math.max(1, masters))
  const ofWorker = share(minutes('HostOsAndKubernetesOnWorkers'), Math.max(1, workers))
  return {
    from: 'vendor',
    spans: new Map(lanes.map(({ node, phase }) => [node, phase === 'control-nodes' ? ofMaster : ofWorker])),
    missing: [],
    prepare: minutes('LcmModules'),
    applications: sum(minutes('OpenStackComponents'), minutes('Ceph')),
  }
}

const ORDER: Omit<PlanTimes, 'spans'> = { from: 'order', missing: [], prepare: null, applications: null }

function sum(a: Span, b: Span): Span {
  return { lowMs: a.lowMs + b.lowMs, highMs: a.highMs + b.highMs }
}

/** Where the phases and the nodes of a plan lie if it starts at this moment. */
export function planAhead(
  ahead: { readonly lanes: readonly NodeLane[]; readonly nodes: readonly TimelineNode[] },
  estimate: Estimate | null,
  nowMs: number,
): PlanAhead {
  const times = planTimes(estimate, ahead.lanes)
  const prepared = nowMs + (times.prepare?.lowMs ?? 0)
  const begunMs = prepared + (times.applications?.lowMs ?? 0)
  const laterMs = spread(times.prepare) + spread(times.applications)
  const forecast = timelineForecast({ lanes: [...ahead.lanes], endedAt: null }, ahead.nodes, times.spans, begunMs)
  return {
    times: { from: times.from, missing: times.missing },
    prepare: times.prepare === null ? null : { fromMs: nowMs, toMs: prepared },
    applications: times.applications === null ? null : { fromMs: prepared, toMs: begunMs },
    ghosts: new Map(
      [...forecast.ghosts].flatMap(([node, ghost]) => (ghost.kind === 'expected' ? [[node, ghost] as const] : [])),
    ),
    end: {
      lowMs: forecast.end?.lowMs ?? begunMs,
      highMs: (forecast.end?.highMs ?? begunMs) + laterMs,
    },
  }
}

function spread(span: Span | null): number {
  return span === null ? 0 : span.highMs - span.lowMs
}

/** From the first to the last of these nodes; null without any. */
export function stretchOf(nodes: readonly string[], { ghosts }: Pick<PlanAhead, 'ghosts'>): Stretch | null {
  const own = nodes.flatMap(node => ghosts.get(node) ?? [])
  if (own.length === 0) return null
  return { fromMs: Math.min(...own.map(({ fromMs }) => fromMs)), toMs: Math.max(...own.map(({ toMs }) => toMs)) }
}
