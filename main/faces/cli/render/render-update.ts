import type { UpdateObservation } from '../../../../shared/contract/maintenance.ts'
import { isNodePlan, type Plan } from '../../../../shared/domain/plan.ts'
import {
  type NodeLane,
  type PhaseSpan,
  turnOf,
  type UpdatePhase,
  type UpdateTimeline,
} from '../../../../shared/domain/update.ts'
import { someOf } from '../../../../shared/grammar/counts.ts'
import { betweenWords } from '../../../../shared/grammar/durations.ts'
import { timeOfDay } from '../../../../shared/grammar/times.ts'
import { STAGE_WORDS } from '../../../../shared/words/updates.ts'
import type { Look } from '../words/look.ts'
import type { Paint } from '../words/palette.ts'
import { renderTable } from '../words/table.ts'
import { hang } from '../words/width.ts'

/** The phases of an update and the nodes of each, before it starts. */
export function renderUpdateOutline(
  plan: Plan,
  left: readonly { readonly node: string; readonly why: string }[],
  look: Look,
): readonly string[] {
  if (isNodePlan(plan)) return []
  const { update } = plan
  const leftOut =
    left.length === 0
      ? []
      : hang('Left out: ', left.map(({ node, why }) => `${node} (${why})`).join(', '), look.columns).map(
          look.palette.warn,
        )
  if (plan.flavour !== 'mosk' || plan.kind === 'take-out') return [...batchLines(plan, look), ...leftOut]
  const groups = update.groups
    .toSorted((a, b) => a.index - b.index)
    .map(
      ({ name, nodes, concurrentUpdates }) =>
        `${name}: ${nodes.join(', ')} (${concurrentUpdates === 1 ? 'one by one' : `${concurrentUpdates} at a time`}${update.zoneAtATime ? ', a zone at a time' : ''})`,
    )
  const others = plan.steps.filter(({ kind }) => kind === 'cluster-lock-inactive').map(({ title }) => title)
  return [
    look.palette.strong('Phases'),
    ...hang(
      '  1. ',
      `prepare: modes and locks reviewed, maintenance of the cloud requested, scope ${update.scope}`,
      look.columns,
    ),
    ...hang('  2. ', `applications: ${others.join('; ')}`, look.columns),
    ...hang('  3. ', `control-plane nodes: ${update.controlNodes.join(', ') || 'none'}`, look.columns),
    ...hang('  4. ', `worker nodes: ${groups.join('; ') || 'none'}`, look.columns),
    ...hang('  5. ', 'finalize: other applications, the request removed, the whole cloud verified', look.columns),
    ...leftOut,
  ]
}

/** Without the node maintenance API there are no phases: batches of nodes follow each other. */
function batchLines({ batches, steps }: Plan, look: Look): readonly string[] {
  const nodesOf = (id: string) => [
    ...new Set(steps.flatMap(({ lane }) => (lane !== null && lane.batch === id ? [lane.name] : []))),
  ]
  return [
    look.palette.strong('Nodes, in this order'),
    ...batches.flatMap(({ id, title }, at) =>
      hang(`  ${at + 1}. `, `${title}: ${nodesOf(id).join(', ')}`, look.columns),
    ),
  ]
}

/** The state of an update: its phases, its nodes with their stages, and what they wait for. */
export function renderTimeline(timeline: UpdateTimeline, look: Look): readonly string[] {
  const { eta } = timeline
  return [
    ...renderTable(
      ['PHASE', 'STATE', 'FROM', 'TO', 'TOOK'],
      timeline.phases.map(phase => phaseRow(phase, phaseWord(phase, timeline.lanes), look)),
      look,
    ),
    '',
    ...renderTable(
      ['NODE', 'PHASE', 'GROUP', 'STAGE', 'SINCE', 'WAITS FOR'],
      timeline.lanes.map(lane => laneRow(lane, look)),
      look,
    ),
    ...(eta === null
      ? []
      : [
          '',
          ...hang(
            'Expected to end ',
            `${momentOrSpan(timeOfDay(eta.lowAt, look.clock), timeOfDay(eta.highAt, look.clock))}: ${eta.basis}`,
            look.columns,
          ),
        ]),
  ]
}

