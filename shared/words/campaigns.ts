import type { CampaignSummary } from '../contract/index.ts'

/** How many runs ended other than done, and of how many that is taken: `1 of at most 2`. */
export function failedOf({ runsFailed, failureBudget }: Pick<CampaignSummary, 'runsFailed' | 'failureBudget'>): string {
  return failureBudget === null ? String(runsFailed) : `${runsFailed} of at most ${failureBudget}`
}

/** What is asked of a campaign, and what that does: none of these touches a run under way. */
export const CAMPAIGN_CONTROL_WORDS = {
  pause: 'Nothing more is begun. Runs under way go on to their end.',
  resume: 'Its runs are begun in their order again.',
  abort: 'Runs that were not begun never are. Runs under way go on to their end; each can be aborted by itself.',
} as const

/** What has to come before the resume of a campaign that stopped. */
export const RESUME_RUNS_FIRST =
  'One that stopped because runs failed goes on when no more of them are failed than may: resume those first.'

/** What is confirmed before a campaign is aborted. */
export function abortQuestion(name: string): string {
  return `Abort campaign ${name}? Runs that were not begun never are.`
}
