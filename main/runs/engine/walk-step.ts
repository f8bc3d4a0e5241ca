import { must } from '../../../shared/domain/must.ts'
import type { PlannedStep } from '../../../shared/domain/plan.ts'
import type { OpenGate } from '../../../shared/domain/run.ts'
import { OPERATOR_ANSWERED, TRY_AGAIN } from '../../../shared/domain/run-facts.ts'
import type { CheckAnswer } from '../../../shared/domain/step-answers.ts'
import { because } from '../../../shared/words/reasons.ts'
import { found } from '../../../shared/words/step-texts.ts'
import { applyStep, verifyStep } from './apply-step.ts'
import { answerSince, runChecks, statusOf } from './check-plan.ts'
import { contextWith, type Drive, type PassAnswer, retriesExhausted, verifyLimit } from './drive.ts'
import { hasTouched, isCarriedOut, type RunRecord, stepView } from './run-record.ts'
import { type CodedText, codedOf, codedTextOf } from './said.ts'
import type { ApplyAnswer, Step } from './step.ts'
import { hasProgressed, isPassing, transientFailureOf } from './transient-retry.ts'

/** What happens when a step fails: the pass ends, or (in a lane) the operator gets a question. */
type OnFailure = 'ends-the-run' | 'is-asked'

/** Carries one step out; null when the pass may continue. In a lane a failure is a question, and the other lanes continue. */
export async function walkStep<World>(
  step: PlannedStep,
  checked: CheckAnswer | undefined,
  drive: Drive<World>,
  trouble: OnFailure = 'ends-the-run',
): Promise<PassAnswer | null> {
  const { record, registry, stop } = drive
  const known = must(registry.get(step.kind), 'a step nobody knows was blocked by its check')
  const before = stepView(record, step.id)
  if (before.state === 'skipped') return null
  if (isCarriedOut(record, step)) {
    const holds = await stillHolds(step, known, drive)
    if (holds === true) return null
    if (holds !== false) return holds
  }
  if (stop.signal.aborted) return { kind: 'stopped' }
  const now = checked?.kind === 'done' && hasTouched(record) ? (await checkSteps([step], drive)).get(step.id) : checked
  if (stop.signal.aborted) return { kind: 'stopped' }
  if (now?.kind === 'done' && before.attempts === 0) {
    record.append({ kind: 'step-skipped', stepId: step.id, reason: now.reason, by: 'nothing-to-do' })
    return null
  }
  for (;;) {
    const ended = await tryOnce(step, known, drive)
    if (ended === null || ended.kind === 'stopped') return ended
    if (trouble === 'ends-the-run' && ended.mayPass !== true) return ended
    const choice =
      trouble === 'is-asked'
        ? await askOperator(
            step,
            questionOf(ended.said),
            (await mayBePassed(step, known, drive)) ? ['retry', 'skip', 'abort'] : ['retry', 'abort'],
            drive,
          )
        : await askOperator(
            step,
            retriesExhausted({ kind: 'failed', cause: ended.said.message }, drive),
            ['retry', 'abort'],
            drive,
          )
    if (choice === 'stopped') return { kind: 'stopped' }
    if (choice === 'skip') return null
  }
}

function questionOf(said: CodedText): Pick<OpenGate, 'code' | 'values' | 'question'> {
  return { ...codedOf(said), question: said.message }
}

/** Whether a failed step may be skipped; if that is unknown, it may not. */
async function mayBePassed<World>(step: PlannedStep, known: Step<World>, drive: Drive<World>): Promise<boolean> {
  if (known.mayBePassed === undefined) return true
  try {
    return await known.mayBePassed(step.input, contextWith(step, drive)(drive.stop.signal))
  } catch (error) {
    drive.log.error('may-be-passed-unknown', { step: step.id, error })
    return false
  }
}

/** Applies a step, again after each of its questions, and verifies it where a later step depends on it. */
async function tryOnce<World>(step: PlannedStep, known: Step<World>, drive: Drive<World>): Promise<PassAnswer | null> {
  const { record, stop } = drive
  for (;;) {
    if (stop.signal.aborted) return { kind: 'stopped' }
    record.append({ kind: 'step-started', stepId: step.id, attempt: stepView(record, step.id).attempts + 1 })
    const answer = await applyWithRetry(step, known, drive)
    if (answer.kind === 'stopped') return { kind: 'stopped' }
    if (answer.kind === 'failed') {
      record.append({ kind: 'step-failed', stepId: step.id, failure: answer.failure })
      const said = codedTextOf(answer.failure)
      return { kind: 'ended', outcome: 'failed', said, ...(isPassing(answer.failure) ? { mayPass: true } : {}) }
    }
    if (answer.kind === 'applied') {
      const { code, values, note } = answer
      const coded = code === undefined || values === undefined ? {} : { code, values }
      record.append({ kind: 'step-applied', stepId: step.id, ...coded, note })
      break
    }
    const choice = await askOperator(step, answer, answer.choices, drive, answer.leansOnAnswer)
    if (choice === 'stopped') return { kind: 'stopped' }
    if (choice === 'skip') return null
    if (choice === 'continue' && !answer.leansOnAnswer) break
  }
  return step.verifyEarly && step.verbs.includes('verify') ? verifyEarly(step, known, drive) : null
}

