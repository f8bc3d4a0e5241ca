import { type ReactNode, useMemo } from 'react'
import { clusterPlace, goTo } from '../../stores/place.ts'
import { useRuns } from '../../stores/runs.ts'
import { When } from '../../ui/when.tsx'

interface Props {
  readonly cluster: string
  readonly name: string
}

/** The runs that worked on a node, newest first. */
export function NodeRuns({ cluster, name }: Props): ReactNode {
  const list = useRuns(store => store.list)
  const own = useMemo(
    () => (list ?? []).filter(run => run.cluster === cluster && run.node === name),
    [list, cluster, name],
  )
  if (list === null) return <p className="quiet">Reading.</p>
  if (own.length === 0) return <p className="quiet">No run of this console worked on it.</p>
  return (
    <ul className="topo-events">
      {own.map(run => (
        <li key={run.id} className="topo-event">
          <span className="quiet topo-event-age">
            <When at={run.createdAt} />
          </span>
          <div>
            <button
              type="button"
              className="topo-link"
              onClick={() => goTo(clusterPlace(cluster, 'runs', { runId: run.id }))}
            >
              {run.kind === 'enter' ? 'Enter maintenance' : 'Leave maintenance'}
            </button>
            : {run.state}
            <div>{run.summary}</div>
            <div className="quiet">
              {run.operator} on {run.machine}
            </div>
          </div>
        </li>
      ))}
    </ul>
  )
}
