import type { CampaignDetail, CampaignSummary } from '../../../../shared/contract/index.ts'
import type { MaintenanceCampaignPhase } from '../../../../shared/domain/maintenance-campaign.ts'
import { MaintenanceRunPhase } from '../../../../shared/domain/maintenance-run.ts'
import { counted } from '../../../../shared/grammar/counts.ts'
import type { RunTone } from '../../../ui/runs/live-runs.ts'

/** A run of a campaign with its state. */
export type CampaignRun = CampaignDetail['batches'][number]['runs'][number]

const CAMPAIGN_TONES: Readonly<Record<MaintenanceCampaignPhase, RunTone>> = {
  Pending: 'rest',
  Running: 'moving',
  Paused: 'waits',
  Stopped: 'failed',
  Refused: 'failed',
  Done: 'verified',
  Failed: 'failed',
  Aborted: 'rest',
}

/**
 * The colour of a campaign's phase; an aborted one is active until its last run has ended. `isOld`: it may have changed, so only
 * an end has its colour.
 */
export function campaignTone({ phase, endedAt }: Pick<CampaignSummary, 'phase' | 'endedAt'>, isOld: boolean): RunTone {
  if (phase === null || (isOld && endedAt === null)) return 'rest'
  return phase === 'Aborted' && endedAt === null ? 'moving' : CAMPAIGN_TONES[phase]
}

const RUN_TONES: Readonly<Record<MaintenanceRunPhase, RunTone>> = {
  Pending: 'rest',
  Scheduled: 'rest',
  Running: 'moving',
  Waiting: 'waits',
  Paused: 'waits',
  Interrupted: 'failed',
  Refused: 'failed',
  Done: 'verified',
  Failed: 'failed',
  Aborted: 'rest',
}

const ENDED: ReadonlySet<string | null> = new Set(['Done', 'Failed', 'Aborted', 'Refused'])

/** The colour of a MaintenanceRun's phase; an unknown phase is neutral, with its word beside it. `isOld`: as for a campaign. */
export function runTone(phase: string | null, isOld: boolean): RunTone {
  if (isOld && !ENDED.has(phase)) return 'rest'
  const known = MaintenanceRunPhase.safeParse(phase)
  return known.success ? RUN_TONES[known.data] : 'rest'
}

/** The state of one batch in its campaign. */
export interface BatchStatus {
  readonly tone: RunTone
  readonly words: string
}

const NEEDS_SOMEBODY: ReadonlySet<string | null> = new Set(['Waiting', 'Paused', 'Interrupted'])

/** The state of a batch: ended, running, held, or not its turn. `isOld`: as for a campaign. */
export function batchStatus(campaign: CampaignDetail, at: number, isOld: boolean): BatchStatus {
  const status = statusAsReported(campaign, at)
  const isEnded = campaign.batches[at]?.runs.every(run => ENDED.has(run.phase)) ?? false
  return isOld && !isEnded ? { ...status, tone: 'rest' } : status
}

function statusAsReported({ batches, batch, hold, endedAt, phase }: CampaignDetail, at: number): BatchStatus {
  const { runs } = batches[at] ?? { runs: [] }
  const ended = runs.filter(run => ENDED.has(run.phase))
  const done = runs.filter(run => run.phase === 'Done').length
  const notDone = ended.length - done
  const counts = [
    ...(done > 0 ? [`${done} done`] : []),
    ...(notDone > 0 ? [`${notDone} not done`] : []),
    `${ended.length} of ${runs.length} ended`,
  ]
  if (ended.length === runs.length) {
    return {
      tone: notDone > 0 ? 'failed' : 'verified',
      words: notDone > 0 ? `Ended: ${done} done, ${notDone} not` : `Done: ${counted(done, 'run')}`,
    }
  }
  if (endedAt !== null || phase === 'Refused') return { tone: 'rest', words: `Campaign ended: ${counts.join(', ')}` }
  if (at + 1 !== batch) {
    return { tone: 'rest', words: at === 0 ? 'Not started' : 'Starts when all runs before have ended' }
  }
  const waiting = runs.filter(run => NEEDS_SOMEBODY.has(run.phase)).length
  const needs = waiting === 0 ? [] : [`${waiting} ${waiting === 1 ? 'needs' : 'need'} you`]
  if (hold !== null) return { tone: holdTone(hold.kind), words: ['Held', ...needs, ...counts].join(', ') }
  const isBegun = runs.some(run => runTone(run.phase, false) !== 'rest')
  if (!isBegun) return { tone: 'rest', words: `Its turn: ${counts.join(', ')}` }
  return { tone: waiting > 0 ? 'waits' : 'moving', words: ['Running', ...needs, ...counts].join(', ') }
}

function holdTone(kind: NonNullable<CampaignSummary['hold']>['kind']): RunTone {
  return kind === 'paused' ? 'waits' : kind === 'stopped' ? 'failed' : 'rest'
}

/** What an abort ends and what it does not: names of pending runs and of running ones. */
export function abortOf({ batches }: Pick<CampaignDetail, 'batches'>): {
  readonly ends: readonly string[]
  readonly goOn: readonly string[]
  /** Their state is unknown. */
  readonly unknown: readonly string[]
} {
  const runs = batches.flatMap(batch => batch.runs)
  const isBegun = ({ runId, phase }: CampaignRun) =>
    runId !== null || (phase !== null && phase !== 'Pending' && phase !== 'Scheduled')
  const open = runs.filter(({ phase }) => !ENDED.has(phase))
  const named = (list: readonly CampaignRun[]) => list.map(({ name }) => name)
  return {
    ends: named(open.filter(run => !isBegun(run) && run.phase !== null)),
    goOn: named(open.filter(isBegun)),
    unknown: named(open.filter(run => run.phase === null && run.runId === null)),
  }
}

/** The progress of a campaign, in parts of all its runs: done, and ended in another way. */
export function partsOf({ runsAll, runsDone, runsFailed }: CampaignSummary): {
  readonly done: number
  readonly failed: number
} {
  const part = (runs: number) => (runsAll === 0 ? 0 : (100 * runs) / runsAll)
  return { done: part(runsDone), failed: part(runsFailed) }
}
