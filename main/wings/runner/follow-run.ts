import { minutes, seconds } from '../../../shared/domain/durations.ts'
import type { AcceptedRun, AgreedAnswer, MaintenanceRun } from '../../../shared/domain/maintenance-run.ts'
import type { RunEvent, RunView } from '../../../shared/domain/run.ts'
import { because } from '../../../shared/words/reasons.ts'
import { findingIn } from '../../../shared/words/refusal.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import { acceptedIn, confirmerIn, isLeftByPerson } from './accepted.ts'
import { type CloudRuns, LOOK_AGAIN_MS } from './cloud-runs.ts'
import type { CloudWorkParts } from './cloud-work-parts.ts'
import { nodesToEmpty } from './own-place.ts'
import type { ResumeInTime } from './resume-in-time.ts'
import type { JournaledRun } from './run-status.ts'

const RESUME_AGAIN_MS = seconds(5)
/** The longest wait between two attempts to resume a run that is left again each time, such as while another process holds the Lease of its node. */
const RESUME_AGAIN_AT_MOST_MS = minutes(5)

interface FollowParts extends CloudWorkParts {
  readonly runs: CloudRuns
  readonly inTime: ResumeInTime
}

/** Why a run without a driver is not resumed; `rests`: until someone changes something. */
interface NotResumed {
  readonly found: Finding
  readonly rests: boolean
}

/** Follows a run in this journal: resumes it, answers its questions as agreed, stops it before its end, and writes its status. */
export function createRunFollower(
  parts: CloudWorkParts,
  runs: CloudRuns,
  inTime: ResumeInTime,
): (run: MaintenanceRun, runId: string) => Promise<void> {
  return (run, runId) => follow(run, runId, { ...parts, runs, inTime })
}

async function follow(run: MaintenanceRun, runId: string, parts: FollowParts): Promise<void> {
  const { runs, runnerApp, log } = parts
  if (runnerApp.runs.active(runId) === null && runs.isForLater(run)) return
  const found = runs.journaledRun(run, runId)
  if (!found.ok) {
    runs.lookLater(run, LOOK_AGAIN_MS)
    return log.error('run-unreadable', { run: runId, why: found.failure.message })
  }
  const journaled = found.value
  const { view, events, interrupted } = journaled
  const whose = whyOfOtherObject(run, acceptedIn(events), runs)
  if (whose !== null) return runs.refuse(run, because('PlanAlreadyRun', { run: runId, whose }))
  if (view.state.kind === 'finished') {
    const kept = runs.memoryOf(run)
    kept.isTakenUp = false
    // Views are large, and this run has no more news.
    kept.journaled = null
    return runs.report(run, journaled)
  }
  if (interrupted) return resume(run, journaled, parts)
  if (view.leaseIdentity !== null) shortenNextWait(run, parts)
  // A question that gets its answer at once waits for no one.
  if (!(await answerAsAgreed(run, journaled, parts))) runs.report(run, journaled)
  await runs.holdInTime(run, journaled)
}

/** Resumes a run that has no driver, unless something keeps it from continuing. */
async function resume(run: MaintenanceRun, journaled: JournaledRun, parts: FollowParts): Promise<void> {
  const { runs, inTime, runnerApp, memory, clock, log } = parts
  const runId = journaled.view.id
  const why = await whyNotResumed(journaled, parts)
  if (why !== null) {
    if (why.rests) memory.resting.add(run.uid)
    else runs.lookLater(run, RESUME_AGAIN_MS)
    return runs.report(run, journaled, [why.found])
  }
  const late = await inTime.whyNot(run, journaled)
  if (late !== null) {
    const ended = await runnerApp.contract.ask('run.abort', { runId, reason: late.message })
    runs.lookLater(run, RESUME_AGAIN_MS)
    return log.info('run-ended-unbegun', { run: runId, why: late.code, ok: ended.ok })
  }
  const notHeld = await inTime.hold(run, journaled)
  if (notHeld !== null) {
    runs.lookLater(run, RESUME_AGAIN_MS)
    return runs.report(run, journaled, [notHeld])
  }
  const waitMs = (runs.memoryOf(run).nextResume?.atMs ?? Number.NEGATIVE_INFINITY) - clock.monotonicMs()
  if (waitMs <= 0) return tryResume(run, journaled, parts)
  // Reports soon what an operator does meanwhile.
  runs.lookLater(run, Math.min(waitMs, RESUME_AGAIN_MS))
  runs.report(run, journaled)
}

