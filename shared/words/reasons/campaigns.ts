import { shellWord } from '../../grammar/shell-word.ts'
import type { Cause, OfCluster, TextsOf } from '../steps/coded.ts'

/** `by`: the cluster by whose API server the namespace of a runner is reached. */
type OfPlace = { readonly namespace: string; readonly by: string }
type OfCampaign = OfPlace & { readonly campaign: string }

/** Texts of campaigns over several windows. */
export const CAMPAIGNS_REASONS = {
  MayNotCreateCampaigns: ({ namespace, by }: OfPlace) =>
    `You may not create MaintenanceCampaigns in namespace ${namespace} of ${by}. The role lockkeeper-submitter there grants it.`,
  CampaignUnfit: ({ cause }: Cause) => `The campaign cannot be made: ${cause}.`,
  NoSuchCampaign: ({ campaign, namespace, by }: OfCampaign) =>
    `There is no MaintenanceCampaign ${campaign} in namespace ${namespace} of ${by}.`,
  /** `confirmedBy`: who asked for the other one; null: that is not known. `phase`: where it is; null: no runner has looked at it. */
  CampaignNameTaken: ({
    campaign,
    namespace,
    by,
    cluster,
    confirmedBy,
    phase,
  }: OfCampaign & OfCluster & { readonly confirmedBy: string | null; readonly phase: string | null }) =>
    `There is another MaintenanceCampaign ${campaign} in namespace ${namespace} of ${by} already${confirmedBy === null ? '' : `, asked for by ${confirmedBy}`} (${phase ?? 'no runner has looked at it'}). Nothing was made, for a campaign never changes. Give yours another name, also where its runs are submitted; \`lockkeeper runner campaign show ${shellWord(cluster)} ${shellWord(campaign)}\` tells how that one stands.`,
  StatusUnreadable: () => 'Its status cannot be read by this version.',
  NoSuchRunYet: () => 'There is no such MaintenanceRun yet.',
  RunObjectGone: () => 'Its MaintenanceRun is gone.',
} satisfies TextsOf<string>
