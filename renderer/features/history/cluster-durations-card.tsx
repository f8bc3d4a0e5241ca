import { type ReactNode, useId, useState } from 'react'
import { colourOf } from '../../../shared/domain/cluster.ts'
import type { ClusterDurations, DurationFigures, DurationPart } from '../../../shared/domain/duration-figures.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { durationWords } from '../../../shared/grammar/durations.ts'
import { dateAndTime } from '../../../shared/grammar/times.ts'
import { DURATION_PART_WORDS } from '../../../shared/words/history.ts'
import { useClusters } from '../../stores/clusters.ts'
import { usePreferences } from '../../stores/preferences.ts'
import { DurationChart } from './duration-chart.tsx'

interface Props {
  readonly durations: ClusterDurations
  readonly part: DurationPart
}

/** One cluster's durations over time, and in figures node by node; a node that is chosen stands out. */
export function ClusterDurationsCard({ durations, part }: Props): ReactNode {
  const { cluster, all, nodes } = durations
  const [chosen, setChosen] = useState<string | null>(null)
  const id = useId()
  const colour = useClusters(({ list }) =>
    colourOf((list.kind === 'listed' ? list.byName.get(cluster) : undefined) ?? { name: cluster, colour: null }),
  )
  // Of another part of the work the node that was chosen may have nothing.
  const own = nodes.find(({ node }) => node === chosen) ?? null
  return (
    <section className="hist-card" aria-labelledby={id}>
      <h2 id={id}>
        <span className="hist-dot" style={{ background: `var(--cluster-${colour})` }} />
        {cluster}
        <span className="quiet hist-figures">
          {all.count === 1
            ? `once, ${durationWords(all.medianMs)}`
            : `${counted(all.count, 'time')}, median ${durationWords(all.medianMs)}, nine in ten within ${durationWords(all.p90Ms)}`}
        </span>
      </h2>
      <div className="hist-durations">
        <DurationChart durations={durations} node={own?.node ?? null} part={part} colour={`var(--cluster-${colour})`} />
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by key. */}
        <section className="hist-nodes" tabIndex={0} aria-label={`${DURATION_PART_WORDS[part]}, node by node`}>
          <table className="table hist-table">
            <thead>
              <tr>
                <th scope="col">Node</th>
                <th scope="col">Times</th>
                <th scope="col">Median</th>
                <th scope="col" title="Nine in ten stayed within it.">
                  p90
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
