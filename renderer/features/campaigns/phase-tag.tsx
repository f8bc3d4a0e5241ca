import type { ReactNode } from 'react'
import type { CampaignSummary } from '../../../shared/contract/index.ts'
import type { RunTone } from '../../ui/runs/live-runs.ts'
import { Age } from '../../ui/when.tsx'

interface Props {
  /** Null: nobody has told it, or it cannot be read. */
  readonly phase: string | null
  readonly tone: RunTone
}

/** Where a campaign or one of its runs stands, by the word of its object with the colour of what it means. */
export function PhaseTag({ phase, tone }: Props): ReactNode {
  return (
    <span className={`run-state run-tone-${tone}`} data-unknown={phase === null}>
      {phase ?? 'Unknown'}
    </span>
  )
}

/** Who or what holds a campaign, and since when; nothing where nothing does. Why stands in its message. */
export function HeldBy({ hold, endedAt }: Pick<CampaignSummary, 'hold' | 'endedAt'>): ReactNode {
  if (hold === null || endedAt !== null) return null
  const { kind, by, since } = hold
  return (
    <span className="camp-held">
      {kind === 'stopped' ? 'waits for a person' : `by ${by ?? 'somebody'}`}
      {since === null ? null : (
        <>
          , <Age at={since} />
        </>
      )}
    </span>
  )
}
