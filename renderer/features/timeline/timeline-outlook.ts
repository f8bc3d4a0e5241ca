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

/** What is still to come is counted anew this often. */
const STEP_MS = 5000

/** The run that drives an update, as far as it is read. */
interface RunReported {
  readonly plan: Plan
  readonly events: readonly RunEvent[]
}

/** What lies beside the timeline itself: what is expected, the window, and what the run tells of instances. */
export interface Outlook extends ReturnType<typeof timelineForecast> {
  readonly nodes: readonly TimelineNode[]
  readonly window: ListedWindow | null
  readonly departures: ReadonlyMap<string, readonly Departure[]>
  /** How many instances each node had to give away. */
  readonly toLeave: ReadonlyMap<string, number>
  /** Instances still to leave the nodes under way. */
  readonly remaining: readonly FigurePoint[]
  /** Whether the run told that, event by event; else somebody counted now and then. */
  readonly isReported: boolean
  /** Memory copied so far; empty: nothing tells. */
  readonly copied: readonly FigurePoint[]
  readonly condition: RunCondition | null
}

/** What is known besides of an update that is drawn: `run` null: somebody else drives it, or it is not read yet. */
export function useOutlook(
  cluster: string,
  timeline: UpdateTimeline,
  samples: UpdateTimeline['samples'],
  run: RunReported | null,
  condition: RunCondition | null,
): Outlook {
  const step = useTicks(store => Math.floor(store.nowMs / STEP_MS))
  const isOver = timeline.endedAt !== null
  const window = useWindowOf(cluster, run?.plan ?? null, isOver)
  const spans = useNodeSpans(cluster, run?.plan ?? null, window, isOver)
  const plan = run?.plan ?? null
  const nodes = useMemo(() => (plan === null ? [] : nodesOfPlan(plan)), [plan])
  // biome-ignore lint/correctness/useExhaustiveDependencies: counted anew with each step, and whenever something happens; always from the present.
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
    // What an onlooker counts is of the whole cloud; what the run tells is of the nodes it has begun.
    remaining: hasCounted ? counted : (moves?.remaining ?? []),
    isReported: !hasCounted,
    copied: moves?.copied ?? [],
    condition,
  }
}

/** The window the run belongs to; of what somebody else drives, the one that is open now. */
function useWindowOf(cluster: string, plan: Plan | null, isOver: boolean): ListedWindow | null {
  const list = useWindows(store => store.list)
  const openId = useTicks(({ nowMs }) => openWindowsOf(list, cluster, nowMs)[0]?.window.id ?? null)
  if (plan !== null) return plan.window?.kind === 'in' ? windowOf(list, plan.window.id) : null
  return isOver || openId === null ? null : windowOf(list, openId)
}

/** How long each node takes by what was measured on the cluster before: as it was kept with the window, else asked for once. */
function useNodeSpans(cluster: string, plan: Plan | null, window: ListedWindow | null, isOver: boolean): NodeSpans {
  const [asked, setAsked] = useState<readonly NodeEstimate[]>([])
  const kept = window?.window.estimate?.estimate.own.nodes ?? null
  const hasKept = kept !== null
  const update = plan === null || isNodePlan(plan) ? null : plan.update
  useEffect(() => {
    if (isOver || hasKept || update === null) return
    let isWanted = true
    void estimatePlan(cluster, { kind: 'update', update }).then(answer => {
      if (isWanted && answer.ok) setAsked(answer.value.own.nodes)
    })
    return () => {
      isWanted = false
    }
  }, [cluster, update, isOver, hasKept])
  return useMemo(
    () => new Map((kept ?? asked).flatMap(({ node, total }) => (total === null ? [] : [[node, total] as const]))),
    [kept, asked],
  )
}
