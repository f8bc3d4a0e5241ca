import {
  type CampaignBatch,
  type CampaignHold,
  type MaintenanceCampaignPhase,
  type MaintenanceCampaignSpec,
  type MaintenanceCampaignStatus,
  runsOf,
} from '../../../shared/domain/maintenance-campaign.ts'
import { isFinalPhase, type MaintenanceRun, type MaintenanceRunPhase } from '../../../shared/domain/maintenance-run.ts'
import { because } from '../../../shared/words/reasons.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'

/** The part of a campaign's status that the next one is made from: everything that a driver must know about the past. */
export type CampaignState = Pick<MaintenanceCampaignStatus, 'ended' | 'hold' | 'released' | 'startedAt'>

export const NEW_CAMPAIGN: CampaignState = { ended: [], hold: null, released: [], startedAt: null }

type RunStatus =
  | { readonly kind: 'ended'; readonly phase: MaintenanceRunPhase }
  /** It started, or a runner claimed it and may start it at any moment; it has not ended. */
  | { readonly kind: 'under-way'; readonly phase: MaintenanceRunPhase }
  /** It exists, has not started, and no runner claimed it. */
  | { readonly kind: 'not-begun' }
  /** It cannot start; `why` says what is missing. */
  | { readonly kind: 'missing'; readonly why: Finding }
  /** Its state cannot be read: it may be running, and counts as neither done nor failed. */
  | { readonly kind: 'unknown'; readonly why: Finding }

interface JudgedCampaign {
  readonly phase: MaintenanceCampaignPhase
  readonly hold: CampaignHold | null
  /** The current batch, from 0; null if all have ended. */
  readonly batch: number | null
  readonly runs: readonly { readonly run: string; readonly status: RunStatus }[]
  readonly released: readonly string[]
  readonly ended: MaintenanceCampaignStatus['ended']
  readonly failed: readonly string[]
  readonly hasEnded: boolean
}

/**
 * Judges a campaign by its runs. It releases no run of a batch before all runs of earlier batches have ended, and no run at all while an operator holds it or
 * after more runs failed than its budget allows. Only an operator changes that, even if a failed run is resumed meanwhile.
 */
export function judgeCampaign(
  campaign: { readonly name: string; readonly spec: MaintenanceCampaignSpec },
  was: CampaignState,
  runNamed: (name: string) => MaintenanceRun | undefined,
): JudgedCampaign {
  const { batches, failureBudget } = campaign.spec
  const seen = new Map(was.ended.map(({ run, phase }) => [run, phase]))
  const statuses = new Map(
    runsOf(batches).map(name => [name, statusOf(name, campaign.name, runNamed(name), seen.get(name))]),
  )
  const runs = [...statuses].map(([run, status]) => ({ run, status }))
  const ended = runs.flatMap(({ run, status }) => {
    // A run that cannot be read now keeps the end that was seen before; the campaign waits for it all the same.
    const phase = status.kind === 'ended' ? status.phase : status.kind === 'unknown' ? seen.get(run) : undefined
    return phase === undefined ? [] : [{ run, phase }]
  })
  const failed = ended.filter(({ phase }) => phase !== 'Done').map(({ run }) => run)
  const isOut = failed.length > failureBudget
  const hold: CampaignHold | null = isOut && was.hold?.kind !== 'aborted' ? { kind: 'stopped' } : was.hold
  const at = batches.findIndex(({ runs: names }) => names.some(name => statuses.get(name)?.kind !== 'ended'))
  const batch = batches[at]
  // A released run counts as running until its end is seen: the previous driver may have received more than this one.
  const kept = was.released.filter(name => statuses.get(name)?.kind !== 'ended')
  const released = hold !== null || batch === undefined ? kept : release(batch, kept, statuses)
  const hasEnded =
    batch === undefined || (hold?.kind === 'aborted' && runs.every(({ status: { kind } }) => ENDS.has(kind)))
  return {
    phase: phaseOf(),
    hold,
    batch: at === -1 ? null : at,
    runs,
    released,
    ended,
    failed,
    hasEnded,
  }

  function phaseOf(): MaintenanceCampaignPhase {
    if (hold?.kind === 'aborted') return 'Aborted'
    if (batch === undefined) return isOut ? 'Failed' : 'Done'
    if (hold !== null) return hold.kind === 'paused' ? 'Paused' : 'Stopped'
    const isAnything =
      was.startedAt !== null || released.length > 0 || runs.some(({ status: { kind } }) => kind === 'under-way')
    return isAnything || ended.length > 0 ? 'Running' : 'Pending'
  }
}

/** An aborted campaign ends when no run of it can start or continue. */
const ENDS: ReadonlySet<RunStatus['kind']> = new Set(['ended', 'missing'])

/** Released runs stay released; further runs follow in their order, up to the limit of the batch. */
function release(
  { runs, atOnce }: CampaignBatch,
  kept: readonly string[],
  statuses: ReadonlyMap<string, RunStatus>,
): readonly string[] {
  const kindOf = (name: string) => statuses.get(name)?.kind
  // A run that cannot be read may be running.
  const others = runs.filter(
    name => !kept.includes(name) && (kindOf(name) === 'under-way' || kindOf(name) === 'unknown'),
  )
  const beside = kept.filter(name => runs.includes(name))
  const free = Math.max(0, (atOnce ?? runs.length) - beside.length - others.length)
  const next = runs.filter(name => kindOf(name) === 'not-begun' && !kept.includes(name))
  return [...kept, ...next.slice(0, free)]
}

/** The state of a run for its campaign; `seen`: how it ended, if a driver saw that before. */
function statusOf(
  name: string,
  campaign: string,
  run: MaintenanceRun | undefined,
  seen: string | undefined,
): RunStatus {
  const before = ENDED_AS.find(each => each === seen)
  if (run === undefined) {
    return before === undefined
      ? { kind: 'missing', why: because('NoMaintenanceRunYet', { run: name }) }
      : { kind: 'ended', phase: before }
  }
  const { spec, status } = run
  if (before === 'Done') return { kind: 'ended', phase: before }
  if ('unreadable' in spec) return { kind: 'unknown', why: because('MaintenanceRunUnreadable', { run: name }) }
  if (spec.campaign !== campaign) {
    // Created again for another campaign, it is another run: the end of this campaign's run does not change.
    if (before !== undefined) return { kind: 'ended', phase: before }
    const why =
      spec.campaign === null
        ? because('MaintenanceRunOfNoCampaign', { run: name })
        : because('MaintenanceRunOfOtherCampaign', { run: name, campaign: spec.campaign })
    return { kind: 'missing', why }
  }
  // A run that ended cannot start: this status is older than its end.
  if (status === null) return before === undefined ? { kind: 'not-begun' } : { kind: 'ended', phase: before }
  if ('unreadable' in status) return { kind: 'unknown', why: because('StatusOfRunUnreadable', { run: name }) }
  if (isFinalPhase(status.phase)) return { kind: 'ended', phase: status.phase }
  const isBegun = status.runId !== null || (status.phase !== 'Pending' && status.phase !== 'Scheduled')
  if (isBegun) return { kind: 'under-way', phase: status.phase }
  if (before !== undefined) return { kind: 'ended', phase: before }
  // The runner that claimed it reads the campaign after that: it starts the run, or releases its claim.
  return status.driver === null ? { kind: 'not-begun' } : { kind: 'under-way', phase: status.phase }
}

const ENDED_AS = ['Done', 'Failed', 'Aborted', 'Refused'] as const
