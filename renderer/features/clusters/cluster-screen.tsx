import { type ReactNode, useEffect } from 'react'
import { assertNever } from '../../../shared/domain/must.ts'
import { loadClusters } from '../../bridge/clusters.ts'
import { type ClusterListState, useClusters } from '../../stores/clusters.ts'
import { Notice } from '../../ui/notice.tsx'
import { ClusterCard } from './cluster-card.tsx'

/** The start page: the clusters Lockkeeper knows. */
export function ClusterScreen(): ReactNode {
  const list = useClusters(state => state.list)
  const reading = useClusters(state => state.reading)
  useEffect(() => {
    void loadClusters()
  }, [])
  return (
    <>
      <div className="page-head">
        <h1>Clusters</h1>
        <button type="button" disabled={reading} onClick={() => void loadClusters()}>
          Read again
        </button>
      </div>
      <div aria-live="polite" aria-busy={reading}>
        {content(list)}
      </div>
    </>
  )
}

function content(list: ClusterListState): ReactNode {
  switch (list.kind) {
    case 'unread':
      return <p className="quiet">Reading the list of clusters.</p>
    case 'failed':
      return (
        <Notice tone="problem" title="The clusters cannot be listed">
          <p>{list.failure.message}</p>
        </Notice>
      )
    case 'listed':
      return list.byName.size === 0 ? <NoClusters /> : <ClusterCards list={list} />
    default:
      return assertNever(list, 'state of the cluster list')
  }
}

function ClusterCards({ list }: { readonly list: Extract<ClusterListState, { kind: 'listed' }> }): ReactNode {
  return (
    <ul className="cards">
      {[...list.byName.values()].map(cluster => (
        <li key={cluster.name}>
          <ClusterCard cluster={cluster} />
        </li>
      ))}
    </ul>
  )
}

function NoClusters(): ReactNode {
  return (
    <Notice tone="plain" title="No cluster is registered yet">
      <p>
        Add one in a terminal with <code>lockkeeper cluster add</code>, then read the list again. It takes a kubeconfig
        and, for compute nodes, a clouds.yaml; both stay where they are.
      </p>
      <p>
        To look around first, <code>lockkeeper demo tour</code> puts a node of an embedded cloud into maintenance and
        takes it out again.
      </p>
    </Notice>
  )
}
