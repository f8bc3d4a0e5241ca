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

type SampleMoment = Extract<UpdateMoment, { kind: 'sample' }>

export interface TimelineRun {
  readonly id: string
  readonly plan: Plan
  readonly events: readonly RunEvent[]
  /** It has no console: it was last seen with its last event. */
  readonly interrupted: boolean
}

interface WindowHistory {
  readonly nodes: readonly TimelineNode[]
  readonly moments: readonly RunMoment[]
  readonly hasPhases: boolean
}

/** A lane per node; in a node's own runs, going out is `draining`, then `work`, and `returning`. Report and screen share it (style G34). */
export function windowHistory(input: {
  readonly runs: readonly TimelineRun[]
  readonly plan: WindowPlan | null
  readonly more: readonly SampleMoment[]
  /** A closed window, or a single run: nobody works on it any more. */
  readonly closed: boolean
}): WindowHistory {
  const { runs, plan } = input
  const byRun = runs.map(run => momentsOf(run))
  const moments = [...byRun.flat(), ...restsOf(runs, input.closed), ...input.more].sort(
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

/** The builder of updates, over the node's plan with stages added. */
function momentsOfNodeRun(plan: NodePlan, events: readonly RunEvent[]): readonly RunMoment[] {
  const { node, kind } = plan
  // The node stays where it is while its instances come back.
  if (kind === 'home') return []
  const staged: Plan = { ...plan, steps: plan.steps.map(step => stagedStep(node, kind, step)) }
  return momentsOfRun(staged, events).flatMap((moment): readonly RunMoment[] => {
    if (moment.kind === 'phase') return []
    if (moment.kind === 'over') return endOfNodeRun(node, kind, moment.at, events)
    // The end of all steps ends the stage; the node's own stage is reported at the run's end.
    if (moment.kind === 'stage' && (moment.stage === 'done' || moment.stage === 'skipped')) return []
    // An event of the whole run concerns its node.
    if ((moment.kind === 'wait' || moment.kind === 'retry') && moment.subject === 'cluster') {
      return [{ ...moment, subject: node }]
    }
    return [moment]
  })
}

function stagedStep(node: string, kind: NodeRunKind, step: PlannedStep): PlannedStep {
  // Its plan has the stages of both ways and of the work between.
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

/** Its run lost its console, or was the last one of closed work. */
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

function isWorkedOn(runs: readonly TimelineRun[], index: number, node: string): boolean {
  return runs
    .slice(index + 1)
    .some(({ plan, events }) => nodesIn(plan).includes(node) && events.some(({ body }) => body.kind === 'step-started'))
}

/** Not those whose instances come back. */
function nodesIn(plan: Plan): readonly string[] {
  if (plan.kind === 'home') return []
  return isNodePlan(plan) ? [plan.node] : nodesOfPlan(plan).map(({ node }) => node)
}

/** Ended when every run has, and no node is in maintenance that somebody may still work on. */
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
  // The options of a started run are more precise than the announced ones.
  const known = new Map<string, TimelineNode>()
  for (const node of [...planned, ...ofRuns]) {
    const before = known.get(node.node)
    known.set(node.node, node.group === null && before !== undefined ? before : node)
  }
  return [...known.values()]
}
