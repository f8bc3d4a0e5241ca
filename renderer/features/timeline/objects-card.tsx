import { type ReactNode, useMemo } from 'react'
import { lastOf, useViews } from '../../stores/views.ts'
import { LockLine } from '../../ui/lock-line.tsx'
import { badObjects } from '../../ui/maintenance-api/maintenance-of-node.ts'
import { useInstanceName } from '../../ui/use-instance-name.ts'
import { Age } from '../../ui/when.tsx'
import '../../ui/maintenance-api/cards.css'

/** The locks and requests that hold the whole cluster, and objects that nothing can be made of. */
export function ObjectsCard({ cluster }: { readonly cluster: string }): ReactNode {
  const objects = useViews(store => lastOf(store.byCluster.get(cluster))?.maintenance ?? null)
  const nodes = useViews(store => lastOf(store.byCluster.get(cluster))?.nodes ?? null)
  const bad = useMemo(
    () => (objects === null ? [] : badObjects(objects, nodes === null ? null : [...nodes.keys()])),
    [objects, nodes],
  )
  const nameOf = useInstanceName(cluster)
  if (objects === null) return null
  const { clusterLocks, clusterRequests } = objects
  return (
    <section className="panel" aria-labelledby="upd-objects">
      <h2 id="upd-objects">Locks of the whole cluster</h2>
      {clusterRequests.map(({ uid, name, createdAt, deletingSince, scope }) => (
        <p key={uid}>
          <b>Maintenance of the cluster requested</b> <Age at={createdAt} /> ({name}, scope {scope ?? 'not said'})
          {deletingSince === null ? '.' : ', being removed.'}
        </p>
      ))}
      {clusterRequests.length === 0 ? <p className="quiet">Nobody requests the maintenance of the cluster.</p> : null}
      {clusterLocks.length === 0 ? (
        <p className="quiet">No controller holds a lock on it.</p>
      ) : (
        <ul className="lock-lines">
          {clusterLocks.map(lock => (
            <LockLine key={lock.uid} lock={lock} instanceName={nameOf} />
          ))}
        </ul>
      )}
      {bad.length === 0 ? null : (
        <>
          <h3 className="upd-bad">Not as they should be</h3>
          <ul className="upd-definitions">
            {bad.map(({ kind, name, why }) => (
              <li key={`${kind} ${name} ${why}`}>
                <b>
                  {kind} {name}
                </b>
                {why}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}
