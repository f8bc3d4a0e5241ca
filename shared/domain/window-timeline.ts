import {
  isNodePlan,
  isNodeRun,
  type NodePlan,
  type NodeRunKind,
  type Plan,
  type PlannedStep,
  staysOut,
} from './plan.ts'
import type { RunEvent } from './run.ts'
import { type NodeStage, turnOf, type UpdateMoment } from './update.ts'
import type { TimelineNode } from './update-eta.ts'
import { momentsOfRun, type RunMoment } from './update-moments.ts'
import { nodesOfPlan } from './update-nodes.ts'
import type { WindowPlan } from './window.ts'

/** Figures that somebody took besides. */
type SampleMoment = Extract<UpdateMoment, { kind: 'sample' }>

/** A run on a window's timeline. */
export interface TimelineRun {
  readonly id: string
  readonly plan: Plan
  readonly events: readonly RunEvent[]
  /** Nobody drives it: it was seen last with its last event. */
  readonly interrupted: boolean
}

/** What a window's timeline is folded from. */
interface WindowHistory {
  readonly nodes: readonly TimelineNode[]
  readonly moments: readonly RunMoment[]
  /** Phases belong to the update of a cluster; a window of single nodes has none. */
  readonly hasPhases: boolean
}

/**
 * All runs of a window (or one run) told for one timeline: a lane a node over every run on it. An update tells its stages itself; of a
 * node's own runs, entering is `draining`, what follows is `work`, leaving is `returning`. A span ends where its run ended, was left, or was
 * seen last: nothing is drawn of a time of which nothing is known. Pure: report and screen share it (style G34).
 */
export function windowHistory(input: {
  readonly runs: readonly TimelineRun[]
  readonly plan: WindowPlan | null
  /** Moments seen besides, such as an onlooker's samples. */
  readonly more: readonly SampleMoment[]
  /** Whether nobody works on it or looks at it any more: a window that was closed, a run told by itself. */
  readonly closed: boolean
}): WindowHistory {
  const { runs, plan } = input
  const reported = runs.map(run => momentsOf(run))
  const moments = [...reported.flat(), ...restsOf(runs, input.closed), ...input.more].sort(
    (a, b) => Date.parse(a.at) - Date.parse(b.at),
  )
  return {
    nodes: lanesOf(runs, plan),
    moments: [...moments, ...endOf(runs, moments, input.closed)],
    hasPhases: runs.some(({ plan: made }) => !isNodeRun(made.kind)),
  }
}

function momentsOf({ plan, events }: TimelineRun): readonly RunMoment[] {
  // How one run of several ended says nothing about the others: see endOf.
  if (!isNodePlan(plan)) return momentsOfRun(plan, events).filter(({ kind }) => kind !== 'over')
  return momentsOfNodeRun(plan, events)
}

/** A node's own run told as the stages of an update: the same teller, over its plan with stages put in. */
function momentsOfNodeRun(plan: NodePlan, events: readonly RunEvent[]): readonly RunMoment[] {
  const { node, kind } = plan
  // The node stays where it is while its instances come home.
  if (kind === 'home') return []
  const staged: Plan = { ...plan, steps: plan.steps.map(step => stagedStep(node, kind, step)) }
  return momentsOfRun(staged, events).flatMap((moment): readonly RunMoment[] => {
    if (moment.kind === 'phase') return []
    if (moment.kind === 'over') return endOfNodeRun(node, kind, moment.at, events)
    // With all steps behind, the way in is done, or the way back; the node's own stage is told at the run's end.
    if (moment.kind === 'stage' && (moment.stage === 'done' || moment.stage === 'skipped')) return []
    // An event of the whole run of a node concerns the node.
    if ((moment.kind === 'wait' || moment.kind === 'retry') && moment.subject === 'cluster') {
      return [{ ...moment, subject: node }]
    }
    return [moment]
  })
}

function stagedStep(node: string, kind: NodeRunKind, step: PlannedStep): PlannedStep {
  // Its plan knows the stages of both ways and of the work between.
  if (step.stage !== null) return { ...step, phase: 'worker-nodes' }
  const stage: NodeStage = !step.verbs.includes('apply') ? 'pending' : staysOut(kind) ? enterStage(step) : 'returning'
  return { ...step, lane: { batch: 'node', name: node }, phase: 'worker-nodes', stage }
}

