import { useClusters } from '../stores/clusters.ts'
import { ask, listen, onResync } from './transport.ts'

/** Keeps the list of clusters current; answers how to stop. */
export function followClusters(): () => void {
  void loadClusters()
  const again = () => void loadClusters()
  const stops = [listen('cluster.changed', again), onResync(again)]
  return () => {
    for (const stop of stops) stop()
  }
}

/** Reads the registered clusters again and shows them, or why they cannot be shown. */
export async function loadClusters(): Promise<void> {
  const { loading, listed, failed } = useClusters.getState()
  loading()
  const answer = await ask('cluster.list', {})
  if (answer.ok) listed(answer.value)
  else failed(answer.failure)
}
