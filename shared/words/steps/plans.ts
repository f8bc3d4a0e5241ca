import { someOf } from '../../grammar/counts.ts'
import type { FaultText, OfCluster, OfHost, OfNode, TextsOf } from './coded.ts'

/** What a plan says of its own steps and batches, where that is more than the step says of itself. */
export const PLAN_TITLES = {
  node: 'The node',
  controlNodes: 'Control-plane nodes, one by one',
  otherLocks: 'Wait until other applications mark their ClusterWorkloadLock as inactive',
} as const

/** What comes after a pause between two phases of an update. */
export const AFTER_PAUSE = {
  applications: 'OpenStack and Ceph',
  'control-nodes': 'the control-plane nodes',
  'worker-nodes': 'the worker nodes',
  finalize: 'other applications and the end of the maintenance',
} as const

/** The wait for the lock of one of the first controllers of an update: what it is, and why. */
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

/** Why steps of a node are in an update (seed 003). */
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

/** A batch of a group of nodes: `Group racks, zone az-1: 3 at once`; a group that a window made is called by its number. */
export function batchTitle(
  { name, atOnce }: { readonly name: string; readonly atOnce: number },
  zone: string | null,
  of: 'update' | 'rolling-maintenance',
): string {
  const batch = of === 'update' ? undefined : /^batch-(\d+)$/.exec(name)?.[1]
  const group = batch === undefined ? `Group ${name}` : `Batch ${batch}`
  return `${group}${zone === null ? '' : `, zone ${zone}`}: ${atOnce === 1 ? 'one by one' : `${atOnce} at once`}`
}

/** What is found where a plan is made. */
export const PLANS_FINDINGS = {
  HostsNotShown: () =>
    'Nova does not show this user on which host an instance is. It needs the rule os_compute_api:os-extended-server-attributes (the role admin).',
  MicroCephNotAsked: () => 'The cluster has no Juju controller by which its MicroCeph could be asked.',
  OsdsContradict: ({ nodes }: { readonly nodes: readonly string[] }) =>
    `Which OSDs ${nodes.join(', ')} has cannot be told: the CRUSH map and what the OSDs reported do not agree.`,
  LeftForSilentKubelet: () => 'its kubelet does not report: bring it back, or take it in by hand',
} satisfies TextsOf<string>

/** A place of a node among those that are chosen: the control-plane nodes, or a group by its name. */
type Place = { readonly kind: 'control-nodes' } | { readonly kind: 'group'; readonly name: string }

/** Why no plan is made. */
export const PLANS_FAULTS = {
  MachineNotInOneRun: ({ node }: OfNode) => ({
    message: `${node} is a machine outside of Kubernetes, where nothing tells whether the work on it is over: its whole maintenance cannot be one run.`,
    remedy: 'Use enter, do the work, then leave.',
  }),
  WatcherOnMosk: ({ cluster }: OfCluster) => ({
    message: `Cluster ${cluster} has flavour mosk, where the OpenStack Controller empties compute nodes: strategy watcher cannot be chosen.`,
    remedy: '',
  }),
  OnlyWithWatcher: ({ cluster, choice }: OfCluster & { readonly choice: keyof typeof WATCHER_CHOICES }) => ({
    message: `${WATCHER_CHOICES[choice]} can be chosen with strategy watcher only, and Watcher is not what empties this node of ${cluster}.`,
    remedy: 'Choose strategy watcher, or do without.',
  }),
  OnlyMaintainRunsCommands: () => ({
    message:
      'The work is a command, which only `lockkeeper maintain` runs, for one node: nothing else, no window and no update, has one.',
    remedy: 'Say otherwise how the work is known to be over, or leave it out.',
  }),
  StuckRuleNotOurs: ({ cluster, mover }: OfCluster & { readonly mover: 'controllers' | 'watcher' }) => ({
    message: `A rule for live migrations without progress cannot be chosen here: ${mover === 'controllers' ? 'the OpenStack Controller' : 'Watcher'} moves the instances of ${cluster}, and decides itself about one that is stuck.`,
    remedy: `Leave the rule out${mover === 'controllers' ? '' : ', or choose strategy nova'}.`,
  }),
  BackupIsItself: ({ host }: OfHost) => ({
    message: `${host} is what goes into maintenance, so it cannot be the backup node that takes its instances.`,
    remedy: "Name another compute host, or none: then Nova's scheduler decides.",
  }),
  BackupUnknown: ({ host, hosts }: OfHost & { readonly hosts: readonly string[] }) => ({
    message: `Nova has no nova-compute on a host ${host}, so it cannot be the backup node.`,
    remedy: `It has these: ${hosts.join(', ')}.`,
  }),
  NoHostForWatcher: ({ node }: OfNode) => ({
    message: `Nova has no nova-compute service on ${node}, so Watcher was not asked.`,
    remedy: '',
  }),
  UpdateWithoutApi: ({ cluster, flavour }: OfCluster & { readonly flavour: string }) => ({
    message: `Cluster ${cluster} has flavour ${flavour}. An update goes through the node maintenance API, which clouds of flavour mosk have.`,
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
    message: `Group "${group}" takes ${atOnce} of its ${total} nodes at once, and ${nodes.join(', ')} are storage nodes: Ceph can be asked only about nodes that are known to be out together.`,
    remedy: 'Take one at a time, or make groups of nodes that go together.',
  }),
  NoNodeChosen: ({ cluster }: OfCluster) => ({
    message: `The update of ${cluster} has no node in it.`,
    remedy: 'Put at least one into a group.',
  }),
  ChosenUnknown: ({ cluster, nodes }: OfCluster & { readonly nodes: readonly string[] }) => ({
    message: `${cluster} has no node ${someOf(nodes)}.`,
    remedy: `\`lockkeeper nodes ${cluster}\` lists its nodes.`,
  }),
  ChosenTwice: ({ cluster, node, places }: OfCluster & OfNode & { readonly places: readonly Place[] }) => ({
    message: `${node} is in the update of ${cluster} more than once (${places.map(placeWords).join(', ')}).`,
    remedy: 'Leave it in one place.',
  }),
  GroupTwice: ({ group }: { readonly group: string }) => ({
    message: `There are two groups "${group}".`,
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
    /** The command that lets more go; null: there is none. */
    readonly raise: string | null
  }) => ({
    message: `Group "${group}" takes ${atOnce} nodes at once, and ${ofRole} of its nodes are ${role} nodes, of which ${limit} may be in maintenance at once.`,
    remedy: `Take ${limit} at once, ${raise === null ? 'or ' : ''}put the ${role} nodes into a group of their own${raise === null ? '' : `, or raise the limit: \`${raise}\``}.`,
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
