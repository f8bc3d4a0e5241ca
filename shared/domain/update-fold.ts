import type { Eta } from './estimate-findings.ts'
import { assertNever } from './must.ts'
import {
  type NodeLane,
  type NodeStage,
  type PhaseSpan,
  type StageSpan,
  type UpdateMoment,
  UpdatePhase,
  type UpdateTimeline,
} from './update.ts'
import { type TimelineNode, updateEta } from './update-eta.ts'

/** Above this number every other sample is dropped: a long update keeps its curve, not every value. */
const MOST_SAMPLES = 960

export interface FoldedTimeline extends Omit<UpdateTimeline, 'eta'> {
  readonly eta: Eta | null
}

/** The console, an observer and the report share it (docs/style.md G34). */
export function foldTimeline(input: {
  readonly source: UpdateTimeline['source']
  readonly nodes: readonly TimelineNode[]
  readonly moments: readonly UpdateMoment[]
  readonly now: string
}): FoldedTimeline {
  const timeline = input.moments.reduce(applyMoment, beginTimeline(input.source, input.nodes))
  return withEta(timeline, input.nodes, input.now)
}

/** Every node waits in its lane. */
export function beginTimeline(source: UpdateTimeline['source'], nodes: readonly TimelineNode[]): UpdateTimeline {
  return {
    source,
    phase: null,
    phases: UpdatePhase.options.map(phase => ({ phase, state: 'pending', fromAt: null, toAt: null, note: '' })),
    lanes: nodes.map(({ node, phase, group }) => ({ node, phase, group, stage: 'pending', spans: [] })),
    samples: [],
    eta: null,
    startedAt: null,
    endedAt: null,
  }
}

/** The timeline with a lane for each node, in order; existing lanes stay. */
export function withNodes(timeline: UpdateTimeline, nodes: readonly TimelineNode[]): UpdateTimeline {
  const known = new Map(timeline.lanes.map(lane => [lane.node, lane]))
  const wanted = beginTimeline(timeline.source, nodes).lanes.map(({ node, phase, group, ...lane }) => ({
    ...(known.get(node) ?? lane),
    node,
    phase,
    group,
  }))
  const others = timeline.lanes.filter(({ node }) => nodes.every(each => each.node !== node))
  return { ...timeline, lanes: [...wanted, ...others] }
}

export function withEta(timeline: UpdateTimeline, nodes: readonly TimelineNode[], now: string): FoldedTimeline {
  return { ...timeline, eta: updateEta(timeline, nodes, now) }
}

/** Folds every order of moments without throwing. */
export function applyMoment(timeline: UpdateTimeline, moment: UpdateMoment): UpdateTimeline {
  const begun: UpdateTimeline = { ...timeline, startedAt: timeline.startedAt ?? moment.at }
  switch (moment.kind) {
    case 'phase':
      return {
        ...begun,
        phase: moment.phase,
        phases: phasesAt(begun.phases, moment),
        endedAt: null,
      }
    case 'phase-times':
      return {
        ...begun,
        phases: begun.phases.map(phase => (phase.phase === moment.phase ? timed(phase, moment) : phase)),
      }
    case 'over':
      return over(begun, moment.at)
    case 'stage':
      return withLane(begun, moment.node, lane => atStage(lane, moment))
    case 'rest':
      return withLane(begun, moment.node, lane => ({ ...lane, spans: rested(lane.spans, moment) }))
    case 'wait': {
      const { at, subject, what } = moment
      if (subject === 'cluster') return withRunningPhase(begun, phase => ({ ...phase, note: what ?? '' }))
      return withLane(begun, subject, lane => waiting(lane, at, what))
    }
    case 'retry': {
      const { at, subject, what } = moment
      if (subject === 'cluster') return withRunningPhase(begun, phase => ({ ...phase, note: what }))
      return withLane(begun, subject, lane =>
        withLastSpan(lane, at, span => ({
          ...span,
          retries: [...span.retries, { at: notBefore(latestIn(span), at), what }],
        })),
      )
    }
    case 'sample': {
      const { kind: _kind, ...sample } = moment
      const samples = [...begun.samples, sample]
      return { ...begun, samples: samples.length > MOST_SAMPLES ? samples.filter((_, at) => at % 2 === 0) : samples }
    }
    default:
      return assertNever(moment, 'moment of an update')
  }
}

