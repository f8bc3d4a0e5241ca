import type { ReactNode } from 'react'
import type { RunSummary } from '../../../shared/contract/index.ts'
import { planSubject } from '../../../shared/domain/plan.ts'
import { RUN_KIND_WORDS } from '../../../shared/words/runs.ts'
import { clusterRoute, hashOf } from '../../stores/route.ts'
import { Elapsed } from '../../ui/runs/elapsed.tsx'
import { StateTag } from '../../ui/runs/state-tag.tsx'
import { When } from '../../ui/when.tsx'
import '../../ui/runs/runs.css'

/** The runs that belong to a window, newest first. */
export function WindowRuns({ runs }: { readonly runs: readonly RunSummary[] }): ReactNode {
  return (
    <section className="panel" aria-labelledby="win-runs">
      <h2 id="win-runs">Runs</h2>
      {runs.length === 0 ? <p className="quiet">No run belongs to it yet.</p> : null}
      <ul className="run-list plain-list">
        {runs.map(run => (
          <li key={run.id}>
            <a href={hashOf(clusterRoute(run.cluster, 'runs', { runId: run.id }))}>
              <span className="run-list-head spread">
                <b>
                  {RUN_KIND_WORDS[run.kind]}: {planSubject(run)}
                </b>
                <StateTag condition={run.condition} />
              </span>
              <span className="quiet">
                <When at={run.createdAt} /> by {run.operator}, <Elapsed from={run.createdAt} to={run.endedAt} />
              </span>
              <span className="breaks">{run.summary}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
