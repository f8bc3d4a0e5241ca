import type { ClusterNode } from '../../../../shared/domain/kubernetes.ts'
import type { MaintenanceObjects } from '../../../../shared/domain/maintenance-api.ts'
import type { Result } from '../../../../shared/domain/result.ts'
import type { MaintenanceApiPort } from '../../../ports/maintenance-api.ts'
import type { MaintenanceContext } from '../../node-input.ts'
import { maintenanceOf, type NodeMaintenance } from './node-maintenance.ts'

/** As old as a look may be that another node's wait made. */
const SHARED_MS = 500

interface Look {
  readonly at: number
  readonly objects: Promise<Result<MaintenanceObjects>>
}

/** The last look at each cluster. */
const looks = new WeakMap<MaintenanceApiPort, Look>()

/**
 * Looks at one node again and again while it is waited for. An update waits for many nodes at once, and a list of everything for each of them
 * each second is more than an API server should be asked: nodes that wait side by side share their looks. Null when the run stops.
 */
export function watchNode(node: string, ctx: MaintenanceContext): () => Promise<Result<NodeMaintenance> | null> {
  const { clock, signal, world } = ctx
  const { maintenanceApi, kubernetes } = world
  // A look from before this wait may not know yet what this run has just asked for.
  const since = clock.monotonicMs()
  const stopped = new Promise<null>(resolve => signal.addEventListener('abort', () => resolve(null), { once: true }))
  let all: readonly ClusterNode[] | null = null

  async function read(): Promise<Result<NodeMaintenance>> {
    if (all === null) {
      const nodes = await kubernetes.listNodes(signal)
      if (!nodes.ok) return nodes
      all = nodes.value
    }
    const last = looks.get(maintenanceApi)
    const now = clock.monotonicMs()
    const look =
      last !== undefined && last.at > since && now - last.at < SHARED_MS
        ? last
        : // Others may wait for it as well, so that it does not end with this run.
          { at: now, objects: maintenanceApi.objects() }
    looks.set(maintenanceApi, look)
    const objects = await look.objects
    if (!objects.ok) return objects
    const found = maintenanceOf(node, all, objects.value, world.cluster)
    // A list without the node is asked for again.
    if (!found.ok) all = null
    return found
  }

  return () => (signal.aborted ? Promise.resolve(null) : Promise.race([read(), stopped]))
}
