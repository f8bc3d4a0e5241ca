import { type ReactNode, useMemo } from 'react'
import { isNodeRun } from '../../../shared/domain/plan.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { durationWords } from '../../../shared/grammar/durations.ts'
import { clusterRoute, hashOf } from '../../stores/route.ts'
import { useRuns } from '../../stores/runs.ts'
import { StateTag } from '../../ui/runs/state-tag.tsx'
import { When } from '../../ui/when.tsx'

/** Earlier runs over many nodes, each with its timeline. */
export function UpdatePast({ cluster }: { readonly cluster: string }): ReactNode {
  const list = useRuns(store => store.list)
  const past = useMemo(
    () => (list ?? []).filter(run => run.cluster === cluster && !isNodeRun(run.kind)),
    [list, cluster],
  )
  if (past.length === 0) return null
  return (
    <details className="upd-fold">
      <summary>{counted(past.length, 'earlier run')}</summary>
      <table className="table breaks">
        <thead>
          <tr>
            <th scope="col">Started</th>
            <th scope="col">Result</th>
            <th scope="col">Took</th>
            <th scope="col">By</th>
            <th scope="col">What happened</th>
          </tr>
        </thead>
        <tbody>
          {past.map(run => (
            <tr key={run.id}>
              <td>
                <a href={hashOf(clusterRoute(cluster, 'update', { runId: run.id }))}>
                  <When at={run.createdAt} />
                </a>
              </td>
              <td>
                <StateTag condition={run.condition} />
              </td>
              <td>{run.endedAt === null ? '' : durationWords(Date.parse(run.endedAt) - Date.parse(run.createdAt))}</td>
              <td>{run.operator}</td>
              <td>{run.summary}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}
