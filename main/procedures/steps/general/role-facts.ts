import { gatewayAgentsOf } from '../../../../shared/domain/agents-of-node.ts'
import { NOOUT_ANNOTATION } from '../../../../shared/domain/ceph.ts'
import { cephAccessOf } from '../../../../shared/domain/cluster.ts'
import type { Failure } from '../../../../shared/domain/failure.ts'
import { unitOnNode } from '../../../../shared/domain/juju-units.ts'
import type { ClusterNode, Pod } from '../../../../shared/domain/kubernetes.ts'
import { namesOfNode } from '../../../../shared/domain/machine-names.ts'
import { controlPlaneNamespaces, controlPodsOn, type RoleFacts } from '../../../../shared/domain/node-roles.ts'
import { ok, type Result } from '../../../../shared/domain/result.ts'
import { rolesOf } from '../../../../shared/domain/roles.ts'
import { fault } from '../../../../shared/words/step-texts.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import { refusal } from '../../answers.ts'
import { computeServiceOf } from '../compute/compute-host.ts'
import { cephDaemonOf } from '../storage/ceph-daemons.ts'
import { silentOsds, storesOf } from '../storage/storage-node.ts'

/** Asks each program once for the roles of all nodes; a missing answer leaves only its own fact open. Only Sunbeam needs Neutron for gateways. */
export async function readRoleFacts(
  world: Pick<MaintenanceWorld, 'cluster' | 'openstack' | 'ceph' | 'juju' | 'kubernetes'>,
  signal?: AbortSignal,
): Promise<(node: ClusterNode) => RoleFacts> {
  const { cluster, openstack, ceph, juju, kubernetes } = world
  const access = cephAccessOf(cluster)
  const isSunbeam = cluster.flavour === 'sunbeam'
  // A registered cloud that nobody reached has no port, and so gave no answer.
  const cloudless = cluster.cloud === null ? ('not-asked' as const) : null
  const asksCeph = access === 'toolbox' || (access === 'microceph' && juju !== null)
  const [services, agents, status, osds, reported, pods] = await Promise.all([
    openstack?.computeServices(signal) ?? null,
    isSunbeam ? (openstack?.networkAgents(null, signal) ?? null) : null,
    isSunbeam ? (juju?.status(signal) ?? null) : null,
    asksCeph ? ceph.osds(signal) : null,
    asksCeph ? ceph.osdsReported(signal) : null,
    listControlPlanePods(world, signal),
  ])
  // Ceph's pods and noout notes show which nodes have OSDs, but never that a node has none.
  const isSilent = osds?.ok === false || reported?.ok === false
  const osdHosts =
    isSilent && access === 'toolbox' ? await hostsOfOsdPods({ cluster, kubernetes }, signal) : new Set<string>()
  return node => ({
    computes: services === null ? cloudless : whereRead(services, list => computeServiceOf(node, list) !== null),
    // A disabled chassis has no agent any more, but its unit exists.
    routes: isSunbeam
      ? (status?.ok && unitOnNode(status.value.units, 'microovn', node.name) !== null) ||
        (agents === null ? cloudless : whereRead(agents, list => gatewayAgentsOf(namesOfNode(node), list).length > 0))
      : 'not-asked',
    stores: storesOn(node),
    controls: pods.ok ? controlPodsOn(node.name, pods.value, cluster.roleLabels) : null,
  })

  function storesOn(node: ClusterNode): RoleFacts['stores'] {
    // MicroCeph without a Juju controller: unknown.
    if (osds === null || reported === null) return access === 'none' ? 'not-asked' : 'silent'
    if (!osds.ok && osds.failure.code === 'not-found') return 'not-asked'
    const stores = osds.ok ? storesOf(osds.value, reported, node.name) : silentOsds(osds.failure)
    const wasSeen = osdHosts.has(node.name) || node.annotations[NOOUT_ANNOTATION] !== undefined
    return stores === 'silent' && wasSeen ? true : stores
  }
}

/** For one node, and Ceph only where a label marks storage. Unreadable pods are a failure; `silent`: why Nova did not answer. */
export async function readRoleFactsOf(
  node: ClusterNode,
  { cluster, openstack, ceph, kubernetes }: Pick<MaintenanceWorld, 'cluster' | 'openstack' | 'ceph' | 'kubernetes'>,
  signal?: AbortSignal,
): Promise<Result<{ readonly facts: RoleFacts; readonly silent: Failure | null }>> {
  const asksCeph = cephAccessOf(cluster) !== 'none' && rolesOf(node.labels, cluster.roleLabels).includes('storage')
  const [services, osds, reported, pods] = await Promise.all([
    openstack?.computeServices(signal) ?? null,
    asksCeph ? ceph.osds(signal) : null,
    asksCeph ? ceph.osdsReported(signal) : null,
    kubernetes.listPodsOnNode(node.name, signal),
  ])
  if (!pods.ok) return pods
  const cloudless = cluster.cloud === null ? ('not-asked' as const) : null
  return ok({
    facts: {
      computes: services === null ? cloudless : whereRead(services, list => computeServiceOf(node, list) !== null),
      routes: 'not-asked',
      // The checks of the role report a silent Ceph.
      stores: osds?.ok && reported?.ok ? storesOf(osds.value, reported, node.name) : 'not-asked',
      controls: controlPodsOn(node.name, pods.value, cluster.roleLabels),
    },
    silent:
      services === null
        ? cluster.cloud === null
          ? null
          : refusal('unreachable', fault('CloudNotReached', { cluster: cluster.name }))
        : services.ok || services.failure.code === 'not-found'
          ? null
          : services.failure,
  })
}

/** In Kubernetes' own and OpenStack's namespaces. */
export async function listControlPlanePods(
  { cluster, kubernetes }: Pick<MaintenanceWorld, 'cluster' | 'kubernetes'>,
  signal?: AbortSignal,
): Promise<Result<readonly Pod[]>> {
  const listed = await Promise.all(
    controlPlaneNamespaces(cluster).map(namespace => kubernetes.listPods(namespace, signal)),
  )
  const unread = listed.find(answer => !answer.ok)
  return unread ?? ok(listed.flatMap(answer => (answer.ok ? answer.value : [])))
}

/** Rook's label for an OSD's node, even while the pod is evicted and runs nowhere. */
const OSD_HOST_LABEL = 'topology-location-host'

/** Empty: the pods cannot be read. */
async function hostsOfOsdPods(
  { cluster, kubernetes }: Pick<MaintenanceWorld, 'cluster' | 'kubernetes'>,
  signal?: AbortSignal,
): Promise<ReadonlySet<string>> {
  const pods = await kubernetes.listPods(cluster.maintenanceApi.cephNamespace, signal)
  const osds = pods.ok ? pods.value.filter(pod => cephDaemonOf(pod, cluster) === 'osd') : []
  return new Set(osds.flatMap(pod => [pod.nodeName ?? [], pod.labels[OSD_HOST_LABEL] ?? []].flat()))
}

function whereRead<T>(answer: Result<T>, reports: (value: T) => boolean): boolean | null {
  if (answer.ok) return reports(answer.value)
  return answer.failure.code === 'not-found' ? false : null
}