/** Applies a step, again while it fails transiently or the machine slept: each apply reads the world first. */
async function applyWithRetry<World>(step: PlannedStep, known: Step<World>, drive: Drive<World>): Promise<ApplyAnswer> {
  const { record, log, stop, sleep } = drive
  const transientRetry = drive.retryOf(step.id)
  for (;;) {
    const before = stepView(record, step.id).facts
    const answer = await applyStep(step, known, contextWith(step, drive), { stop: stop.signal, sleep }, log)
    if (answer.kind === 'slept') continue
    const trouble = answer.kind === 'failed' ? transientFailureOf(answer.failure) : null
    if (trouble === null) {
      if (answer.kind !== 'stopped') transientRetry.settled(true)
      return answer
    }
    if (hasProgressed(before, stepView(record, step.id).facts)) transientRetry.progressed('apply')
    const next = await transientRetry.after('apply', trouble, stop.signal)
    if (next === 'stopped') return { kind: 'stopped' }
    if (next === 'patience-over') return answer
  }
}

async function verifyEarly<World>(
  step: PlannedStep,
  known: Step<World>,
  drive: Drive<World>,
): Promise<PassAnswer | null> {
  const answer = await verifyStep(
    step,
    known,
    contextWith(step, drive),
    verifyLimit(step, drive, Number.POSITIVE_INFINITY),
  )
  if (answer === null) return { kind: 'stopped' }
  drive.record.append({ kind: 'step-verified', stepId: step.id, round: 'early', answer })
  if (answer.kind === 'holds') return null
  const { reason, remedy } = answer
  const code = answer.kind === 'cannot-tell' ? 'StepVerdictUnknown' : 'StepNotVerified'
  const said = because(code, { title: step.title, reason, remedy })
  const mayPass = answer.kind === 'cannot-tell' && answer.passing !== undefined
  return { kind: 'ended', outcome: 'failed', said, ...(mayPass ? { mayPass } : {}) }
}

/** Whether a step of an earlier pass stays as it is. It is verified again if later steps depend on it, or another console claims it. */
async function stillHolds<World>(
  step: PlannedStep,
  known: Step<World>,
  drive: Drive<World>,
): Promise<boolean | PassAnswer> {
  const isDoubted = drive.record.view().takenOverAt !== null && step.verifyFinally
  if (!(step.verifyEarly || isDoubted) || known.verify === undefined) return true
  if (isUndoneSince(drive.record, step)) return true
  let answer = await verifyStep(step, known, contextWith(step, drive), verifyLimit(step, drive, 0))
  // Nobody can tell whether it still holds, so nothing is changed.
  while (answer?.kind === 'cannot-tell' && answer.passing !== undefined) {
    const why = { kind: 'not-verified', isLast: false, title: step.title, cause: answer.reason } as const
    const choice = await askOperator(step, retriesExhausted(why, drive), ['retry', 'abort'], drive)
    if (choice === 'stopped') return { kind: 'stopped' }
    answer = await verifyStep(step, known, contextWith(step, drive), verifyLimit(step, drive, 0))
  }
  if (answer === null) return { kind: 'stopped' }
  if (answer.kind !== 'holds') return false
  // Its driver was killed before the verify: readers of the journal wait for it.
  if (stepView(drive.record, step.id).state === 'applied') {
    drive.record.append({ kind: 'step-verified', stepId: step.id, round: 'early', answer })
  }
  return true
}

function isUndoneSince(record: RunRecord, step: PlannedStep): boolean {
  if (step.holdsUntil === null) return false
  const undoing = record.view().steps.find(candidate => candidate.step.id === step.holdsUntil)
  return undoing !== undefined && (undoing.attempts > 0 || isCarriedOut(record, undoing.step))
}

/** Asks the operator, waits, and journals what the answer means. Other lanes may ask at the same time. */
export async function askOperator<World>(
  step: PlannedStep,
  asked: string | Pick<OpenGate, 'code' | 'values' | 'question'>,
  choices: readonly ('continue' | 'retry' | 'skip' | 'abort')[],
  drive: Drive<World>,
  leansOnAnswer = false,
): Promise<'retry' | 'skip' | 'continue' | 'stopped'> {
  const { code, values, question } =
    typeof asked === 'string' ? { code: undefined, values: undefined, question: asked } : asked
  const gate: OpenGate = {
    stepId: step.id,
    gateId: drive.newId(),
    ...(code === undefined || values === undefined ? {} : { code, values }),
    question,
    choices: [...choices],
    ...(leansOnAnswer ? { leansOnAnswer } : {}),
  }
  drive.gates.open(gate.gateId, choices)
  drive.record.append({ kind: 'gate-opened', ...gate })
  return awaitAnswer(gate, drive)
}

