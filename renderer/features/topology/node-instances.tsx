import { type ReactNode, useMemo } from 'react'
import { naturally } from '../../geometry/natural-order.ts'
import { clusterPlace, goTo } from '../../stores/place.ts'
import { lastOf, useViews } from '../../stores/views.ts'
import { ACTION_WORDS } from '../../words/actions.ts'

interface Props {
  readonly cluster: string
  readonly name: string
}

/** The instances of a node, and what a maintenance would do to each. */
export function NodeInstances({ cluster, name }: Props): ReactNode {
  const all = useViews(store => lastOf(store.byCluster.get(cluster))?.instances ?? null)
  const own = useMemo(
    () =>
      [...(all?.values() ?? [])]
        .filter(instance => instance.node === name)
        .sort((a, b) => naturally(a.name, b.name) || naturally(a.id, b.id)),
    [all, name],
  )
  return (
    <div className="topo-fact-instances">
      <p>
        <button
          type="button"
          className="topo-link"
          onClick={() => goTo(clusterPlace(cluster, 'instances', { node: name }))}
        >
          Open in the list of instances
        </button>
      </p>
      {own.length === 0 ? (
        <p>No instance is known on it.</p>
      ) : (
        <table className="topo-table">
          <thead>
            <tr>
              <th scope="col">Instance</th>
              <th scope="col">Status</th>
              <th scope="col">When the node is entered</th>
            </tr>
          </thead>
          <tbody>
            {own.map(instance => (
              <tr key={instance.id}>
                <td title={instance.id}>{instance.name}</td>
                <td>{instance.taskState === null ? instance.status : `${instance.status}, ${instance.taskState}`}</td>
                <td title={instance.actionReason}>
                  <span className={`topo-ink-${instance.action}`}>{ACTION_WORDS[instance.action]}</span>
                  {instance.warnings.length === 0 ? null : (
                    <div className="topo-caution">{instance.warnings.join('; ')}</div>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  )
}
