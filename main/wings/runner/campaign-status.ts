import {
  type MaintenanceCampaign,
  type MaintenanceCampaignStatus,
  runsOf,
} from '../../../shared/domain/maintenance-campaign.ts'
import type { MaintenanceRun } from '../../../shared/domain/maintenance-run.ts'
import { campaignWords } from '../../../shared/wings/runner/words/campaign-status.ts'
import { because } from '../../../shared/words/reasons.ts'
import { type CampaignState, judgeCampaign, NEW_CAMPAIGN } from './judge-campaign.ts'
import { messageOf } from './run-status.ts'

interface StatusParts {
  readonly runNamed: (name: string) => MaintenanceRun | undefined
  readonly now: string
  readonly driver: MaintenanceCampaignStatus['driver']
}

/** The status of a campaign by its runs as they are now; a campaign that ended keeps its status. Null if this version cannot read the old status, so it must not write one. */
export function nextCampaignStatus(
  { name, spec, status }: Pick<MaintenanceCampaign, 'name' | 'spec' | 'status'>,
  { runNamed, now, driver }: StatusParts,
): MaintenanceCampaignStatus | null {
  if (status !== null && 'unreadable' in status) return null
  if (status !== null && status.endedAt !== null) return status
  if ('unreadable' in spec) {
    const { message } = because('CampaignSpecUnreadable', { unreadable: spec.unreadable })
    return { ...NOTHING_DONE, phase: 'Refused', message, heard: status?.heard ?? [], driver, endedAt: now }
  }
  const was: CampaignState = status ?? NEW_CAMPAIGN
  const judged = judgeCampaign({ name, spec }, was, runNamed)
  const { phase, batch, released, ended, failed, hold, hasEnded } = judged
  return {
    phase,
    batch: batch === null ? spec.batches.length : batch + 1,
    batchesAll: spec.batches.length,
    runsDone: ended.length - failed.length,
    runsFailed: failed.length,
    runsAll: runsOf(spec.batches).length,
    message: messageOf(campaignWords(judged, spec)),
    released: [...released],
    ended: [...ended],
    hold,
    // Not invented for a campaign that was held before: with older definitions the API server drops this field.
    heldSince: hold === null ? null : hold.kind === status?.hold?.kind ? status.heldSince : now,
    heard: status?.heard ?? [],
    driver,
    startedAt: was.startedAt ?? (released.length > 0 ? now : null),
    endedAt: hasEnded ? now : null,
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
