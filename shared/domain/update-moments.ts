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
import { nodesOfPlan, updateNodeOf } from './update-nodes.ts'
import { type LockSaid, WaitHistoryBuilder, type WaitSaid } from './wait-history.ts'

/** A step's title, a skip and its reason, another console, how a run ended. */
type StageEvidence =
  | { readonly code: 'StepSays'; readonly step: string; readonly said: string }
  | { readonly code: 'StepPassed'; readonly step: string; readonly reason: string }
  | { readonly code: 'TakenUp'; readonly by: string }
  | { readonly code: 'RunEnded'; readonly summary: string }

/** Why nobody works on a node or observes it. */
type RestReason =
  | { readonly code: 'DriverLost' }
  | { readonly code: 'NobodyWorks'; readonly cause: string }
  | { readonly code: 'NotHandedOver'; readonly cause: string }
  | { readonly code: 'HandedOver'; readonly summary: string }
  | { readonly code: 'RunLost' }
  | { readonly code: 'Closed' }

type Retried =
  | LockSaid
  | { readonly code: 'AttemptBegun'; readonly step: string; readonly attempt: number }
  | { readonly code: 'PodFailed'; readonly pod: string; readonly cause: string | null }
  | { readonly code: 'MigrationFailed'; readonly instance: string; readonly cause: string | null }

type MomentOf<Kind extends UpdateMoment['kind']> = Extract<UpdateMoment, { kind: Kind }>

/** A moment from a run's journal; shared/words/timelines.ts makes its texts. */
export type RunMoment =
  | MomentOf<'phase'>
  | MomentOf<'phase-times'>
  | MomentOf<'over'>
  | MomentOf<'sample'>
  | (Omit<MomentOf<'stage'>, 'evidence' | 'passed'> & { readonly evidence: readonly StageEvidence[] })
  /** Everything that it waits for; empty if it no longer waits. */
  | (Omit<MomentOf<'wait'>, 'what'> & { readonly what: readonly WaitSaid[] })
  | (Omit<MomentOf<'rest'>, 'why'> & { readonly why: RestReason })
  | (Omit<MomentOf<'retry'>, 'what'> & { readonly what: Retried })

/** Phases and stages by the plan, waits and retries by the steps' facts. */
export function momentsOfRun(plan: Plan, events: readonly RunEvent[]): readonly RunMoment[] {
  const builder = new RunMomentsBuilder(plan)
  for (const event of events) builder.add(event.at, event.body)
  return builder.moments
}

interface NodeHistory {
  stage: NodeStage | null
  readonly steps: readonly PlannedStep[]
  readonly settled: Map<string, 'carried-out' | 'passed'>
}

class RunMomentsBuilder {
  readonly moments: RunMoment[] = []
  readonly #steps: ReadonlyMap<string, PlannedStep>
  readonly #nodes = new Map<string, NodeHistory>()
  #phase: UpdatePhase | null = null
  readonly #waits = new WaitHistoryBuilder()
  readonly #waiting = new Map<string, string>()
  #isHandedOver = false
  #moved = 0
  #receivedAt: string | null = null

  constructor(plan: Plan) {
    this.#steps = new Map(plan.steps.map(step => [step.id, step]))
    for (const { node } of nodesOfPlan(plan)) {
      const steps = plan.steps.filter(step => updateNodeOf(step) === node && step.verbs.includes('apply'))
      this.#nodes.set(node, { stage: null, steps, settled: new Map() })
    }
  }

  add(at: string, body: RunEventBody): void {
    const receivedAt = this.#receivedAt ?? at
    this.#receivedAt = at
    switch (body.kind) {
      case 'run-driven':
        this.#isHandedOver = false
        if (!body.resumed) return
        // Without a console nothing is known about that time.
        this.#rest(receivedAt, { code: 'DriverLost' })
        this.#takenUp(at, body)
        return
      case 'paused':
        this.#waited(at, 'cluster', body)
        return
      case 'resume-requested':
        this.#waited(at, 'cluster', body)
        return
      case 'driver-left':
        this.#rest(at, { code: 'NobodyWorks', cause: body.why })
        this.#waited(at, 'cluster', body)
        return
      case 'run-finished':
        this.#isHandedOver = body.outcome === 'handed-over'
        if (body.outcome === 'handed-over') this.#rest(at, { code: 'HandedOver', summary: body.summary })
        else if (body.outcome !== 'done') this.#rest(at, { code: 'NobodyWorks', cause: body.summary })
        this.moments.push({ kind: 'over', at, note: body.summary })
        return
      case 'hand-over-failed':
        // The run is no longer finished here.
        if (this.#isHandedOver)
          this.moments.splice(
            this.moments.findLastIndex(({ kind }) => kind === 'over'),
            1,
          )
        this.#isHandedOver = false
        this.#rest(at, { code: 'NotHandedOver', cause: body.why })
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
      case 'run-taken-over':
      // Checks read ahead and do not show where the update is.
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
        if (step !== undefined) this.#addOfStep(at, step, body)
        return
      }
      default:
        assertNever(body, 'run event')
    }
  }

