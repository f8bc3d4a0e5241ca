import { AnchorButton, NonIdealState, Spinner } from '@blueprintjs/core'
import { type ReactNode, useEffect } from 'react'
import { useShallow } from 'zustand/react/shallow'
import type { Cluster } from '../../../shared/domain/cluster.ts'
import { SourceName } from '../../../shared/domain/cluster-view.ts'
import { assertNever } from '../../../shared/domain/must.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { FLAVOUR_WORDS } from '../../../shared/words/flavours.ts'
import { loadClusters } from '../../bridge/clusters.ts'
import { showCluster } from '../../bridge/views.ts'
import { type ClusterListState, useClusterColour, useClusters } from '../../stores/clusters.ts'
import { useConnection } from '../../stores/connection.ts'
import { clusterRoute, hashOf } from '../../stores/route.ts'
import { openRunsOf, useRuns } from '../../stores/runs.ts'
import { lastOf, useViews } from '../../stores/views.ts'
import { areNodesOld, clusterStatus, needOf, nodeCounts } from '../../ui/clusters/cluster-status.ts'
import { FailureCallout } from '../../ui/failure-callout.tsx'
import { FirstHint, useIsFirstMinute } from '../../ui/first-minute.tsx'
import { SourceAge } from '../../ui/source-age.tsx'
import { FleetNodes } from './fleet-nodes.tsx'
import { FleetRuns } from './fleet-runs.tsx'
import { FleetWindow } from './fleet-window.tsx'
import { useFileDrop } from './use-file-drop.ts'
import './fleet.css'

/** The first screen: all clouds, those that need you first. */
export function FleetScreen(): ReactNode {
  const list = useClusters(store => store.list)
  const reading = useClusters(store => store.reading)
  const drop = useFileDrop()
  return (
    <div className="fleet" data-drop={drop.over} {...drop.handlers}>
      <div className="fleet-head row">
        <h1 className="visually-hidden">Home</h1>
        <FleetTotal />
        <AnchorButton intent="primary" text="Add a cloud" href={hashOf({ kind: 'add-cluster' })} />
      </div>
      <div aria-busy={reading}>{content(list)}</div>
      <FleetFirstMinute />
    </div>
  )
}

/** In the demo, before the first run: which cloud to open. */
function FleetFirstMinute(): ReactNode {
  const cluster = useFirstCloud()
  return cluster === null ? null : (
    <FirstHint>
      Open <a href={hashOf(clusterRoute(cluster, 'topology'))}>{cluster}</a>, and take a node out of service. Nothing
      here is real.
    </FirstHint>
  )
}

/** The cloud for a new operator of the demo: an ordinary one. */
function useFirstCloud(): string | null {
  const isFirst = useIsFirstMinute()
  const plain = useClusters(({ list }) =>
    list.kind === 'listed'
      ? ([...list.byName.values()].find(({ flavour, production }) => flavour === 'plain' && !production)?.name ?? null)
      : null,
  )
  return isFirst ? plain : null
}

/** How many nodes of all readable clouds are in service. */
function FleetTotal(): ReactNode {
  const clusters = useClusters(({ list }) => (list.kind === 'listed' ? list.byName : null))
  const connected = useConnection(({ connection }) => connection.kind === 'connected')
  const totals = useViews(
    useShallow(({ byCluster }) => {
      const known = [...(clusters?.keys() ?? [])].flatMap(name => {
        const state = byCluster.get(name)
        const counts = nodeCounts(lastOf(state), [])
        return counts === null ? [] : [{ ...counts, isOld: !connected || areNodesOld(state) }]
      })
      const sum = (of: 'all' | 'inService') => known.reduce((all, counts) => all + counts[of], 0)
      const old = known.filter(({ isOld }) => isOld).length
      return { clouds: known.length, all: sum('all'), inService: sum('inService'), old }
    }),
  )
  if (clusters === null || clusters.size === 0) return null
  if (totals.clouds === 0) return <p className="fleet-total">Not read yet: {counted(clusters.size, 'cloud')}</p>
  return (
    <p className="fleet-total">
      <b>{totals.inService}</b> of {counted(totals.all, 'node')} in service in{' '}
      {totals.clouds === clusters.size
        ? counted(clusters.size, 'cloud')
        : `${totals.clouds} of ${counted(clusters.size, 'cloud')}; the others are not read yet`}
      {totals.old === 0 ? null : (
        <span className="caution">; {counted(totals.old, 'cloud')} without an answer, as last seen</span>
      )}
    </p>
  )
}

