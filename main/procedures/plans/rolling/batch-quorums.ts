import type { BatchQuorum } from '../../../../shared/domain/batch-facts.ts'
import type { CephServices } from '../../../../shared/domain/ceph.ts'
import { cephServicesRuleOf, servicesWithout } from '../../../../shared/domain/ceph-services.ts'
import { cephAccessOf } from '../../../../shared/domain/cluster.ts'
import type { Failure } from '../../../../shared/domain/failure.ts'
import type { ClusterNode, Pod, Workload } from '../../../../shared/domain/kubernetes.ts'
import { isSameMachine } from '../../../../shared/domain/machine-names.ts'
import { ok, type Result } from '../../../../shared/domain/result.ts'
import { CEPH_MEMBERS } from '../../../../shared/words/steps/plans.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import { quorumOf } from '../../steps/control/control-quorum.ts'
import { controlNodes, datastorePods } from '../../steps/control/datastore-members.ts'
import { quorumServiceOf } from '../../steps/requests/hard-locks.ts'

interface ReadQuorums {
  readonly quorums: readonly BatchQuorum[]
  readonly unreachable: readonly string[]
  /** Why members are missing here that nothing else stands for; null if none are. */
  readonly unread: Failure | null
}

/** Members of which enough must stay: datastore, Ceph's daemons, and on `mosk` services that refuse a second node (docs/domain.md A.2). */
export async function readBatchQuorums(world: MaintenanceWorld, signal?: AbortSignal): Promise<ReadQuorums> {
  const [datastore, ceph, services] = await Promise.all([
    datastoreQuorums(world, signal),
    cephQuorums(world, signal),
    world.cluster.flavour === 'mosk' ? serviceQuorums(world, signal) : ok([]),
  ])
  const others = [ceph, services]
  return {
    quorums: [...datastore.quorums, ...others.flatMap(read => (read.ok ? read.value : []))],
    unreachable: [
      ...new Set([...datastore.unreachable, ...others.flatMap(read => (read.ok ? [] : [read.failure.message]))]),
    ],
    unread: datastore.unread ?? others.flatMap(read => (read.ok ? [] : [read.failure]))[0] ?? null,
  }
}

/** Control nodes count as the members where pods are unreadable or hidden. */
async function datastoreQuorums(
  { kubernetes, cluster }: MaintenanceWorld,
  signal: AbortSignal | undefined,
): Promise<ReadQuorums> {
  const [pods, nodes] = await Promise.all([kubernetes.listPods('kube-system', signal), kubernetes.listNodes(signal)])
  if (!nodes.ok) return { quorums: [], unreachable: [nodes.failure.message], unread: nodes.failure }
  const { kind, members } =
    (pods.ok ? datastorePods(pods.value) : null) ?? controlNodes(nodes.value, cluster.roleLabels)
  return {
    quorums: members.length === 0 ? [] : [{ what: kind, needed: quorumOf(members.length), members }],
    unreachable: pods.ok ? [] : [pods.failure.message],
    unread: null,
  }
}

async function cephQuorums(
  world: MaintenanceWorld,
  signal: AbortSignal | undefined,
): Promise<Result<readonly BatchQuorum[]>> {
  const access = cephAccessOf(world.cluster)
  if (access === 'none' || (access === 'microceph' && world.juju === null)) return ok([])
  const [services, nodes] = await Promise.all([world.ceph.services(signal), world.kubernetes.listNodes(signal)])
  if (!services.ok) return services.failure.code === 'not-found' ? ok([]) : services
  if (!nodes.ok) return nodes
  const rule = cephServicesRuleOf(world.cluster, services.value.release)
  // Rook starts managers and metadata servers elsewhere after a drain; monitors stay where their data is.
  return ok(cephMembers(services.value, nodes.value, rule, kind => access === 'microceph' || kind === 'mon'))
}

function cephMembers(
  services: CephServices,
  nodes: readonly ClusterNode[],
  rule: Parameters<typeof servicesWithout>[2],
  counts: (kind: keyof typeof CEPH_MEMBERS) => boolean,
): readonly BatchQuorum[] {
  // Without a node Ceph says only how many daemons of each kind are needed.
  return servicesWithout(services, [], rule).flatMap(({ kind, needed }) => {
    const daemons = services.daemons.filter(daemon => daemon.kind === kind)
    if (needed === 0 || daemons.length === 0 || !counts(kind)) return []
    return [
      {
        what: CEPH_MEMBERS[kind],
        needed,
        members: daemons.map(({ name, node, active }) => ({
          name: `${kind}.${name}`,
          node: node === null ? null : (nodes.find(each => isSameMachine(node, each.name))?.name ?? null),
          // A standby takes over; a monitor out of quorum does not.
          serves: kind === 'mon' ? active : true,
        })),
      },
    ]
  })
}

async function serviceQuorums(
  { kubernetes, cluster }: MaintenanceWorld,
  signal: AbortSignal | undefined,
): Promise<Result<readonly BatchQuorum[]>> {
  const [workloads, pods] = await Promise.all([
    kubernetes.listWorkloads(['StatefulSet'], signal),
    kubernetes.listPods(cluster.openstackNamespace, signal),
  ])
  if (!workloads.ok) return workloads
  if (!pods.ok) return pods
  return ok(
    workloads.value
      .filter(({ namespace, name }) => namespace === cluster.openstackNamespace && quorumServiceOf(name) !== null)
      .map(set => setQuorum(set, pods.value)),
  )
}

/** All replicas but one must be ready: otherwise Rockoon's is_node_locked refuses a node. */
function setQuorum({ name, uid, replicas }: Workload, pods: readonly Pod[]): BatchQuorum {
  return {
    what: `${name} (${quorumServiceOf(name)})`,
    needed: replicas - 1,
    members: pods
      .filter(pod => pod.controller?.uid === uid)
      .map(pod => ({ name: pod.name, node: pod.nodeName, serves: pod.ready })),
  }
}
