import type { ListedWindow, RunSummary } from '../../shared/contract/index.ts'
import type { Span } from '../../shared/domain/estimate.ts'
import type { Eta } from '../../shared/domain/estimate-findings.ts'
import type { ForecastNote } from '../../shared/domain/forecast-findings.ts'
import { type FoundNodeEstimate, type PartOfWork, sumOf } from '../../shared/domain/own-estimate.ts'
import { endsInService, isNodeRun, isWayBack } from '../../shared/domain/plan.ts'
import type { RunEvent, RunView } from '../../shared/domain/run.ts'
import { completedAllSteps } from '../../shared/domain/run-ending.ts'
import { beganStage } from '../../shared/domain/run-progress.ts'
import { nodesOfPlan } from '../../shared/domain/window-draft.ts'
import { etaOfParts, laterEta, type NodeAhead, type WindowProgress } from '../../shared/domain/window-forecast.ts'
import { timelineOfRun } from '../../shared/words/timelines.ts'
import { type KnownTimes, notesOf, whyNotKnown } from './update-progress.ts'
import { isOpenRun } from './window-reader.ts'

export interface RunOfWindow {
  readonly summary: RunSummary
  readonly view: RunView
  readonly events: readonly RunEvent[]
  readonly interrupted: boolean
}

/** The state of a node by the single runs that took it out and brought it back. */
interface NodeProgress {
  readonly kind: 'entering' | 'in-maintenance' | 'returning'
  readonly sinceAt: string
}

export function nodesThrough({ window, runs }: ListedWindow, views: readonly RunOfWindow[]): ReadonlySet<string> {
  const updated = views
    .filter(({ view }) => !isNodeRun(view.plan.kind))
    .flatMap(({ view, events }) =>
      timelineOfRun(view, events, view.lastEventAt).lanes.filter(({ stage }) => stage === 'done'),
    )
  const planned = nodesOfPlan(window.plan)
  const returned = planned.filter(node => {
    const last = newestOf(node, runs)
    return last !== undefined && endsInService(last.kind) && completedAllSteps(last)
  })
  return new Set([...updated.map(({ node }) => node), ...returned])
}

/** Nodes of single runs that are not back in service, with their state; `views`: of open runs. */
export function nodesNotBack(
  { runs }: Pick<ListedWindow, 'runs'>,
  views: readonly RunOfWindow[],
): ReadonlyMap<string, NodeProgress> {
  const names = [...new Set(runs.flatMap(({ node }) => node ?? []))]
  return new Map(
    names.flatMap(node => {
      const status = progressOf(newestOf(node, runs), views)
      return status === null ? [] : [[node, status] as const]
    }),
  )
}

function newestOf(node: string, runs: readonly RunSummary[]): RunSummary | undefined {
  // Bringing its instances back does not change the node's own state.
  return runs.find(run => run.node === node && isNodeRun(run.kind) && run.kind !== 'home')
}

function progressOf(run: RunSummary | undefined, views: readonly RunOfWindow[]): NodeProgress | null {
  if (run === undefined) return null
  if (isOpenRun(run)) {
    if (isWayBack(run.kind)) return { kind: 'returning', sinceAt: run.createdAt }
    const view = views.find(({ summary }) => summary.id === run.id)?.view
    const returning = view === undefined ? null : beganStage(view, 'returning')
    if (returning !== null) return { kind: 'returning', sinceAt: returning.startedAt ?? run.createdAt }
    const work = view === undefined ? null : beganStage(view, 'work')
    if (work !== null) return { kind: 'in-maintenance', sinceAt: work.startedAt ?? run.createdAt }
    return { kind: 'entering', sinceAt: run.createdAt }
  }
  // After a failed return the node is still out.
  const isOut = endsInService(run.kind) ? run.state === 'failed' || run.state === 'aborted' : completedAllSteps(run)
  return isOut ? { kind: 'in-maintenance', sinceAt: run.endedAt ?? run.createdAt } : null
}

