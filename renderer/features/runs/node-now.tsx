import { type ReactNode, useMemo } from 'react'
import { stateOf } from '../../../shared/domain/instance-state.ts'
import type { RunView } from '../../../shared/domain/run.ts'
import { historyOfView } from '../../../shared/domain/run-history.ts'
import { nodeBadge } from '../../../shared/words/actions.ts'
import { clusterRoute, hashOf } from '../../stores/route.ts'
import { areInstancesRead, lastOf, useViews } from '../../stores/views.ts'
import { InstanceMark, markOfAction } from '../../ui/instance-mark.tsx'

/** Longest list of names on the card. */
const MOST_NAMED = 14

/** The card of the node as the map has it now, which may have changed since the run. */
export function NodeNow({ view, node }: { readonly view: RunView; readonly node: string }): ReactNode {
  const { cluster } = view.plan
  const live = useViews(({ byCluster }) => lastOf(byCluster.get(cluster)))
  const seen = live?.nodes.get(node)
  const here = useMemo(
    () => [...(live?.instances.values() ?? [])].filter(instance => instance.node === node),
    [live, node],
  )
  const left = useMemo(() => {
    if (live === null || !areInstancesRead(live)) return []
    const own = new Set(here.map(({ id }) => id))
    return [...historyOfView(view).instances.values()].filter(
      instance => stateOf(instance) === 'moved' && !own.has(instance.id),
    )
  }, [view, live, here])
  if (seen === undefined) return null
  const named = [
    ...left.map(({ id, name, effect }) => ({ id, name: effect?.name ?? name ?? id, mark: 'left' as const })),
    ...here.map(({ id, name, action }) => ({ id, name, mark: markOfAction(action) })),
  ].toSorted((a, b) => a.name.localeCompare(b.name))
  return (
    <aside className="run-node-now" aria-label="On the map now">
      <p className="small quiet">On the map now</p>
      <a
        className={`run-node-card topo-state-${seen.state}`}
        href={hashOf(clusterRoute(cluster, 'topology', { node }))}
      >
        <span className="spread">
          <b className="mono cut">{node}</b>
          <span className="badge nowrap">{nodeBadge(seen)}</span>
        </span>
        <ul className="plain-list">
          {named.slice(0, MOST_NAMED).map(({ id, name, mark }) => (
            <li key={id} className={`row small${mark === 'left' ? ' quiet' : ''}`}>
              {mark === null ? null : <InstanceMark kind={mark} />}
              <span className="mono cut">{name}</span>
            </li>
          ))}
        </ul>
        {named.length <= MOST_NAMED ? null : <span className="small quiet">and {named.length - MOST_NAMED} more</span>}
      </a>
    </aside>
  )
}