/** The journal records each attempt, so each one waits longer than the one before it; the status says why. */
async function tryResume(run: MaintenanceRun, journaled: JournaledRun, parts: FollowParts): Promise<void> {
  const { cloud, runs, runnerApp, memory, clock, log } = parts
  const runId = journaled.view.id
  const kept = runs.memoryOf(run)
  const delayMs = kept.nextResume?.delayMs ?? RESUME_AGAIN_MS
  const resumed = await runnerApp.as({ operator: confirmerIn(journaled.events) })('run.resume', { runId })
  if (resumed.ok) {
    kept.nextResume = {
      atMs: clock.monotonicMs() + delayMs,
      delayMs: Math.min(2 * delayMs, RESUME_AGAIN_AT_MOST_MS),
    }
    memory.heldBefore.delete(runId)
    log.info('run-resumed', { run: runId, cloud })
    return runs.holdInTime(run, journaled)
  }
  runs.lookLater(run, RESUME_AGAIN_MS)
  // Its former driver was active recently: wait for it.
  if (resumed.failure.code !== 'held') runs.report(run, journaled, [findingIn(resumed.failure)])
}

/** A run that got its Lease is resumed soon after it loses it, however long it waited before. */
function shortenNextWait(run: MaintenanceRun, { runs, clock }: FollowParts): void {
  const kept = runs.memoryOf(run)
  if (kept.nextResume === null) return
  const soonMs = clock.monotonicMs() + RESUME_AGAIN_MS
  kept.nextResume = { atMs: Math.min(kept.nextResume.atMs, soonMs), delayMs: 2 * RESUME_AGAIN_MS }
}

/**
 * Why a run in the journal does not belong to a MaintenanceRun with the same plan; null if it does. An object that was created again with the same text
 * takes over the run.
 */
function whyOfOtherObject(run: MaintenanceRun, asked: AcceptedRun | null, { current }: CloudRuns): Finding | null {
  if (asked === null) return because('StartedAtConsole')
  if (asked.uid === run.uid) return null
  if (current().runs.some(({ uid }) => uid === asked.uid)) return because('BegunForOtherObject', { run: asked.name })
  return 'unreadable' in run.spec || asked.planHash === run.spec.planHash ? null : because('BegunForOtherText')
}

async function whyNotResumed({ view, events }: JournaledRun, parts: FollowParts): Promise<NotResumed | null> {
  const { cloud, registry, runnerApp, runs } = parts
  const asked = acceptedIn(events)
  // The author of a run that was just taken over wants it to continue.
  if (asked?.resumePolicy === 'Never' && events.at(-1)?.body.kind !== 'run-taken-over')
    return { found: because('ResumesWhenAsked'), rests: true }
  if (isLeftByPerson(view, runnerApp.driver.operator)) return { found: because('LeftOnPurpose'), rests: true }
  const status = cloud === null ? ({ kind: 'known' } as const) : registry.status(cloud)
  if (status.kind === 'unusable') return { found: status.why, rests: false }
  if (status.kind === 'unknown') return { found: because('CloudSecretGone', { cloud }), rests: false }
  const found = parts.notNow() ?? (await runs.whyRunnerOnNode(nodesToEmpty(view)))
  return found === null ? null : { found, rests: false }
}

async function answerAsAgreed(
  run: MaintenanceRun,
  { view, events }: JournaledRun,
  { runs, runnerApp, log }: FollowParts,
): Promise<boolean> {
  const asked = acceptedIn(events)
  const { answered } = runs.memoryOf(run)
  const answer = asked === null ? null : agreedAnswer(view, events, asked.answers, answered)
  if (answer === null) return false
  answered.add(answer.gateId)
  const given = await runnerApp.as({ operator: confirmerIn(events) })('run.answer', { runId: view.id, ...answer })
  if (given.ok) log.info('question-answered-as-agreed', { run: view.id, choice: answer.choice })
  else log.warn('question-not-answered-as-agreed', { run: view.id, why: given.failure.message })
  return given.ok
}

interface GivenAnswer {
  readonly gateId: string
  readonly choice: AgreedAnswer['choice']
  readonly reason: string
}

/**
 * Null if an operator has to answer. The journal shows how often each answer was given, so that no answer is repeated after a crash. `given`: questions
 * that this process answered and that the journal may not show yet.
 */
export function agreedAnswer(
  { openGates, steps }: Pick<RunView, 'openGates' | 'steps'>,
  events: readonly RunEvent[],
  answers: readonly AgreedAnswer[],
  given: ReadonlySet<string>,
): GivenAnswer | null {
  const kindOf = new Map(steps.map(({ step }) => [step.id, step.kind]))
  for (const gate of openGates) {
    if (given.has(gate.gateId)) continue
    const agreed = answers.find(({ step, choice }) => step === kindOf.get(gate.stepId) && gate.choices.includes(choice))
    if (agreed === undefined) continue
    const reason = reasonOf(agreed)
    const before = events.filter(
      ({ body }) =>
        body.kind === 'gate-answered' &&
        kindOf.get(body.stepId) === agreed.step &&
        body.choice === agreed.choice &&
        body.reason === reason,
    )
    if (before.length >= agreed.atMost) continue
    return { gateId: gate.gateId, choice: agreed.choice, reason }
  }
  return null
}

function reasonOf({ reason }: AgreedAnswer): string {
  return `Agreed beforehand: ${reason}`
}
