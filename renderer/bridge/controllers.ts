import type { Envelope } from '../../shared/contract/index.ts'
import type { ControllerProposal, ControllersStatus } from '../../shared/contract/maintenance.ts'
import { failedAfter, useUpdates } from '../stores/updates.ts'
import { ask, listen, onResync } from './transport.ts'

/** Keeps what our own controllers do on a cluster current for as long as it is looked at; answers how to stop. */
export function followControllers(cluster: string): () => void {
  const read = () => void readControllers(cluster)
  read()
  const stops = [
    listen('controllers.changed', status => {
      if (status.cluster === cluster) put(status)
    }),
    // Which controllers are ours is a setting of the cluster.
    listen('cluster.changed', read),
    onResync(read),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

/** Asks what our controllers do there. */
async function readControllers(cluster: string): Promise<void> {
  const answer = await ask('controllers.status', { cluster })
  if (answer.ok) put(answer.value)
  else {
    useUpdates.setState(({ controllers }) => ({
      controllers: new Map(controllers).set(cluster, failedAfter(controllers.get(cluster), answer.failure)),
    }))
  }
}

/** Looks who answers maintenance requests on a cluster: proposals, nothing is set. */
export function detectControllers(cluster: string): Promise<Envelope<ControllerProposal[]>> {
  return ask('controllers.detect', { cluster })
}

/** Runs our own controllers in the process behind this page. */
export async function startControllers(cluster: string): Promise<Envelope<ControllersStatus>> {
  const answer = await ask('controllers.start', { cluster })
  if (answer.ok) put(answer.value)
  return answer
}

/** Stops the controllers that this console runs. */
export async function stopControllers(cluster: string): Promise<Envelope<ControllersStatus>> {
  const answer = await ask('controllers.stop', { cluster })
  if (answer.ok) put(answer.value)
  return answer
}

function put(status: ControllersStatus): void {
  useUpdates.setState(({ controllers }) => ({
    controllers: new Map(controllers).set(status.cluster, { kind: 'read', value: status }),
  }))
}
