import type { CampaignSummary } from '../../../contract/index.ts'

/** Runs that did not succeed, and how many may fail: `1 of at most 2`. */
export function failedOf({ runsFailed, failureBudget }: Pick<CampaignSummary, 'runsFailed' | 'failureBudget'>): string {
  return failureBudget === null ? String(runsFailed) : `${runsFailed} of at most ${failureBudget}`
}

/** Effects of the controls of a campaign; none of them touches a started run. */
export const CAMPAIGN_CONTROL_WORDS = {
  pause: 'The campaign starts no more runs. Started runs continue to their end.',
  resume: 'The campaign starts its runs in their order again.',
  abort: 'Runs that have not started never start. Started runs continue to their end; you can stop each of them.',
} as const

/** What must come before the resume of a campaign that stopped. */
export const RESUME_RUNS_FIRST =
  'A campaign that stopped because of failed runs continues once no more have failed than allowed: resume those first.'

export function abortQuestion(name: string): string {
  return `Stop campaign ${name}? Runs that have not started never start.`
}