/** Earlier phases are complete, observed or not; later ones do not change. */
function phasesAt(
  phases: readonly PhaseSpan[],
  moment: Extract<UpdateMoment, { kind: 'phase' }>,
): UpdateTimeline['phases'] {
  const begins = UpdatePhase.options.indexOf(moment.phase)
  return phases.map((span, index) => {
    if (span.phase === moment.phase) {
      const fromAt = span.fromAt ?? moment.at
      return { ...span, state: 'running', fromAt, toAt: null, note: moment.note === '' ? span.note : moment.note }
    }
    if (span.state === 'running') return closed(span, moment.at)
    return index < begins ? { ...span, state: 'done' } : span
  })
}

/** Times from the cluster's own objects replace times of observation. */
function timed(span: PhaseSpan, { fromAt, toAt }: Extract<UpdateMoment, { kind: 'phase-times' }>): PhaseSpan {
  const from = span.state === 'pending' && toAt === null ? span.fromAt : (fromAt ?? span.fromAt)
  if (toAt === null) return { ...span, fromAt: from }
  const isLater = from !== null && Date.parse(from) > Date.parse(toAt)
  return { ...span, state: 'done', fromAt: isLater ? toAt : from, toAt, note: '' }
}

/** A driven update knows what it did not do; in an observed one, unobserved phases and nodes end with it. */
function over(timeline: UpdateTimeline, at: string): UpdateTimeline {
  const isObserved = timeline.source.kind === 'observed'
  const lanes = timeline.lanes.map(lane => ({
    ...lane,
    stage: isObserved && lane.stage === 'pending' ? ('unseen' as const) : lane.stage,
    spans: ended(lane.spans, at),
  }))
  const phases = timeline.phases.map((span): PhaseSpan => {
    if (!isObserved || span.phase === 'finalize') return closed(span, at)
    if (span.state !== 'running') return span
    const throughAt = allFinishedAt(lanes.filter(({ phase }) => phase === span.phase))
    return throughAt === null ? { ...span, state: 'done', note: '' } : closed(span, throughAt)
  })
  return {
    ...timeline,
    phase: null,
    phases: isObserved ? phases.map(span => (span.state === 'pending' ? { ...span, state: 'done' } : span)) : phases,
    lanes,
    endedAt: at,
  }
}

/** When the last node finished; null if at least one was not observed, or there is none. */
function allFinishedAt(lanes: readonly NodeLane[]): string | null {
  const ends = lanes.map(({ stage, spans }) => (stage === 'done' ? (spans.at(-1)?.fromAt ?? null) : null))
  const known = ends.flatMap(end => end ?? [])
  if (known.length < ends.length) return null
  return known.toSorted((a, b) => Date.parse(a) - Date.parse(b)).at(-1) ?? null
}

function closed(span: PhaseSpan, at: string): PhaseSpan {
  if (span.state !== 'running') return span
  return { ...span, state: 'done', toAt: notBefore(span.fromAt ?? at, at), note: '' }
}

function withRunningPhase(timeline: UpdateTimeline, change: (phase: PhaseSpan) => PhaseSpan): UpdateTimeline {
  return { ...timeline, phases: timeline.phases.map(phase => (phase.state === 'running' ? change(phase) : phase)) }
}

/** An unexpected node gets its lane with its first moment. */
function withLane(timeline: UpdateTimeline, node: string, change: (lane: NodeLane) => NodeLane): UpdateTimeline {
  const at = timeline.lanes.findIndex(lane => lane.node === node)
  const known = timeline.lanes[at]
  if (known !== undefined) return { ...timeline, lanes: timeline.lanes.with(at, change(known)) }
  const phase = timeline.phase === 'control-nodes' ? 'control-nodes' : 'worker-nodes'
  const lane: NodeLane = { node, phase, group: null, stage: 'pending', spans: [] }
  return { ...timeline, lanes: [...timeline.lanes, change(lane)] }
}

