/** Why a campaign does not begin a run of it yet, by its code (docs/terminal.md); shared/words/campaign-waits.ts says it. */
export type CampaignWait =
  /** There is no such MaintenanceCampaign in the namespace. */
  | { readonly code: 'CampaignMissing'; readonly campaign: string }
  /** It is not what this version reads. */
  | { readonly code: 'CampaignUnreadable'; readonly campaign: string }
  /** It does not list the run. */
  | { readonly code: 'CampaignOmitsRun'; readonly campaign: string }
  /** It was refused; one made anew goes on with its runs. */
  | { readonly code: 'CampaignRefused'; readonly campaign: string }
  /** It has not released the run; `batch` counts from 1. */
  | { readonly code: 'CampaignHolds'; readonly campaign: string; readonly batch: number; readonly batches: number }
  /** What it released is compared with how its runs stand, before anything is begun. */
  | { readonly code: 'CampaignIsJudged'; readonly campaign: string }
