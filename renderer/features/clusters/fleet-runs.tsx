import type { ReactNode } from 'react'
import type { RunSummary } from '../../../shared/contract/index.ts'
import { planSubject } from '../../../shared/domain/plan.ts'
import { needsSomebody } from '../../../shared/domain/run-condition.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { conditionTitle, RUN_KIND_WORDS } from '../../../shared/words/runs.ts'
import { clusterRoute, hashOf } from '../../stores/route.ts'
import { sinceOf } from '../../ui/runs/live-runs.ts'
import { Age } from '../../ui/when.tsx'

/** The most runs of one cloud that are listed; more are counted. */
const SHOWN = 3

/** The runs of a cloud, those that need you first. */
export function FleetRuns({ runs }: { readonly runs: readonly RunSummary[] }): ReactNode {
  const inOrder = runs.toSorted((a, b) => Number(needsSomebody(b.condition)) - Number(needsSomebody(a.condition)))
  return (
    <>
      {inOrder.slice(0, SHOWN).map(run => (
        <RunLine key={run.id} run={run} />
      ))}
      {runs.length <= SHOWN ? null : <p className="fleet-line">and {counted(runs.length - SHOWN, 'other run')}</p>}
    </>
  )
}

function RunLine({ run }: { readonly run: RunSummary }): ReactNode {
  const waits = needsSomebody(run.condition)
  const since = waits ? sinceOf(run) : null
  return (
    <p className="fleet-line" data-tone={waits ? 'waits' : 'moving'}>
      <a href={hashOf(clusterRoute(run.cluster, 'history', { runId: run.id }))}>
        {RUN_KIND_WORDS[run.kind]}: <span className="mono">{planSubject(run)}</span>
      </a>{' '}
      {waits && run.condition.kind !== 'interrupted' ? null : <b>{conditionTitle(run.condition)}: </b>}
      {run.summary}
      {since === null ? null : (
        <>
          {' '}
          <span className="quiet nowrap">
            <Age at={since} />
          </span>
        </>
      )}
    </p>
  )
}
