import { useClusters } from '../stores/clusters.ts'
import { askMain, listen, onResync } from './transport.ts'

/** Keeps the list of clusters current; returns a stop function. */
export function followClusters(): () => void {
  void loadClusters()
  const again = () => void loadClusters()
  const stops = [listen('cluster.changed', again), onResync(again)]
  return () => {
    for (const stop of stops) stop()
  }
}

export async function loadClusters(): Promise<void> {
  const { loading, listed, failed } = useClusters.getState()
  loading()
  const answer = await askMain('cluster.list', {})
  if (answer.ok) listed(answer.value)
  else failed(answer.failure)
}
