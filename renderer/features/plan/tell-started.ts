import type { RunSummary } from '../../../shared/contract/index.ts'
import { clusterPlace, goTo } from '../../stores/place.ts'

/** Takes the operator to the run that was just started, unless they look at the map: there the dock shows it. */
export function tellStarted(run: RunSummary): void {
  if (!window.location.hash.includes('/topology')) goTo(clusterPlace(run.cluster, 'runs', { runId: run.id }))
}
