import type { NodeEstimate, Span } from '../../shared/domain/estimate.ts'
import type { EndUnknown, Eta } from '../../shared/domain/estimate-findings.ts'
import type { ForecastNote } from '../../shared/domain/forecast-findings.ts'
import { type FoundEstimate, type MeasuredHistory, measuredSpan, sumOf } from '../../shared/domain/own-estimate.ts'
import { isNodePlan } from '../../shared/domain/plan.ts'
import type { RunEvent, RunView } from '../../shared/domain/run.ts'
import { conditionOf } from '../../shared/domain/run-condition.ts'
import { turnOf, type UpdateTimeline } from '../../shared/domain/update.ts'
import { laneBegunMs, type TimelineNode, updateEta } from '../../shared/domain/update-eta.ts'
import { nodesOfPlan, updateNodeOf } from '../../shared/domain/update-nodes.ts'
import { etaOfParts, type WindowProgress } from '../../shared/domain/window-forecast.ts'
import { timelineOfRun } from '../../shared/words/timelines.ts'

export interface KnownTimes {
  readonly own: FoundEstimate
  /** The estimate stored just before the start, with each node's original instances; null if not stored. */
  readonly kept: { readonly nodes: readonly Pick<NodeEstimate, 'node' | 'total'>[] } | null
  readonly history: MeasuredHistory
  /** Whether moved instances no longer count in {@link own}: then it gives the remaining time of a node being emptied, else the total. */
  readonly movesSeen: boolean
}

/** The forecast of a run over many nodes: by its finished nodes on the timeline; until the first one, by earlier measurements of the cluster. */
export function progressOfUpdate(
  run: { readonly view: RunView; readonly events: readonly RunEvent[]; readonly interrupted: boolean },
  times: KnownTimes,
  now: string,
): Extract<WindowProgress, { kind: 'ahead' }> {
  const { view, events } = run
  const nodes = nodesOfPlan(view.plan)
  const timeline = timelineOfRun(view, events, now)
  const besides = phasesAhead(view, timeline, times.history, now)
  return {
    kind: 'ahead',
    underWay: true,
    notBegun: nodes.map(({ node }) => node).filter(name => isNotBegun(name, timeline)),
    etaWithout: left => {
      const lanes = timeline.lanes.filter(({ node }) => !left.has(node))
      const seen = updateEta({ lanes, endedAt: null }, nodes, now)
      return seen ?? (besides === null ? null : etaByHistory(lanes, nodes, times, besides, now))
    },
    // Finished nodes set the pace. No end can be estimated if the remaining nodes take longer.
    whyNotKnown: timeline.lanes.some(({ stage }) => stage === 'done')
      ? { code: 'LeftTakesLongerThanNodesThrough', values: {} }
      : besides !== null && isMeasured(timeline, times)
        ? { code: 'LeftTakesLongerThanMeasured', values: {} }
        : whyNotKnown(times.own),
    notes: notesOf(run),
  }
}

/** Whether the time of every remaining node is known: if no end can be estimated then, the work has already taken longer. */
function isMeasured({ lanes }: Pick<UpdateTimeline, 'lanes'>, { own, kept }: KnownTimes): boolean {
  const isKnown = (name: string) =>
    [kept, own].some(estimate => estimate?.nodes.some(({ node, total }) => node === name && total !== null))
  return lanes.every(({ node, stage }) => turnOf(stage) === 'over' || isKnown(node))
}

export function whyNotKnown({ missing, basis }: Pick<FoundEstimate, 'missing' | 'basis'>): EndUnknown {
  return missing[0] ?? basis
}

export function notesOf({
  view,
  interrupted,
}: {
  readonly view: RunView
  readonly interrupted: boolean
}): readonly ForecastNote[] {
  const node = isNodePlan(view.plan) ? view.plan.node : null
  const condition = conditionOf(view, interrupted)
  switch (condition.kind) {
    case 'interrupted':
      return [{ code: 'RunInterrupted', values: { node } }]
    case 'waiting':
      return [{ code: 'RunWaits', values: { node, wait: condition.waits[0] ?? null } }]
    case 'paused':
      return [{ code: 'RunPaused', values: { node } }]
    case 'starting':
    case 'moving':
    case 'aborting':
    case 'unheard':
    case 'over':
      return []
  }
}

function isNotBegun(name: string, { lanes }: Pick<UpdateTimeline, 'lanes'>): boolean {
  const lane = lanes.find(({ node }) => node === name)
  return lane !== undefined && lane.stage === 'pending' && laneBegunMs(lane) === null
}

function etaByHistory(
  lanes: UpdateTimeline['lanes'],
  nodes: readonly TimelineNode[],
  { own, kept, movesSeen }: KnownTimes,
  besides: Span,
  now: string,
): Eta | null {
  const planned = new Map(nodes.map(node => [node.node, node]))
  const totalOf = (estimate: KnownTimes['kept'], name: string) =>
    estimate?.nodes.find(({ node }) => node === name)?.total ?? null
  const left = lanes.filter(({ stage }) => turnOf(stage) !== 'over')
  const parts = [...Map.groupBy(left, ({ phase, group }) => `${phase}/${group ?? ''}`).values()].map(beside => ({
    atOnce: planned.get(beside[0]?.node ?? '')?.atOnce ?? 1,
    nodes: beside.map(lane => {
      const begunMs = laneBegunMs(lane)
      const { node } = lane
      const begunAt = begunMs === null ? null : new Date(begunMs).toISOString()
      const before = begunAt === null ? null : totalOf(kept, node)
      if (before !== null) return { node, begunAt, span: before }
      // With observed moves this span is already the remaining time: no elapsed time is subtracted.
      return { node, begunAt: movesSeen ? null : begunAt, span: totalOf(own, node) }
    }),
  }))
  const facts = left.length === 0 ? ({ code: 'EveryNodeThrough', values: {} } as const) : own.basis
  return etaOfParts(parts, { from: now, besides, reasonsGiven: [facts] })
}

/** Remaining time of phases without nodes; null if one was never measured. */
function phasesAhead(
  view: RunView,
  { phases }: Pick<UpdateTimeline, 'phases'>,
  history: MeasuredHistory,
  now: string,
): Span | null {
  const walked = new Set(
    view.plan.steps.flatMap(step =>
      step.verbs.includes('apply') && updateNodeOf(step) === null ? (step.phase ?? []) : [],
    ),
  )
  // Questions before a batch belong to no node either, and take as long as a person takes.
  const ahead = phases.filter(
    ({ phase, state }) =>
      walked.has(phase) && state !== 'done' && phase !== 'control-nodes' && phase !== 'worker-nodes',
  )
  return sumOf(
    ahead.map(({ phase, fromAt }) => {
      const span = measuredSpan(history.phases.flatMap(each => (each.phase === phase ? [each.ms] : [])))
      if (span === null) return null
      const elapsedMs = fromAt === null ? 0 : Math.max(0, Date.parse(now) - Date.parse(fromAt))
      return { lowMs: Math.max(0, span.lowMs - elapsedMs), highMs: Math.max(0, span.highMs - elapsedMs) }
    }),
  )
}
