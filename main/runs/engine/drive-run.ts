import { must } from '../../../shared/domain/must.ts'
import { overrideFor } from '../../../shared/domain/plan.ts'
import { endingIfDone } from '../../../shared/domain/run-ending.ts'
import type { CheckAnswer } from '../../../shared/domain/step-answers.ts'
import { because } from '../../../shared/words/reasons.ts'
import { doneWords, endingSentence } from '../../../shared/words/run-ending.ts'
import { verifyStep } from './apply-step.ts'
import { overriddenBy, statusOf } from './check-plan.ts'
import { contextWith, type Drive, type PassAnswer, retriesExhausted, verifyLimit } from './drive.ts'
import { hasOpenQuestion, hasTouched, isCarriedOut, type RunRecord, stepView } from './run-record.ts'
import { inOrder, segmentsOf } from './segments.ts'
import type { SleepWatch } from './sleep-watch.ts'
import { createTransientRetry, TRANSIENT_RETRY_UNTOUCHED_MS, type TransientRetry } from './transient-retry.ts'
import { walkBatch } from './walk-batch.ts'
import { askOperator, awaitOpenQuestion, checkSteps, walkStep } from './walk-step.ts'

/** Limit of the final verify of one step: it passed before, so it should pass at once. */
const FINAL_VERIFY_MS = 120_000

/** One pass over the plan: checks, applies in order with their early verifies, and every verify once more (style G17-G19). */
export async function passOver<World>(drive: Drive<World>): Promise<PassAnswer> {
  for (const { step } of drive.record.view().steps) {
    if (step.lane === null && (await awaitOpenQuestion(step, drive)) === 'stopped') return { kind: 'stopped' }
  }
  const answers = await check(drive)
  if (answers === null) return { kind: 'stopped' }
  if (answers.blocked !== null) return answers.blocked
  const { plan } = drive.record.view()
  for (const segment of segmentsOf(inOrder(plan.steps), plan.batches)) {
    if (segment.kind === 'batch') {
      const ended = await walkBatch(segment, answers.answers, drive)
      if (ended !== null) return ended
      continue
    }
    const { step } = segment
    if (!step.verbs.includes('apply')) continue
    if (drive.stop.isHeld() && !isCarriedOut(drive.record, step)) {
      drive.stop.stop({ kind: 'pause' })
      return { kind: 'stopped' }
    }
    const ended = await walkStep(step, answers.answers.get(step.id), drive)
    if (ended !== null) return ended
  }
  return verifyAll(drive)
}

interface Checked {
  readonly answers: ReadonlyMap<string, CheckAnswer>
  readonly blocked: PassAnswer | null
}

/** The retry policy of each step, all by one rule: the limit is shorter before the run has changed anything. */
export function retriesByStep(
  record: RunRecord,
  retryForMs: number,
  clock: SleepWatch['clock'],
): (stepId: string) => TransientRetry {
  const known = new Map<string, TransientRetry>()
  const patienceMs = () => (hasTouched(record) ? retryForMs : Math.min(retryForMs, TRANSIENT_RETRY_UNTOUCHED_MS))
  return stepId => {
    const own =
      known.get(stepId) ??
      createTransientRetry({
        clock,
        patienceMs,
        report: (fact, values) => {
          record.append({ kind: 'fact', stepId, fact, subject: stepId, announces: false, values: { ...values } })
        },
      })
    known.set(stepId, own)
    return own
  }
}

async function check<World>(drive: Drive<World>): Promise<Checked | null> {
  const { record, stop } = drive
  const { plan } = record.view()
  // A lane with an open question is checked after the answer.
  const open = plan.steps.filter(step => !isCarriedOut(record, step) && !hasOpenQuestion(record, step))
  const answers = await checkSteps(open, drive)
  if (stop.signal.aborted) return null
  const blocking: string[] = []
  for (const step of open) {
    const answer = answers.get(step.id)
    if (answer === undefined) continue
    record.append({ kind: 'step-checked', stepId: step.id, answer })
    if (answer.kind !== 'blocked') continue
    // After the first change, a blocker of a lane becomes a question at the lane's turn (walk-batch.ts).
    if (step.lane !== null && hasTouched(record)) continue
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
        ...(blocker.values === undefined ? {} : { values: blocker.values }),
        message: blocker.message,
        flag,
        reason: given.reason,
      })
    }
  }
  if (blocking.length === 0) return { answers, blocked: null }
  const touched = hasTouched(record)
  const statuses = open.flatMap(step => {
    const status = statusOf(answers.get(step.id), plan)
    return status.kind === 'free' ? [] : [{ step, status }]
  })
  const first = statuses[0]
  if (touched && first !== undefined && statuses.every(({ status }) => status.kind === 'may-pass')) {
    const question = retriesExhausted({ kind: 'blocked', by: blocking }, drive)
    const choice = await askOperator(first.step, question, ['retry', 'abort'], drive)
    return choice === 'stopped' ? null : check(drive)
  }
  return {
    answers,
    blocked: {
      kind: 'ended',
      outcome: touched ? 'failed' : 'checks-failed',
      said: because(touched ? 'CannotGoOn' : 'NothingTouched', { causes: blocking }),
    },
  }
}

/** Every verify once more with new reads, except for steps that a later step has undone: the procedure is done only when all pass. */
async function verifyAll<World>(drive: Drive<World>): Promise<PassAnswer> {
  const { record, registry, retryOf } = drive
  const failing: { title: string; reason: string }[] = []
  const unreported: typeof failing = []
  for (const step of record.view().plan.steps) {
    if (stepView(record, step.id).state === 'skipped') continue
    if (!step.verbs.includes('verify') || !step.verifyFinally) continue
    const known = must(registry.get(step.kind), 'a step nobody knows was blocked by its check')
    const look = () => verifyStep(step, known, contextWith(step, drive), verifyLimit(step, drive, FINAL_VERIFY_MS))
    let answer = await look()
    while (answer?.kind === 'cannot-tell' && answer.passing !== undefined) {
      const why = { kind: 'not-verified', isLast: true, title: step.title, cause: answer.reason } as const
      const question = retriesExhausted(why, drive)
      if ((await askOperator(step, question, ['retry', 'abort'], drive)) === 'stopped') return { kind: 'stopped' }
      answer = await look()
    }
    if (answer === null) return { kind: 'stopped' }
    retryOf(step.id).settled(true)
    record.append({ kind: 'step-verified', stepId: step.id, round: 'final', answer })
    if (answer.kind === 'fails') failing.push({ title: step.title, reason: answer.reason })
    if (answer.kind === 'cannot-tell') unreported.push({ title: step.title, reason: answer.reason })
  }
  const { plan } = record.view()
  if (failing.length + unreported.length > 0) {
    return { kind: 'ended', outcome: 'failed', said: because('RunNotVerified', { failing, unreported }) }
  }
  return {
    kind: 'ended',
    outcome: 'done',
    said: { message: endingSentence(endingIfDone(record.view()), doneWords(plan)) },
  }
}
