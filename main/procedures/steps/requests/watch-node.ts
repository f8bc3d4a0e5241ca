import type { ClusterNode } from '../../../../shared/domain/kubernetes.ts'
import type { MaintenanceObjects } from '../../../../shared/domain/maintenance-api.ts'
import type { Result } from '../../../../shared/domain/result.ts'
import type { MaintenanceApiPort } from '../../../ports/maintenance-api.ts'
import type { MaintenanceContext } from '../../node-input.ts'
import { maintenanceOf, type NodeMaintenance } from './node-maintenance.ts'

/** A read by another node's wait may be this old. */
const SHARED_MS = 500

interface Look {
  readonly at: number
  readonly objects: Promise<Result<MaintenanceObjects>>
}

const looks = new WeakMap<MaintenanceApiPort, Look>()

/** Nodes of an update that wait together share their reads: a full list per node and second would overload an API server. Null: the run stops. */
export function watchNode(node: string, ctx: MaintenanceContext): () => Promise<Result<NodeMaintenance> | null> {
  const { clock, signal, world } = ctx
  const { maintenanceApi, kubernetes } = world
  // An older read may not show this run's latest request.
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
        : // Other waits share it, so it does not end with this run.
          { at: now, objects: maintenanceApi.objects() }
    looks.set(maintenanceApi, look)
    const objects = await look.objects
    if (!objects.ok) return objects
    const found = maintenanceOf(node, all, objects.value, world.cluster)
    // A list without the node is read again.
    if (!found.ok) all = null
    return found
  }

  return () => (signal.aborted ? Promise.resolve(null) : Promise.race([read(), stopped]))
}
