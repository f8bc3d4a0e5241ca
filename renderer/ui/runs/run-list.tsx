import { type ReactNode, useMemo } from 'react'
import type { RunSummary } from '../../../shared/contract/index.ts'
import { planSubject } from '../../../shared/domain/plan.ts'
import { whereDriven } from '../../../shared/words/runners.ts'
import { RUN_KIND_WORDS } from '../../../shared/words/runs.ts'
import { clusterRoute, hashOf } from '../../stores/route.ts'
import { useRuns } from '../../stores/runs.ts'
import { FailureCallout } from '../failure-callout.tsx'
import { When } from '../when.tsx'
import { Elapsed } from './elapsed.tsx'
import { listedRuns } from './run-filter.ts'
import { StateTag } from './state-tag.tsx'
import './runs.css'

interface Props {
  readonly cluster: string
  /** Null means the runs of the whole cluster. */
  readonly node: string | null
}

/** The runs of a cluster or node, newest first, as links. */
export function RunList({ cluster, node }: Props): ReactNode {
  const list = useRuns(store => store.list)
  const failure = useRuns(store => store.listFailure)
  const runs = useMemo(() => listedRuns(list ?? [], cluster, node), [list, cluster, node])
  if (list === null) {
    return failure === null ? (
      <p className="quiet">Reading…</p>
    ) : (
      <FailureCallout title="The runs cannot be read" failure={failure} />
    )
  }
  if (runs.length === 0) return <p className="quiet">This console has no run of {node ?? cluster} yet.</p>
  return <RunLinks runs={runs} isNamed={node === null} />
}

interface LinksProps {
  readonly runs: readonly RunSummary[]
  /** Whether each says what it is about; not where all are about one node. */
  readonly isNamed: boolean
}

/** Runs as links, each with its state and how it is going or ended. */
export function RunLinks({ runs, isNamed }: LinksProps): ReactNode {
  return (
    <ul className="run-list plain-list">
      {runs.map(run => (
        <li key={run.id}>
          <a href={hashOf(clusterRoute(run.cluster, 'history', { runId: run.id }))}>
            <span className="run-list-head spread">
              <b>{isNamed ? `${RUN_KIND_WORDS[run.kind]}: ${planSubject(run)}` : RUN_KIND_WORDS[run.kind]}</b>
              <StateTag condition={run.condition} />
            </span>
            <span className="quiet">
              <When at={run.createdAt} /> by {run.operator}
              {run.runner === undefined ? '' : ` ${whereDriven(run.runner)}`},{' '}
              <Elapsed from={run.createdAt} to={run.endedAt} />
            </span>
            <span className="breaks">{run.summary}</span>
          </a>
        </li>
      ))}
    </ul>
  )
}
