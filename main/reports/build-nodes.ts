import { isNodePlan, staysOut } from '../../shared/domain/plan.ts'
import type { ReportInstance, ReportNode } from '../../shared/domain/report.ts'
import { isReached, type RunEnding } from '../../shared/domain/run-ending.ts'
import { stepTally } from '../../shared/domain/step-tally.ts'
import { type NodeLane, type StageSpan, turnOf } from '../../shared/domain/update.ts'
import { updateNodeOf } from '../../shared/domain/update-nodes.ts'
import type { AskedPod } from './build-pods.ts'
import { hasBegun, hasEnded, isDone, type Material, nodeOfStep, type ReportedRun } from './material.ts'

const MOST_WAITS = 5

export function buildNodes(
  material: Pick<Material, 'runs' | 'endings' | 'timeline'>,
  counted: { readonly instances: readonly ReportInstance[]; readonly pods: readonly AskedPod[] },
): readonly ReportNode[] {
  return material.timeline.lanes.map(lane => {
    const { node } = lane
    const runs = material.runs.filter(run => worksOn(run, node))
    const spans = lane.spans.filter(({ stage }) => stage !== 'pending')
    const lasting = spans.filter(({ stage }) => turnOf(stage) === 'under-way')
    const outcome = outcomeOf(lane, runs, material.endings.get(node))
    const isBehind = BEHIND.has(outcome)
    return {
      node,
      outcome,
      runIds: runs.map(({ view }) => view.id),
      fromAt: spans[0]?.fromAt ?? null,
      toAt: isBehind ? (spans.at(-1)?.toAt ?? spans.at(-1)?.fromAt ?? null) : null,
      stages: lasting.map(({ stage, fromAt, toAt }) => ({ stage, fromAt, toAt, ms: lasted(fromAt, toAt) })),
      instancesMoved: counted.instances.filter(each => each.node === node && each.outcome === 'moved').length,
      podsEvicted: counted.pods.filter(({ pod, isEvicted }) => pod.node === node && isEvicted).length,
      waits: longestWaits(lane.spans),
      steps: stepTally(runs.flatMap(run => run.view.steps.filter(({ step }) => nodeOfStep(run, step) === node))),
    }
  })
}

function worksOn({ view }: ReportedRun, node: string): boolean {
  if (isNodePlan(view.plan)) return view.plan.node === node
  return view.plan.steps.some(step => updateNodeOf(step) === node)
}

const BEHIND: ReadonlySet<ReportNode['outcome']> = new Set([
  'back',
  'held-back',
  'maybe-held-back',
  'failed',
  'aborted',
])

function outcomeOf(lane: NodeLane, runs: readonly ReportedRun[], ending: RunEnding | undefined): ReportNode['outcome'] {
  // A run that brings instances back says nothing about the node.
  const begun = runs.filter(run => run.view.plan.kind !== 'home' && hasBegun(run))
  const last = begun.at(-1)
  // The verdict of a run about one node counts, whatever clock its times are by.
  if (last !== undefined && isNodePlan(last.view.plan) && isDone(last)) {
    return staysOut(last.view.plan.kind) ? outOfService(ending) : backIn(ending)
  }
  if (lane.stage === 'done') return backIn(ending)
  if (last === undefined || !lane.spans.some(({ stage }) => stage !== 'pending')) return 'not-begun'
  if (lane.stage === 'skipped') return 'failed'
  if (last.view.state.kind === 'finished' && last.view.state.outcome === 'handed-over') return 'handed-over'
  if (!hasEnded(last)) return last.interrupted || last.view.state.kind === 'left' ? 'interrupted' : 'under-way'
  const entered = staysOut(last.view.plan.kind) && isDone(last)
  if (entered && lane.stage === 'work') return outOfService(ending)
  return last.view.state.kind === 'finished' && last.view.state.outcome === 'aborted' ? 'aborted' : 'failed'
}

/** The outcome of a node that a run brought back: something else may keep work off it. */
function backIn(ending: RunEnding | undefined): ReportNode['outcome'] {
  return ending?.kind === 'HeldBack' ? heldBack(ending) : 'back'
}

function heldBack({ verdict }: Extract<RunEnding, { kind: 'HeldBack' }>): ReportNode['outcome'] {
  return verdict.kind === 'Unknown' ? 'maybe-held-back' : 'held-back'
}

/** The outcome of a node that a run took out of service: it may not be empty. */
function outOfService(ending: RunEnding | undefined): ReportNode['outcome'] {
  if (ending?.kind !== 'NodeNotEmpty' || isReached(ending)) return 'in-maintenance'
  return ending.verdict.kind === 'Unknown' ? 'maybe-not-empty' : 'not-empty'
}

function longestWaits(spans: readonly StageSpan[]): ReportNode['waits'] {
  const totals = new Map<string, number | null>()
  for (const { fromAt, toAt, what } of spans.flatMap(({ waits }) => waits)) {
    const before = totals.get(what)
    const ms = lasted(fromAt, toAt)
    totals.set(what, before === null || ms === null ? null : (before ?? 0) + ms)
  }
  return (
    [...totals]
      .map(([what, ms]) => ({ what, ms }))
      // An open one comes first: it may become the longest.
      .sort((a, b) => (b.ms ?? Number.POSITIVE_INFINITY) - (a.ms ?? Number.POSITIVE_INFINITY))
      .slice(0, MOST_WAITS)
  )
}

function lasted(fromAt: string, toAt: string | null): number | null {
  return toAt === null ? null : Math.max(0, Date.parse(toAt) - Date.parse(fromAt))
}
