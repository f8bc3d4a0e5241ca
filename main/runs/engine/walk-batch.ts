import type { PlannedStep } from '../../../shared/domain/plan.ts'
import { factName, factText, OPERATOR_ANSWERED } from '../../../shared/domain/run-facts.ts'
import type { CheckAnswer } from '../../../shared/domain/step-answers.ts'
import { because } from '../../../shared/words/reasons.ts'
import { found } from '../../../shared/words/step-texts.ts'
import { overriddenBy } from './check-plan.ts'
import type { Drive, PassAnswer } from './drive.ts'
import { hasOpenQuestion, hasTouched, isCarriedOutAndVerified, stepView } from './run-record.ts'
import type { Lane, Segment } from './segments.ts'
import { askOperator, awaitOpenQuestion, checkSteps, walkStep } from './walk-step.ts'

/** Runs the lanes of a batch, a limited number at a time, begun ones first. At the end of the pass or a pause the active ones finish. */
export async function walkBatch<World>(
  batch: Extract<Segment, { kind: 'batch' }>,
  answers: ReadonlyMap<string, CheckAnswer>,
  drive: Drive<World>,
): Promise<PassAnswer | null> {
  const { stop } = drive
  const open = batch.lanes.filter(lane => !isLaneDone(lane, drive))
  const isFirst = (lane: Lane) => isBegun(lane, drive) || lane.steps.some(step => hasOpenQuestion(drive.record, step))
  const queue = [...open.filter(isFirst), ...open.filter(lane => !isFirst(lane))]
  const running = new Set<Promise<void>>()
  const thrown: unknown[] = []
  let ended: PassAnswer | null = null
  const work = async (lane: Lane) => {
    const answer = await walkLane(lane, answers, drive)
    if (answer !== null && ended?.kind !== 'ended') ended = answer
  }
  for (;;) {
    while (running.size < batch.atOnce && ended === null && thrown.length === 0 && !stop.signal.aborted) {
      const next = queue[0]
      if (next === undefined || (stop.isHeld() && !isBegun(next, drive))) break
      queue.shift()
      const job: Promise<void> = work(next)
        .catch((error: unknown) => {
          thrown.push(error)
        })
        .finally(() => running.delete(job))
      running.add(job)
    }
    if (running.size === 0) break
    await Promise.race(running)
  }
  if (thrown.length > 0) throw thrown[0]
  if (ended !== null) return ended
  if (stop.signal.aborted) return { kind: 'stopped' }
  // The queue holds lanes that were skipped meanwhile, or held back; its rest tells which.
  if (queue.some(lane => !isLaneDone(lane, drive)) && stop.isHeld()) {
    stop.stop({ kind: 'pause' })
    return { kind: 'stopped' }
  }
  return null
}

async function walkLane<World>(
  lane: Lane,
  answers: ReadonlyMap<string, CheckAnswer>,
  drive: Drive<World>,
): Promise<PassAnswer | null> {
  const { record, stop } = drive
  const begun = isBegun(lane, drive)
  for (const step of lane.steps) {
    if ((await awaitOpenQuestion(step, drive)) === 'stopped') return { kind: 'stopped' }
  }
  if (isLaneDone(lane, drive)) return null
  // The checks at the start of the run are old: check the node again before changing it.
  const fresh = begun || !hasTouched(record) ? answers : await checkLane(lane, drive)
  if (fresh === 'passed') return null
  if (fresh === 'stopped' || stop.signal.aborted) return { kind: 'stopped' }
  for (const step of lane.steps) {
    if (!step.verbs.includes('apply')) continue
    const ended = await walkStep(step, fresh.get(step.id), drive, 'is-asked')
    if (ended !== null) return ended
  }
  return null
}

/** Checks a lane that is about to begin. A blocker becomes a question: check again, skip the node, or end the run. */
async function checkLane<World>(
  lane: Lane,
  drive: Drive<World>,
): Promise<ReadonlyMap<string, CheckAnswer> | 'passed' | 'stopped'> {
  const { record, stop } = drive
  for (;;) {
    const open = lane.steps.filter(step => stepView(record, step.id).state !== 'skipped')
    if (open.length === 0) return 'passed'
    const answers = await checkSteps(open, drive)
    if (stop.signal.aborted) return 'stopped'
    const { plan } = record.view()
    const blocked = open.filter(step => {
      const answer = answers.get(step.id)
      return answer?.kind === 'blocked' && overriddenBy(answer, plan) === null
    })
    for (const step of open) {
      const answer = answers.get(step.id)
      if (answer !== undefined) record.append({ kind: 'step-checked', stepId: step.id, answer })
    }
    const first = blocked[0]
    if (first === undefined) return answers
    const blockers = blocked.flatMap(step => {
      const answer = answers.get(step.id)
      return answer?.kind === 'blocked' ? answer.blockers.map(blocker => ({ stepId: step.id, blocker })) : []
    })
    const mayGoOn = blockers.every(({ blocker }) => blocker.mayGoOn === true && blocker.override.kind === 'flag')
    const wentOn = mayGoOn ? reasonToContinue(first, drive) : null
    if (wentOn !== null) {
      for (const { stepId, blocker } of blockers) {
        const { code, values, message, override } = blocker
        if (override.kind !== 'flag') continue
        record.append({
          kind: 'blocker-overridden',
          stepId,
          code,
          ...(values === undefined ? {} : { values }),
          message,
          flag: override.flag,
          reason: wentOn,
        })
      }
      return answers
    }
    const asked = found('LaneCannotBegin', {
      lane: lane.name,
      blockers: blockers.map(({ blocker: { code, message, remedy } }) => ({ code, message, remedy })),
    })
    const choice = await askOperator(
      first,
      { code: asked.code, values: { ...asked.values }, question: asked.message },
      mayGoOn ? ['retry', 'continue', 'skip', 'abort'] : ['retry', 'skip', 'abort'],
      drive,
      mayGoOn,
    )
    if (choice === 'stopped') return 'stopped'
    if (choice === 'skip') return 'passed'
  }
}

/** Why an operator continues in spite of this lane's blocker, also if answered while the run had no driver; null if nobody answered so. */
function reasonToContinue<World>(step: PlannedStep, { record }: Drive<World>): string | null {
  const { drivenAt } = record.view()
  const answer = stepView(record, step.id).facts.findLast(fact => factName(fact) === OPERATOR_ANSWERED)
  if (answer === undefined || answer.values.choice !== 'continue') return null
  if (Date.parse(answer.at) < Date.parse(drivenAt)) return null
  const reason = factText(answer, 'reason') ?? ''
  return reason === '' ? because('AnsweredWithContinue').message : reason
}

/** Whether every step of a lane was verified or skipped: it is not checked again. */
function isLaneDone<World>(lane: Lane, { record }: Drive<World>): boolean {
  return lane.steps.every(step => !step.verbs.includes('apply') || isCarriedOutAndVerified(record, step))
}

function isBegun<World>(lane: Lane, { record }: Drive<World>): boolean {
  return lane.steps.some(step => stepView(record, step.id).attempts > 0)
}