function enterStage({ kind }: PlannedStep): NodeStage {
  if (kind === 'request-node-maintenance') return 'requested'
  return kind === 'node-locks-inactive' ? 'locks' : 'draining'
}

function endOfNodeRun(node: string, kind: NodeRunKind, at: string, events: readonly RunEvent[]): readonly RunMoment[] {
  const last = events.findLast(({ body }) => body.kind === 'run-finished')?.body
  if (last?.kind !== 'run-finished') return []
  if (last.outcome === 'done') {
    const evidence = [{ code: 'RunEnded', summary: last.summary } as const]
    return [{ kind: 'stage', at, node, stage: staysOut(kind) ? 'work' : 'done', note: '', evidence }]
  }
  return []
}

/** Where nobody was seen at a node any more: its run was lost sight of, or was the last one of what is closed. */
function restsOf(runs: readonly TimelineRun[], closed: boolean): readonly RunMoment[] {
  return runs.flatMap(({ plan, events, interrupted }, index): readonly RunMoment[] => {
    const last = events.at(-1)
    if (last === undefined) return []
    const nodes = nodesIn(plan)
    const stayed =
      closed && last.body.kind === 'run-finished' ? nodes.filter(node => !isWorkedOn(runs, index, node)) : []
    const why = { code: interrupted ? 'RunLost' : 'Closed' } as const
    return (interrupted ? nodes : stayed).map(node => ({ kind: 'rest', at: last.at, node, why }))
  })
}

/** Whether a run after this one begins something on the node. */
function isWorkedOn(runs: readonly TimelineRun[], index: number, node: string): boolean {
  return runs
    .slice(index + 1)
    .some(({ plan, events }) => nodesIn(plan).includes(node) && events.some(({ body }) => body.kind === 'step-started'))
}

/** The nodes that a run takes somewhere; one whose instances come home stays where it is. */
function nodesIn(plan: Plan): readonly string[] {
  if (plan.kind === 'home') return []
  return isNodePlan(plan) ? [plan.node] : nodesOfPlan(plan).map(({ node }) => node)
}

/** Over when every run is, and no node is in maintenance that somebody may still work on. */
function endOf(runs: readonly TimelineRun[], moments: readonly RunMoment[], closed: boolean): readonly RunMoment[] {
  const over = runs.every(({ events }) => events.at(-1)?.body.kind === 'run-finished')
  const at = runs
    .flatMap(({ events }) => events.at(-1)?.at ?? [])
    .toSorted()
    .at(-1)
  if (at === undefined || !over) return []
  const stages = new Map<string, NodeStage>()
  for (const moment of moments) {
    if (moment.kind === 'stage') stages.set(moment.node, moment.stage)
    if (moment.kind === 'rest') stages.delete(moment.node)
  }
  const open = !closed && [...stages.values()].some(stage => turnOf(stage) === 'under-way')
  return open ? [] : [{ kind: 'over', at, note: '' }]
}

/** The lanes in the order of the plan, then of the runs. */
function lanesOf(runs: readonly TimelineRun[], plan: WindowPlan | null): readonly TimelineNode[] {
  const planned: readonly TimelineNode[] =
    plan?.kind === 'batches'
      ? plan.batches.flatMap(({ nodes }, index) =>
          nodes.map(node => ({
            node,
            phase: 'worker-nodes' as const,
            group: `batch ${index + 1}`,
            atOnce: nodes.length,
          })),
        )
      : []
  const ofRuns = runs.flatMap(({ plan: made }) =>
    !isNodePlan(made)
      ? nodesOfPlan(made)
      : nodesIn(made).map(node => ({ node, phase: 'worker-nodes' as const, group: null, atOnce: 1 })),
  )
  // The choices a run was started with say more than the announced ones.
  const known = new Map<string, TimelineNode>()
  for (const node of [...planned, ...ofRuns]) {
    const before = known.get(node.node)
    known.set(node.node, node.group === null && before !== undefined ? before : node)
  }
  return [...known.values()]
}
