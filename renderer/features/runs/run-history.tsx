import { Button, HTMLSelect, InputGroup } from '@blueprintjs/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { RunSummary } from '../../../shared/contract/index.ts'
import type { Failure } from '../../../shared/domain/failure.ts'
import { planSubject } from '../../../shared/domain/plan.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { whereDriven } from '../../../shared/words/runners.ts'
import { kindTitle } from '../../../shared/words/runs.ts'
import { resumeRun } from '../../bridge/runs.ts'
import type { RunFilter } from '../../stores/looks.ts'
import { FailureCallout } from '../../ui/failure-callout.tsx'
import { Elapsed } from '../../ui/runs/elapsed.tsx'
import { toneOf } from '../../ui/runs/live-runs.ts'
import { Named } from '../../ui/runs/named.tsx'
import { StateTag } from '../../ui/runs/state-tag.tsx'
import { Age } from '../../ui/when.tsx'
import { AskedOfRunners } from './asked-runs.tsx'

interface Props {
  readonly cluster: string
  readonly runs: readonly RunSummary[]
  readonly chosen: string | null
  readonly filter: RunFilter
  readonly onFilter: (filter: RunFilter) => void
  readonly onRead: (runId: string) => void
}

const STATES: readonly { readonly value: RunFilter['states']; readonly label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'open', label: 'Unfinished' },
  { value: 'needs-you', label: 'Need you' },
  { value: 'failed', label: 'Failed, stopped' },
  { value: 'done', label: 'Done' },
]

/** All runs of a cluster: those without a console first, then the newest. */
export function RunHistory({ cluster, runs, chosen, filter, onFilter, onRead }: Props): ReactNode {
  return (
    <nav className="run-history column" aria-label="Runs">
      <div className="run-history-tools">
        <InputGroup
          size="small"
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
      <p className="quiet run-history-count spread">
        {counted(runs.length, 'run')} <span className="small">j k to move down and up</span>
      </p>
      {runs.length === 0 ? <p className="quiet run-history-count spread">No run matches the filter.</p> : null}
      <ul>
        {runs.map(run => (
          <HistoryRow key={run.id} run={run} isChosen={run.id === chosen} onRead={onRead} />
        ))}
      </ul>
    </nav>
  )
}

interface RowProps {
  readonly run: RunSummary
  readonly isChosen: boolean
  readonly onRead: (runId: string) => void
}

function HistoryRow({ run, isChosen, onRead }: RowProps): ReactNode {
  const row = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isChosen) row.current?.scrollIntoView({ block: 'nearest' })
  }, [isChosen])
  return (
    <li ref={row} className={`run-history-row run-tone-${toneOf(run.condition)}`}>
      <button type="button" aria-current={isChosen ? 'true' : undefined} onClick={() => onRead(run.id)}>
        <span className="run-list-head spread">
          <b>
            <Named title={kindTitle(run)} />
          </b>
          <StateTag condition={run.condition} />
        </span>
        <span className="run-list-head spread quiet small">
          <span className="cut">
            <Age at={run.createdAt} /> by {run.operator}
            {run.runner === undefined ? null : <span title={whereDriven(run.runner)}>, in the cluster</span>}
          </span>
          <Elapsed from={run.createdAt} to={run.endedAt} />
        </span>
      </button>
      {run.state === 'interrupted' ? <ResumeHere run={run} /> : null}
    </li>
  )
}

function ResumeHere({ run }: { readonly run: RunSummary }): ReactNode {
  const [asking, setAsking] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const resume = async () => {
    setAsking(true)
    const answer = await resumeRun(run.id)
    setAsking(false)
    setFailure(answer.ok ? null : answer.failure)
  }
  return (
    <div className="run-history-resume">
      <Button
        size="small"
        className="run-choice-first"
        text="Resume"
        aria-label={`Resume the run on ${planSubject(run)}`}
        loading={asking}
        onClick={() => void resume()}
      />
      {failure === null ? null : <FailureCallout title="The run was not resumed" failure={failure} />}
    </div>
  )
}
