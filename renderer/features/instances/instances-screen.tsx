import { CrossIcon } from '@blueprintjs/icons'
import type { ReactNode } from 'react'
import { clusterRoute, turnTo, useRoute } from '../../stores/route.ts'
import { useViews } from '../../stores/views.ts'
import { HostModeEditor } from '../../ui/instances/host-mode-editor.tsx'
import { InstanceTable } from '../../ui/instances/instance-table.tsx'

interface Props {
  readonly cluster: string
}

/** Instances of one cluster or node, and their migration modes. */
export function InstancesScreen({ cluster }: Props): ReactNode {
  const node = useRoute(({ place }) => (place.kind === 'cluster' ? place.node : null))
  const isOpen = useViews(store => store.byCluster.get(cluster)?.kind === 'open')
  return (
    <div className="inst-screen column">
      <header className="inst-title row wrap">
        <h1>Instances</h1>
        {node === null ? (
          <span className="quiet">What happens to each if its node goes out of service, and how to change it</span>
        ) : (
          <button
            type="button"
            className="inst-chip bare"
            aria-pressed="true"
            title={`Show all instances of ${cluster}`}
            onClick={() => turnTo(clusterRoute(cluster, 'instances'))}
          >
            <span>
              on <span className="mono">{node}</span>
            </span>
            <CrossIcon size={12} />
          </button>
        )}
      </header>
      {node === null ? null : (
        <details className="inst-host">
          <summary>Mode of the node</summary>
          <HostModeEditor cluster={cluster} node={node} />
        </details>
      )}
      <div className={`inst-live${isOpen ? '' : ' stale'}`}>
        <InstanceTable key={node} cluster={cluster} node={node} />
      </div>
    </div>
  )
}
