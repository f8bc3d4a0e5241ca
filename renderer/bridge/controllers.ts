import type { Envelope } from '../../shared/contract/index.ts'
import type { ControllerProposal, ControllersStatus } from '../../shared/contract/maintenance.ts'
import { failedAfter, useUpdates } from '../stores/updates.ts'
import { askMain, listen, onResync } from './transport.ts'

/** Keeps the status of Lockkeeper's own controllers on a cluster current; returns a stop function. */
export function followControllers(cluster: string): () => void {
  const read = () => void readControllers(cluster)
  read()
  const stops = [
    listen('controllers.changed', status => {
      if (status.cluster === cluster) put(status)
    }),
    // A setting of the cluster says which controllers are Lockkeeper's.
    listen('cluster.changed', read),
    onResync(read),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

async function readControllers(cluster: string): Promise<void> {
  const answer = await askMain('controllers.status', { cluster })
  if (answer.ok) put(answer.value)
  else {
    useUpdates.setState(({ controllers }) => ({
      controllers: new Map(controllers).set(cluster, failedAfter(controllers.get(cluster), answer.failure)),
    }))
  }
}

/** Finds out which controllers answer maintenance requests on a cluster. A proposal: it changes nothing. */
export function detectControllers(cluster: string): Promise<Envelope<ControllerProposal[]>> {
  return askMain('controllers.detect', { cluster })
}

/** Runs Lockkeeper's controllers in this console. */
export async function startControllers(cluster: string): Promise<Envelope<ControllersStatus>> {
  const answer = await askMain('controllers.start', { cluster })
  if (answer.ok) put(answer.value)
  return answer
}

export async function stopControllers(cluster: string): Promise<Envelope<ControllersStatus>> {
  const answer = await askMain('controllers.stop', { cluster })
  if (answer.ok) put(answer.value)
  return answer
}

function put(status: ControllersStatus): void {
  useUpdates.setState(({ controllers }) => ({
    controllers: new Map(controllers).set(status.cluster, { kind: 'read', value: status }),
  }))
}