function atStage(lane: NodeLane, moment: Extract<UpdateMoment, { kind: 'stage' }>): NodeLane {
  const { at, stage, note, evidence } = moment
  const passed = moment.passed === undefined ? {} : { passed: moment.passed }
  const last = lane.spans.at(-1)
  const continues = last?.toAt === null || stage === 'done' || stage === 'skipped'
  if (lane.stage === stage && last?.stage === stage && continues) {
    const more = evidence.filter(line => !last.evidence.includes(line))
    const same: StageSpan = {
      ...last,
      note: note === '' ? last.note : note,
      evidence: [...last.evidence, ...more],
      ...passed,
    }
    return { ...lane, spans: [...lane.spans.slice(0, -1), same] }
  }
  const spans = ended(lane.spans, at)
  if (stage === 'pending') return { ...lane, stage, spans }
  const span = { ...newSpan(stage, spans.at(-1)?.toAt ?? null, at, note, evidence), ...passed }
  return { ...lane, stage, spans: [...spans, span] }
}

/** A span starts no earlier than the previous one ended; `done` has no duration. */
function newSpan(
  stage: NodeStage,
  after: string | null,
  at: string,
  note: string,
  evidence: readonly string[],
): StageSpan {
  const fromAt = notBefore(after ?? at, at)
  const toAt = stage === 'done' || stage === 'skipped' ? fromAt : null
  return { stage, fromAt, toAt, note, evidence: [...evidence], waits: [], retries: [] }
}

function ended(spans: readonly StageSpan[], at: string): StageSpan[] {
  const last = spans.at(-1)
  if (last === undefined || last.toAt !== null) return [...spans]
  const toAt = notBefore(latestIn(last), at)
  return [...spans.slice(0, -1), { ...last, toAt, waits: waitsEnded(last.waits, toAt) }]
}

/** Running spans end, with the reason; spans that would only have started then were not observed. */
function rested(spans: readonly StageSpan[], { at, why }: Extract<UpdateMoment, { kind: 'rest' }>): StageSpan[] {
  const last = spans.at(-1)
  if (last === undefined || last.toAt !== null) return [...spans]
  if (spans.length > 1 && notBefore(last.fromAt, at) === last.fromAt && last.waits.length === 0)
    return spans.slice(0, -1)
  const evidence = why === '' || last.evidence.includes(why) ? last.evidence : [...last.evidence, why]
  return ended([...spans.slice(0, -1), { ...last, evidence }], at)
}

function waitsEnded(waits: StageSpan['waits'], at: string): StageSpan['waits'] {
  return waits.map(wait => (wait.toAt === null ? { ...wait, toAt: notBefore(wait.fromAt, at) } : wait))
}

function waiting(lane: NodeLane, at: string, what: string | null): NodeLane {
  if (what === null && lane.spans.at(-1)?.toAt !== null) return lane
  return withLastSpan(lane, at, span => {
    if (what !== null && span.waits.at(-1)?.toAt === null && span.waits.at(-1)?.what === what) return span
    const now = notBefore(latestIn(span), at)
    const before = waitsEnded(span.waits, now)
    return { ...span, waits: what === null ? before : [...before, { fromAt: now, toAt: null, what }] }
  })
}

/** Moments between two stages belong to a span before the node's turn. */
function withLastSpan(lane: NodeLane, at: string, change: (span: StageSpan) => StageSpan): NodeLane {
  const last = lane.spans.at(-1)
  if (last !== undefined && last.toAt === null) return { ...lane, spans: [...lane.spans.slice(0, -1), change(last)] }
  const fresh = newSpan('pending', last?.toAt ?? null, at, '', [])
  return { ...lane, spans: [...lane.spans, change(fresh)] }
}

/** Clocks of several machines may disagree. */
function latestIn(span: StageSpan): string {
  const wait = span.waits.at(-1)
  const retry = span.retries.at(-1)?.at ?? span.fromAt
  return notBefore(notBefore(span.fromAt, wait?.toAt ?? wait?.fromAt ?? span.fromAt), retry)
}

function notBefore(earliest: string, at: string): string {
  return Date.parse(at) < Date.parse(earliest) ? earliest : at
}
