import { must } from '../../shared/domain/must.ts'
import { type CheckAnswer, overrideFor, type PlannedStep } from '../../shared/domain/plan.ts'
import type { RunOutcome } from '../../shared/domain/run.ts'
import type { Clock } from '../clock/clock.ts'
import type { Logger } from '../log/logger.ts'
import { applyStep, verifyStep } from './apply-step.ts'
import { overriddenBy, runChecks } from './check-plan.ts'
import type { Gate } from './gate.ts'
import { type RunRecord, stepContext, stepView } from './run-record.ts'
import type { Step, StepRegistry } from './step.ts'
import type { StopSwitch } from './stop-switch.ts'

/** How long the last look at everything may take for one step: it was verified before, so it should simply hold. */
const FINAL_VERIFY_MS = 120_000

/** What drives a run: everything it leans on. */
export interface Drive<World> {
  readonly record: RunRecord
  readonly registry: StepRegistry<World>
  readonly world: World
  readonly clock: Clock
  readonly log: Logger
  readonly stop: StopSwitch
  readonly gate: Gate
  readonly resumed: boolean
  /** Whether the run may act at this instant (it holds the lease). */
  readonly mayAct: () => boolean
  /** Tells that the run waits for an answer, and that it goes on. */
  readonly onWaiting: (waiting: boolean) => void
  readonly newId: () => string
}

/** How far one pass came: to the end, or stopped by the switch. */
export type PassAnswer =
  | { readonly kind: 'ended'; readonly outcome: RunOutcome; readonly summary: string }
  | { readonly kind: 'stopped' }

/** One pass over the plan: checks, applies in order with their early verifies, and every verify once more (style G17-G19). */
export async function passOver<World>(drive: Drive<World>): Promise<PassAnswer> {
  const answers = await check(drive)
  if (answers === null) return { kind: 'stopped' }
  if (answers.blocked !== null) return answers.blocked
  for (const step of inOrder(drive.record.view().plan.steps)) {
    if (!step.verbs.includes('apply')) continue
    const ended = await carryOut(step, answers.answers.get(step.id), drive)
    if (ended !== null) return ended
  }
  return verifyAll(drive)
}

interface Checked {
  readonly answers: ReadonlyMap<string, CheckAnswer>
  readonly blocked: PassAnswer | null
}

async function check<World>(drive: Drive<World>): Promise<Checked | null> {
  const { record, stop } = drive
  const { plan } = record.view()
  const open = plan.steps.filter(step => !isBehind(record, step))
  const answers = await checkSteps(open, drive)
  if (stop.signal.aborted) return null
  const blocking: string[] = []
  for (const step of open) {
    const answer = answers.get(step.id)
    if (answer === undefined) continue
    record.append({ kind: 'step-checked', stepId: step.id, answer })
    if (answer.kind !== 'blocked') continue
    if (overriddenBy(answer, plan) === null) {
      blocking.push(
        ...answer.blockers
          .filter(blocker => overrideFor(blocker, plan.options.overrides) === null)
          .map(blocker => blocker.message),
      )
      continue
    }
    for (const blocker of answer.blockers) {
      const flag = must(overrideFor(blocker, plan.options.overrides), 'overriddenBy says that all blockers are lifted')
      const given = must(
        plan.options.overrides.find(override => override.flag === flag),
        'overrideFor only answers given flags',
      )
      record.append({
        kind: 'blocker-overridden',
        stepId: step.id,
        code: blocker.code,
        message: blocker.message,
        flag,
        reason: given.reason,
      })
    }
  }
  if (blocking.length === 0) return { answers, blocked: null }
  const touched = hasTouched(record)
  return {
    answers,
    blocked: {
      kind: 'ended',
      outcome: touched ? 'failed' : 'checks-failed',
      summary: `${touched ? 'Cannot go on' : 'Nothing was touched'}: ${blocking.join(' ')}`,
    },
  }
}

/** Carries one step out; null when the pass may go on. */
async function carryOut<World>(
  step: PlannedStep,
  checked: CheckAnswer | undefined,
  drive: Drive<World>,
): Promise<PassAnswer | null> {
  const { record, registry, clock, log, stop } = drive
  const known = must(registry.get(step.kind), 'a step nobody knows was blocked by its check')
  const before = stepView(record, step.id)
  if (before.state === 'skipped') return null
  if (isBehind(record, step) && (await stillHolds(step, known, drive))) return null
  if (stop.signal.aborted) return { kind: 'stopped' }
  const now = checked?.kind === 'done' && hasTouched(record) ? (await checkSteps([step], drive)).get(step.id) : checked
  if (stop.signal.aborted) return { kind: 'stopped' }
  if (now?.kind === 'done' && before.attempts === 0) {
    record.append({ kind: 'step-skipped', stepId: step.id, reason: now.reason, by: 'nothing-to-do' })
    return null
  }
  for (;;) {
    if (stop.signal.aborted) return { kind: 'stopped' }
    record.append({ kind: 'step-started', stepId: step.id, attempt: stepView(record, step.id).attempts + 1 })
    const answer = await applyStep(step, known, contextWith(step, drive), stop.signal, clock, log)
    if (answer.kind === 'stopped') return { kind: 'stopped' }
    if (answer.kind === 'failed') {
      record.append({ kind: 'step-failed', stepId: step.id, failure: answer.failure })
      return { kind: 'ended', outcome: 'failed', summary: answer.failure.message }
    }
    if (answer.kind === 'applied') {
      record.append({ kind: 'step-applied', stepId: step.id, note: answer.note })
      break
    }
    const choice = await ask(step, answer.question, answer.choices, drive)
    if (choice === 'stopped') return { kind: 'stopped' }
    if (choice === 'skip') return null
    if (choice === 'continue') break
  }
  return step.verifyEarly && step.verbs.includes('verify') ? verifyEarly(step, known, drive) : null
}

