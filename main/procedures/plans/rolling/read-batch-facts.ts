import { gatewayAgentsOf } from '../../../../shared/domain/agents-of-node.ts'
import type { BatchCeph, BatchFacts, BatchHost, BatchLimits, BatchNode } from '../../../../shared/domain/batch-facts.ts'
import type { RoleLimit } from '../../../../shared/domain/batch-findings.ts'
import type { CephOsd } from '../../../../shared/domain/ceph.ts'
import { osdsOfNode } from '../../../../shared/domain/ceph-safety.ts'
import { type Cluster, cephAccessOf } from '../../../../shared/domain/cluster.ts'
import { isMaintenanceReason } from '../../../../shared/domain/disabled-reason.ts'
import type { Failure } from '../../../../shared/domain/failure.ts'
import { HOST_MODE_ANNOTATION } from '../../../../shared/domain/instance-policy.ts'
import type { ClusterNode } from '../../../../shared/domain/kubernetes.ts'
import { namesOfNode } from '../../../../shared/domain/machine-names.ts'
import { ROCKOON_DISABLED_REASON, SEED_COMPUTE_MAX } from '../../../../shared/domain/maintenance-api.ts'
import { rolesOfNode } from '../../../../shared/domain/node-roles.ts'
import type { ComputeService, Instance, Listing, NetworkAgent } from '../../../../shared/domain/openstack.ts'
import { ok, type Result } from '../../../../shared/domain/result.ts'
import { found } from '../../../../shared/words/step-texts.ts'
import { signWords } from '../../../../shared/words/steps/away-nodes.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import { computeServiceOf } from '../../steps/compute/compute-host.ts'
import { type OsdsReported, storesOf } from '../../steps/storage/storage-node.ts'
import { readBatchQuorums } from './batch-quorums.ts'

/** Default limit of compute nodes in one batch, without the node maintenance API. */
const COMPUTES_OF_A_BATCH = 30

export interface ReadBatchFacts {
  readonly facts: BatchFacts
  readonly unreachable: readonly string[]
  /** Why the quorums are not all in the facts; null if they are. */
  readonly quorumsUnread: Failure | null
}

/** Only the list of nodes is required; other silent sources leave their part of the check open. `racks`: also ask Ceph which racks may stop whole. */
export async function readBatchFacts(
  world: MaintenanceWorld,
  openstackFailure: Failure | null,
  { racks, signal }: { readonly racks: boolean; readonly signal?: AbortSignal },
): Promise<Result<ReadBatchFacts>> {
  const { cluster, kubernetes, openstack } = world
  const [nodes, services, instances, providers, groups, agents, listed, reported, quorums] = await Promise.all([
    kubernetes.listNodes(signal),
    openstack?.computeServices(signal) ?? null,
    openstack?.listInstances(signal) ?? null,
    openstack?.resourceProviders(signal) ?? null,
    openstack?.serverGroups(signal) ?? null,
    // Only on Sunbeam do agents show a role that no label shows.
    cluster.flavour === 'sunbeam' ? (openstack?.networkAgents(null, signal) ?? null) : null,
    cephIsAsked(world) ? world.ceph.osds(signal) : null,
    cephIsAsked(world) ? world.ceph.osdsReported(signal) : null,
    readBatchQuorums(world, signal),
  ])
  if (!nodes.ok) return nodes
  const cloudless = openstack === null && cluster.cloud === null
  const read = <T>(answer: Result<T> | null, none: T): T | null =>
    answer === null ? (cloudless ? none : null) : answer.ok ? answer.value : null
  const computes = read<readonly ComputeService[]>(services, [])
  const listing = read<Listing<Instance>>(instances, { items: [], unreachable: [] })
  const hostsHidden = listing !== null && hidesHosts(listing.items)
  const osds = listed === null || reported === null ? null : { listed, reported }
  const ceph = await cephOf(world, nodes.value, osds, racks, signal)
  const batchNodes = nodes.value.map(node => batchNode(node, cluster, { computes, agents: read(agents, []), osds }))
  const nodeOf = new Map(batchNodes.flatMap(node => (node.host === null ? [] : [[node.host, node] as const])))
  return ok({
    facts: {
      nodes: batchNodes,
      hosts: computes === null ? null : computes.map(service => batchHost(service, nodeOf.get(service.host) ?? null)),
      instances: listing === null || hostsHidden ? null : listing.items,
      instancesMissing: listing?.unreachable ?? [],
      providers: read(providers, []),
      groups: read(groups, []),
      ceph: ceph.ceph,
      quorums: quorums.quorums,
      limits: limitsOf(cluster, ceph.ceph),
    },
    unreachable: [
      ...(openstackFailure === null ? [] : [openstackFailure.message]),
      ...new Set([services, instances, providers, groups, agents].flatMap(failureOf)),
      ...(listing?.unreachable ?? []),
      ...(hostsHidden ? [found('HostsNotShown').message] : []),
      ...ceph.unreachable,
      ...quorums.unreachable,
    ],
    quorumsUnread: quorums.unread,
  })
}

function failureOf(answer: Result<unknown> | null): readonly string[] {
  return answer === null || answer.ok ? [] : [answer.failure.message]
}

/** Nova hides hosts from users without the administrator role: by such a list nothing would have to move. */
function hidesHosts(instances: readonly Instance[]): boolean {
  const placed = instances.filter(({ partial, vmState }) => !partial && vmState !== 'building')
  return placed.length > 0 && placed.every(({ host }) => host === null)
}

interface ReadOsds {
  readonly listed: Result<readonly CephOsd[]>
  readonly reported: Result<OsdsReported>
}

