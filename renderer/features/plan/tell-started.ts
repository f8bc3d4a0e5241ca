import type { RunSummary } from '../../../shared/contract/index.ts'
import { clusterRoute, goTo } from '../../stores/route.ts'
import { showToast } from '../../stores/toasts.ts'

/** Says that a run began, with the way to it; who looks at the map stays there, for its dock shows the run. */
export function tellStarted({ id, cluster, node, kind }: RunSummary): void {
  const open = () => goTo(clusterRoute(cluster, 'runs', { runId: id }))
  showToast({
    text: `${kind === 'enter' ? 'Entering maintenance' : 'Bringing back'}: ${node} of ${cluster}.`,
    action: { text: 'Open run', run: open },
  })
}
