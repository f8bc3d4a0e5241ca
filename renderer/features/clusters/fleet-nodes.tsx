import type { ReactNode } from 'react'
import type { NodeCounts } from '../../ui/clusters/cluster-status.ts'

interface Props {
  readonly counts: NodeCounts
  /** The shown data may be out of date. */
  readonly old: boolean
}

const KINDS = [
  { of: 'inService', tone: 'verified', words: 'in service' },
  { of: 'moving', tone: 'moving', words: 'moving' },
  { of: 'left', tone: 'waits', words: 'changing, no console' },
  { of: 'inMaintenance', tone: 'maintenance', words: 'in maintenance' },
  { of: 'other', tone: 'waits', words: 'partly, or unknown' },
] as const

/** The nodes of a cloud by state: figures, and the same as one bar. */
export function FleetNodes({ counts, old }: Props): ReactNode {
  const drawn = KINDS.filter(({ of }) => (of !== 'other' && of !== 'left') || counts[of] > 0)
  return (
    <div className={old ? 'stale' : undefined}>
      <dl className="fleet-figures">
        {drawn.map(({ of, tone, words }) => (
          <div key={of} data-tone={counts[of] === 0 ? 'none' : tone}>
            <dt>{words}</dt>
            <dd>
              {counts[of]}
              {of === 'inService' && counts.inService < counts.all ? (
                <span className="fleet-of"> of {counts.all}</span>
              ) : null}
            </dd>
          </div>
        ))}
      </dl>
      <div className="fleet-bar" aria-hidden="true">
        {drawn.map(({ of, tone }) =>
          counts[of] === 0 ? null : <span key={of} data-tone={tone} style={{ flexGrow: counts[of] }} />,
        )}
      </div>
    </div>
  )
}
