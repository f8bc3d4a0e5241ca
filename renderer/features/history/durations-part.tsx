import { HTMLSelect } from '@blueprintjs/core'
import { type ReactNode, useId, useMemo, useState } from 'react'
import {
  type ClusterDurations,
  DURATION_PARTS,
  type DurationFigures,
  type DurationPart,
  durationsOf,
  measuredParts,
} from '../../../shared/domain/duration-figures.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { durationWords } from '../../../shared/grammar/durations.ts'
import { dateAndTime } from '../../../shared/grammar/times.ts'
import { DURATION_PART_EXPLAINED, DURATION_PART_WORDS } from '../../../shared/words/history.ts'
import { readHistory } from '../../bridge/history.ts'
import { naturally } from '../../geometry/natural-order.ts'
import { useClusterColour } from '../../stores/clusters.ts'
import { useHistory } from '../../stores/history.ts'
import { usePreferences } from '../../stores/preferences.ts'
import { lastRead } from '../../stores/updates.ts'
import { FailureCallout } from '../../ui/failure-callout.tsx'
import { later } from '../../ui/later.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Unreadable } from './unreadable.tsx'

const DurationChart = later(async () => (await import('./duration-chart.tsx')).DurationChart)

/** How long the work on nodes took over time, by cluster and node. */
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
          <p className="quiet">Reading…</p>
        )
      ) : (
        <>
          <Unreadable lines={read.unreadable} />
          {measured.length === 0 ? (
            <Notice tone="plain" title="Nothing was measured yet">
              <p>
                Lockkeeper measures each node that goes out of service or comes back. Plans and windows estimate from
                it.
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
              {clusters.length === 0 ? <p className="quiet">No times for this yet.</p> : null}
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

interface Props {
  readonly durations: ClusterDurations
  readonly part: DurationPart
}

/** One cluster's durations over time, with figures by node; the chosen node is highlighted. */
function ClusterDurationsCard({ durations, part }: Props): ReactNode {
  const { cluster, all, nodes } = durations
  const [chosen, setChosen] = useState<string | null>(null)
  const id = useId()
  const colour = useClusterColour(cluster)
  // The chosen node may have no times for another part of the work.
  const own = nodes.find(({ node }) => node === chosen) ?? null
  return (
    <section className="card hist-card" aria-labelledby={id}>
      <h2 id={id}>
        <span className="dot dot-inline" style={{ background: colour }} />
        {cluster}
        <span className="quiet hist-figures">
          {all.count === 1
            ? durationWords(all.medianMs)
            : `${counted(all.count, 'time')}, usual ${durationWords(all.medianMs)}, slow ${durationWords(all.p90Ms)}`}
        </span>
      </h2>
      <div className="hist-durations">
        <DurationChart durations={durations} node={own?.node ?? null} part={part} colour={colour} />
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach what scrolls. */}
        <section className="hist-nodes" tabIndex={0} aria-label={`${DURATION_PART_WORDS[part]}, node by node`}>
          <table className="table hist-table">
            <thead>
              <tr>
                <th scope="col">Node</th>
                <th scope="col">Times</th>
                <th scope="col" title="Half took no longer.">
                  Typical
                </th>
                <th scope="col" title="90 % took no longer.">
                  Slow
                </th>
                <th scope="col">Last</th>
                <th scope="col">When</th>
              </tr>
            </thead>
            <tbody>
              {nodes.map(({ node, figures }) => (
                <tr key={node} data-chosen={node === own?.node}>
                  <th scope="row">
                    <button
                      type="button"
                      className="link nowrap"
                      aria-pressed={node === own?.node}
                      title="Show in the figure"
                      onClick={() => setChosen(node === own?.node ? null : node)}
                    >
                      {node}
                    </button>
                  </th>
                  <Figures figures={figures} />
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </div>
    </section>
  )
}

/** Only the day: the figure beside it has the time. */
function Day({ at }: { readonly at: string }): ReactNode {
  const clock = usePreferences(store => store.preferences.clock)
  const words = dateAndTime(at, clock)
  return (
    <time dateTime={at} title={words}>
      {words.slice(0, 10)}
    </time>
  )
}

function Figures({ figures }: { readonly figures: DurationFigures }): ReactNode {
  const { count, medianMs, p90Ms, lastMs, lastAt } = figures
  return (
    <>
      <td className="number right">{count}</td>
      <td className="number right">{durationWords(medianMs)}</td>
      <td className="number right">{durationWords(p90Ms)}</td>
      <td className="number right">{durationWords(lastMs)}</td>
      <td className="number">
        <Day at={new Date(lastAt).toISOString()} />
      </td>
    </>
  )
}
