import type { ChainHead } from '../../../shared/domain/journal-chain.ts'
import type { Json } from '../../../shared/domain/json.ts'
import {
  type MaintenanceRunPhase,
  type MaintenanceRunStatus,
  MOST_REASONS,
  type StatusReason,
} from '../../../shared/domain/maintenance-run.ts'
import { assertNever } from '../../../shared/domain/must.ts'
import { isNodePlan } from '../../../shared/domain/plan.ts'
import type { RunEvent, RunView } from '../../../shared/domain/run.ts'
import { mayShowEnd, needsSomebody, type RunCondition } from '../../../shared/domain/run-condition.ts'
import { endingOf, isReached, type RunEnding } from '../../../shared/domain/run-ending.ts'
import { updateEta } from '../../../shared/domain/update-eta.ts'
import { nodesOfPlan } from '../../../shared/domain/update-nodes.ts'
import { asSentence } from '../../../shared/grammar/counts.ts'
import { conditionSentence } from '../../../shared/words/conditions.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import { timelineOfRun } from '../../../shared/words/timelines.ts'
import type { PlanEstimate } from '../../windows/plan-estimate.ts'

export interface JournaledRun {
  readonly view: RunView
  readonly events: readonly RunEvent[]
  /** No process drives it. */
  readonly interrupted: boolean
  /** Its state, as every face shows it. */
  readonly condition: RunCondition
}

/** The longest message of a status: a column and a reader can take no more. */
const LONGEST_MESSAGE = 2_000

const MOST_NAMES = 20

export function statusOfRun(
  run: JournaledRun,
  more: {
    readonly runner: string
    readonly head: ChainHead | null
    readonly now: string
    /** The estimated duration of its plan at its start; null if unknown. */
    readonly estimate: PlanEstimate | null
    readonly notes: readonly Finding[]
    /** A note on its confirmer, if no policy proved their name; null if it is proved. */
    readonly unproved: Finding | null
  },
): MaintenanceRunStatus {
  const { view, events, condition } = run
  const notes = [...more.notes, ...(more.unproved === null ? [] : [more.unproved])]
  const { driver } = view
  return {
    phase: phaseOf(condition),
    runId: view.id,
    ...nodesOf(run, more.now),
    message: messageOf([conditionSentence(condition), ...notes.map(({ message }) => message)]),
    ...reportedAs([...reasonsOf(condition), ...more.notes.map(reasonOf)]),
    gateId: condition.kind === 'over' ? null : (view.openGates[0]?.gateId ?? null),
    estimatedEnd: mayShowEnd(condition) ? endOf(run, more.estimate, more.now) : null,
    driver: { runner: more.runner, id: driver.id ?? '', epoch: driver.epoch ?? 1 },
    lastSeq: events.at(-1)?.seq ?? 0,
    head: more.head === null ? null : { seq: more.head.seq, hash: more.head.hash },
    startedAt: view.createdAt,
    endedAt: view.endedAt,
  }
}

/** The codes of a condition: what the run waits for, or how it ended. */
function reasonsOf(condition: RunCondition): readonly Readonly<StatusReason>[] {
  switch (condition.kind) {
    case 'moving':
    case 'waiting':
    case 'paused':
    case 'unheard':
      return condition.waits
    case 'interrupted':
      return [...(condition.left === null ? [] : [condition.left]), ...condition.waits]
    case 'starting':
    case 'aborting':
      return []
    case 'over':
      return [endReason(condition.ending)]
    default:
      return assertNever(condition, 'condition of a run')
  }
}

/** The code of an ending, with as many names as an object has room for. */
function endReason(ending: RunEnding): Readonly<StatusReason> {
  const code = ending.kind
  if (ending.kind === 'Stopped') return { code, outcome: ending.outcome, changed: ending.changed.slice(0, MOST_NAMES) }
  if (!('verdict' in ending)) return { code }
  const { node, verdict } = ending
  if (verdict.kind !== 'NotEmpty') return { code, node, verdict: verdict.kind }
  const instances = verdict.instances.slice(0, MOST_NAMES).map(({ id, name, code: why }) => ({ id, name, code: why }))
  return { code, node, verdict: verdict.kind, instances, pods: verdict.pods.slice(0, MOST_NAMES) }
}

function reasonOf({ code, values }: Finding): Readonly<StatusReason> {
  return { ...values, code }
}

/** Reasons for a status: without nulls at any depth, because an API server removes them from a merge patch; long lists and texts are cut. */
export function reportedAs(
  reasons: readonly Readonly<StatusReason>[],
): Pick<MaintenanceRunStatus, 'reason' | 'reasons'> {
  const [first] = reasons
  if (first === undefined) return { reason: null, reasons: null }
  const reported = reasons.slice(0, MOST_REASONS).map(({ code, ...values }) => ({
    ...fieldsOf(values),
    code,
  }))
  return { reason: first.code, reasons: reported }
}

