import { gatewayAgentsOf } from '../../shared/domain/agents-of-node.ts'
import { NOOUT_ANNOTATION } from '../../shared/domain/ceph.ts'
import type { ClusterNode } from '../../shared/domain/kubernetes.ts'
import type { RoleFacts, StoresOsds } from '../../shared/domain/node-roles.ts'
import type { Result } from '../../shared/domain/result.ts'
import { cephAccessOf } from '../../shared/domain/role-maintenance.ts'
import { cephDaemonOf } from './ceph-daemons.ts'
import { computeServiceOf } from './compute-host.ts'
import { unitOnNode } from './juju-units.ts'
import type { MaintenanceWorld } from './ports.ts'
import { storesOf, unheardOsds } from './storage-node.ts'

/**
 * Asks Nova, Neutron and Ceph, each once, what nodes do; each that does not answer leaves its own fact open. Nova and Neutron are asked on
 * Sunbeam only: elsewhere labels tell those roles, whatever they would say.
 */
export async function readRoleFacts(
  world: Pick<MaintenanceWorld, 'cluster' | 'openstack' | 'ceph' | 'juju' | 'kubernetes'>,
  signal?: AbortSignal,
): Promise<(node: ClusterNode) => RoleFacts> {
  const { cluster, openstack, ceph, juju, kubernetes } = world
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
  // While Ceph is silent its pods, and a note on the node that it needs noout, still tell which nodes have OSDs, though never that one has none.
  const isSilent = osds?.ok === false || reported?.ok === false
  const osdHosts =
    isSilent && access === 'toolbox' ? await hostsOfOsdPods({ cluster, kubernetes }, signal) : new Set<string>()
  return node => ({
    computes: services === null ? cloudless : told(services, list => computeServiceOf(node, list) !== null),
    // A chassis that was disabled is no agent any more; its unit is still there.
    routes:
      (status?.ok && unitOnNode(status.value, 'microovn', node.name) !== null) ||
      (agents === null ? cloudless : told(agents, list => gatewayAgentsOf(node.name, list).length > 0)),
    stores: storesOn(node),
  })

  function storesOn(node: ClusterNode): StoresOsds {
    // MicroCeph without a Juju controller to ask it by: nobody knows.
    if (osds === null || reported === null) return access === 'none' ? false : 'silent'
    if (!osds.ok && osds.failure.code === 'not-found') return false
    const stores = osds.ok ? storesOf(osds.value, reported, node.name) : unheardOsds(osds.failure)
    const wasSeen = osdHosts.has(node.name) || node.annotations[NOOUT_ANNOTATION] !== undefined
    return stores === 'silent' && wasSeen ? true : stores
  }
}

/** Rook's label on the pod of an OSD: its node, also while it is drained from there and runs nowhere. */
const OSD_HOST_LABEL = 'topology-location-host'

/** The nodes that Rook's pods of OSDs name; none where they cannot be read. */
async function hostsOfOsdPods(
  { cluster, kubernetes }: Pick<MaintenanceWorld, 'cluster' | 'kubernetes'>,
  signal?: AbortSignal,
): Promise<ReadonlySet<string>> {
  const pods = await kubernetes.listPods(cluster.maintenanceApi.cephNamespace, signal)
  const osds = pods.ok ? pods.value.filter(pod => cephDaemonOf(pod, cluster) === 'osd') : []
  return new Set(osds.flatMap(pod => [pod.nodeName ?? [], pod.labels[OSD_HOST_LABEL] ?? []].flat()))
}

function told<T>(answer: Result<T>, tells: (value: T) => boolean): boolean | null {
  if (answer.ok) return tells(answer.value)
  return answer.failure.code === 'not-found' ? false : null
}
