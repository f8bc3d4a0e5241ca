import type { CampaignDetail, CampaignSummary } from '../../../../../shared/contract/index.ts'
import { failedOf } from '../../../../../shared/wings/runner/words/campaigns.ts'
import type { Look } from '../../../../faces/cli/words/look.ts'
import { renderTable } from '../../../../faces/cli/words/table.ts'
import { hang } from '../../../../faces/cli/words/width.ts'

export function renderCampaigns(campaigns: readonly CampaignSummary[], look: Look): readonly string[] {
  if (campaigns.length === 0)
    return ['There is no campaign. `lockkeeper runner campaign create --help` explains how to make one.']
  return renderTable(
    ['NAME', 'PHASE', 'BATCH', 'RUNS', 'FAILED', 'MESSAGE'],
    campaigns.map(campaign => [
      { text: campaign.name, paint: look.palette.strong },
      campaign.phase ?? 'unknown',
      `${campaign.batch}/${campaign.batchesAll}`,
      `${campaign.runsDone + campaign.runsFailed}/${campaign.runsAll}`,
      failedOf(campaign),
      campaign.message,
    ]),
    look,
  )
}

export function renderCampaign(campaign: CampaignDetail, look: Look): readonly string[] {
  const { name, phase, message, confirmedBy, batches } = campaign
  const rows = batches.flatMap(({ name: batch, atOnce, runs }, at) =>
    runs.map((run, index) => [
      index > 0
        ? ''
        : `${at + 1}${batch === null ? '' : ` ${batch}`}${atOnce === null ? '' : ` (${atOnce} at a time)`}`,
      { text: run.name, paint: look.palette.strong },
      run.cluster ?? 'unknown',
      run.phase ?? 'unknown',
      run.message,
    ]),
  )
  return [
    ...hang(
      '',
      `${name}: ${phase ?? 'unknown'}, failed ${failedOf(campaign)}, confirmed by ${confirmedBy}.`,
      look.columns,
    ),
    ...hang('', message, look.columns),
    '',
    ...renderTable(['BATCH', 'RUN', 'CLOUD', 'PHASE', 'MESSAGE'], rows, look),
  ]
}
