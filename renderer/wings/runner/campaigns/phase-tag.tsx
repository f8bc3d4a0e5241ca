import type { ReactNode } from 'react'
import type { CampaignSummary } from '../../../../shared/contract/index.ts'
import type { RunTone } from '../../../ui/runs/live-runs.ts'
import { Age } from '../../../ui/when.tsx'

interface Props {
  /** Null if not reported yet, or unreadable. */
  readonly phase: string | null
  readonly tone: RunTone
}

/** The phase of a campaign or of one of its runs, in the word of its object, with its colour. */
export function PhaseTag({ phase, tone }: Props): ReactNode {
  return (
    <span className={`badge run-tone-${tone}`} data-unknown={phase === null}>
      {phase ?? 'Unknown'}
    </span>
  )
}

/** The operator or the rule that holds a campaign, and since when; empty if nothing holds it. Its message has the reason. */
export function HeldBy({ hold, endedAt }: Pick<CampaignSummary, 'hold' | 'endedAt'>): ReactNode {
  if (hold === null || endedAt !== null) return null
  const { kind, by, since } = hold
  return (
    <span className="camp-held">
      {kind === 'stopped' ? 'waits for you' : `by ${by ?? 'an unknown operator'}`}
      {since === null ? null : (
        <>
          , <Age at={since} />
        </>
      )}
    </span>
  )
}
