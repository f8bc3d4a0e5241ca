import type { ReactNode } from 'react'
import { useClusterColour, useClusters } from '../../stores/clusters.ts'
import './cluster-name.css'

/** A cluster's name and colour; also for clusters that are no longer registered. */
export function ClusterName({ name }: { readonly name: string }): ReactNode {
  const cluster = useClusters(({ list }) => (list.kind === 'listed' ? list.byName.get(name) : undefined))
  const colour = useClusterColour(name)
  return (
    <span className="cluster-name">
      <span className="dot" style={{ background: colour }} />
      <span className="cut" title={name}>
        {name}
      </span>
      {cluster?.production ? <span className="badge tag-production">Production</span> : null}
    </span>
  )
}
