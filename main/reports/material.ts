import type { Edit } from '../../shared/domain/edit.ts'
import {
  type CheckAnswer,
  type Evidence,
  isNodePlan,
  type PlannedStep,
  type VerifyAnswer,
} from '../../shared/domain/plan.ts'
import type { ReportSubject } from '../../shared/domain/report.ts'
import type { RunEvent, RunEventBody, RunView } from '../../shared/domain/run.ts'
import type { RunEnding } from '../../shared/domain/run-ending.ts'
import type { KeptSignal } from '../../shared/domain/signals.ts'
import type { UpdateMoment, UpdateTimeline } from '../../shared/domain/update.ts'
import { updateNodeOf } from '../../shared/domain/update-nodes.ts'
import type { MaintenanceWindow } from '../../shared/domain/window.ts'

/** A run as a report sees it. */
export interface ReportedRun {
  readonly view: RunView
  readonly events: readonly RunEvent[]
  /** Nobody drove it when the report was made: the one thing about a run that is not in its events. */
  readonly interrupted: boolean
}

/** What every part of a report is made from: the journal's entries, read, and the moment at which the report was made. */
export interface Material {
  readonly subject: ReportSubject
  /** ISO. */
  readonly now: string
  /** The zone times are written in: that in which the window was announced, else UTC. */
  readonly timeZone: string
  /** In the order in which they were created. */
  readonly runs: readonly ReportedRun[]
  /** How the newest run of each node ended ({@link nodeEndings}). */
  readonly endings: ReadonlyMap<string, RunEnding>
  readonly window: MaintenanceWindow | null
  readonly edits: readonly Edit[]
  readonly observed: readonly UpdateMoment[]
  /** What was told to the outside of the runs. */
  readonly signals: readonly KeptSignal[]
  readonly timeline: UpdateTimeline
}

/** Something a step told, with the step, its node and the time. */
export interface ReportedFact {
  readonly at: string
  readonly node: string
  readonly stepId: string
  readonly fact: string
  readonly subject: string
  readonly values: Extract<RunEventBody, { kind: 'fact' }>['values']
}

/** A step's answer about the world, with the step, its node and the time. */
interface ReportedAnswer {
  readonly at: string
  readonly node: string
  readonly stepId: string
  readonly answer: CheckAnswer | VerifyAnswer
}

/** The node a step works on; empty: the whole cluster. */
export function nodeOfStep(run: ReportedRun, step: PlannedStep | undefined): string {
  const { plan } = run.view
  if (isNodePlan(plan)) return plan.node
  if (step === undefined) return ''
  // A check before the first node's turn is about a node too.
  return updateNodeOf(step) ?? (typeof step.input.node === 'string' ? step.input.node : '')
}

/** The step of a run by its id. */
export function stepOf(run: ReportedRun, stepId: string): PlannedStep | undefined {
  return run.view.plan.steps.find(({ id }) => id === stepId)
}

/** Everything the steps of a run told, in order. */
export function factsOf(run: ReportedRun): readonly ReportedFact[] {
  const nodes = nodesByStep(run)
  return run.events.flatMap(({ at, body }) => {
    if (body.kind !== 'fact') return []
    const { stepId, fact, subject, values } = body
    return [{ at, node: nodes.get(stepId) ?? nodeOfStep(run, undefined), stepId, fact, subject, values }]
  })
}

/** Every answer of checks and verifies of a run, in order. */
export function answersOf(run: ReportedRun): readonly ReportedAnswer[] {
  const nodes = nodesByStep(run)
  return run.events.flatMap(({ at, body }) => {
    if (body.kind !== 'step-checked' && body.kind !== 'step-verified') return []
    return [
      { at, node: nodes.get(body.stepId) ?? nodeOfStep(run, undefined), stepId: body.stepId, answer: body.answer },
    ]
  })
}

/** Everything that was read in a run, in order. */
export function evidenceOf(run: ReportedRun): readonly Evidence[] {
  return answersOf(run).flatMap(({ answer }) => answer.evidence)
}

/** Whether anything was begun: a run whose checks did not hold touched nothing. */
export function hasBegun({ events }: ReportedRun): boolean {
  return events.some(({ body }) => body.kind === 'step-started')
}

/** Whether a run began anything at a node; what is looked at before a node's turn does not begin it. */
export function hasBegunAt(run: ReportedRun, node: string): boolean {
  return run.events.some(({ body }) => {
    const step = body.kind === 'step-started' ? stepOf(run, body.stepId) : undefined
    return step !== undefined && step.stage !== 'pending' && nodeOfStep(run, step) === node
  })
}

/** Whether a run is over for good. */
export function isOver({ view }: ReportedRun): boolean {
  return view.state.kind === 'finished'
}

/** Whether a run went through; one that found nothing to do looked at its node all the same. */
export function isDone({ view: { state } }: ReportedRun): boolean {
  return state.kind === 'finished' && state.outcome === 'done'
}

function nodesByStep(run: ReportedRun): ReadonlyMap<string, string> {
  return new Map(run.view.plan.steps.map(step => [step.id, nodeOfStep(run, step)]))
}
