import {
  isFinalPhase,
  type MaintenanceRun,
  type MaintenanceRunStatus,
  readableStatus,
} from '../../../shared/domain/maintenance-run.ts'
import { isoNow } from '../../platform/clock/clock.ts'
import { acceptedOfRun } from './accepted.ts'
import { createControlAnswers } from './answer-control.ts'
import { createRunBeginner } from './begin-run.ts'
import { createCloudRuns } from './cloud-runs.ts'
import type { CloudWorkParts } from './cloud-work-parts.ts'
import { createRunFollower } from './follow-run.ts'
import { statusOfStranded } from './gone-runners.ts'
import { byTime, cloudOfControl, isClaimedBy, isClaimedByOneOf, isOfFormerVolume, runOfControl } from './needs-work.ts'
import { createControlObeyer } from './obey-control.ts'
import type { RunnerObjects } from './ports/maintenance-runs.ts'
import { createResumeInTime } from './resume-in-time.ts'

/** The work of a runner on the objects of one cloud, while it holds the cloud's Lease. */
interface CloudWork {
  /** Checks all objects once. */
  pass(): Promise<void>
  /** Writes the status of each run, after the runner left them. */
  reportAll(): void
}

export function createCloudWork(parts: CloudWorkParts, current: () => RunnerObjects): CloudWork {
  const { cloud, runnerApp, lease, writer, memory, log } = parts
  const runs = createCloudRuns(parts, current)
  const { own, memoryOf, runIdOf, journaledRun, endedHere } = runs
  const considerRun = createRunBeginner(parts, runs)
  const inTime = createResumeInTime(parts, runs)
  const follow = createRunFollower(parts, runs, inTime)
  const answers = createControlAnswers(parts)
  const obey = createControlObeyer(parts, runs, { inTime, answers })

  /** This runner holds the Lease of the cloud, so the runner that had the run drives nothing there, and its journal is lost. */
  async function endStranded(run: MaintenanceRun, status: MaintenanceRunStatus): Promise<void> {
    if (runIdOf(run) !== null || endedHere.has(run.uid)) return
    if (!parts.isOfShard && !isOfFormerVolume(parts.self.runner, run)) return
    const ended = await writer.now(run, statusOfStranded(status, isoNow(parts.clock)), { seen: run.resourceVersion })
    if (ended) endedHere.add(run.uid)
    log.warn('run-ended-without-runner', { name: run.name, cloud, written: ended })
  }

  /** Leaves runs whose MaintenanceRun was deleted: no one could control them. */
  async function leaveOrphans(): Promise<void> {
    if (cloud === null) return
    for (const runId of runnerApp.runs.drivenOn(cloud)) {
      const asked = acceptedOfRun(runId, runnerApp, memory)
      const isAskedFor = (run: MaintenanceRun) =>
        run.uid === asked?.uid || (!('unreadable' in run.spec) && run.spec.planHash === asked?.planHash)
      if (asked === null || current().runs.some(isAskedFor)) continue
      log.warn('run-left-without-object', { run: runId, name: asked.name })
      await runnerApp.leave([runId])
    }
  }

  return {
    pass: async () => {
      writer.only(new Set(own().map(({ uid }) => uid)))
      for (const run of own()) writer.received(run, readableStatus(run))
      await leaveOrphans()
      // In the order of their creation: the last request of an operator counts.
      for (const control of current().controls.toSorted(byTime)) {
        if (!lease.isHeld()) return
        const asked = runOfControl(control, current().runs)
        const isGone = asked !== undefined && isClaimedByOneOf(parts.gone(), asked)
        if (control.status !== null || (memory.resting.has(control.uid) && !isGone)) continue
        if (cloudOfControl(control, current()) !== cloud) continue
        if (memory.controls.has(control.uid)) await answers.giveAgain(control)
        else await obey(control)
      }
      for (const run of own()) {
        if (!lease.isHeld()) return
        const status = readableStatus(run)
        const phase = status?.phase
        if (parts.isHidden(run)) {
          const runId = runIdOf(run)
          if (runId !== null) await follow(run, runId)
          continue
        }
        if (status !== null && !isFinalPhase(status.phase) && isClaimedByOneOf(parts.gone(), run)) {
          await endStranded(run, status)
          continue
        }
        if (endedHere.has(run.uid) || memory.resting.has(run.uid)) continue
        if (phase !== undefined && isFinalPhase(phase) && !memoryOf(run).isTakenUp) continue
        const runId = runIdOf(run)
        if (runId !== null) await follow(run, runId)
        else if (parts.isOfShard || isClaimedBy(parts.self.runner, run)) await considerRun(run)
      }
    },
    reportAll: () => {
      for (const run of own()) {
        const phase = readableStatus(run)?.phase
        if (phase !== undefined && isFinalPhase(phase) && !memoryOf(run).isTakenUp && !parts.isHidden(run)) continue
        const runId = runIdOf(run)
        const found = runId === null ? null : journaledRun(run, runId)
        if (found?.ok === true) runs.report(run, found.value)
      }
    },
  }
}
