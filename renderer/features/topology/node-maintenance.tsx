import { type ReactNode, useMemo } from 'react'
import {
  type NodeMaintenanceRequest,
  type NodeWorkloadLock,
  REQUEST_OPERATOR_ANNOTATION,
  REQUEST_REASON_ANNOTATION,
  REQUEST_RUN_ANNOTATION,
} from '../../../shared/domain/maintenance-api.ts'
import { listed } from '../../../shared/grammar/counts.ts'
import { clusterRoute, hashOf } from '../../stores/route.ts'
import { lastOf, useViews } from '../../stores/views.ts'
import { LockLine } from '../../ui/lock-line.tsx'
import { maintenanceOfNode, returnWaitsFor } from '../../ui/maintenance-api/maintenance-of-node.ts'
import { useInstanceName } from '../../ui/use-instance-name.ts'
import { Age } from '../../ui/when.tsx'

interface Props {
  readonly cluster: string
  readonly node: string
  /** Above the facts of the node while somebody requests its maintenance, else below. */
  readonly place: 'above' | 'below'
}

/** The node maintenance API of a node: who requested maintenance, and which controllers still hold a lock, and why. */
export function NodeMaintenance({ cluster, node, place }: Props): ReactNode {
  const objects = useViews(store => lastOf(store.byCluster.get(cluster))?.maintenance ?? null)
  const nodes = useViews(store => lastOf(store.byCluster.get(cluster))?.nodes ?? null)
  const found = useMemo(
    () => (objects === null || nodes === null ? null : maintenanceOfNode(objects, node, [...nodes.keys()])),
    [objects, nodes, node],
  )
  const nameOf = useInstanceName(cluster)
  if (found === null) return null
  const { locks, requests, notifications, deletions } = found
  const isAskedFor = requests.length + deletions.length + notifications.length > 0
  if (isAskedFor !== (place === 'above')) return null
  return (
    <section
      className={`topo-panel-section topo-maintenance topo-maintenance-${place}`}
      aria-label="Maintenance requests and locks"
    >
      <h3>Maintenance requests and locks</h3>
      {requests.length === 0 ? <p className="quiet">Nobody requests the maintenance of this node.</p> : null}
      {requests.map(request => (
        <Request key={request.uid} cluster={cluster} request={request} locks={locks} />
      ))}
      {deletions.map(request => (
        <p key={request.uid}>
          <b>To be removed for good</b> (NodeDeletionRequest {request.name}, <Age at={request.createdAt} />)
          <Going finalizers={request.finalizers} since={request.deletingSince} locks={[]} />
          <Faults faults={request.faults} />
        </p>
      ))}
      {notifications.map(({ uid, name, createdAt, faults }) => (
        <p key={uid}>
          <b>Disabled on purpose</b> (NodeDisableNotification {name}, <Age at={createdAt} />
          ): its locks stay while it is away.
          <Faults faults={faults} />
        </p>
      ))}
      {locks.length === 0 ? (
        <p className="quiet">No controller holds a lock on it.</p>
      ) : (
        <ul className="plain-list" aria-label="Locks">
          {locks.map(lock => (
            <LockLine key={lock.uid} lock={lock} instanceName={nameOf} />
          ))}
        </ul>
      )}
    </section>
  )
}

interface RequestProps {
  readonly cluster: string
  readonly request: NodeMaintenanceRequest
  readonly locks: readonly NodeWorkloadLock[]
}

function Request({ cluster, request, locks }: RequestProps): ReactNode {
  const { annotations, scope, release, createdAt, deletingSince, finalizers, faults, name } = request
  const run = annotations[REQUEST_RUN_ANNOTATION]
  const operator = annotations[REQUEST_OPERATOR_ANNOTATION]
  const reason = annotations[REQUEST_REASON_ANNOTATION]
  return (
    <div className="topo-request">
      <p>
        <b>Maintenance requested</b> <Age at={createdAt} /> by {operator ?? 'an unnamed operator'}
        {reason === undefined || reason === '' ? '' : `: ${reason}`}
      </p>
      <p className="quiet">
        {name}, scope {scope ?? 'not given'}
        {release === null ? '' : `, release ${release}`}
        {run === undefined ? null : (
          <>
            , <a href={hashOf(clusterRoute(cluster, 'history', { runId: run }))}>its run</a>
          </>
        )}
      </p>
      <Going finalizers={finalizers} since={deletingSince} locks={locks} />
      <Faults faults={faults} />
    </div>
  )
}

interface GoingProps {
  readonly finalizers: readonly string[]
  readonly since: string | null
  readonly locks: readonly NodeWorkloadLock[]
}

/** A deleted request stays until every controller has brought the node back. */
function Going({ finalizers, since, locks }: GoingProps): ReactNode {
  if (since === null) return null
  const holders = returnWaitsFor(finalizers, locks)
  return (
    <span className="topo-request-going block">
      Coming back since <Age at={since} />
      {holders.length === 0 ? '.' : `, waits for ${listed(holders)}.`}
    </span>
  )
}

function Faults({ faults }: { readonly faults: readonly string[] }): ReactNode {
  return faults.map(fault => (
    <span key={fault} className="bad block">
      Malformed: {fault}
    </span>
  ))
}
