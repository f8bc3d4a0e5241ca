import { selectedNodes, useSelection } from '../../stores/selection.ts'
import { shownNow } from './node-selectors.ts'
import { nodeAt } from './use-map-pointer.ts'

/** The selected nodes that are shown: nothing is done to what one does not see. */
export function selectedNow(cluster: string): readonly string[] {
  const seen = new Set(shownNow(cluster))
  return selectedNodes(useSelection.getState(), cluster).filter(name => seen.has(name))
}

/** What a key is meant for: the selected nodes; a tile that has the focus and is not one of them stands alone, as in the menu. */
export function chosenNow(cluster: string): readonly string[] {
  const selected = selectedNow(cluster)
  const focused = nodeAt(document.activeElement)
  return focused === null || selected.includes(focused) ? selected : [focused]
}
