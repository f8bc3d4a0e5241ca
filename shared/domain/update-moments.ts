import { lockKindOf } from './lock-history.ts'
import { assertNever } from './must.ts'
import type { Plan, PlannedStep } from './plan.ts'
import type { RunEvent, RunEventBody } from './run.ts'
import {
  factName,
  factText,
  INSTANCE_MOVED,
  LOCK_WAITING,
  MIGRATION_FAILED,
  POD_FAILED,
  subjectName,
} from './run-facts.ts'
import { type NodeStage, type UpdateMoment, UpdatePhase } from './update.ts'
import { type FoldedTimeline, foldTimeline } from './update-fold.ts'
import { nodesOfPlan, updateNodeOf } from './update-nodes.ts'
import { WaitTeller } from './wait-history.ts'

/** How the timeline notes that an operator passed a step, before the reason they gave. */
const PASSED = 'passed, '

/** Why an operator passed a step of a node, from what the timeline notes of it; null: nobody did, or no reason was given. */
export function passedReason(notes: readonly string[]): string | null {
  const said = notes.findLast(line => line.includes(`: ${PASSED}`))
  if (said === undefined) return null
  return said.slice(said.indexOf(`: ${PASSED}`) + PASSED.length + 2).trim() || null
}

/** The timeline of an update that a run drives or drove; `more` are moments that were seen besides, such as an onlooker's samples. */
export function timelineOfRun(
  run: { readonly id: string; readonly plan: Plan },
  events: readonly RunEvent[],
  now: string,
  more: readonly UpdateMoment[] = [],
): FoldedTimeline {
  const moments = [...momentsOfRun(run.plan, events), ...more].sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
  return foldTimeline({ source: { kind: 'run', runId: run.id }, nodes: nodesOfPlan(run.plan), moments, now })
}

/** What a run's journal tells of the update it drives: phases and stages by its plan, waits and retries by what happened in its steps. */
export function momentsOfRun(plan: Plan, events: readonly RunEvent[]): readonly UpdateMoment[] {
  const teller = new RunTeller(plan)
  for (const event of events) teller.tell(event.at, event.body)
  return teller.moments
}

interface NodeTale {
  stage: NodeStage | null
  readonly steps: readonly PlannedStep[]
  /** Steps that were carried out or passed; `passed` by the operator. */
  readonly settled: Map<string, 'carried-out' | 'passed'>
}

/** Tells a run's events as moments; it keeps what was told, so that nothing is told twice. */
class RunTeller {
  readonly moments: UpdateMoment[] = []
  readonly #steps: ReadonlyMap<string, PlannedStep>
  readonly #nodes = new Map<string, NodeTale>()
  #phase: UpdatePhase | null = null
  readonly #waits = new WaitTeller()
  readonly #told = new Map<string, string>()
  /** Whether its last end was that it was handed over. */
  #isHandedOver = false
  #moved = 0
  /** When the run was heard of last. */
  #heardAt: string | null = null

  constructor(plan: Plan) {
    this.#steps = new Map(plan.steps.map(step => [step.id, step]))
    for (const { node } of nodesOfPlan(plan)) {
      const steps = plan.steps.filter(step => updateNodeOf(step) === node && step.verbs.includes('apply'))
      this.#nodes.set(node, { stage: null, steps, settled: new Map() })
    }
  }

