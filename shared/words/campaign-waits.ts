import type { CampaignWait } from '../domain/campaign-wait.ts'
import { assertNever } from '../domain/must.ts'
import type { Finding } from './steps/coded.ts'

/** Why a campaign does not begin a run of it yet, as what was found. */
export function campaignWaitFound(wait: CampaignWait): Finding {
  const { code, ...values } = wait
  return { code, values, message: campaignWaitWords(wait) }
}

/** Why a campaign does not begin a run of it yet. */
export function campaignWaitWords(wait: CampaignWait): string {
  const { campaign } = wait
  switch (wait.code) {
    case 'CampaignMissing':
      return `There is no MaintenanceCampaign ${campaign} in this namespace, which says when it begins: that is waited for.`
    case 'CampaignUnreadable':
      return `MaintenanceCampaign ${campaign} cannot be read by this version.`
    case 'CampaignOmitsRun':
      return `MaintenanceCampaign ${campaign} does not list it, and so does not begin it.`
    case 'CampaignRefused':
      return `MaintenanceCampaign ${campaign} is refused and begins nothing. One made anew is waited for.`
    case 'CampaignHolds':
      return `It begins when MaintenanceCampaign ${campaign} says so (batch ${wait.batch} of ${wait.batches}).`
    case 'CampaignIsJudged':
      return `MaintenanceCampaign ${campaign} is looked at anew before it begins.`
    default:
      return assertNever(wait, 'why a campaign holds a run back')
  }
}
