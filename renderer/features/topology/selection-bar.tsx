import { Button } from '@blueprintjs/core'
import { Cross } from '@blueprintjs/icons'
import type { ReactNode } from 'react'
import { selectedNodes, selectNodes, useSelection } from '../../stores/selection.ts'
import { selectedNow } from './chosen-nodes.ts'
import { takeTo } from './node-actions.ts'
import { useShownPlaces } from './node-selectors.ts'

interface Props {
  readonly cluster: string
  /** What stands in its place while there are not several: the map must not move while nodes are selected on it. */
  readonly otherwise: ReactNode
}

/** What can be done with several selected nodes. */
export function SelectionBar({ cluster, otherwise }: Props): ReactNode {
  const selected = useSelection(store => selectedNodes(store, cluster))
  const places = useShownPlaces(cluster)
  const count = places.filter(place => selected.includes(place.name)).length
  if (count < 2) return otherwise
  return (
    <fieldset className="topo-selection" aria-label="Selected nodes">
      <span>{count} selected</span>
      <Button size="small" text="Enter…" onClick={() => takeTo(cluster, selectedNow(cluster), 'entering')} />
      <Button size="small" text="Leave…" onClick={() => takeTo(cluster, selectedNow(cluster), 'leaving')} />
      <Button size="small" text="Queue" onClick={() => takeTo(cluster, selectedNow(cluster), 'queue')} />
      <Button
        size="small"
        variant="minimal"
        icon={<Cross />}
        aria-label="Select none"
        onClick={() => selectNodes(cluster, [])}
      />
    </fieldset>
  )
}
