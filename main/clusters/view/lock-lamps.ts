import type { WorkloadLockLamp } from '../../../shared/domain/cluster-view.ts'
import { type MaintenanceObjects, ORIGINAL_NODE_ANNOTATION } from '../../../shared/domain/maintenance-api.ts'

export function lampsOf(
  maintenance: MaintenanceObjects | null,
  nodeOfLock: (nodeName: string) => string | null,
): ReadonlyMap<string, readonly WorkloadLockLamp[]> {
  const lamps = new Map<string, WorkloadLockLamp[]>()
  for (const { controller, nodeName, state, errorMessage } of maintenance?.nodeLocks ?? []) {
    const node = nodeOfLock(nodeName)
    if (node === null) continue
    const lamp = { controller, state, message: errorMessage }
    const known = lamps.get(node) ?? []
    lamps.set(
      node,
      [...known, lamp].sort((a, b) => a.controller.localeCompare(b.controller)),
    )
  }
  return lamps
}

/** The objects without the copy of the whole node on each lock, which no screen shows. */
export function withoutNodeCopies(objects: MaintenanceObjects): MaintenanceObjects {
  return {
    ...objects,
    nodeLocks: objects.nodeLocks.map(lock => {
      const { [ORIGINAL_NODE_ANNOTATION]: _, ...annotations } = lock.annotations
      return { ...lock, annotations }
    }),
  }
}
