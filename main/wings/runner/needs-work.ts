import type { CampaignWait } from '../../../shared/domain/campaign-wait.ts'
import { campaignWaitOfEarlier } from '../../../shared/domain/earlier-texts.ts'
import type { MaintenanceCampaign } from '../../../shared/domain/maintenance-campaign.ts'
import {
  isFinalPhase,
  type MaintenanceRun,
  type MaintenanceRunControl,
  type MaintenanceRunStatus,
  readableStatus,
} from '../../../shared/domain/maintenance-run.ts'
import { campaignGate } from './campaign-gate.ts'
import { isTooLate, lastStart } from './last-start.ts'
import type { RunnerObjects } from './ports/maintenance-runs.ts'

interface WorkLook {
  readonly nowMs: number
  /** The name of this runner's journal in statuses. */
  readonly runner: string
  /** Objects (by UID) that need no work until someone changes something, as this process saw. */
  readonly resting: ReadonlySet<string>
  readonly isOfShard: (cloud: string | null) => boolean
  /** Whether a run of this journal is open although its object says otherwise. */
  readonly isHidden: (run: MaintenanceRun) => boolean
  /** Runners that no longer exist: their runs are ended. */
  readonly gone: ReadonlySet<string>
}

/** Null if the MaintenanceRun names no cloud, or cannot be read. */
export function cloudOf({ spec }: MaintenanceRun): string | null {
  return 'unreadable' in spec ? null : spec.cluster
}

export function runOfControl(
  { spec }: MaintenanceRunControl,
  runs: readonly MaintenanceRun[],
): MaintenanceRun | undefined {
  return 'unreadable' in spec ? undefined : runs.find(({ name }) => name === spec.run)
}

/** The order of creation; within a second, by name. */
export function byTime(
  a: Pick<MaintenanceRunControl, 'createdAt' | 'name'>,
  b: Pick<MaintenanceRunControl, 'createdAt' | 'name'>,
): number {
  return a.createdAt.localeCompare(b.createdAt) || a.name.localeCompare(b.name)
}

/** The cloud of a control's run; null if no such run or campaign exists; undefined if the control is about an existing campaign. */
export function cloudOfControl(
  control: MaintenanceRunControl,
  { runs, campaigns }: Pick<RunnerObjects, 'runs' | 'campaigns'>,
): string | null | undefined {
  const { spec } = control
  // The campaign does not exist: the answer is the same as for a run that does not exist.
  if (!('unreadable' in spec) && spec.campaign !== undefined)
    return campaigns.some(({ name }) => name === spec.campaign) ? undefined : null
  const run = runOfControl(control, runs)
  return run === undefined ? null : cloudOf(run)
}

/** Whether a run is in the journal of this runner, or soon will be: only this runner can continue it, whichever runner manages its cloud now. */
export function isClaimedBy(runner: string, run: MaintenanceRun): boolean {
  return readableStatus(run)?.driver?.runner === runner
}

/** Whether a run is in a journal on an earlier volume of this pod: only this pod can know that the volume no longer exists. */
export function isOfFormerVolume(runner: string, run: MaintenanceRun): boolean {
  const driver = readableStatus(run)?.driver ?? null
  return driver !== null && driver.runner !== runner && podOf(driver.runner) === podOf(runner)
}

/** The pod of a runner; statuses name both. */
export function podOf(runner: string): string {
  return runner.split('/')[0] ?? runner
}

/** The clouds that need work now; null among them: objects that name no cloud. */
export function cloudsWithWork(objects: RunnerObjects, look: WorkLook): ReadonlySet<string | null> {
  const isOurs = (run: MaintenanceRun | undefined) =>
    look.isOfShard(run === undefined ? null : cloudOf(run)) ||
    (run !== undefined && (isClaimedBy(look.runner, run) || isOfFormerVolume(look.runner, run) || look.isHidden(run)))
  const campaigns = new Map(objects.campaigns.map(campaign => [campaign.name, campaign]))
  return new Set([
    ...objects.runs.filter(run => isOurs(run) && needsWork(run, look, campaigns)).map(cloudOf),
    ...objects.controls
      .filter(control => {
        const run = runOfControl(control, objects.runs)
        const rests = look.resting.has(control.uid) && (run === undefined || !isClaimedByOneOf(look.gone, run))
        return control.status === null && !rests && isOurs(run)
      })
      .map(control => cloudOfControl(control, objects))
      .filter(cloud => cloud !== undefined),
  ])
}

/** When the first scheduled run is due or becomes too late; null if no run is scheduled. */
export function nextDueMs({ runs }: RunnerObjects, nowMs: number): number | null {
  const due = runs
    .filter(run => readableStatus(run)?.phase === 'Scheduled')
    .flatMap(run => [scheduledMs(run), endMs(run)])
    .filter(ms => ms !== null)
    .filter(ms => ms > nowMs)
  return due.length === 0 ? null : Math.min(...due)
}

function needsWork(
  run: MaintenanceRun,
  { nowMs, runner, resting, gone, isHidden }: WorkLook,
  campaigns: ReadonlyMap<string, MaintenanceCampaign>,
): boolean {
  const { status, uid } = run
  // A resting run is checked until its status is correct, if it can be written.
  if (isHidden(run) && (!resting.has(uid) || !isOfOtherRunner(runner, run))) return true
  const isGone = isClaimedByOneOf(gone, run)
  if (resting.has(uid) && !isGone) return false
  if (status === null) return true
  if ('unreadable' in status || isFinalPhase(status.phase)) return false
  if (isOfOtherRunner(runner, run)) return isGone
  const gate = status.runId === null ? campaignGate(run, name => campaigns.get(name)) : null
  // A run that its campaign holds back needs work once, while it is claimed, and when it becomes too late: meanwhile no runner holds the Lease of its cloud.
  if (gate?.kind === 'waits') {
    const isReported = status.phase === 'Scheduled' && status.driver === null && reportsWait(status, gate.wait)
    const atMs = endMs(run)
    return !isReported || (atMs !== null && isTooLate({ endMs: atMs }, nowMs))
  }
  if (gate?.kind === 'aborted' || gate?.kind === 'over') return true
  const startMs = scheduledMs(run)
  return startMs === null || startMs <= nowMs
}

/** Whether a status reports this wait. The definitions of an earlier version store no codes. */
function reportsWait(
  { reasons, message }: Pick<MaintenanceRunStatus, 'reasons' | 'message'>,
  wait: CampaignWait,
): boolean {
  const reported = reasons === null ? campaignWaitOfEarlier(message) : reasons[0]
  return (
    reported != null &&
    Object.entries(wait).every(([name, value]) =>
      Object.entries(reported).some(([as, is]) => as === name && is === value),
    )
  )
}

export function isOfOtherRunner(runner: string, run: Pick<MaintenanceRun, 'status'>): boolean {
  const driver = readableStatus(run)?.driver ?? null
  return driver !== null && driver.runner !== runner
}

export function isClaimedByOneOf(runners: ReadonlySet<string>, run: MaintenanceRun): boolean {
  const driver = readableStatus(run)?.driver ?? null
  return driver !== null && runners.has(driver.runner)
}

/** From this time on a run may not start; null if its spec cannot be read. */
function endMs(run: MaintenanceRun): number | null {
  return 'unreadable' in run.spec ? null : lastStart(run, run.spec).endMs
}

function scheduledMs(run: MaintenanceRun): number | null {
  const { spec } = run
  if (readableStatus(run)?.phase !== 'Scheduled') return null
  return 'unreadable' in spec || spec.startAfter === null ? null : Date.parse(spec.startAfter)
}
