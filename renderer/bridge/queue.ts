import type { Envelope, MaintenanceQueue } from '../../shared/contract/index.ts'
import { useQueue } from '../stores/queue.ts'
import { ask, listen, onResync } from './transport.ts'

/** Follows the queues that main keeps; answers how to stop. */
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

/** Reads a cluster's queue. */
export async function readQueue(cluster: string): Promise<void> {
  const answer = await ask('queue.show', { cluster })
  if (answer.ok) put(answer.value)
}

/** Sets nodes aside, or takes them back. Starts nothing. */
export async function changeQueue(
  cluster: string,
  change: { readonly add?: readonly string[]; readonly remove?: readonly string[] },
): Promise<Envelope<MaintenanceQueue>> {
  const answer = await ask('queue.change', {
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
