import type { Slots } from '../../ui/slots.ts'
import { CampaignField, whyNoCampaign } from './campaigns/campaign-field.tsx'

export { followCampaignsFromAfar } from './bridge/campaigns.ts'
export { campaignCommands } from './campaigns/campaign-commands.ts'
export { useKnowsRunner, useNeeds } from './campaigns/campaign-needs.tsx'
export { campaignScreenOf } from './campaigns/campaign-pages.tsx'

/** The campaign that starts a run in the cluster, as a plan asks for it. */
export const campaignOfPlan: Slots['campaignOfPlan'] = { Field: CampaignField, whyNot: whyNoCampaign }
