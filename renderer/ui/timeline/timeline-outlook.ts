import { useEffect, useMemo, useState } from 'react'
import type { ListedWindow } from '../../../shared/contract/index.ts'
import type { NodeEstimate } from '../../../shared/domain/estimate.ts'
import { isNodePlan, type Plan } from '../../../shared/domain/plan.ts'
import type { RunEvent } from '../../../shared/domain/run.ts'
import type { RunCondition } from '../../../shared/domain/run-condition.ts'
import type { UpdateTimeline } from '../../../shared/domain/update.ts'
import type { TimelineNode } from '../../../shared/domain/update-eta.ts'
import { nodesOfPlan } from '../../../shared/domain/update-nodes.ts'
import { estimatePlan } from '../../bridge/windows.ts'
import { type NodeSpans, timelineForecast } from '../../geometry/timeline-forecast.ts'
import { type Departure, departuresSeen, type FigurePoint, movesOfRun } from '../../geometry/timeline-moves.ts'
import { useTicks } from '../../stores/ticks.ts'
import { openWindowsOf, useWindows, windowOf } from '../../stores/windows.ts'

/** How often the forecast is computed. */
const STEP_MS = 5000

/** The run of an update, as far as it is read. */
interface RunReported {
  readonly plan: Plan
  readonly events: readonly RunEvent[]
}

/** What the timeline needs besides: the forecast, the window, and the run's reports about instances. */
export interface Outlook extends ReturnType<typeof timelineForecast> {
  readonly nodes: readonly TimelineNode[]
  readonly window: ListedWindow | null
  readonly departures: ReadonlyMap<string, readonly Departure[]>
  /** How many instances each node had. */
  readonly toLeave: ReadonlyMap<string, number>
  /** Instances still to leave the nodes in work. */
  readonly remaining: readonly FigurePoint[]
  /** Whether the run reported that, event by event; else it was counted from time to time. */
  readonly isReported: boolean
  /** Memory copied so far; empty if unknown. */
  readonly copied: readonly FigurePoint[]
  readonly condition: RunCondition | null
}

/** The outlook of a drawn update: `run` is null if no run of this console drives it, or it is not read yet. */
export function useOutlook(
  cluster: string,
  timeline: UpdateTimeline,
  samples: UpdateTimeline['samples'],
  run: RunReported | null,
  condition: RunCondition | null,
): Outlook {
  const step = useTicks(store => Math.floor(store.nowMs / STEP_MS))
  const hasEnded = timeline.endedAt !== null
  const window = useWindowOf(cluster, run?.plan ?? null, hasEnded)
  const spans = useNodeSpans(cluster, run?.plan ?? null, window, hasEnded)
  const plan = run?.plan ?? null
  const nodes = useMemo(() => (plan === null ? [] : nodesOfPlan(plan)), [plan])
  // biome-ignore lint/correctness/useExhaustiveDependencies: computed at each step and each event, always from the present.
  const forecast = useMemo(
    () => timelineForecast(timeline, nodes, spans, useTicks.getState().nowMs),
    [timeline, nodes, spans, step],
  )
  const moves = useMemo(() => (run === null ? null : movesOfRun(run.plan, run.events)), [run])
  const seen = useMemo(() => departuresSeen(timeline.lanes, samples), [timeline.lanes, samples])
  const counted = useMemo(
    () => samples.map(({ at, instancesRemaining: value }) => ({ atMs: Date.parse(at), value })),
    [samples],
  )
  const hasCounted = counted.some(({ value }) => value !== null)
  return {
    ...forecast,
    nodes,
    window,
    departures: moves !== null && moves.departures.size > 0 ? moves.departures : seen,
    toLeave: moves?.toLeave ?? new Map(),
    // Counts from outside cover the whole cloud; the run covers only its started nodes.
    remaining: hasCounted ? counted : (moves?.remaining ?? []),
    isReported: !hasCounted,
    copied: moves?.copied ?? [],
    condition,
  }
}

/** The window of the run; for a run elsewhere, the window that is open now. */
function useWindowOf(cluster: string, plan: Plan | null, hasEnded: boolean): ListedWindow | null {
  const list = useWindows(store => store.list)
  const openId = useTicks(({ nowMs }) => openWindowsOf(list, cluster, nowMs)[0]?.window.id ?? null)
  if (plan !== null) return plan.window?.kind === 'in' ? windowOf(list, plan.window.id) : null
  return hasEnded || openId === null ? null : windowOf(list, openId)
}

/** How long each node takes, as measured before: as saved with the window, else read once. */
function useNodeSpans(cluster: string, plan: Plan | null, window: ListedWindow | null, hasEnded: boolean): NodeSpans {
  const [asked, setAsked] = useState<readonly NodeEstimate[]>([])
  const kept = window?.window.estimate?.estimate.own.nodes ?? null
  const hasKept = kept !== null
  const update = plan === null || isNodePlan(plan) ? null : plan.update
  useEffect(() => {
    if (hasEnded || hasKept || update === null) return
    let isWanted = true
    void estimatePlan(cluster, { kind: 'update', update }).then(answer => {
      if (isWanted && answer.ok) setAsked(answer.value.own.nodes)
    })
    return () => {
      isWanted = false
    }
  }, [cluster, update, hasEnded, hasKept])
  return useMemo(
    () => new Map((kept ?? asked).flatMap(({ node, total }) => (total === null ? [] : [[node, total] as const]))),
    [kept, asked],
  )
}