/** Waits for the answer to a question of this step that was left open; it does not retry before. Null if no question is open. */
export async function awaitOpenQuestion<World>(
  step: PlannedStep,
  drive: Drive<World>,
): Promise<'retry' | 'skip' | 'continue' | 'stopped' | null> {
  const gate = drive.record.view().openGates.find(({ stepId }) => stepId === step.id)
  if (gate === undefined) return null
  drive.gates.open(gate.gateId, gate.choices)
  return awaitAnswer(gate, drive)
}

async function awaitAnswer<World>(
  gate: OpenGate,
  drive: Drive<World>,
): Promise<'retry' | 'skip' | 'continue' | 'stopped'> {
  const { record, gates, stop, onWaiting } = drive
  const { stepId, gateId } = gate
  onWaiting(true)
  try {
    const answer = stop.signal.aborted ? null : await gates.wait(gateId, untilAborted(drive))
    if (answer === null) return 'stopped'
    const { choice, reason, by } = answer
    record.append({ kind: 'gate-answered', stepId, gateId, choice, reason, by })
    if (choice === 'abort') {
      stop.stop({ kind: 'abort', by, reason })
      return 'stopped'
    }
    drive.retryOf(stepId).settled(false)
    recordAnswer(gate, { choice, reason }, record)
    return choice
  } finally {
    // Where the run may resume, the question stays open and may be answered meanwhile.
    const why = stop.reason()?.kind
    if (why !== 'pause' && why !== 'lease-away') gates.close(gateId)
    if (!gates.isAnyOpen()) onWaiting(false)
  }
}

/** Journals what an answer other than `abort` means for its step. Skipping the first step of a lane skips the whole lane. */
export function recordAnswer(
  { stepId, leansOnAnswer }: OpenGate,
  { choice, reason }: { readonly choice: 'retry' | 'skip' | 'continue'; readonly reason: string },
  record: RunRecord,
): void {
  if (choice === 'skip') {
    record.append({ kind: 'step-skipped', stepId, reason, by: 'operator' })
    skipUnbegunLane(stepView(record, stepId).step, record)
  } else if (choice === 'continue' && leansOnAnswer !== true) {
    const { code, values, message: note } = found('AnsweredToGoOn')
    record.append({ kind: 'step-applied', stepId, code, values: { ...values }, note })
  } else {
    const fact = leansOnAnswer === true ? OPERATOR_ANSWERED : TRY_AGAIN
    record.append({ kind: 'fact', stepId, fact, subject: stepId, announces: false, values: { choice, reason } })
  }
}

function skipUnbegunLane({ lane, title }: PlannedStep, record: RunRecord): void {
  const own = lane === null ? [] : record.view().steps.filter(({ step }) => step.lane?.name === lane.name)
  if (own.some(({ attempts }) => attempts > 0)) return
  const reason = because('PassedTogether', { title }).message
  for (const { step, state } of own) {
    if (state !== 'skipped') record.append({ kind: 'step-skipped', stepId: step.id, reason, by: 'operator' })
  }
}

async function untilAborted<World>({ stop }: Drive<World>): Promise<void> {
  while (!stop.signal.aborted) await stop.changed()
}

/** Checks these steps. A check without an answer retries, unless another one blocks anyway; after a sleep of the machine all read again. */
export async function checkSteps<World>(
  steps: readonly PlannedStep[],
  drive: Drive<World>,
): Promise<ReadonlyMap<string, CheckAnswer>> {
  const { registry, stop, log, sleep, record, retryOf } = drive
  const { clock } = sleep
  const answers = new Map<string, CheckAnswer>()
  let open = steps
  for (;;) {
    const slept = sleep.signal
    const stops = AbortSignal.any([stop.signal, slept])
    const reading = drive.read(stops)
    const contextOf = (step: PlannedStep, signal: AbortSignal) => {
      const context = contextWith(step, drive, reading?.world)(signal)
      return reading === null ? context : { ...context, at: () => reading.at }
    }
    const found = await runChecks(open, registry, contextOf, { stop: stops, clock, log })
    if (stop.signal.aborted) return answers
    if (slept.aborted) continue
    const { plan } = record.view()
    for (const [stepId, answer] of found) answers.set(stepId, answerSince(stepId, answer, plan))
    const status = (step: PlannedStep) => statusOf(answers.get(step.id), plan)
    for (const step of open) if (status(step).kind !== 'may-pass') retryOf(step.id).progressed('check')
    open = open.filter(step => status(step).kind === 'may-pass')
    const first = open[0]
    if (first === undefined || steps.some(step => status(step).kind === 'blocked')) return answers
    const trouble = status(first)
    if (trouble.kind !== 'may-pass') return answers
    if ((await retryOf(first.id).after('check', trouble, stop.signal)) !== 'again') return answers
  }
}
