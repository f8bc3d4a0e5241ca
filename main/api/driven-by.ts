import { nodeLease, UPDATE_LEASE } from '../../shared/domain/lease-name.ts'
import { isGone, type LeaseState } from '../../shared/domain/lease-state.ts'
import { ok, type Result } from '../../shared/domain/result.ts'
import type { MaintenanceWorld } from '../ports/world.ts'
import { WORTH_WAITING_MS, watchHolder } from '../procedures/steps/general/node-lease.ts'
import type { ApiServices } from './services.ts'

/**
 * The driver of the node, or of an update of its cloud, for this journal or another; null if there is no driver. A driver that seems gone is watched
 * until that is certain.
 */
export async function drivenBy(
  node: string | null,
  world: MaintenanceWorld,
  services: Pick<ApiServices, 'clock'>,
): Promise<Result<{ readonly subject: string; readonly holder: LeaseState } | null>> {
  const look = { world, clock: services.clock, signal: new AbortController().signal, runId: '' }
  const subjects = [{ name: UPDATE_LEASE, subject: world.cluster.name }]
  if (node !== null) subjects.push({ name: nodeLease(node), subject: node })
  for (const { name, subject } of subjects) {
    const holder = await watchHolder(name, look, WORTH_WAITING_MS)
    if (!holder.ok) return holder
    if (holder.value !== null && !isGone(holder.value)) return ok({ subject, holder: holder.value })
  }
  return ok(null)
}
