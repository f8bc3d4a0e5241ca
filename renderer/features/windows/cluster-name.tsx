import type { ReactNode } from 'react'
import { useClusterColour, useClusters } from '../../stores/clusters.ts'

/** A cluster by its name with its colour; also one that is no longer registered. */
export function ClusterName({ name }: { readonly name: string }): ReactNode {
  const cluster = useClusters(({ list }) => (list.kind === 'listed' ? list.byName.get(name) : undefined))
  const colour = useClusterColour(name)
  return (
    <span className="win-cluster">
      <span className="win-dot" style={{ background: colour }} />
      {name}
      {cluster?.production ? <span className="tag-production">PRODUCTION</span> : null}
    </span>
  )
}
