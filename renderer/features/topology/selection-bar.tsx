import { Button } from '@blueprintjs/core'
import { CrossIcon } from '@blueprintjs/icons'
import type { ReactNode } from 'react'
import { selectedNodes, selectNodes, useSelection } from '../../stores/selection.ts'
import { selectedNow } from './chosen-nodes.ts'
import { useShownPlaces } from './node-selectors.ts'
import { TakeButton } from './take-button.tsx'

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
      <TakeButton cluster={cluster} nodes={() => selectedNow(cluster)} target="entering" text="Enter…" />
      <TakeButton cluster={cluster} nodes={() => selectedNow(cluster)} target="leaving" text="Leave…" />
      <TakeButton cluster={cluster} nodes={() => selectedNow(cluster)} target="queue" text="Queue" />
      <Button
        size="small"
        variant="minimal"
        icon={<CrossIcon />}
        aria-label="Select none"
        onClick={() => selectNodes(cluster, [])}
      />
    </fieldset>
  )
}
