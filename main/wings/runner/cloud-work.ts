import {
  isFinalPhase,
  type MaintenanceRun,
  type MaintenanceRunControl,
  type MaintenanceRunStatus,
  readableStatus,
} from '../../../shared/domain/maintenance-run.ts'
import { isoNow } from '../../platform/clock/clock.ts'
import { acceptedOfRun } from './accepted.ts'
import { type ControlAnswers, createControlAnswers } from './answer-control.ts'
import { createRunBeginner } from './begin-run.ts'
import { type CloudRuns, createCloudRuns } from './cloud-runs.ts'
import type { CloudWorkParts } from './cloud-work-parts.ts'
import { createRunFollower } from './follow-run.ts'
import { statusOfStranded } from './gone-runners.ts'
import { byTime, cloudOfControl, isClaimedBy, isClaimedByOneOf, isOfFormerVolume, runOfControl } from './needs-work.ts'
import { createControlObeyer } from './obey-control.ts'
import type { RunnerObjects } from './ports/maintenance-runs.ts'
import { createResumeInTime } from './resume-in-time.ts'

/** The work of a runner on the objects of one cloud, while it holds the cloud's Lease. */
interface CloudWork {
  pass(): Promise<void>
  /** Writes the status of each run, after the runner left them. */
  reportAll(): void
}

interface CloudState extends CloudWorkParts {
  readonly runs: CloudRuns
  readonly answers: ControlAnswers
  readonly considerRun: ReturnType<typeof createRunBeginner>
  readonly follow: ReturnType<typeof createRunFollower>
  readonly obey: ReturnType<typeof createControlObeyer>
}

export function createCloudWork(parts: CloudWorkParts, current: () => RunnerObjects): CloudWork {
  const runs = createCloudRuns(parts, current)
  const inTime = createResumeInTime(parts, runs)
  const answers = createControlAnswers(parts)
  const state: CloudState = {
    ...parts,
    runs,
    answers,
    considerRun: createRunBeginner(parts, runs),
    follow: createRunFollower(parts, runs, inTime),
    obey: createControlObeyer(parts, runs, { inTime, answers }),
  }
  return { pass: () => passOnce(state), reportAll: () => reportAll(state) }
}

async function passOnce(state: CloudState): Promise<void> {
  const { runs, writer, lease } = state
  writer.only(new Set(runs.own().map(({ uid }) => uid)))
  for (const run of runs.own()) writer.received(run, readableStatus(run))
  await leaveOrphans(state)
  // In the order of their creation: the last request of an operator counts.
  for (const control of runs.current().controls.toSorted(byTime)) {
    if (!lease.isHeld()) return
    await handleControl(control, state)
  }
  for (const run of runs.own()) {
    if (!lease.isHeld()) return
    await handleRun(run, state)
  }
}

async function handleControl(control: MaintenanceRunControl, state: CloudState): Promise<void> {
  const { cloud, runs, memory, answers, gone } = state
  const asked = runOfControl(control, runs.current().runs)
  const isGone = asked !== undefined && isClaimedByOneOf(gone(), asked)
  if (control.status !== null || (memory.resting.has(control.uid) && !isGone)) return
  if (cloudOfControl(control, runs.current()) !== cloud) return
  if (memory.controls.has(control.uid)) await answers.giveAgain(control)
  else await state.obey(control)
}

async function handleRun(run: MaintenanceRun, state: CloudState): Promise<void> {
  const { runs, memory, self, isOfShard, isHidden, gone } = state
  const status = readableStatus(run)
  if (isHidden(run)) {
    const runId = runs.runIdOf(run)
    if (runId !== null) await state.follow(run, runId)
    return
  }
  const hasEnded = status !== null && isFinalPhase(status.phase)
  if (status !== null && !hasEnded && isClaimedByOneOf(gone(), run)) return endStranded(run, status, state)
  if (runs.endedHere.has(run.uid) || memory.resting.has(run.uid)) return
  if (hasEnded && !runs.memoryOf(run).isTakenUp) return
  const runId = runs.runIdOf(run)
  if (runId !== null) await state.follow(run, runId)
  else if (isOfShard || isClaimedBy(self.runner, run)) await state.considerRun(run)
}

/** This runner holds the Lease of the cloud, so the runner that had the run drives nothing there, and its journal is lost. */
async function endStranded(run: MaintenanceRun, status: MaintenanceRunStatus, state: CloudState): Promise<void> {
  const { cloud, runs, self, isOfShard, writer, clock, log } = state
  if (runs.runIdOf(run) !== null || runs.endedHere.has(run.uid)) return
  if (!isOfShard && !isOfFormerVolume(self.runner, run)) return
  const ended = await writer.now(run, statusOfStranded(status, isoNow(clock)), { seen: run.resourceVersion })
  if (ended) runs.endedHere.add(run.uid)
  log.warn('run-ended-without-runner', { name: run.name, cloud, written: ended })
}

/** Leaves runs whose MaintenanceRun was deleted: no one could control them. */
async function leaveOrphans({ cloud, runs, runnerApp, memory, log }: CloudState): Promise<void> {
  if (cloud === null) return
  for (const runId of runnerApp.runs.drivenOn(cloud)) {
    const asked = acceptedOfRun(runId, runnerApp, memory)
    const isAskedFor = (run: MaintenanceRun) =>
      run.uid === asked?.uid || (!('unreadable' in run.spec) && run.spec.planHash === asked?.planHash)
    if (asked === null || runs.current().runs.some(isAskedFor)) continue
    log.warn('run-left-without-object', { run: runId, name: asked.name })
    await runnerApp.leave([runId])
  }
}

function reportAll({ runs, isHidden }: CloudState): void {
  for (const run of runs.own()) {
    const phase = readableStatus(run)?.phase
    if (phase !== undefined && isFinalPhase(phase) && !runs.memoryOf(run).isTakenUp && !isHidden(run)) continue
    const runId = runs.runIdOf(run)
    const found = runId === null ? null : runs.journaledRun(run, runId)
    if (found?.ok === true) runs.report(run, found.value)
  }
}