function content(list: ClusterListState): ReactNode {
  switch (list.kind) {
    case 'unread':
      return <Spinner size={24} aria-label="Reading the list of clouds" />
    case 'failed':
      return (
        <FailureCallout
          title="The clouds cannot be listed"
          failure={list.failure}
          onRetry={() => void loadClusters()}
        />
      )
    case 'listed':
      return list.byName.size === 0 ? (
        <NonIdealState
          title="No cloud is registered yet"
          description="Add one by its kubeconfig and, for compute nodes, its clouds.yaml. Lockkeeper leaves both files where they are and changes nothing in the cloud. To look around first, start `lockkeeper serve --demo`."
          action={<AnchorButton intent="primary" text="Add a cloud" href={hashOf({ kind: 'add-cluster' })} />}
        />
      ) : (
        <Clusters clusters={[...list.byName.values()]} />
      )
    default:
      return assertNever(list, 'state of the cloud list')
  }
}

function Clusters({ clusters }: { readonly clusters: readonly Cluster[] }): ReactNode {
  const names = clusters.map(({ name }) => name).join('\n')
  useEffect(() => {
    for (const name of names.split('\n')) showCluster(name)
  }, [names])
  const runs = useRuns(store => store.list)
  const connected = useConnection(({ connection }) => connection.kind === 'connected')
  const needs = useViews(
    useShallow(store =>
      clusters.map(({ name }) =>
        needOf(clusterStatus(openRunsOf(runs, name), store.byCluster.get(name), connected).tone),
      ),
    ),
  )
  const inOrder = clusters
    .map((cluster, at) => ({ cluster, need: needs[at] ?? 0 }))
    .sort((a, b) => b.need - a.need || a.cluster.name.localeCompare(b.cluster.name))
  return (
    <ul className="fleet-list plain-list">
      {inOrder.map(({ cluster }) => (
        <li key={cluster.name}>
          <ClusterCard cluster={cluster} />
        </li>
      ))}
    </ul>
  )
}

/** One cloud: its nodes by state, what needs you, its open or next window, and the age of the data. */
function ClusterCard({ cluster }: { readonly cluster: Cluster }): ReactNode {
  const { name, production, flavour } = cluster
  const state = useViews(store => store.byCluster.get(name))
  const connected = useConnection(({ connection }) => connection.kind === 'connected')
  const open = openRunsOf(
    useRuns(store => store.list),
    name,
  )
  const colour = useClusterColour(name)
  const status = clusterStatus(open, state, connected)
  const counts = nodeCounts(lastOf(state), open)
  const isPointedAt = useFirstCloud() === name
  return (
    <article
      className={`fleet-card card column${isPointedAt ? ' first-pointed' : ''}`}
      aria-label={name}
      data-tone={status.tone}
    >
      <header className="row">
        <span className="cluster-dot" style={{ background: colour }} />
        <h2 className="cut">
          <a href={hashOf(clusterRoute(name, 'topology'))}>{name}</a>
        </h2>
        {production ? <span className="tag-production">PRODUCTION</span> : null}
        <span className="space" />
        {state === undefined || state.kind === 'opening' ? (
          <span className="quiet small">{status.text}</span>
        ) : (
          <SourceAge cluster={name} sources={SourceName.options} />
        )}
      </header>
      <p className="quiet small fleet-what">{FLAVOUR_WORDS[flavour]}</p>
      {counts === null ? null : <FleetNodes counts={counts} old={state?.kind !== 'open' || !connected} />}
      {state?.kind === 'failed' ? (
        <p className="fleet-line" data-tone="failed">
          <b>No answer.</b> {state.failure.message}
        </p>
      ) : null}
      <FleetRuns runs={open} />
      <span className="space" />
      <FleetWindow cluster={name} />
      <p className="fleet-reach quiet small cut">
        <span className="mono">{cluster.kubeconfig.context}</span> ·{' '}
        {cluster.cloud === null ? (
          'Kubernetes only'
        ) : (
          <>
            cloud <span className="mono">{cluster.cloud.cloud}</span>
          </>
        )}{' '}
        · <a href={hashOf(clusterRoute(name, 'settings'))}>Settings</a>
      </p>
    </article>
  )
}
