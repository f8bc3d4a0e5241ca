import { gatewayAgentsOf } from '../../shared/domain/agents-of-node.ts'
import type { ClusterNode } from '../../shared/domain/kubernetes.ts'
import type { RoleFacts } from '../../shared/domain/node-roles.ts'
import type { Result } from '../../shared/domain/result.ts'
import { cephAccessOf } from '../../shared/domain/role-maintenance.ts'
import { computeServiceOf } from './compute-host.ts'
import { unitOnNode } from './juju-units.ts'
import type { MaintenanceWorld } from './ports.ts'
import { storesOf } from './storage-node.ts'

/**
 * Asks Nova, Neutron and Ceph, each once, what nodes do; each that does not answer leaves its own fact open. Nova and Neutron are asked on
 * Sunbeam only: elsewhere labels tell those roles, whatever they would say.
 */
export async function readRoleFacts(
  world: Pick<MaintenanceWorld, 'cluster' | 'openstack' | 'ceph' | 'juju'>,
  signal?: AbortSignal,
): Promise<(node: ClusterNode) => RoleFacts> {
  const { cluster, openstack, ceph, juju } = world
  const access = cephAccessOf(cluster)
  const byLabels = cluster.flavour !== 'sunbeam'
  // A cluster whose cloud is registered but was not reached has no port: that is no answer either.
  const cloudless = byLabels || cluster.cloud === null ? false : null
  const asksCeph = access === 'toolbox' || (access === 'microceph' && juju !== null)
  const [services, agents, status, osds, reported] = await Promise.all([
    byLabels ? null : (openstack?.computeServices(signal) ?? null),
    byLabels ? null : (openstack?.networkAgents(null, signal) ?? null),
    byLabels ? null : (juju?.status(signal) ?? null),
    asksCeph ? ceph.osds(signal) : null,
    asksCeph ? ceph.osdsReported(signal) : null,
  ])
  return node => ({
    computes: services === null ? cloudless : told(services, list => computeServiceOf(node, list) !== null),
    // A chassis that was disabled is no agent any more; its unit is still there.
    routes:
      (status?.ok && unitOnNode(status.value, 'microovn', node.name) !== null) ||
      (agents === null ? cloudless : told(agents, list => gatewayAgentsOf(node.name, list).length > 0)),
    stores:
      osds === null || reported === null
        ? // MicroCeph without a Juju controller to ask it by: nobody knows.
          access === 'none'
          ? false
          : null
        : told(osds, list => storesOf(list, reported, node.name)),
  })
}

function told<T>(answer: Result<T>, tells: (value: T) => boolean | null): boolean | null {
  if (answer.ok) return tells(answer.value)
  return answer.failure.code === 'not-found' ? false : null
}