async function verifyEarly<World>(
  step: PlannedStep,
  known: Step<World>,
  drive: Drive<World>,
): Promise<PassAnswer | null> {
  const answer = await verifyStep(step, known, contextWith(step, drive), lookLimit(drive, Number.POSITIVE_INFINITY))
  if (answer === null) return { kind: 'stopped' }
  drive.record.append({ kind: 'step-verified', stepId: step.id, round: 'early', answer })
  if (answer.kind === 'holds') return null
  return { kind: 'ended', outcome: 'failed', summary: `${step.title}: ${answer.reason} ${answer.remedy}` }
}

/** Whether a step of an earlier pass may be left as it is: what later steps lean on is looked at again. */
async function stillHolds<World>(step: PlannedStep, known: Step<World>, drive: Drive<World>): Promise<boolean> {
  if (!step.verifyEarly || known.verify === undefined) return true
  const answer = await verifyStep(step, known, contextWith(step, drive), lookLimit(drive, 0))
  return answer?.kind === 'holds'
}

async function ask<World>(
  step: PlannedStep,
  question: string,
  choices: readonly ('continue' | 'retry' | 'skip' | 'abort')[],
  drive: Drive<World>,
): Promise<'retry' | 'skip' | 'continue' | 'stopped'> {
  const { record, gate, stop, onWaiting } = drive
  const gateId = drive.newId()
  gate.open(gateId, choices)
  record.append({ kind: 'gate-opened', stepId: step.id, gateId, question, choices: [...choices] })
  onWaiting(true)
  try {
    const answer = stop.signal.aborted ? null : await gate.wait(stop.changed())
    if (answer === null) return 'stopped'
    record.append({
      kind: 'gate-answered',
      stepId: step.id,
      gateId,
      choice: answer.choice,
      reason: answer.reason,
      by: answer.by,
    })
    if (answer.choice === 'abort') {
      stop.stop({ kind: 'abort', by: answer.by, reason: answer.reason })
      return 'stopped'
    }
    if (answer.choice === 'skip') {
      record.append({ kind: 'step-skipped', stepId: step.id, reason: answer.reason, by: 'operator' })
      return 'skip'
    }
    return answer.choice
  } finally {
    gate.close()
    onWaiting(false)
  }
}

/** Every verify once more, asked afresh: only when all hold is the procedure done. */
async function verifyAll<World>(drive: Drive<World>): Promise<PassAnswer> {
  const { record, registry } = drive
  const failing: string[] = []
  const skipped: string[] = []
  for (const step of record.view().plan.steps) {
    if (stepView(record, step.id).state === 'skipped') {
      skipped.push(step.title)
      continue
    }
    if (!step.verbs.includes('verify')) continue
    const known = must(registry.get(step.kind), 'a step nobody knows was blocked by its check')
    const answer = await verifyStep(step, known, contextWith(step, drive), lookLimit(drive, FINAL_VERIFY_MS))
    if (answer === null) return { kind: 'stopped' }
    record.append({ kind: 'step-verified', stepId: step.id, round: 'final', answer })
    if (answer.kind === 'fails') failing.push(`${step.title}: ${answer.reason}`)
  }
  const { plan } = record.view()
  if (failing.length > 0) return { kind: 'ended', outcome: 'failed', summary: `Not verified. ${failing.join(' ')}` }
  const what = plan.kind === 'enter' ? `${plan.node} is in maintenance` : `${plan.node} is back in service`
  const except = skipped.length === 0 ? '' : `, but for what was skipped: ${skipped.join('; ')}`
  return { kind: 'ended', outcome: 'done', summary: `${what}, verified${except}.` }
}

function contextWith<World>(step: PlannedStep, drive: Drive<World>) {
  const { record, world, clock, resumed, mayAct } = drive
  return (signal: AbortSignal) => stepContext({ record, step, world, clock, signal, resumed, mayAct })
}

function lookLimit<World>({ stop, clock, log }: Drive<World>, limitMs: number) {
  return { stop: stop.signal, limitMs, clock, log }
}

function checkSteps<World>(steps: readonly PlannedStep[], drive: Drive<World>) {
  const { registry, stop, clock, log } = drive
  return runChecks(steps, registry, (step, signal) => contextWith(step, drive)(signal), {
    stop: stop.signal,
    clock,
    log,
  })
}

/** Whether a step was carried out already, by this or an earlier driver. */
function isBehind(record: RunRecord, step: PlannedStep): boolean {
  if (!step.verbs.includes('apply')) return false
  const view = stepView(record, step.id)
  const applied = view.state === 'applied' || view.state === 'verified'
  return view.state === 'skipped' || view.state === 'nothing-to-do' || (applied && view.attempts > 0)
}

function hasTouched(record: RunRecord): boolean {
  return record.view().steps.some(step => step.attempts > 0)
}

/** The plan's order, which its dependencies may only refine: a step comes after everything it needs. */
export function inOrder(steps: readonly PlannedStep[]): readonly PlannedStep[] {
  const ordered: PlannedStep[] = []
  const visit = (step: PlannedStep, path: readonly string[]) => {
    if (ordered.includes(step)) return
    if (path.includes(step.id))
      throw new Error(`Broken invariant: the plan's steps need each other in a circle: ${path.join(', ')}`)
    for (const need of step.needs) {
      const needed = steps.find(candidate => candidate.id === need)
      if (needed !== undefined) visit(needed, [...path, step.id])
    }
    ordered.push(step)
  }
  for (const step of steps) visit(step, [])
  return ordered
}