  tell(at: string, body: RunEventBody): void {
    const heardAt = this.#heardAt ?? at
    this.#heardAt = at
    switch (body.kind) {
      case 'run-driven':
        this.#isHandedOver = false
        if (!body.resumed) return
        // Of the time in which nobody drove it nothing is known.
        this.#rest(heardAt, 'its driver was not heard of any more')
        this.#takenUp(at, body)
        return
      case 'paused':
        this.#waited(at, 'cluster', body)
        return
      case 'resume-requested':
        this.#waited(at, 'cluster', body)
        return
      case 'driver-left':
        this.#rest(at, `nobody works on it: ${body.why}`)
        this.#waited(at, 'cluster', body)
        return
      case 'run-finished':
        this.#isHandedOver = body.outcome === 'handed-over'
        if (body.outcome === 'handed-over') this.#rest(at, body.summary)
        else if (body.outcome !== 'done') this.#rest(at, `nobody works on it: ${body.summary}`)
        this.moments.push({ kind: 'over', at, note: body.summary })
        return
      case 'hand-over-failed':
        // It is over here no more.
        if (this.#isHandedOver)
          this.moments.splice(
            this.moments.findLastIndex(({ kind }) => kind === 'over'),
            1,
          )
        this.#isHandedOver = false
        this.#rest(at, `nobody works on it: it was not handed over. ${body.why}`)
        this.#waited(at, 'cluster', body)
        return
      case 'run-created':
      case 'lease-acquired':
      case 'lease-watched':
      case 'lease-away':
      case 'lease-back':
      case 'lease-lost':
      case 'machine-slept':
      case 'clocks-measured':
      case 'pause-requested':
      case 'pause-after-node-requested':
      case 'abort-requested':
      case 'hand-over-announced':
      // Told by the `run-driven` that follows.
      case 'run-taken-over':
      // Checks look ahead: that a step was looked at says nothing about where the update is.
      case 'step-checked':
      case 'blocker-overridden':
        return
      case 'step-started':
      case 'step-applied':
      case 'step-failed':
      case 'step-skipped':
      case 'step-verified':
      case 'gate-opened':
      case 'gate-answered':
      case 'fact': {
        const step = this.#steps.get(body.stepId)
        if (step !== undefined) this.#tellStep(at, step, body)
        return
      }
      default:
        assertNever(body, 'run event')
    }
  }

  #tellStep(at: string, step: PlannedStep, body: StepBody): void {
    const subject = updateNodeOf(step) ?? 'cluster'
    switch (body.kind) {
      case 'step-started':
        this.#reach(at, step)
        this.#nodes.get(subject)?.settled.delete(step.id)
        this.#waitedAt(at, step, body)
        if (body.attempt > 1) this.#retry(at, subject, `${step.title}: attempt ${body.attempt}`)
        return
      case 'step-applied':
        this.#waitedAt(at, step, body)
        if (body.note !== '') this.#note(at, step, `${step.title}: ${body.note}`)
        if (!step.verifyEarly || !step.verbs.includes('verify')) this.#settle(at, step, 'carried-out')
        return
      case 'step-verified':
        this.#waitedAt(at, step, body)
        if (body.round === 'early' && body.answer.kind === 'holds') this.#settle(at, step, 'carried-out')
        return
      case 'step-failed':
        this.#waitedAt(at, step, body)
        this.#note(at, step, `${step.title}: ${body.failure.message}`)
        return
      case 'step-skipped':
        this.#waitedAt(at, step, body)
        if (body.by === 'nothing-to-do') this.#reach(at, step)
        this.#note(at, step, `${step.title}: ${body.by === 'operator' ? `${PASSED}${body.reason}` : body.reason}`)
        this.#settle(at, step, body.by === 'operator' ? 'passed' : 'carried-out')
        return
      case 'gate-opened':
        this.#reach(at, step)
        this.#waitedAt(at, step, body)
        return
      case 'gate-answered':
        this.#waitedAt(at, step, body)
        return
      case 'fact':
        this.#fact(at, step, subject, body)
        return
      default:
        assertNever(body, 'step event')
    }
  }

