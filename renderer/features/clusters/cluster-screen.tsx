import { AnchorButton, NonIdealState, Spinner } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import type { Cluster } from '../../../shared/domain/cluster.ts'
import { assertNever } from '../../../shared/domain/must.ts'
import { planSubject } from '../../../shared/domain/plan.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { FLAVOUR_WORDS } from '../../../shared/words/flavours.ts'
import { loadClusters } from '../../bridge/clusters.ts'
import { type ClusterListState, useClusterColour, useClusters } from '../../stores/clusters.ts'
import { clusterRoute, hashOf } from '../../stores/route.ts'
import { openRunsOf, useRuns } from '../../stores/runs.ts'
import { FailureCallout } from '../../ui/failure-callout.tsx'
import '../../ui/clusters/clusters.css'

/** The start page: the clusters this console knows. */
export function ClusterScreen(): ReactNode {
  const list = useClusters(store => store.list)
  const reading = useClusters(store => store.reading)
  return (
    <div className="clusters">
      <div className="clusters-head row">
        <h1>Clusters</h1>
        <AnchorButton intent="primary" text="Add a cluster" href={hashOf({ kind: 'add-cluster' })} />
      </div>
      <div aria-busy={reading}>{content(list)}</div>
    </div>
  )
}

function content(list: ClusterListState): ReactNode {
  switch (list.kind) {
    case 'unread':
      return <Spinner size={24} aria-label="Reading the list of clusters" />
    case 'failed':
      return (
        <FailureCallout
          title="The clusters cannot be listed"
          failure={list.failure}
          onRetry={() => void loadClusters()}
        />
      )
    case 'listed':
      return list.byName.size === 0 ? (
        <NonIdealState
          title="No cluster is registered yet"
          description="Add one by its kubeconfig and, for compute nodes, its clouds.yaml. Both stay where they are; nothing is changed in the cluster. To look around first, start `lockkeeper serve --demo`."
          action={<AnchorButton intent="primary" text="Add a cluster" href={hashOf({ kind: 'add-cluster' })} />}
        />
      ) : (
        <ul className="clusters-list plain-list">
          {[...list.byName.values()].map(cluster => (
            <li key={cluster.name}>
              <ClusterCard cluster={cluster} />
            </li>
          ))}
        </ul>
      )
    default:
      return assertNever(list, 'state of the cluster list')
  }
}

/** One registered cluster: what it is, by which names we talk to it, what runs on it. Names only, never addresses or secrets. */
function ClusterCard({ cluster }: { readonly cluster: Cluster }): ReactNode {
  const runs = useRuns(store => store.list)
  const open = openRunsOf(runs, cluster.name)
  const colour = useClusterColour(cluster.name)
  const topology = hashOf(clusterRoute(cluster.name, 'topology'))
  return (
    <article className="clusters-card card" aria-label={cluster.name}>
      <span className="cluster-dot" style={{ background: colour }} />
      <div className="clusters-body grow">
        <div className="clusters-title row">
          <h2>
            <a href={topology}>{cluster.name}</a>
          </h2>
          {cluster.production ? <span className="tag-production">PRODUCTION</span> : null}
        </div>
        <span className="quiet">{FLAVOUR_WORDS[cluster.flavour]}</span>
        <dl className="facts">
          <dt>Context</dt>
          <dd>{cluster.kubeconfig.context}</dd>
          <dt>Cloud</dt>
          <dd>{cluster.cloud?.cloud ?? 'none: Kubernetes only'}</dd>
          <dt>At work</dt>
          <dd>
            {open.length === 0 ? 'no run' : `${counted(open.length, 'run')}: ${open.map(planSubject).join(', ')}`}
          </dd>
        </dl>
        <div className="clusters-actions">
          <AnchorButton size="small" text="Open" href={topology} />
          <AnchorButton size="small" text="Settings" href={hashOf(clusterRoute(cluster.name, 'settings'))} />
          {open.length === 0 ? null : (
            <AnchorButton size="small" text="Runs" href={hashOf(clusterRoute(cluster.name, 'runs'))} />
          )}
        </div>
      </div>
    </article>
  )
}
