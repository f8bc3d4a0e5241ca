import { someOf } from '../../grammar/counts.ts'
import type { FaultText, OfCluster, OfHost, OfNode, TextsOf } from './coded.ts'

/** Titles of steps and batches that a plan sets. */
export const PLAN_TITLES = {
  node: 'The node',
  controlNodes: 'Control-plane nodes, one by one',
  closing: 'No new instances on these nodes',
  otherLocks: 'Wait until other applications mark their ClusterWorkloadLock as inactive',
} as const

/** The phase that follows a pause of an update. */
export const AFTER_PAUSE = {
  applications: 'OpenStack and Ceph',
  'control-nodes': 'the control-plane nodes',
  'worker-nodes': 'the worker nodes',
  finalize: 'other applications and the end of the maintenance',
} as const

/** The title and reason of the wait for a lock. */
export const LOCK_TEXTS = {
  openstack: {
    title: 'Wait until OpenStack is updated and marks its ClusterWorkloadLock as inactive',
    why: 'The OpenStack update starts with the request. When it is finalized, the OpenStack Controller marks its ClusterWorkloadLock as inactive.',
  },
  ceph: {
    title: 'Wait until Ceph is updated and marks its ClusterWorkloadLock as inactive',
    why: 'Ceph waits for the ClusterWorkloadLock of OpenStack to become inactive; then its controller triggers the update of the Ceph cluster and marks its own lock as inactive when it is finalized.',
  },
} as const

/** Why an update has these steps of a node (seed 003). */
export const UPDATE_WHYS = {
  request: (scope: string) =>
    `Creates the NodeMaintenanceRequest for the node with scope ${scope}. Application controllers start preparing the node according to the scope.`,
  locks:
    'The node is touched only when all application controllers have marked their NodeWorkloadLock objects for it as inactive.',
  drain: 'All pods are evacuated from the node gracefully. DaemonSet pods are not evacuated and left running.',
} as const

/** Ceph's daemons of one kind, as the members of a quorum. */
export const CEPH_MEMBERS = {
  mon: "Ceph's monitors",
  mgr: "Ceph's managers",
  mds: "Ceph's metadata servers",
} as const

/** `Group racks, zone az-1: 3 at a time`; the number names a group of a window. */
export function batchTitle(
  { name, atOnce }: { readonly name: string; readonly atOnce: number },
  zone: string | null,
  of: 'update' | 'rolling-maintenance',
): string {
  const batch = of === 'update' ? undefined : /^batch-(\d+)$/.exec(name)?.[1]
  const group = batch === undefined ? `Group ${name}` : `Batch ${batch}`
  return `${group}${zone === null ? '' : `, zone ${zone}`}: ${atOnce === 1 ? 'one by one' : `${atOnce} at a time`}`
}

/** `Take out: 3 at a time`; control-plane nodes go first. */
export function emptyTitle(batch: string, atOnce: number): string {
  const many = atOnce === 1 ? 'one by one' : `${atOnce} at a time`
  return batch === 'control-nodes' ? PLAN_TITLES.controlNodes : `Take out: ${many}`
}

export const PLANS_FINDINGS = {
  HostsNotShown: () =>
    'Nova does not show this user the hosts of instances. That needs the rule os_compute_api:os-extended-server-attributes (role admin).',
  MicroCephNotAsked: () => 'The cloud has no Juju controller through which Lockkeeper could ask MicroCeph.',
  OsdsContradict: ({ nodes }: { readonly nodes: readonly string[] }) =>
    `Cannot tell which OSDs ${nodes.join(', ')} has: the CRUSH map and the reports of the OSDs disagree.`,
  LeftForSilentKubelet: () => 'its kubelet does not report: bring it back, or include the node yourself',
} satisfies TextsOf<string>

/** Where an update lists a node: among the control-plane nodes, or in a group. */
type Place = { readonly kind: 'control-nodes' } | { readonly kind: 'group'; readonly name: string }