function batchNode(
  node: ClusterNode,
  cluster: Cluster,
  read: {
    readonly computes: readonly ComputeService[] | null
    readonly agents: readonly NetworkAgent[] | null
    readonly osds: ReadOsds | null
  },
): BatchNode {
  const service = read.computes === null ? null : computeServiceOf(node, read.computes)
  return {
    name: node.name,
    roles: rolesOfNode(node, cluster, {
      computes: read.computes === null ? null : service !== null,
      routes: read.agents === null ? null : gatewayAgentsOf(namesOfNode(node), read.agents).length > 0,
      stores: read.osds?.listed.ok ? storesOf(read.osds.listed.value, read.osds.reported, node.name) : 'silent',
      controls: null,
    }),
    zone: service?.zone ?? null,
    host: service?.host ?? null,
    hostMode: node.annotations[HOST_MODE_ANNOTATION] ?? null,
    ready: node.readiness === 'ready',
    away: whyAway(node, service),
  }
}

function whyAway(node: ClusterNode, service: ComputeService | null): string | null {
  if (node.readiness !== 'ready') return 'not Ready'
  if (node.unschedulable) return signWords({ code: 'Cordoned' })
  const reason = service?.status === 'disabled' ? service.disabledReason : null
  return reason !== null && isForMaintenance(reason) ? signWords({ code: 'ComputeDisabled', reason }) : null
}

function batchHost(
  { host, zone, status, state, disabledReason, forcedDown }: ComputeService,
  node: BatchNode | null,
): BatchHost {
  const up = state === 'up' && !forcedDown
  return {
    name: host,
    zone,
    takes: status === 'enabled' && up,
    // A node in maintenance may have a stopped nova-compute; it reports again after the return.
    takesWhenBack: (status === 'enabled' || isForMaintenance(disabledReason)) && (up || (node?.away ?? null) !== null),
  }
}

function isForMaintenance(reason: string | null): boolean {
  return isMaintenanceReason(reason) || reason === ROCKOON_DISABLED_REASON
}

function cephIsAsked({ cluster, juju }: Pick<MaintenanceWorld, 'cluster' | 'juju'>): boolean {
  const access = cephAccessOf(cluster)
  return access === 'toolbox' || (access === 'microceph' && juju !== null)
}

async function cephOf(
  world: MaintenanceWorld,
  nodes: readonly ClusterNode[],
  read: ReadOsds | null,
  racks: boolean,
  signal: AbortSignal | undefined,
): Promise<{ readonly ceph: BatchCeph; readonly unreachable: readonly string[] }> {
  const unknown = (why: string) => ({ ceph: { kind: 'unknown' as const, why }, unreachable: [why] })
  if (read === null) {
    if (cephAccessOf(world.cluster) === 'none') return { ceph: { kind: 'none' }, unreachable: [] }
    return unknown(found('MicroCephNotAsked').message)
  }
  const { listed: osds, reported } = read
  if (!osds.ok) {
    return osds.failure.code === 'not-found'
      ? { ceph: { kind: 'none' }, unreachable: [] }
      : unknown(osds.failure.message)
  }
  if (!reported.ok) return unknown(reported.failure.message)
  const rackOf = new Map(
    nodes.flatMap(({ name }) => {
      const [first] = osdsOfNode(osds.value, name)
      return first === undefined ? [] : [[name, first.rack ?? null] as const]
    }),
  )
  const unclear = nodes.map(({ name }) => name).filter(name => typeof storesOf(osds.value, reported, name) === 'string')
  const named = racks ? [...new Set(osds.value.flatMap(({ rack }) => rack ?? []))] : []
  const answers = await Promise.all(
    named.map(async rack => ({
      rack,
      answer: await world.ceph.okToStop(
        osds.value.filter(osd => osd.rack === rack).map(({ id }) => id),
        signal,
      ),
    })),
  )
  return {
    ceph: {
      kind: 'known',
      rackOf,
      unclear: new Set(unclear),
      racksMayStop: new Set(answers.flatMap(({ rack, answer }) => (answer.ok && answer.value.ok ? [rack] : []))),
    },
    unreachable: [
      ...(unclear.length === 0 ? [] : [found('OsdsContradict', { nodes: unclear }).message]),
      ...new Set(answers.flatMap(({ answer }) => failureOf(answer))),
    ],
  }
}

/** Control nodes one by one, and storage nodes whose disks are unknown; the rest by the cluster settings. */
function limitsOf({ flavour, maintenanceApi }: Cluster, ceph: BatchCeph): BatchLimits {
  return {
    perRole: {
      control: { most: 1, by: 'one-by-one' },
      gateway: { most: maintenanceApi.gatewayMax, by: 'cluster-setting' },
      compute: computesAtOnce({ flavour, maintenanceApi }),
      storage: ceph.kind === 'none' ? { most: 1, by: 'no-ceph' } : null,
    },
    roleLimits: flavour === 'mosk' ? maintenanceApi.roleLimits : 'own',
    zonesByControllers: flavour === 'mosk' && maintenanceApi.respectZone,
  }
}

/** The configured limit, else one node with the node maintenance API (seed 000) and the default of a batch without. */
function computesAtOnce({ flavour, maintenanceApi }: Pick<Cluster, 'flavour' | 'maintenanceApi'>): RoleLimit {
  const { computeMax } = maintenanceApi
  if (computeMax !== null) return { most: computeMax, by: 'cluster-setting' }
  return { most: flavour === 'mosk' ? SEED_COMPUTE_MAX : COMPUTES_OF_A_BATCH, by: 'default-setting' }
}
