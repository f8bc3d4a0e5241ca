import type { Envelope, MaintenanceQueue } from '../../shared/contract/index.ts'
import { useQueue } from '../stores/queue.ts'
import { askMain, listen, onResync } from './transport.ts'

/** Keeps the queues current; returns a stop function. */
export function followQueues(): () => void {
  const stops = [
    listen('queue.changed', put),
    onResync(() => {
      for (const cluster of useQueue.getState().byCluster.keys()) void readQueue(cluster)
    }),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

export async function readQueue(cluster: string): Promise<void> {
  const answer = await askMain('queue.show', { cluster })
  if (answer.ok) put(answer.value)
}

/** Adds nodes to the queue or removes them. Starts nothing. */
export async function changeQueue(
  cluster: string,
  change: { readonly add?: readonly string[]; readonly remove?: readonly string[] },
): Promise<Envelope<MaintenanceQueue>> {
  const answer = await askMain('queue.change', {
    cluster,
    add: [...(change.add ?? [])],
    remove: [...(change.remove ?? [])],
  })
  if (answer.ok) put(answer.value)
  return answer
}

function put({ cluster, nodes }: MaintenanceQueue): void {
  useQueue.setState(({ byCluster }) => ({ byCluster: new Map(byCluster).set(cluster, nodes) }))
}