export const PLANS_FAULTS = {
  MachineNotInOneRun: ({ node }: OfNode) => ({
    message: `${node} is a machine outside of Kubernetes, where Lockkeeper cannot see when the work is done: its whole maintenance cannot be one run.`,
    remedy: 'Use enter, do the work, then leave.',
  }),
  WatcherOnMosk: ({ cluster }: OfCluster) => ({
    message: `Cloud ${cluster} has flavour mosk, where the OpenStack Controller empties compute nodes: strategy watcher is not available.`,
    remedy: '',
  }),
  OnlyWithWatcher: ({ cluster, choice }: OfCluster & { readonly choice: keyof typeof WATCHER_CHOICES }) => ({
    message: `${WATCHER_CHOICES[choice]} needs strategy watcher, but Watcher does not empty this node of ${cluster}.`,
    remedy: 'Choose strategy watcher, or leave the option out.',
  }),
  OnlyMaintainRunsCommands: () => ({
    message: 'Only `lockkeeper maintain` runs a command as the work, for one node. Windows and updates cannot.',
    remedy: 'Choose another way to know when the work is done, or leave it out.',
  }),
  StuckRuleNotOurs: ({ cluster, mover }: OfCluster & { readonly mover: 'controllers' | 'watcher' }) => ({
    message: `A rule for live migrations without progress is not available here: ${mover === 'controllers' ? 'the OpenStack Controller' : 'Watcher'} moves the instances of ${cluster} and decides about a stuck one.`,
    remedy: `Leave the rule out${mover === 'controllers' ? '' : ', or choose strategy nova'}.`,
  }),
  BackupIsItself: ({ host }: OfHost) => ({
    message: `${host} goes into maintenance, so it cannot be the backup node for its instances.`,
    remedy: "Name another compute host, or none: then Nova's scheduler decides.",
  }),
  BackupUnknown: ({ host, hosts }: OfHost & { readonly hosts: readonly string[] }) => ({
    message: `Nova has no nova-compute on host ${host}, so it cannot be the backup node.`,
    remedy: `Nova has these hosts: ${hosts.join(', ')}.`,
  }),
  NoHostForWatcher: ({ node }: OfNode) => ({
    message: `Nova has no nova-compute service on ${node}, so Lockkeeper did not ask Watcher.`,
    remedy: '',
  }),
  UpdateWithoutApi: ({ cluster, flavour }: OfCluster & { readonly flavour: string }) => ({
    message: `Cloud ${cluster} has flavour ${flavour}. An update needs the node maintenance API, which only clouds of flavour mosk have.`,
    remedy: '',
  }),
  StorageNodesTogether: ({
    group,
    atOnce,
    total,
    nodes,
  }: {
    readonly group: string
    readonly atOnce: number
    readonly total: number
    readonly nodes: readonly string[]
  }) => ({
    message: `Group "${group}" takes ${atOnce} of its ${total} nodes at a time, and ${nodes.join(', ')} are storage nodes. Ceph can check only nodes that are known to be out together.`,
    remedy: 'Take one at a time, or make groups of nodes that go out together.',
  }),
  NoNodeChosen: ({ cluster }: OfCluster) => ({
    message: `The update of ${cluster} has no nodes.`,
    remedy: 'Put at least one node into a group.',
  }),
  ChosenUnknown: ({ cluster, nodes }: OfCluster & { readonly nodes: readonly string[] }) => ({
    message: `${cluster} has no node ${someOf(nodes)}.`,
    remedy: `\`lockkeeper nodes ${cluster}\` lists its nodes.`,
  }),
  ChosenTwice: ({ cluster, node, places }: OfCluster & OfNode & { readonly places: readonly Place[] }) => ({
    message: `${node} is in the update of ${cluster} more than once (${places.map(placeWords).join(', ')}).`,
    remedy: 'List it only once.',
  }),
  GroupTwice: ({ group }: { readonly group: string }) => ({
    message: `Two groups have the name "${group}".`,
    remedy: 'Give each its own name.',
  }),
  GroupOverLimit: ({
    group,
    role,
    atOnce,
    ofRole,
    limit,
    raise,
  }: {
    readonly group: string
    readonly role: string
    readonly atOnce: number
    readonly ofRole: number
    readonly limit: number
    /** The command that raises the limit; null if there is no such command. */
    readonly raise: string | null
  }) => ({
    message: `Group "${group}" takes ${atOnce} nodes at a time, and ${ofRole} of its nodes are ${role} nodes. At most ${limit} of these may be in maintenance together.`,
    remedy: `Take ${limit} at a time, ${raise === null ? 'or ' : ''}put the ${role} nodes into a separate group${raise === null ? '' : `, or raise the limit: \`${raise}\``}.`,
  }),
} satisfies TextsOf<FaultText>

const WATCHER_CHOICES = {
  'backup-node': 'A backup node',
  'left-out': 'Instances to leave out',
  'rest-through-nova': 'Moving the rest through Nova',
} as const

function placeWords(place: Place): string {
  return place.kind === 'control-nodes' ? 'control-plane nodes' : `group "${place.name}"`
}
