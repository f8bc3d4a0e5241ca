import { CrossIcon } from '@blueprintjs/icons'
import type { ReactNode } from 'react'
import { clusterRoute, turnTo, useRoute } from '../../stores/route.ts'
import { useViews } from '../../stores/views.ts'
import { HostModeEditor } from '../../ui/instances/host-mode-editor.tsx'
import { InstanceTable } from '../../ui/instances/instance-table.tsx'
import { SourceAge } from '../../ui/source-age.tsx'

interface Props {
  readonly cluster: string
}

/** Instances of one cluster or node, and their migration modes. */
export function InstancesScreen({ cluster }: Props): ReactNode {
  const node = useRoute(({ place }) => (place.kind === 'cluster' ? place.node : null))
  const isOpen = useViews(store => store.byCluster.get(cluster)?.kind === 'open')
  return (
    <div className="inst-screen column">
      <header className="inst-title row">
        <h1>Instances of {cluster}</h1>
        {node === null ? null : (
          <button
            type="button"
            className="inst-chip bare inst-node"
            title={`Show all instances of ${cluster}`}
            onClick={() => turnTo(clusterRoute(cluster, 'instances'))}
          >
            on {node} <CrossIcon size={12} />
          </button>
        )}
        <span className="space" />
        <SourceAge cluster={cluster} sources={['instances', 'compute-services']} />
      </header>
      {node === null ? null : (
        <details className="inst-host">
          <summary>Migration mode of {node}</summary>
          <HostModeEditor cluster={cluster} node={node} />
        </details>
      )}
      <div className={`inst-live${isOpen ? '' : ' stale'}`}>
        <InstanceTable key={node} cluster={cluster} node={node} />
      </div>
    </div>
  )
}
