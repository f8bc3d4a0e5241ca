import type { NodeWorkloadLock } from '../../../../shared/domain/maintenance-api.ts'
import { counted, someOf } from '../../../../shared/grammar/counts.ts'
import type { MaintenanceContext } from '../../node-input.ts'
import { instanceLabel, readComputeHost } from './classify-instances.ts'

/** Enough to act on; a host may carry hundreds. */
const MOST_NAMED = 5

/**
 * The instances that keep the OpenStack Controller from giving the node, named with who has to act (docs/domain.md A.5, A.6); null when that
 * is not what it waits for, or nobody knows.
 */
export async function instancesInTheWay(
  node: string,
  open: readonly NodeWorkloadLock[],
  ctx: MaintenanceContext,
): Promise<string | null> {
  if (ctx.world.openstack === null || !open.some(lock => lock.controller === 'openstack')) return null
  const host = await readComputeHost(node, ctx)
  if (!host.ok) return null
  const staying = host.value.instances.filter(({ policy }) => policy.action !== 'ignore')
  if (staying.length === 0) return null
  const named = staying.map(({ instance, policy }) => `${instanceLabel(instance)}, ${policy.reason}`)
  return `${counted(staying.length, 'instance')} still on ${host.value.service.host}: ${someOf(named, MOST_NAMED)}.`
}
