import type { ReactNode } from 'react'
import type { RecurringBlocker } from '../../../shared/domain/history.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { readHistory } from '../../bridge/history.ts'
import { useHistory } from '../../stores/history.ts'
import { clusterRoute, hashOf } from '../../stores/route.ts'
import { useRuns } from '../../stores/runs.ts'
import { lastRead } from '../../stores/updates.ts'
import { FailureCallout } from '../../ui/failure-callout.tsx'
import { Notice } from '../../ui/notice.tsx'
import { When } from '../../ui/when.tsx'

/** How many runs of a blocker are linked. */
const LINKED = 4
const NAMED = 4

/** Blockers of several runs: worth repairing once instead of overriding each time. */
export function BlockersPart({ cluster }: { readonly cluster: string | null }): ReactNode {
  const asked = useHistory(store => store.blockers)
  const all = lastRead(asked)
  const blockers = all?.filter(blocker => cluster === null || blocker.cluster === cluster) ?? null
  return (
    <div className="hist-pad hist-scroll">
      {asked.kind === 'failed' ? (
        <FailureCallout title="The history cannot be read" failure={asked.failure} onRetry={readHistory} />
      ) : null}
      {blockers === null ? (
        asked.kind === 'failed' ? null : (
          <p className="quiet">Reading…</p>
        )
      ) : blockers.length === 0 ? (
        <Notice tone="plain" title="Nothing blocked a run twice">
          <p>
            A check that blocks, or is overridden, in two or more runs appears here with its nodes and runs, so that you
            can repair its cause.
          </p>
        </Notice>
      ) : (
        <table className="table hist-table">
          <caption>Checks that blocked two or more runs with the same message, apart from counts and ids.</caption>
          <thead>
            <tr>
              <th scope="col">What blocked</th>
              <th scope="col">Cluster</th>
              <th scope="col">Times</th>
              <th scope="col">Overridden</th>
              <th scope="col">Nodes</th>
              <th scope="col">Last</th>
              <th scope="col">Runs</th>
            </tr>
          </thead>
          <tbody>
            {blockers.map(blocker => (
              <BlockerRow key={`${blocker.cluster} ${blocker.code} ${blocker.message}`} blocker={blocker} />
            ))}
          </tbody>
        </table>
      )}
    </div>
  )
}

function BlockerRow({ blocker }: { readonly blocker: RecurringBlocker }): ReactNode {
  const { cluster, code, message, nodes, times, overridden, firstAt, lastAt, runIds } = blocker
  return (
    <tr>
      <th scope="row">
        {message}
        <span className="quiet mono block">{code}</span>
      </th>
      <td>{cluster}</td>
      <td className="number right">{times}</td>
      <td className="number right">{overridden === 0 ? '' : overridden}</td>
      <td title={nodes.join(', ')}>
        {nodes.slice(0, NAMED).map((node, at) => (
          <span key={node}>
            {at === 0 ? '' : ', '}
            <span className="nowrap">{node}</span>
          </span>
        ))}
        {nodes.length > NAMED ? ` and ${nodes.length - NAMED} more` : ''}
      </td>
      <td className="number">
        <When at={lastAt} />
        <div className="quiet">
          since <When at={firstAt} />
        </div>
      </td>
      <td>
        <RunLinks cluster={cluster} runIds={runIds.slice(0, LINKED)} />
        {runIds.length > LINKED ? (
          <details>
            <summary>{counted(runIds.length - LINKED, 'more run')}</summary>
            <RunLinks cluster={cluster} runIds={runIds.slice(LINKED)} />
          </details>
        ) : null}
      </td>
    </tr>
  )
}

function RunLinks({ cluster, runIds }: { readonly cluster: string; readonly runIds: readonly string[] }): ReactNode {
  const list = useRuns(store => store.list)
  return (
    <ul className="plain-list nowrap">
      {runIds.map(runId => {
        const run = list?.find(({ id }) => id === runId)
        return (
          <li key={runId}>
            <a href={hashOf(clusterRoute(cluster, 'history', { runId }))}>
              {run === undefined ? (
                <span className="mono">{runId}</span>
              ) : (
                <>
                  {run.node ?? 'Update'}, <When at={run.createdAt} />
                </>
              )}
            </a>
          </li>
        )
      })}
    </ul>
  )
}
