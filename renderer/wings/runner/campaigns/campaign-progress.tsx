import type { ReactNode } from 'react'
import type { CampaignSummary } from '../../../../shared/contract/index.ts'
import { counted } from '../../../../shared/grammar/counts.ts'
import { partsOf } from './batch-status.ts'

/** The progress of a campaign: done and otherwise ended, of all its runs. */
export function CampaignBar({ campaign }: { readonly campaign: CampaignSummary }): ReactNode {
  const { done, failed } = partsOf(campaign)
  return (
    <span className="camp-bar meter" aria-hidden="true">
      <i className="run-tone-verified" style={{ width: `${done}%` }} />
      <i className="run-tone-failed" style={{ width: `${failed}%` }} />
    </span>
  )
}

/** `4 of 9 ended`. */
export function endedWords({ runsDone, runsFailed, runsAll }: CampaignSummary): string {
  return `${runsDone + runsFailed} of ${runsAll} ended`
}

/** `batch 2 of 3`. */
export function batchWords({ batch, batchesAll }: CampaignSummary): string {
  return batch === 0 ? counted(batchesAll, 'batch', 'batches') : `batch ${batch} of ${batchesAll}`
}
