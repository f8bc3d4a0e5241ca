import { selectedNodes, useSelection } from '../../stores/selection.ts'
import { shownNow } from './node-selectors.ts'
import { nodeAt } from './use-map-pointer.ts'

/** The selected and visible nodes: nothing is done to hidden ones. */
export function selectedNow(cluster: string): readonly string[] {
  const seen = new Set(shownNow(cluster))
  return selectedNodes(useSelection.getState(), cluster).filter(name => seen.has(name))
}

/** The nodes that a key acts on: the selected nodes, or only the focused tile if it is not selected, as in the menu. */
export function chosenNow(cluster: string): readonly string[] {
  const selected = selectedNow(cluster)
  const focused = nodeAt(document.activeElement)
  return focused === null || selected.includes(focused) ? selected : [focused]
}
