import type { CampaignWait } from '../../../domain/campaign-wait.ts'
import { assertNever } from '../../../domain/must.ts'
import type { Finding } from '../../../words/steps/coded.ts'

export function campaignWaitFound(wait: CampaignWait): Finding {
  const { code, ...values } = wait
  return { code, values, message: campaignWaitWords(wait) }
}

function campaignWaitWords(wait: CampaignWait): string {
  const { campaign } = wait
  switch (wait.code) {
    case 'CampaignMissing':
      return `It starts when MaintenanceCampaign ${campaign} allows it, which does not exist in this namespace yet.`
    case 'CampaignUnreadable':
      return `This version cannot read MaintenanceCampaign ${campaign}.`
    case 'CampaignOmitsRun':
      return `MaintenanceCampaign ${campaign} does not list it, and so does not start it.`
    case 'CampaignRefused':
      return `MaintenanceCampaign ${campaign} was refused and starts no runs. Delete it and create a valid one.`
    case 'CampaignHolds':
      return `It starts when MaintenanceCampaign ${campaign} allows it (batch ${wait.batch} of ${wait.batches}).`
    case 'CampaignIsJudged':
      return `The runner checks MaintenanceCampaign ${campaign} again before this run starts.`
    default:
      return assertNever(wait, 'why a campaign delays a run')
  }
}
