import { minutes, seconds } from '../../../shared/domain/durations.ts'
import type { AcceptedRun, MaintenanceRun } from '../../../shared/domain/maintenance-run.ts'
import { because } from '../../../shared/words/reasons.ts'
import { findingIn } from '../../../shared/words/refusal.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import { acceptedIn, confirmerIn, isLeftByPerson } from './accepted.ts'
import { agreedAnswer } from './agreed-answer.ts'
import { type CloudRuns, LOOK_AGAIN_MS } from './cloud-runs.ts'
import type { CloudWorkParts } from './cloud-work-parts.ts'
import { nodesToEmpty } from './own-place.ts'
import type { ResumeInTime } from './resume-in-time.ts'
import type { JournaledRun } from './run-status.ts'

const RESUME_AGAIN_MS = seconds(5)
/** The most time between two tries to take up a run that is left again each time, as while somebody else holds the Lease of its node. */
const RESUME_AGAIN_AT_MOST_MS = minutes(5)

/** What goes on with a run that is in this journal: takes it up, answers as agreed, holds it for its end, says where it stands. */
export function createRunFollower(
  parts: CloudWorkParts,
  runs: CloudRuns,
  inTime: ResumeInTime,
): (run: MaintenanceRun, runId: string) => Promise<void> {
  const { cloud, runnerApp, book, memory, clock, log } = parts
  const { current, memoryOf, journaledRun, lookLater, report, refuse, whyUnderOwnFeet, holdInTime } = runs

  async function follow(run: MaintenanceRun, runId: string): Promise<void> {
    if (runnerApp.runs.active(runId) === null && runs.isForLater(run)) return
    const found = journaledRun(run, runId)
    if (!found.ok) {
      lookLater(run, LOOK_AGAIN_MS)
      return log.error('run-unreadable', { run: runId, why: found.failure.message })
    }
    const journaled = found.value
    const { view, events, interrupted } = journaled
    const whose = whyNotIts(run, acceptedIn(events))
    if (whose !== null) {
      return refuse(run, because('PlanAlreadyRun', { run: runId, whose }))
    }
    if (view.state.kind === 'finished') {
      const kept = memoryOf(run)
      kept.isTakenUp = false
      // Views are large, and this run has no more news.
      kept.journaled = null
      return report(run, journaled)
    }
    if (!interrupted) {
      if (view.leaseIdentity !== null) beginAgain(run)
      // A question that gets its answer at once waits for no one.
      if (!(await answerAsAgreed(run, journaled))) report(run, journaled)
      await holdInTime(run, journaled)
      return
    }
    const why = await whyNotResumed(journaled)
    if (why !== null) {
      if (why.rests) memory.resting.add(run.uid)
      else lookLater(run, RESUME_AGAIN_MS)
      return report(run, journaled, [why.found])
    }
    const late = await inTime.whyNot(run, journaled)
    if (late !== null) {
      const ended = await runnerApp.contract.ask('run.abort', { runId, reason: late.message })
      lookLater(run, RESUME_AGAIN_MS)
      return log.info('run-ended-unbegun', { run: runId, why: late.code, ok: ended.ok })
    }
    const unreported = await inTime.hold(run, journaled)
    if (unreported !== null) {
      lookLater(run, RESUME_AGAIN_MS)
      return report(run, journaled, [unreported])
    }
    // The journal records each attempt: it waits longer each time, and the status says why.
    const tried = memoryOf(run).nextResume
    const waitMs = (tried?.atMs ?? 0) - clock.monotonicMs()
    if (tried !== null && waitMs > 0) {
      // Reports soon what an operator does meanwhile.
      lookLater(run, Math.min(waitMs, RESUME_AGAIN_MS))
      return report(run, journaled)
    }
    const resumed = await runnerApp.as({ operator: confirmerIn(events) })('run.resume', { runId })
    if (resumed.ok) {
      const delayMs = tried?.delayMs ?? RESUME_AGAIN_MS
      memoryOf(run).nextResume = {
        atMs: clock.monotonicMs() + delayMs,
        delayMs: Math.min(2 * delayMs, RESUME_AGAIN_AT_MOST_MS),
      }
      memory.heldBefore.delete(runId)
      log.info('run-resumed', { run: runId, cloud })
      await holdInTime(run, journaled)
      return
    }
    lookLater(run, RESUME_AGAIN_MS)
    // Its former driver was active recently: wait for it.
    if (resumed.failure.code !== 'held') report(run, journaled, [findingIn(resumed.failure)])
  }

  /** A run that had its Lease is taken up soon when it loses it, however long it was waited for. */
  function beginAgain(run: MaintenanceRun): void {
    const kept = memoryOf(run)
    if (kept.nextResume === null) return
    const soonMs = clock.monotonicMs() + RESUME_AGAIN_MS
    kept.nextResume = { atMs: Math.min(kept.nextResume.atMs, soonMs), delayMs: 2 * RESUME_AGAIN_MS }
  }

  /** Why a run of the journal is not that of a MaintenanceRun, although it has its plan; null: it is. One that was made anew for the same text goes on with it. */
  function whyNotIts(run: MaintenanceRun, asked: AcceptedRun | null): Finding | null {
    if (asked === null) return because('StartedAtConsole')
    if (asked.uid === run.uid) return null
    if (current().runs.some(({ uid }) => uid === asked.uid)) return because('BegunForOtherObject', { run: asked.name })
    return 'unreadable' in run.spec || asked.planHash === run.spec.planHash ? null : because('BegunForOtherText')
  }

  /** Why a run without a driver is not resumed; `rests`: until someone changes something. */
  async function whyNotResumed({
    view,
    events,
  }: JournaledRun): Promise<{ readonly found: Finding; readonly rests: boolean } | null> {
    const asked = acceptedIn(events)
    // The author of a run that was just taken over wants it to continue.
    if (asked?.resumePolicy === 'Never' && events.at(-1)?.body.kind !== 'run-taken-over')
      return { found: because('ResumesWhenAsked'), rests: true }
    if (isLeftByPerson(view, runnerApp.driver.operator)) {
      return { found: because('LeftOnPurpose'), rests: true }
    }
    const status = cloud === null ? ({ kind: 'known' } as const) : book.status(cloud)
    if (status.kind === 'unusable') return { found: status.why, rests: false }
    if (status.kind === 'unknown') return { found: because('CloudSecretGone', { cloud }), rests: false }
    const notNow = parts.notNow()
    if (notNow !== null) return { found: notNow, rests: false }
    const underFeet = await whyUnderOwnFeet(nodesToEmpty(view))
    return underFeet === null ? null : { found: underFeet, rests: false }
  }

  async function answerAsAgreed(run: MaintenanceRun, { view, events }: JournaledRun): Promise<boolean> {
    const asked = acceptedIn(events)
    const { answered } = memoryOf(run)
    const answer = asked === null ? null : agreedAnswer(view, events, asked.answers, answered)
    if (answer === null) return false
    answered.add(answer.gateId)
    const given = await runnerApp.as({ operator: confirmerIn(events) })('run.answer', { runId: view.id, ...answer })
    if (given.ok) log.info('question-answered-as-agreed', { run: view.id, choice: answer.choice })
    else log.warn('question-not-answered-as-agreed', { run: view.id, why: given.failure.message })
    return given.ok
  }

  return follow
}
