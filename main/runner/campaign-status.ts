import {
  type CampaignHold,
  type MaintenanceCampaign,
  type MaintenanceCampaignSpec,
  type MaintenanceCampaignStatus,
  runsOf,
} from '../../shared/domain/maintenance-campaign.ts'
import type { MaintenanceRun } from '../../shared/domain/maintenance-run.ts'
import { assertNever } from '../../shared/domain/must.ts'
import { type CampaignState, type JudgedCampaign, judgeCampaign, NEW_CAMPAIGN } from './judge-campaign.ts'
import { messageOf } from './run-status.ts'

/** So many names are said before the rest is counted. */
const NAMES_SAID = 5

/** What the status of a campaign is made of besides what was before. */
interface StatusParts {
  readonly runNamed: (name: string) => MaintenanceRun | undefined
  readonly now: string
  readonly driver: MaintenanceCampaignStatus['driver']
}

/** The status of a campaign by its runs as they are now; what is over stays as it ended. Null: its status is not one that this version may write. */
export function nextCampaignStatus(
  { name, spec, status }: Pick<MaintenanceCampaign, 'name' | 'spec' | 'status'>,
  { runNamed, now, driver }: StatusParts,
): MaintenanceCampaignStatus | null {
  if (status !== null && 'unreadable' in status) return null
  if (status !== null && status.endedAt !== null) return status
  if ('unreadable' in spec) {
    const message = `It cannot be read by this version: ${spec.unreadable}. Make it anew; its runs wait for it.`
    return { ...NOTHING_DONE, phase: 'Refused', message, heard: status?.heard ?? [], driver, endedAt: now }
  }
  const was: CampaignState = status ?? NEW_CAMPAIGN
  const judged = judgeCampaign({ name, spec }, was, runNamed)
  const { phase, batch, released, ended, failed, hold, isOver } = judged
  return {
    phase,
    batch: batch === null ? spec.batches.length : batch + 1,
    batchesAll: spec.batches.length,
    runsDone: ended.length - failed.length,
    runsFailed: failed.length,
    runsAll: runsOf(spec.batches).length,
    message: campaignMessage(judged, spec),
    released: [...released],
    ended: [...ended],
    hold,
    // Of one that was held before it is not made up: where the definitions are older, the API server keeps no such field.
    heldSince: hold === null ? null : hold.kind === status?.hold?.kind ? status.heldSince : now,
    heard: status?.heard ?? [],
    driver,
    startedAt: was.startedAt ?? (released.length > 0 ? now : null),
    endedAt: isOver ? now : null,
  }
}

const NOTHING_DONE: Omit<MaintenanceCampaignStatus, 'phase' | 'message' | 'heard' | 'driver' | 'endedAt'> = {
  batch: 0,
  batchesAll: 0,
  runsDone: 0,
  runsFailed: 0,
  runsAll: 0,
  heldSince: null,
  ...NEW_CAMPAIGN,
}

/** What a campaign does, waits for or came to, for a column and a person. */
function campaignMessage(judged: JudgedCampaign, spec: MaintenanceCampaignSpec): string {
  const { batch, hold, failed, ended, runs, isOver } = judged
  const all = runs.length
  const failures = failed.length === 0 ? [] : [failureWords(failed, spec.failureBudget)]
  if (isOver && hold?.kind !== 'aborted') {
    return messageOf([
      failed.length === 0
        ? all === 1
          ? 'Its run is done.'
          : `All ${all} runs are done.`
        : `${ended.length - failed.length} of ${all} runs are done.`,
      ...failures,
    ])
  }
  if (hold !== null) {
    return messageOf([...holdWords(hold), ...failures, ...underWayWords(judged), ...unknownWords(judged)])
  }
  const current = spec.batches[batch ?? 0]
  const named = current?.name == null ? '' : ` (${current.name})`
  const left = current?.runs.filter(run => !ended.some(each => each.run === run)).length ?? 0
  return messageOf([
    `Batch ${(batch ?? 0) + 1} of ${spec.batches.length}${named}: ${(current?.runs.length ?? 0) - left} of ${current?.runs.length ?? 0} runs have ended.`,
    ...underWayWords(judged),
    ...waitWords(judged),
    ...unknownWords(judged),
    ...failures,
  ])
}

function holdWords({ kind, by = '', reason = '' }: CampaignHold): readonly string[] {
  const said = `by ${by}${reason === '' ? '' : `: ${reason}`}`
  switch (kind) {
    case 'paused':
      return [`Paused ${said}.`, 'Nothing more is begun.']
    case 'aborted':
      return [`Aborted ${said}.`, 'Nothing more is begun, and runs that were not begun end.']
    case 'stopped':
      return [
        'More runs failed than may: nothing more is begun. Resume the failed runs and then the campaign, or abort it.',
      ]
    default:
      return assertNever(kind, 'hold of a campaign')
  }
}

function failureWords(failed: readonly string[], budget: number): string {
  return `Not done: ${names(failed)} (${budget} may fail).`
}

/** What is under way goes on to its end, also where nothing more is begun; one that does not move says why it does not. */
function underWayWords({ runs }: JudgedCampaign): readonly string[] {
  const list = runs.flatMap(({ run, standing }) => {
    if (standing.kind !== 'under-way') return []
    const { phase } = standing
    return phase === 'Running' || phase === 'Pending' ? [run] : [`${run} (${phase})`]
  })
  return list.length === 0 ? [] : [`Under way to ${list.length === 1 ? 'its' : 'their'} end: ${names(list)}.`]
}

function waitWords({ runs, released }: JudgedCampaign): readonly string[] {
  const list = runs
    .filter(({ run, standing }) => standing.kind === 'not-begun' && released.includes(run))
    .map(({ run }) => run)
  return list.length === 0 ? [] : [`Released, and not begun yet: ${names(list)}.`]
}

/** What is waited for that does not come by itself. */
function unknownWords({ runs, hold }: JudgedCampaign): readonly string[] {
  const list = runs.flatMap(({ standing }) =>
    standing.kind === 'unknown' || (standing.kind === 'missing' && hold === null) ? [standing.why] : [],
  )
  return list.length === 0 ? [] : [`Waited for: ${names(list, '; ')}.`]
}

function names(list: readonly string[], by = ', '): string {
  const more = list.length - NAMES_SAID
  return `${list.slice(0, NAMES_SAID).join(by)}${more > 0 ? `${by}and ${more} more` : ''}`
}
