import type { Edit } from '../../shared/domain/edit.ts'
import type { Pieces } from '../../shared/domain/pieces.ts'
import { isNodePlan, type PlannedStep } from '../../shared/domain/plan.ts'
import type { ReportSubject } from '../../shared/domain/report.ts'
import type { RunEvent, RunEventBody, RunView } from '../../shared/domain/run.ts'
import type { RunEnding } from '../../shared/domain/run-ending.ts'
import { historyInPieces, historyOf } from '../../shared/domain/run-history.ts'
import type { KeptSignal } from '../../shared/domain/signals.ts'
import type { CheckAnswer, Evidence, VerifyAnswer } from '../../shared/domain/step-answers.ts'
import type { UpdateMoment, UpdateTimeline } from '../../shared/domain/update.ts'
import { updateNodeOf } from '../../shared/domain/update-nodes.ts'
import type { MaintenanceWindow } from '../../shared/domain/window.ts'

export interface ReportedRun {
  readonly view: RunView
  readonly events: readonly RunEvent[]
  /** No console drove it when the report was made: the only fact about a run outside its events. */
  readonly interrupted: boolean
}

/** The source of every part of a report: journal entries, and the time of the report. */
export interface Material {
  readonly subject: ReportSubject
  readonly now: string
  /** The zone of the window, else UTC, for all times of the report. */
  readonly timeZone: string
  /** In the order in which they were created. */
  readonly runs: readonly ReportedRun[]
  /** How the newest run of each node ended (`nodeEndings`). */
  readonly endings: ReadonlyMap<string, RunEnding>
  readonly window: MaintenanceWindow | null
  readonly edits: readonly Edit[]
  readonly observed: readonly UpdateMoment[]
  readonly signals: readonly KeptSignal[]
  readonly timeline: UpdateTimeline
}

type HistoryOfRun = ReturnType<typeof historyOf>

const HISTORIES = new WeakMap<ReportedRun, HistoryOfRun>()

/** Reads the history of a run, which {@link historyOfRun} then has at hand. */
export function* readHistory(run: ReportedRun): Pieces<void> {
  if (!HISTORIES.has(run)) HISTORIES.set(run, yield* historyInPieces(run.view.plan, run.events))
}

/** What happened to the instances and pods of a run, and its answers: several parts of a report need it, and it takes long for hundreds of instances. */
export function historyOfRun(run: ReportedRun): HistoryOfRun {
  const history = HISTORIES.get(run) ?? historyOf(run.view.plan, run.events)
  HISTORIES.set(run, history)
  return history
}

/** A fact that a step wrote, with its node and the time. */
export interface StepFact {
  readonly at: string
  readonly node: string
  readonly stepId: string
  readonly fact: string
  readonly subject: string
  readonly values: Extract<RunEventBody, { kind: 'fact' }>['values']
}

/** What a check or a verification of a step found, with its node and the time. */
interface StepAnswer {
  readonly at: string
  readonly node: string
  readonly stepId: string
  readonly answer: CheckAnswer | VerifyAnswer
}

/** The node of a step; empty means the whole cloud. */
export function nodeOfStep(run: ReportedRun, step: PlannedStep | undefined): string {
  const { plan } = run.view
  if (isNodePlan(plan)) return plan.node
  if (step === undefined) return ''
  // A check before the first node may be about a node too.
  return updateNodeOf(step) ?? (typeof step.input.node === 'string' ? step.input.node : '')
}

export function stepOf(run: ReportedRun, stepId: string): PlannedStep | undefined {
  return run.view.plan.steps.find(({ id }) => id === stepId)
}

export function factsOf(run: ReportedRun): readonly StepFact[] {
  const nodes = nodesByStep(run)
  return run.events.flatMap(({ at, body }) => {
    if (body.kind !== 'fact') return []
    const { stepId, fact, subject, values } = body
    return [{ at, node: nodes.get(stepId) ?? nodeOfStep(run, undefined), stepId, fact, subject, values }]
  })
}

export function answersOf(run: ReportedRun): readonly StepAnswer[] {
  const nodes = nodesByStep(run)
  return run.events.flatMap(({ at, body }) => {
    if (body.kind !== 'step-checked' && body.kind !== 'step-verified') return []
    return [
      { at, node: nodes.get(body.stepId) ?? nodeOfStep(run, undefined), stepId: body.stepId, answer: body.answer },
    ]
  })
}

export function evidenceOf(run: ReportedRun): readonly Evidence[] {
  return answersOf(run).flatMap(({ answer }) => answer.evidence)
}

/** Whether a run started anything: a run with failed checks changed nothing. */
export function hasBegun({ events }: ReportedRun): boolean {
  return events.some(({ body }) => body.kind === 'step-started')
}

/** Whether a run started anything at a node. Checks before its turn do not count. */
export function hasBegunAt(run: ReportedRun, node: string): boolean {
  return run.events.some(({ body }) => {
    const step = body.kind === 'step-started' ? stepOf(run, body.stepId) : undefined
    return step !== undefined && step.stage !== 'pending' && nodeOfStep(run, step) === node
  })
}

export function hasEnded({ view }: ReportedRun): boolean {
  return view.state.kind === 'finished'
}

/** Whether a run reached its goal, even if there was nothing to do. */
export function isDone({ view: { state } }: ReportedRun): boolean {
  return state.kind === 'finished' && state.outcome === 'done'
}

function nodesByStep(run: ReportedRun): ReadonlyMap<string, string> {
  return new Map(run.view.plan.steps.map(step => [step.id, nodeOfStep(run, step)]))
}
