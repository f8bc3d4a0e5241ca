import { useClusters } from '../stores/clusters.ts'
import { ask } from './transport.ts'

/** Reads the registered clusters again and shows them, or why they cannot be shown. */
export async function loadClusters(): Promise<void> {
  const { loading, listed, failed } = useClusters.getState()
  loading()
  const answer = await ask('cluster.list', {})
  if (answer.ok) listed(answer.value)
  else failed(answer.failure)
}
