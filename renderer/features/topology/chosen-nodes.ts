import { selectedNodes, useSelection } from '../../stores/selection.ts'
import { shownNow } from './node-selectors.ts'
import { nodeAt } from './use-map-pointer.ts'

/** The selected nodes that are shown: nothing is done to what one does not see. */
export function selectedNow(cluster: string): readonly string[] {
  const seen = new Set(shownNow(cluster))
  return selectedNodes(useSelection.getState(), cluster).filter(name => seen.has(name))
}

/** What a key is meant for: the selected nodes, or the tile that has the focus when none is. */
export function chosenNow(cluster: string): readonly string[] {
  const selected = selectedNow(cluster)
  const focused = nodeAt(document.activeElement)
  return selected.length > 0 || focused === null ? selected : [focused]
}
