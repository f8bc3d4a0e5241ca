import type { ClusterNode } from '../../../../shared/domain/kubernetes.ts'
import type { ComputeService } from '../../../../shared/domain/openstack.ts'
import { ok, type Result } from '../../../../shared/domain/result.ts'
import { cloudOf, type MaintenanceContext } from '../../node-input.ts'
import { otherAgents, readAgentsOf } from './agent-records.ts'
import { type OtherRecords, otherRecords } from './compute-records.ts'
import { otherHypervisors } from './hypervisor-records.ts'

/** What Nova's and Neutron's records of a node mean, beside the `service` that counts. Unreadable ones block nothing. */
export async function otherRecordsOf(
  node: ClusterNode,
  service: ComputeService,
  services: readonly ComputeService[],
  ctx: MaintenanceContext,
): Promise<Result<OtherRecords>> {
  const computes = await otherRecords(node, services, ctx)
  if (!computes.ok) return computes
  const [agents, hypervisors] = await Promise.all([
    readAgentsOf(node, service.host, ctx),
    otherHypervisors(node, service, cloudOf(ctx), ctx),
  ])
  const all = [computes.value, ...(agents.ok ? [otherAgents(node.name, agents.value)] : []), hypervisors]
  return ok({ blockers: all.flatMap(each => each.blockers), warnings: all.flatMap(each => each.warnings) })
}