function fieldsOf(values: { readonly [name: string]: Json }): { readonly [name: string]: Json } {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === null ? [] : [[name, fitted(value)]])),
  )
}

function fitted(value: Json): Json {
  if (typeof value === 'string') return value.length > LONGEST_MESSAGE ? `${value.slice(0, LONGEST_MESSAGE)}…` : value
  if (typeof value !== 'object' || value === null) return value
  if (!isList(value)) return fieldsOf(value)
  return value
    .filter(each => each !== null)
    .slice(0, MOST_NAMES)
    .map(fitted)
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value)
}

/** The status of a MaintenanceRun that has not started. `driver`: the runner that claimed it; null if no runner has. */
export function statusUnbegun(
  phase: 'Pending' | 'Scheduled' | 'Refused' | 'Aborted',
  why: readonly Finding[],
  more: {
    readonly nodesAll: number
    readonly driver: MaintenanceRunStatus['driver']
    readonly endedAt?: string
  },
): MaintenanceRunStatus {
  return {
    phase,
    runId: null,
    nodesDone: 0,
    nodesAll: more.nodesAll,
    message: messageOf(why.map(({ message }) => message)),
    ...reportedAs(why.map(reasonOf)),
    gateId: null,
    estimatedEnd: null,
    driver: more.driver,
    lastSeq: 0,
    head: null,
    startedAt: null,
    endedAt: more.endedAt ?? null,
  }
}

/** The phase of a started run for `kubectl get`. `Waiting` is only for what needs an operator, not for a wait that ends automatically. */
export function phaseOf(condition: RunCondition): MaintenanceRunPhase {
  switch (condition.kind) {
    case 'starting':
    case 'moving':
    case 'aborting':
      return 'Running'
    case 'waiting':
      return needsSomebody(condition) ? 'Waiting' : 'Running'
    case 'paused':
      return 'Paused'
    case 'interrupted':
    // A runner always receives its own runs: never here.
    case 'unheard':
      return 'Interrupted'
    case 'over':
      return endPhase(condition.outcome)
    default:
      return assertNever(condition, 'condition of a run')
  }
}

/** A run whose checks failed changed nothing: it counts as refused. */
function endPhase(outcome: Extract<RunCondition, { kind: 'over' }>['outcome']): MaintenanceRunPhase {
  switch (outcome) {
    case 'done':
      return 'Done'
    case 'failed':
      return 'Failed'
    case 'aborted':
      return 'Aborted'
    case 'checks-failed':
      return 'Refused'
    // No runner hands its runs over.
    case 'handed-over':
      return 'Interrupted'
    default:
      return assertNever(outcome, 'outcome of a run')
  }
}

/** Nodes of a batch or update that have not started, in the order of the plan; empty for a run of one node. */
export function nodesNotBegun({ view, events }: Pick<JournaledRun, 'view' | 'events'>, now: string): readonly string[] {
  if (isNodePlan(view.plan)) return []
  return timelineOfRun(view, events, now)
    .lanes.filter(({ stage }) => stage === 'pending')
    .map(({ node }) => node)
}

function nodesOf(
  { view, events }: JournaledRun,
  now: string,
): { readonly nodesDone: number; readonly nodesAll: number } {
  if (isNodePlan(view.plan)) {
    const isDone =
      view.state.kind === 'finished' && view.state.outcome === 'done' && isReached(endingOf(view, view.state))
    return { nodesDone: isDone ? 1 : 0, nodesAll: 1 }
  }
  const { lanes } = timelineOfRun(view, events, now)
  return { nodesDone: lanes.filter(({ stage }) => stage === 'done').length, nodesAll: lanes.length }
}

/** The end, judged by the finished nodes, else by the estimate at its start; null if unknown, or already past. */
function endOf({ view, events }: JournaledRun, estimate: PlanEstimate | null, now: string): string | null {
  const seen = isNodePlan(view.plan)
    ? null
    : updateEta({ lanes: timelineOfRun(view, events, now).lanes, endedAt: null }, nodesOfPlan(view.plan), now)
  if (seen !== null) return seen.highAt
  if (estimate?.total == null) return null
  const end = new Date(Date.parse(view.createdAt) + estimate.total.highMs).toISOString()
  return end > now ? end : null
}

/** The sentences as one message, cut if it is too long. */
export function messageOf(sentences: readonly string[]): string {
  const filled = sentences.filter(sentence => sentence !== '')
  const text = filled.map((sentence, at) => (at < filled.length - 1 ? asSentence(sentence) : sentence)).join(' ')
  return text.length <= LONGEST_MESSAGE ? text : `${text.slice(0, LONGEST_MESSAGE - 1)}…`
}
