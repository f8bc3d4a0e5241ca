import { type ReactNode, useMemo } from 'react'
import type { RunSummary } from '../../../shared/contract/index.ts'
import { advanceOf } from '../../../shared/domain/run-advance.ts'
import { mayShowEnd, needsSomebody } from '../../../shared/domain/run-condition.ts'
import { conditionWord } from '../../../shared/words/conditions.ts'
import { advanceWords, kindTitle } from '../../../shared/words/runs.ts'
import { clusterRoute, hashOf } from '../../stores/route.ts'
import { Elapsed } from '../../ui/runs/elapsed.tsx'
import { toneOf } from '../../ui/runs/live-runs.ts'
import { Named } from '../../ui/runs/named.tsx'
import { useRunEnd, useRunView } from '../../ui/runs/use-run-view.ts'
import { WhenMinute } from '../../ui/when.tsx'
import { HomeSection, RowFacts } from './home-section.tsx'

/** The runs that have not ended: how far each is, and when it will end. */
export function HomeRunning({ runs }: { readonly runs: readonly RunSummary[] }): ReactNode {
  return runs.length === 0 ? null : (
    <HomeSection title="Running now" note={runs.length > 1 ? runs.length : undefined}>
      <ul className="home-list plain-list">
        {runs.map(run => (
          <RunRow key={run.id} run={run} />
        ))}
      </ul>
    </HomeSection>
  )
}

function RunRow({ run }: { readonly run: RunSummary }): ReactNode {
  const { id, cluster, condition, operator, createdAt } = run
  const view = useRunView(id)
  const advance = useMemo(() => (view === null ? null : advanceOf(view)), [view])
  const end = useRunEnd(view, advance?.of === 'nodes' ? advance.done : 0)
  const needsYou = needsSomebody(condition)
  return (
    <li className="home-row home-thirds" data-tone={toneOf(condition)}>
      <div>
        <a className="strong" href={hashOf(clusterRoute(cluster, 'history', { runId: id }))}>
          <Named title={kindTitle(run)} />
        </a>
        <RowFacts cluster={cluster}>
          <span>{operator}</span>
        </RowFacts>
      </div>
      <div>
        <div className="home-bar meter" aria-hidden="true">
          <span style={{ width: `${Math.round((advance?.share ?? 0) * 100)}%` }} />
        </div>
        <small className={needsYou ? 'toned' : 'quiet'}>
          {advance === null ? null : advanceWords(advance)}
          {condition.kind === 'moving'
            ? null
            : `${advance === null ? '' : ' · '}${needsYou ? 'needs you' : conditionWord(condition)}`}
        </small>
      </div>
      <div className="home-end">
        {end !== null && mayShowEnd(condition) ? (
          <b>
            about <WhenMinute at={end.highAt} />
          </b>
        ) : (
          <span className="quiet">
            <Elapsed from={createdAt} to={null} />
          </span>
        )}
      </div>
    </li>
  )
}