function momentOrSpan(low: string, high: string): string {
  return low === high ? `at about ${low}` : `between ${low} and ${high}`
}

/** An update by another program, as its objects show it. */
export function renderObservation(seen: UpdateObservation, look: Look): readonly string[] {
  return [
    ...hang('', seenWords(seen, look), look.columns),
    ...seen.plans,
    ...(seen.timeline === null
      ? []
      : ['', ...renderTimeline(seen.timeline, look), ...unseenLines(seen.timeline, look)]),
  ]
}

function seenWords({ cluster, timeline, drivenBy }: UpdateObservation, look: Look): string {
  if (timeline === null) return `No update of ${cluster} is running.`
  const by = drivenBy ?? 'another program'
  return timeline.endedAt === null
    ? `The update of ${cluster} is run by ${by}; this is what its objects show.`
    : `The update of ${cluster} by ${by} ended at ${timeOfDay(timeline.endedAt, look.clock)}.`
}

/** Gaps in the observation, once, below the tables. */
function unseenLines({ phases, lanes }: UpdateTimeline, look: Look): readonly string[] {
  const isUnseen = phases.some(isHalfSeen) || lanes.some(({ stage }) => stage === 'unseen')
  const onlyDone = lanes.filter(({ stage, spans }) => stage === 'done' && spans.length === 1).map(({ node }) => node)
  const said = [
    ...(isUnseen ? ['This update was not watched completely: entries without a time were not observed.'] : []),
    ...(onlyDone.length > 0 ? [`For ${someOf(onlyDone)}, only the end was observed.`] : []),
  ]
  return said.length === 0 ? [] : ['', ...said.flatMap(line => hang('', line, look.columns))]
}

/** A past phase with an unknown start or end. */
function isHalfSeen({ state, fromAt, toAt }: PhaseSpan): boolean {
  return state === 'done' && (fromAt === null || toAt === null)
}

function isOfNodes(phase: UpdatePhase): boolean {
  return phase === 'control-nodes' || phase === 'worker-nodes'
}

/** A phase may end before its nodes: it has none, or the update was stopped. */
function phaseWord({ phase, state, fromAt, toAt }: PhaseSpan, lanes: readonly NodeLane[]): string {
  if (state === 'done' && fromAt === null && toAt === null) return 'not observed'
  if (state !== 'done' || !isOfNodes(phase)) return state
  const own = lanes.filter(lane => lane.phase === phase)
  if (own.length === 0) return 'no nodes'
  return own.every(({ stage }) => turnOf(stage) === 'over') ? state : 'not all done'
}

function phaseRow(phase: PhaseSpan, word: string, look: Look) {
  const time = (at: string | null) => (at === null ? '-' : timeOfDay(at, look.clock))
  return [
    PHASES[phase.phase],
    { text: word, paint: paintsOf(look)[phase.state] },
    time(phase.fromAt),
    time(phase.toAt),
    phase.fromAt === null || phase.toAt === null ? '-' : betweenWords(phase.fromAt, phase.toAt),
  ]
}

function laneRow(lane: NodeLane, look: Look) {
  const span = lane.spans.at(-1)
  const waits = span?.waits.filter(({ toAt }) => toAt === null).map(({ what }) => what) ?? []
  const state = lane.stage === 'done' ? 'done' : turnOf(lane.stage) === 'under-way' ? 'running' : 'pending'
  return [
    lane.node,
    PHASES[lane.phase],
    lane.group ?? '-',
    { text: lane.stage === 'unseen' ? STAGE_WORDS.unseen : lane.stage, paint: paintsOf(look)[state] },
    span === undefined ? '-' : timeOfDay(span.fromAt, look.clock),
    waits.join('; ') || '-',
  ]
}

const PHASES: Readonly<Record<UpdatePhase, string>> = {
  prepare: 'prepare',
  applications: 'applications',
  'control-nodes': 'control-plane nodes',
  'worker-nodes': 'worker nodes',
  finalize: 'finalize',
}

function paintsOf({ palette }: Look): Readonly<Record<PhaseSpan['state'], Paint>> {
  return { pending: palette.faint, running: palette.strong, done: palette.good }
}
