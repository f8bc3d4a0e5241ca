import { HTMLSelect } from '@blueprintjs/core'
import { type ReactNode, useId, useMemo, useState } from 'react'
import {
  DURATION_PARTS,
  type DurationPart,
  durationsOf,
  measuredParts,
} from '../../../shared/domain/duration-figures.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { DURATION_PART_EXPLAINED, DURATION_PART_WORDS } from '../../../shared/words/history.ts'
import { readHistory } from '../../bridge/history.ts'
import { naturally } from '../../geometry/natural-order.ts'
import { useHistory } from '../../stores/history.ts'
import { lastRead } from '../../stores/updates.ts'
import { FailureCallout } from '../../ui/failure-callout.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ClusterDurationsCard } from './cluster-durations-card.tsx'

/** How long the work on nodes took over time, cluster by cluster and node by node. */
export function DurationsPart({ cluster }: { readonly cluster: string | null }): ReactNode {
  const asked = useHistory(store => store.durations)
  const [chosen, setChosen] = useState<DurationPart | null>(null)
  const partId = useId()
  const read = lastRead(asked)
  const measured = useMemo(
    () => (read?.measured ?? []).filter(each => cluster === null || each.cluster === cluster),
    [read, cluster],
  )
  const parts = useMemo(() => measuredParts(measured), [measured])
  const part = chosen ?? DURATION_PARTS.find(each => parts.has(each)) ?? 'evacuation'
  const clusters = useMemo(() => durationsOf(measured, part, naturally), [measured, part])
  return (
    <div className="hist-pad hist-scroll">
      {asked.kind === 'failed' ? (
        <FailureCallout title="The history cannot be read" failure={asked.failure} onRetry={readHistory} />
      ) : null}
      {read === null ? (
        asked.kind === 'failed' ? null : (
          <p className="quiet">Reading.</p>
        )
      ) : (
        <>
          <Unreadable lines={read.unreadable} />
          {measured.length === 0 ? (
            <Notice tone="plain" title="Nothing was measured yet">
              <p>
                Every node that is taken into maintenance or brought back is measured: its evacuation, drain, the work
                on it, its return. Estimates of windows are made from this.
              </p>
            </Notice>
          ) : (
            <>
              <div className="hist-part row wrap">
                <label htmlFor={partId}>Duration of</label>
                <HTMLSelect
                  id={partId}
                  value={part}
                  onChange={({ currentTarget: { value } }) =>
                    setChosen(DURATION_PARTS.find(each => each === value) ?? null)
                  }
                >
                  {DURATION_PARTS.map(each => (
                    <option key={each} value={each}>
                      {DURATION_PART_WORDS[each]}
                      {parts.has(each) ? '' : ' (not measured yet)'}
                    </option>
                  ))}
                </HTMLSelect>
                <span className="quiet">{DURATION_PART_EXPLAINED[part]}</span>
              </div>
              {clusters.length === 0 ? <p className="quiet">Of this nothing was measured yet.</p> : null}
              {clusters.map(each => (
                <ClusterDurationsCard key={each.cluster} durations={each} part={part} />
              ))}
            </>
          )}
        </>
      )}
    </div>
  )
}

/** A run that cannot be read does not hide the others; it is named. */
function Unreadable({ lines }: { readonly lines: readonly string[] }): ReactNode {
  if (lines.length === 0) return null
  return (
    <Notice
      tone="problem"
      title={`${counted(lines.length, 'run')} cannot be read and ${lines.length === 1 ? 'is' : 'are'} not counted`}
    >
      <ul>
        {lines.map(line => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </Notice>
  )
}