  #fact(at: string, step: PlannedStep, subject: string, fact: Extract<StepBody, { kind: 'fact' }>): void {
    this.#waitedAt(at, step, fact)
    switch (factName(fact)) {
      case LOCK_WAITING:
        if (lockKindOf(fact) === 'trouble') this.#retry(at, subject, this.#waits.lockWords(fact, updateNodeOf(step)))
        return
      case POD_FAILED:
        this.#retry(at, subject, `${subjectName(fact)}: ${factText(fact, 'message') ?? 'could not be evicted'}`)
        return
      case MIGRATION_FAILED:
        this.#retry(at, subject, `${subjectName(fact)}: ${factText(fact, 'why') ?? 'the migration failed'}`)
        return
      case INSTANCE_MOVED:
        this.#moved += 1
        this.moments.push({
          kind: 'sample',
          at,
          instancesRemaining: null,
          migrationsDone: this.#moved,
          locksInactive: null,
        })
        return
      default:
        return
    }
  }

  /** The step's turn has come: its phase and its node's stage begin, where they had not. */
  #reach(at: string, step: PlannedStep): void {
    const { phase, stage } = step
    const order = UpdatePhase.options
    if (phase !== null && (this.#phase === null || order.indexOf(this.#phase) < order.indexOf(phase))) {
      this.#phase = phase
      this.moments.push({ kind: 'phase', at, phase, note: '' })
    }
    const node = updateNodeOf(step)
    const tale = this.#nodes.get(node ?? '')
    if (node === null || tale === undefined || stage === null) return
    // Looked at before its turn; and only when all of a node's steps are behind is it done.
    if (stage === 'pending') return
    const now = stage === 'done' || stage === 'skipped' ? 'returning' : stage
    if (tale.stage !== now) {
      tale.stage = now
      this.#waits.end(at, node)
      this.#told.delete(node)
    }
    // Within a stage the note is what is done now.
    this.moments.push({ kind: 'stage', at, node, stage: now, note: step.title, evidence: [] })
  }

  #settle(at: string, step: PlannedStep, how: 'carried-out' | 'passed'): void {
    const node = updateNodeOf(step)
    const tale = this.#nodes.get(node ?? '')
    if (node === null || tale === undefined) return
    tale.settled.set(step.id, how)
    if (!tale.steps.every(({ id }) => tale.settled.has(id))) return
    // A node whose last step was passed was left as it was.
    const stage = tale.settled.get(tale.steps.at(-1)?.id ?? '') === 'passed' ? 'skipped' : 'done'
    if (tale.stage === stage) return
    tale.stage = stage
    this.#waits.end(at, node)
    this.#told.delete(node)
    this.moments.push({ kind: 'stage', at, node, stage, note: '', evidence: [] })
  }

  /** What is known besides of the stage a node is in. */
  #note(at: string, step: PlannedStep, line: string): void {
    const node = updateNodeOf(step)
    const stage = this.#nodes.get(node ?? '')?.stage ?? null
    if (node === null || stage === null) return
    this.moments.push({ kind: 'stage', at, node, stage, note: '', evidence: [line] })
  }

  #retry(at: string, subject: string, what: string): void {
    this.moments.push({ kind: 'retry', at, subject, what })
  }

  /** The run left its nodes where they are. */
  #rest(at: string, why: string): void {
    for (const [node, { stage }] of this.#nodes) {
      if (stage === null || stage === 'done' || stage === 'skipped') continue
      this.moments.push({ kind: 'rest', at, node, why })
    }
  }

  /** Another driver goes on: what the earlier one waited for is asked anew, what it began goes on. */
  #takenUp(at: string, body: Extract<RunEventBody, { kind: 'run-driven' }>): void {
    const { operator } = body.driver
    this.#waits.tellRun(at, body)
    for (const subject of this.#waits.subjects) this.#tellWait(at, subject)
    // An update that was over is begun again at the phase of its next step.
    this.#phase = null
    for (const [node, tale] of this.#nodes) {
      if (tale.stage === null || tale.stage === 'done' || tale.stage === 'skipped') continue
      this.moments.push({ kind: 'stage', at, node, stage: tale.stage, note: '', evidence: [`taken up by ${operator}`] })
    }
  }

  #waited(at: string, subject: string, body: RunEventBody): void {
    this.#waits.tellRun(at, body)
    for (const each of new Set([subject, ...this.#waits.subjects])) this.#tellWait(at, each)
  }

  #waitedAt(at: string, step: PlannedStep, body: StepBody): void {
    this.#waits.tellStep(at, step, body)
    this.#tellWait(at, updateNodeOf(step) ?? 'cluster')
  }

  #tellWait(at: string, subject: string): void {
    // Of several none hides another: what one controller waits for may be the cause of what the next one does.
    const all = this.#waits.openAt(subject)
    const what = all.length === 0 ? null : all.join('; ')
    if (what === (this.#told.get(subject) ?? null)) return
    if (what === null) this.#told.delete(subject)
    else this.#told.set(subject, what)
    this.moments.push({ kind: 'wait', at, subject, what })
  }
}

type StepBody = Extract<
  RunEventBody,
  {
    kind:
      | 'step-started'
      | 'step-applied'
      | 'step-failed'
      | 'step-skipped'
      | 'step-verified'
      | 'gate-opened'
      | 'gate-answered'
      | 'fact'
  }
>
