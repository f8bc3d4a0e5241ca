import { Button } from '@blueprintjs/core'
import { type ReactNode, useMemo } from 'react'
import { isNodeRun } from '../../../shared/domain/plan.ts'
import { durationWords } from '../../../shared/grammar/durations.ts'
import { rollingKindOf, rollingNoun, workTitle } from '../../../shared/words/plans.ts'
import { useClusters } from '../../stores/clusters.ts'
import { clusterRoute, hashOf } from '../../stores/route.ts'
import { useRuns } from '../../stores/runs.ts'
import { openUpdateDialog } from '../../stores/update-dialog.ts'
import { lastOf, useViews } from '../../stores/views.ts'
import { LockLine } from '../../ui/lock-line.tsx'
import { DefinitionsCard } from '../../ui/maintenance-api/definitions-card.tsx'
import { badObjects } from '../../ui/maintenance-api/maintenance-of-node.ts'
import { StateTag } from '../../ui/runs/state-tag.tsx'
import { useInstanceName } from '../../ui/use-instance-name.ts'
import { Age, When } from '../../ui/when.tsx'
import { ControllersCard } from './controllers-card.tsx'
import '../../ui/maintenance-api/cards.css'

interface Props {
  readonly cluster: string
  /** Shows the last observed update; null if there is none. */
  readonly onLookBack: (() => void) | null
  /** Whether Lockkeeper can see that no other update runs. */
  readonly isObserved: boolean
}

/** No update runs: whether one is possible, the controllers, and how to start one. */
export function UpdateIdle({ cluster, onLookBack, isObserved }: Props): ReactNode {
  const flavour = useClusters(({ list }) => (list.kind === 'listed' ? list.byName.get(cluster)?.flavour : undefined))
  const kind = rollingKindOf(flavour)
  const noun = `${kind === 'update' ? 'an' : 'a'} ${rollingNoun(kind)}`
  return (
    <div className="upd-idle">
      <header className="upd-head">
        <h1>{workTitle({ kind, cluster })}</h1>
        <p className="upd-facts">
          No run of Lockkeeper works on many nodes of {cluster} now
          {isObserved ? ', and no other update is visible' : ''}.
          {onLookBack === null ? null : (
            <button type="button" className="link" onClick={onLookBack}>
              Show the last observed update
            </button>
          )}
        </p>
      </header>
      <section className="panel" aria-labelledby="upd-begin">
        <h2 id="upd-begin">Start {noun}</h2>
        {flavour === undefined || flavour === 'mosk' ? (
          <p>
            Node by node through the node maintenance API, in five phases: prepare, applications, control-plane nodes,
            worker nodes, finish. You see the plan with every check first; nothing starts before you confirm.
          </p>
        ) : (
          <p>
            Node by node: each goes out of service, gets its work and comes back, since a cloud of flavour {flavour} has
            no node maintenance API. You see the plan with every check first. A{' '}
            <a href={hashOf({ kind: 'new-window', cluster })}>window</a> makes batches of the nodes for you.
          </p>
        )}
        <Button intent="primary" text={`Plan ${noun}…`} onClick={() => openUpdateDialog(cluster)} />
      </section>
      <ControllersCard cluster={cluster} />
      <ObjectsCard cluster={cluster} />
      <DefinitionsCard cluster={cluster} />
      <PastUpdates cluster={cluster} />
    </div>
  )
}

/** Earlier runs over many nodes, each with its timeline. */
function PastUpdates({ cluster }: { readonly cluster: string }): ReactNode {
  const list = useRuns(store => store.list)
  const past = useMemo(
    () => (list ?? []).filter(run => run.cluster === cluster && !isNodeRun(run.kind)),
    [list, cluster],
  )
  if (past.length === 0) return null
  return (
    <section className="panel" aria-labelledby="upd-past">
      <h2 id="upd-past">Earlier runs</h2>
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
    </section>
  )
}

/** The locks and requests of the whole cluster, and malformed objects. */
function ObjectsCard({ cluster }: { readonly cluster: string }): ReactNode {
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
      <h2 id="upd-objects">Locks of the whole cloud</h2>
      {clusterRequests.map(({ uid, name, createdAt, deletingSince, scope }) => (
        <p key={uid}>
          <b>Maintenance of the cloud requested</b> <Age at={createdAt} /> ({name}, scope {scope ?? 'not given'})
          {deletingSince === null ? '.' : ', being removed.'}
        </p>
      ))}
      {clusterRequests.length === 0 ? <p className="quiet">Nobody requests the maintenance of the cloud.</p> : null}
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
          <h3 className="upd-bad">Malformed</h3>
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