/** The forecast of a window without one run over all its nodes: by its estimate, without finished nodes. Nodes of single runs must be back too. */
export function progressOfNodes(
  listed: ListedWindow,
  parts: readonly PartOfWork[],
  times: KnownTimes,
  through: ReadonlySet<string>,
  views: readonly RunOfWindow[],
  now: string,
): WindowProgress {
  const { window, runs } = listed
  const out = nodesNotBack(listed, views)
  const planned = new Set(parts.flatMap(({ nodes }) => nodes))
  const beside = [...out].filter(([node]) => !planned.has(node))
  const left = parts.flatMap(({ nodes }) => nodes).filter(node => !through.has(node))
  if (left.length === 0 && beside.length === 0) {
    const ended = runs.flatMap(({ endedAt }) => endedAt ?? []).toSorted()
    return { kind: 'nothing-ahead', endedAt: ended.at(-1) ?? null }
  }
  const underWay = out.size > 0
  const from = !underWay && window.startsAt > now ? window.startsAt : now
  const estimates = new Map(times.own.nodes.map(node => [node.node, node]))
  const reasonsGiven = [times.own.basis]
  const aheadOf = (name: string, works: boolean): NodeAhead =>
    nodeAhead(name, out.get(name) ?? null, estimates.get(name), { works, movesSeen: times.movesSeen })
  const etaBeside: Eta | null | 'none' =
    beside.length === 0
      ? 'none'
      : etaOfParts(
          [
            {
              atOnce: beside.length,
              nodes: beside.map(([name]) => aheadOf(name, false)),
            },
          ],
          { from: now, besides: { lowMs: 0, highMs: 0 }, reasonsGiven },
        )
  return {
    kind: 'ahead',
    underWay,
    notBegun: left.filter(node => !out.has(node)),
    etaWithout: without => {
      const isLeft = (node: string) => !through.has(node) && !without.has(node)
      if (!left.some(isLeft)) return etaBeside === 'none' ? { lowAt: now, highAt: now, reasonsGiven } : etaBeside
      const eta = etaOfParts(
        parts.map(part => ({
          atOnce: part.atOnce,
          nodes: part.nodes.filter(isLeft).map(name => aheadOf(name, true)),
        })),
        { from, besides: phasesBesideNodes(times), reasonsGiven },
      )
      if (etaBeside === 'none') return eta
      return eta === null || etaBeside === null ? null : laterEta(eta, etaBeside)
    },
    whyNotKnown: whyNotKnown(times.own),
    notes: [
      ...views.filter(({ summary }) => isOpenRun(summary)).flatMap(notesOf),
      ...workNotes(beside.map(([name, status]) => [name, status] as const)),
    ],
  }
}

/** The part of the estimate besides its batches: phases without nodes. */
function phasesBesideNodes({ own }: KnownTimes): Span {
  const batches = sumOf(own.batches.map(({ span }) => span))
  if (own.total === null || batches === null) return { lowMs: 0, highMs: 0 }
  return {
    lowMs: Math.max(0, own.total.lowMs - batches.lowMs),
    highMs: Math.max(0, own.total.highMs - batches.highMs),
  }
}

/** A node with its remaining time; `works`: the work on it is part of the plan, so its time is given or measured. */
function nodeAhead(
  node: string,
  status: NodeProgress | null,
  estimate: FoundNodeEstimate | undefined,
  { works, movesSeen }: { readonly works: boolean; readonly movesSeen: boolean },
): NodeAhead {
  if (estimate === undefined) return { node, begunAt: status?.sinceAt ?? null, span: null }
  const { evacuation, drain, back, total } = estimate
  const work = works ? estimate.work : { lowMs: 0, highMs: 0 }
  if (status === null) return { node, begunAt: null, span: total }
  switch (status.kind) {
    case 'entering':
      // Moved instances are gone: its evacuation is the remaining part.
      return { node, begunAt: movesSeen ? null : status.sinceAt, span: sumOf([evacuation, drain, work, back]) }
    case 'in-maintenance':
      // Without a time for the work it may return at any time: its way back starts now at the earliest.
      return { node, begunAt: works ? status.sinceAt : null, span: sumOf([work, back]) }
    case 'returning':
      return { node, begunAt: status.sinceAt, span: back }
  }
}

function workNotes(beside: readonly (readonly [string, NodeProgress])[]): readonly ForecastNote[] {
  const waiting = beside.filter(([, { kind }]) => kind !== 'returning').map(([name]) => name)
  if (waiting.length === 0) return []
  return [{ code: 'WorkNotCounted', values: { nodes: waiting } }]
}
