import type { ReactNode } from 'react'
import { naturally } from '../../geometry/natural-order.ts'
import { useNodeDetail } from '../../stores/node-detail.ts'

/** The labels of a node, folded: they decide its roles and zone. */
export function NodeLabels({ name }: { readonly name: string }): ReactNode {
  const labels = useNodeDetail(store => (store.detail?.node === name ? store.detail.labels : null))
  if (labels === null) return null
  const all = Object.entries(labels).sort(([a], [b]) => naturally(a, b))
  return (
    <details className="topo-panel-section topo-labels">
      <summary>
        <b>Labels</b> <span className="quiet">{all.length}</span>
      </summary>
      <ul className="mono">
        {all.map(([key, value]) => (
          <li key={key}>{value === '' ? key : `${key}=${value}`}</li>
        ))}
      </ul>
    </details>
  )
}
