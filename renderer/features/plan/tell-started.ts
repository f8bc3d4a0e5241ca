import type { RunSummary } from '../../../shared/contract/index.ts'
import { clusterPlace, goTo } from '../../stores/place.ts'
import { tell } from '../../stores/saying.ts'

/** Says that a run began, with the way to it; who looks at the map stays there, for its dock shows the run. */
export function tellStarted({ id, cluster, node, kind }: RunSummary): void {
  const open = () => goTo(clusterPlace(cluster, 'runs', { runId: id }))
  tell({
    text: `${kind === 'enter' ? 'Entering maintenance' : 'Bringing back'}: ${node} of ${cluster}.`,
    action: { text: 'Open run', run: open },
  })
}
