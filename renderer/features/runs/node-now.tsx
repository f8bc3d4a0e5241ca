import { type ReactNode, useMemo } from 'react'
import { stateOf } from '../../../shared/domain/instance-state.ts'
import type { RunView } from '../../../shared/domain/run.ts'
import { historyOfView } from '../../../shared/domain/run-history.ts'
import { nodeBadge } from '../../../shared/words/actions.ts'
import { useConnection } from '../../stores/connection.ts'
import { clusterRoute, hashOf } from '../../stores/route.ts'
import { useTicks } from '../../stores/ticks.ts'
import { areInstancesRead, lastOf, useViews } from '../../stores/views.ts'
import { ageOfPicture } from '../../ui/clusters/cluster-status.ts'
import { InstanceMark, markOfAction } from '../../ui/instance-mark.tsx'

/** Longest list of names on the card. */
const MOST_NAMED = 14

/** The card of the node as the map has it now, which may have changed since the run. */
export function NodeNow({ view, node }: { readonly view: RunView; readonly node: string }): ReactNode {
  const { cluster } = view.plan
  const state = useViews(({ byCluster }) => byCluster.get(cluster))
  const isConnected = useConnection(store => store.connection.kind === 'connected')
  const live = lastOf(state)
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
  const asOf = useTicks(({ nowMs }) => ageOfPicture(state, isConnected, nowMs))
  if (seen === undefined) return null
  const heading = asOf === null ? 'On the map now' : `On the map, ${asOf}`
  const named = [
    ...left.map(({ id, name, effect }) => ({ id, name: effect?.name ?? name ?? id, mark: 'left' as const })),
    ...here.map(({ id, name, action }) => ({ id, name, mark: markOfAction(action) })),
  ].toSorted((a, b) => a.name.localeCompare(b.name))
  return (
    <aside className="run-node-now" aria-label={heading}>
      <p className="small quiet">{heading}</p>
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
