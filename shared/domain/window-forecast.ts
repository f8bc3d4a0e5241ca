import type { Span, TimeVerdict, WindowForecast } from './estimate.ts'
import type { EndUnknown, Eta, EtaReason } from './estimate-findings.ts'
import type { ForecastFinding, ForecastNote } from './forecast-findings.ts'
import { isSameJson } from './is-same-json.ts'
import { schedule, type TimedWork } from './schedule.ts'
import type { MaintenanceWindow } from './window.ts'

export interface FoundForecast extends Pick<WindowForecast, 'windowId' | 'readAt' | 'endsAt' | 'verdict'> {
  readonly eta: Eta | null
  readonly leaveOut: readonly string[]
  readonly finding: ForecastFinding
  readonly notes: readonly ForecastNote[]
}

export type WindowProgress =
  | { readonly kind: 'nothing-ahead'; readonly endedAt: string | null }
  | {
      readonly kind: 'ahead'
      /** The expected end without these nodes; null if unknown. */
      readonly etaWithout: (left: ReadonlySet<string>) => Eta | null
      readonly notBegun: readonly string[]
      /** False if it would start now, or with the window. */
      readonly underWay: boolean
      readonly whyNotKnown: EndUnknown
      readonly notes: readonly ForecastNote[]
    }

export interface NodeAhead extends Pick<TimedWork, 'begunAt' | 'span'> {
  readonly node: string
}

/** When consecutive parts end; null if the time of a node is unknown, or all remaining nodes took longer than ever measured. */
export function etaOfParts(
  parts: readonly { readonly nodes: readonly NodeAhead[]; readonly atOnce: number }[],
  {
    from,
    besides,
    reasonsGiven,
  }: {
    readonly from: string
    readonly besides: Span
    readonly reasonsGiven: readonly EtaReason[]
  },
): Eta | null {
  const fromMs = Date.parse(from)
  const named = parts.map(({ nodes, atOnce }) => ({
    atOnce,
    work: nodes.map(({ node, ...each }) => ({ name: node, ...each })),
  }))
  const ahead = schedule(named, from)
  if (ahead === null) return null
  const [lowMs, highMs] = [besides.lowMs + ahead.lowMs, besides.highMs + ahead.highMs]
  const { overdue } = ahead
  return {
    lowAt: new Date(fromMs + lowMs).toISOString(),
    highAt: new Date(fromMs + highMs).toISOString(),
    reasonsGiven:
      overdue.length === 0 ? reasonsGiven : [...reasonsGiven, { code: 'NodesOverdue', values: { nodes: overdue } }],
  }
}

export function laterEta(a: Eta, b: Eta): Eta {
  return {
    lowAt: a.lowAt > b.lowAt ? a.lowAt : b.lowAt,
    highAt: a.highAt > b.highAt ? a.highAt : b.highAt,
    reasonsGiven: isSameJson(a.reasonsGiven, b.reasonsGiven) ? a.reasonsGiven : [...a.reasonsGiven, ...b.reasonsGiven],
  }
}

/** Says which nodes to leave out to end in time. */
export function windowForecast(
  window: Pick<MaintenanceWindow, 'id' | 'endsAt'>,
  progress: WindowProgress,
  now: string,
): FoundForecast {
  const forecast = { windowId: window.id, readAt: now, endsAt: window.endsAt, leaveOut: [] }
  const endMs = Date.parse(window.endsAt)
  if (progress.kind === 'nothing-ahead')
    return { ...forecast, eta: null, notes: [], ...whenOver(progress.endedAt, endMs) }

  const { underWay, notes, whyNotKnown: because } = progress
  const eta = progress.etaWithout(new Set())
  if (eta === null) {
    return Date.parse(now) >= endMs && underWay
      ? { ...forecast, eta, notes, verdict: 'overruns', finding: { code: 'WorkGoesOnPastEnd', values: { because } } }
      : { ...forecast, eta, notes, verdict: 'not-known', finding: { code: 'EndNotKnown', values: { because } } }
  }
  const verdict = verdictOf(eta, endMs)
  if (verdict === 'in-time') {
    return { ...forecast, eta, notes, verdict, finding: { code: 'EndsInTime', values: { underWay } } }
  }
  const leaveOut = leastToLeave(progress, endMs)
  const help = leaveOut.length > 0 ? 'in-time' : progress.notBegun.length > 0 ? 'too-little' : 'every-node-begun'
  const code = verdict === 'overruns' ? 'Overruns' : 'MayOverrun'
  return { ...forecast, eta, notes, verdict, leaveOut, finding: { code, values: { underWay, help } } }
}

function whenOver(endedAt: string | null, endMs: number): Pick<FoundForecast, 'verdict' | 'finding'> {
  if (endedAt === null) return { verdict: 'in-time', finding: { code: 'NothingUnderWay', values: {} } }
  const verdict = Date.parse(endedAt) > endMs ? 'overruns' : 'in-time'
  return { verdict, finding: { code: 'WorkOver', values: { endedAt } } }
}

function verdictOf(eta: Eta, endMs: number): Exclude<TimeVerdict, 'not-known'> {
  if (Date.parse(eta.lowAt) > endMs) return 'overruns'
  return Date.parse(eta.highAt) > endMs ? 'may-overrun' : 'in-time'
}

/** The fewest nodes, from the last on, without which even the slow end is in time; empty if that does not help. */
function leastToLeave(
  { notBegun, etaWithout }: Extract<WindowProgress, { kind: 'ahead' }>,
  endMs: number,
): readonly string[] {
  const lastFirst = notBegun.toReversed()
  for (let count = 1; count <= lastFirst.length; count += 1) {
    const left = lastFirst.slice(0, count)
    const eta = etaWithout(new Set(left))
    if (eta !== null && Date.parse(eta.highAt) <= endMs) return left
  }
  return []
}
