import type { ReactNode } from 'react'
import { clusterPlace, goTo } from '../../stores/place.ts'
import { useRuns } from '../../stores/runs.ts'

/** What a run does or waits for, in a line that leads to it. */
export function RunLine({ cluster, runId }: { readonly cluster: string; readonly runId: string }): ReactNode {
  const run = useRuns(store => store.list?.find(listed => listed.id === runId) ?? null)
  return (
    <p className="topo-card-line">
      {run === null ? 'Its run is not kept on this machine. ' : `${run.summary || run.state} `}
      {run === null ? null : (
        <button type="button" className="topo-link" onClick={() => goTo(clusterPlace(cluster, 'runs', { runId }))}>
          Open run
        </button>
      )}
    </p>
  )
}
