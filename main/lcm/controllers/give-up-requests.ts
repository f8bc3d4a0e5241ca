import type { ControllerName } from '../../../shared/domain/maintenance-api.ts'
import { ok, type Result } from '../../../shared/domain/result.ts'
import type { ControllerWorld } from '../../ports/world.ts'
import { finalizerOf } from './worker-parts.ts'

/** Releases every request that our controllers held: another controller takes over and does not know our finalizers. Locks and services stay for it to judge. */
export async function giveUpRequests(
  world: Pick<ControllerWorld, 'locks' | 'maintenanceApi'>,
  controllers: readonly ControllerName[],
): Promise<Result<void>> {
  const objects = await world.maintenanceApi.objects()
  if (!objects.ok) return objects
  const { nodeRequests, clusterRequests } = objects.value
  const held = [
    ...nodeRequests.map(request => ({ kind: 'NodeMaintenanceRequest' as const, ...request })),
    ...clusterRequests.map(request => ({ kind: 'ClusterMaintenanceRequest' as const, ...request })),
  ]
  for (const finalizer of controllers.map(finalizerOf)) {
    for (const { kind, name, uid, finalizers } of held) {
      if (!finalizers.includes(finalizer)) continue
      const gone = await world.locks.setFinalizer({ kind, name, uid }, finalizer, false)
      if (!gone.ok) return gone
    }
  }
  return ok(undefined)
}
