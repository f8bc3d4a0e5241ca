import { HTMLSelect, InputGroup } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import type { RunSummary } from '../../../shared/contract/index.ts'
import { whereDriven } from '../../../shared/words/runners.ts'
import { kindTitle } from '../../../shared/words/runs.ts'
import type { RunFilter } from '../../stores/looks.ts'
import { clusterRoute, hashOf } from '../../stores/route.ts'
import { Elapsed } from '../../ui/runs/elapsed.tsx'
import { toneOf } from '../../ui/runs/live-runs.ts'
import { Named } from '../../ui/runs/named.tsx'
import { StateTag } from '../../ui/runs/state-tag.tsx'
import { Age } from '../../ui/when.tsx'
import { AskedOfRunners } from './asked-runs.tsx'

interface Props {
  readonly cluster: string
  readonly runs: readonly RunSummary[]
  readonly filter: RunFilter
  readonly onFilter: (filter: RunFilter) => void
}

const STATES: readonly { readonly value: RunFilter['states']; readonly label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'open', label: 'Unfinished' },
  { value: 'needs-you', label: 'Need you' },
  { value: 'failed', label: 'Failed, stopped' },
  { value: 'done', label: 'Done' },
]

/** All runs of a cloud: those that need you first, then the newest. */
export function RunsPage({ cluster, runs, filter, onFilter }: Props): ReactNode {
  return (
    <section className="runs" aria-label="Runs">
      <h1 className="visually-hidden">Runs of {cluster}</h1>
      <div className="runs-tools row wrap">
        <InputGroup
          type="search"
          placeholder="Node, operator, words"
          aria-label="Find runs"
          value={filter.text}
          onValueChange={text => onFilter({ ...filter, text })}
        />
        <HTMLSelect
          aria-label="Which runs"
          value={filter.states}
          onChange={({ currentTarget: { value } }) => {
            const state = STATES.find(each => each.value === value)
            if (state !== undefined) onFilter({ ...filter, states: state.value })
          }}
        >
          {STATES.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </HTMLSelect>
      </div>
      <AskedOfRunners cluster={cluster} />
      {runs.length === 0 ? <p className="quiet">No run matches the filter.</p> : null}
      <ul className="runs-list panel-card plain-list">
        {runs.map(run => (
          <li key={run.id} className={`run-tone-${toneOf(run.condition)}`}>
            <a href={hashOf(clusterRoute(cluster, 'history', { runId: run.id }))}>
              <b className="cut">
                <Named title={kindTitle(run)} />
              </b>
              <StateTag condition={run.condition} />
              <span className="quiet cut">{run.summary}</span>
              <span className="quiet nowrap">
                {run.operator}
                {run.runner === undefined ? null : <span title={whereDriven(run.runner)}>, in the cluster</span>}
              </span>
              <span className="quiet nowrap right">
                <Age at={run.createdAt} />
              </span>
              <span className="quiet nowrap right">
                <Elapsed from={run.createdAt} to={run.endedAt} />
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
