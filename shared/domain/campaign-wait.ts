/** Why a campaign does not start a run yet, by code (docs/terminal.md). */
export type CampaignWait =
  | { readonly code: 'CampaignMissing'; readonly campaign: string }
  | { readonly code: 'CampaignUnreadable'; readonly campaign: string }
  | { readonly code: 'CampaignOmitsRun'; readonly campaign: string }
  /** It was refused; a new one continues with its runs. */
  | { readonly code: 'CampaignRefused'; readonly campaign: string }
  /** It has not released the run; `batch` counts from 1. */
  | { readonly code: 'CampaignHolds'; readonly campaign: string; readonly batch: number; readonly batches: number }
  /** Lockkeeper first compares what it released with the state of its runs. */
  | { readonly code: 'CampaignIsJudged'; readonly campaign: string }