  #addOfStep(at: string, step: PlannedStep, body: StepBody): void {
    const subject = updateNodeOf(step) ?? 'cluster'
    switch (body.kind) {
      case 'step-started':
        this.#reach(at, step)
        this.#nodes.get(subject)?.settled.delete(step.id)
        this.#waitedAt(at, step, body)
        if (body.attempt > 1) {
          this.#retry(at, subject, { code: 'AttemptBegun', step: step.title, attempt: body.attempt })
        }
        return
      case 'step-applied':
        this.#waitedAt(at, step, body)
        if (body.note !== '') this.#note(at, step, { code: 'StepSays', step: step.title, said: body.note })
        if (!step.verifyEarly || !step.verbs.includes('verify')) this.#settle(at, step, 'carried-out')
        return
      case 'step-verified':
        this.#waitedAt(at, step, body)
        if (body.round === 'early' && body.answer.kind === 'holds') this.#settle(at, step, 'carried-out')
        return
      case 'step-failed':
        this.#waitedAt(at, step, body)
        this.#note(at, step, { code: 'StepSays', step: step.title, said: body.failure.message })
        return
      case 'step-skipped':
        this.#waitedAt(at, step, body)
        if (body.by === 'nothing-to-do') this.#reach(at, step)
        this.#note(
          at,
          step,
          body.by === 'operator'
            ? { code: 'StepPassed', step: step.title, reason: body.reason }
            : { code: 'StepSays', step: step.title, said: body.reason },
        )
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
        if (lockKindOf(fact) === 'trouble') this.#retry(at, subject, this.#waits.lockSaid(fact, updateNodeOf(step)))
        return
      case POD_FAILED:
        this.#retry(at, subject, { code: 'PodFailed', pod: subjectName(fact), cause: factText(fact, 'message') })
        return
      case MIGRATION_FAILED:
        this.#retry(at, subject, {
          ...{ code: 'MigrationFailed', instance: subjectName(fact), cause: factText(fact, 'why') },
        })
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

  /** Starts its phase and its node's stage if necessary. */
  #reach(at: string, step: PlannedStep): void {
    const { phase, stage } = step
    const order = UpdatePhase.options
    if (phase !== null && (this.#phase === null || order.indexOf(this.#phase) < order.indexOf(phase))) {
      this.#phase = phase
      this.moments.push({ kind: 'phase', at, phase, note: '' })
    }
    const node = updateNodeOf(step)
    const history = this.#nodes.get(node ?? '')
    if (node === null || history === undefined || stage === null) return
    // Before its turn; and a node is done only when all of its steps are complete.
    if (stage === 'pending') return
    const now = stage === 'done' || stage === 'skipped' ? 'returning' : stage
    if (history.stage !== now) {
      history.stage = now
      this.#waits.end(at, node)
      this.#waiting.delete(node)
    }
    // Within a stage the note is the current step.
    this.moments.push({ kind: 'stage', at, node, stage: now, note: step.title, evidence: [] })
  }

  #settle(at: string, step: PlannedStep, how: 'carried-out' | 'passed'): void {
    const node = updateNodeOf(step)
    const history = this.#nodes.get(node ?? '')
    if (node === null || history === undefined) return
    history.settled.set(step.id, how)
    if (!history.steps.every(({ id }) => history.settled.has(id))) return
    // A node whose last step was skipped is unchanged.
    const stage = history.settled.get(history.steps.at(-1)?.id ?? '') === 'passed' ? 'skipped' : 'done'
    if (history.stage === stage) return
    history.stage = stage
    this.#waits.end(at, node)
    this.#waiting.delete(node)
    this.moments.push({ kind: 'stage', at, node, stage, note: '', evidence: [] })
  }

  #note(at: string, step: PlannedStep, line: StageEvidence): void {
    const node = updateNodeOf(step)
    const stage = this.#nodes.get(node ?? '')?.stage ?? null
    if (node === null || stage === null) return
    this.moments.push({ kind: 'stage', at, node, stage, note: '', evidence: [line] })
  }

  #retry(at: string, subject: string, what: Retried): void {
    this.moments.push({ kind: 'retry', at, subject, what })
  }

  #rest(at: string, why: RestReason): void {
    for (const [node, { stage }] of this.#nodes) {
      if (stage === null || stage === 'done' || stage === 'skipped') continue
      this.moments.push({ kind: 'rest', at, node, why })
    }
  }

  /** Another console continues: waits are reported again, started work continues. */
  #takenUp(at: string, body: Extract<RunEventBody, { kind: 'run-driven' }>): void {
    const { operator } = body.driver
    this.#waits.addOfRun(at, body)
    for (const subject of this.#waits.subjects) this.#addWait(at, subject)
    // An ended update starts again at the phase of its next step.
    this.#phase = null
    for (const [node, history] of this.#nodes) {
      if (history.stage === null || history.stage === 'done' || history.stage === 'skipped') continue
      const evidence = [{ code: 'TakenUp', by: operator } as const]
      this.moments.push({ kind: 'stage', at, node, stage: history.stage, note: '', evidence })
    }
  }

  #waited(at: string, subject: string, body: RunEventBody): void {
    this.#waits.addOfRun(at, body)
    for (const each of new Set([subject, ...this.#waits.subjects])) this.#addWait(at, each)
  }

  #waitedAt(at: string, step: PlannedStep, body: StepBody): void {
    this.#waits.addOfStep(at, step, body)
    this.#addWait(at, updateNodeOf(step) ?? 'cluster')
  }

  #addWait(at: string, subject: string): void {
    // Shows all waits: what one controller waits for may cause the next controller's wait.
    const what = this.#waits.openAt(subject)
    const said = what.length === 0 ? null : JSON.stringify(what)
    if (said === (this.#waiting.get(subject) ?? null)) return
    if (said === null) this.#waiting.delete(subject)
    else this.#waiting.set(subject, said)
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
