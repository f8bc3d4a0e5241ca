import { shellWord } from '../../../grammar/shell-word.ts'
import type { Cause, OfCluster, OfPlace, TextsOf } from '../../../words/steps/coded.ts'

type OfCampaign = OfPlace & { readonly campaign: string }

export const CAMPAIGNS_REASONS = {
  MayNotCreateCampaigns: ({ namespace, by }: OfPlace) =>
    `You may not create MaintenanceCampaigns in namespace ${namespace} of ${by}. The role lockkeeper-submitter there grants it.`,
  CampaignUnfit: ({ cause }: Cause) => `The campaign is invalid: ${cause}.`,
  NoSuchCampaign: ({ campaign, namespace, by }: OfCampaign) =>
    `MaintenanceCampaign ${campaign} does not exist in namespace ${namespace} of ${by}.`,
  /** `confirmedBy`: the operator of the other campaign; null if unknown. `phase`: null if no runner has read it. */
  CampaignNameTaken: ({
    campaign,
    namespace,
    by,
    cluster,
    confirmedBy,
    phase,
  }: OfCampaign & OfCluster & { readonly confirmedBy: string | null; readonly phase: string | null }) =>
    `Namespace ${namespace} of ${by} already has another MaintenanceCampaign ${campaign}${confirmedBy === null ? '' : `, submitted by ${confirmedBy}`} (${phase ?? 'no runner has read it'}). Nothing was created, because a campaign never changes. Give yours another name, also where its runs are submitted. \`lockkeeper runner campaign show ${shellWord(cluster)} ${shellWord(campaign)}\` shows the status of the other one.`,
  StatusUnreadable: () => 'This version cannot read its status.',
  NoSuchRunYet: () => 'This MaintenanceRun does not exist yet.',
  RunObjectGone: () => 'Its MaintenanceRun no longer exists.',
} satisfies TextsOf<string>
