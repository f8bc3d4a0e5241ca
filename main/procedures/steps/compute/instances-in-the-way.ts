import type { NodeWorkloadLock } from '../../../../shared/domain/maintenance-api.ts'
import { found } from '../../../../shared/words/step-texts.ts'
import { itemsOf } from '../../../../shared/words/steps/coded.ts'
import type { MaintenanceContext } from '../../node-input.ts'
import { readComputeHost } from './classify-instances.ts'

/** Instances that keep the OpenStack Controller from releasing the node (docs/domain.md A.5, A.6); null if something else does, or it is unknown. */
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
  const instances = itemsOf(
    staying.map(({ instance: { name, id }, policy }) => ({ name, id, because: policy.because })),
  )
  return found('InstancesInTheWay', { host: host.value.service.host, instances }).message
}
