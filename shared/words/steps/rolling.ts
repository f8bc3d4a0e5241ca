import type { BatchBreach, CapacityDoubt } from '../../domain/batch-findings.ts'
import { counted, someOf } from '../../grammar/counts.ts'
import { breachWords, doubtsWords } from '../batch-findings.ts'
import { osdNames } from '../ceph.ts'
import {
  type FaultText,
  type Items,
  labelOf,
  nodeIn,
  type OfCluster,
  type OfNode,
  type StepTexts,
  someItems,
  type TextsOf,
  type Values,
} from './coded.ts'
import { type Quiet, quietText } from './requests-locks.ts'
import { WORK_FAULTS, WORK_FINDINGS, WORK_STEPS } from './rolling-work.ts'

/** What an update has left to do before the cluster is operable: a node, a lock or a request that is not as it should be. */
export type ClusterFault =
  | { readonly node: string; readonly is: 'not-ready' | 'cordoned' }
  | { readonly lock: string; readonly state: string }
  | { readonly request: string }

type ClusterFaults = { readonly faults: Items<ClusterFault> }
type OfBatch = { readonly nodes: readonly string[] }

/** The nodes of a batch, in their order. */
export function batchNodes({ node, beside }: Values): readonly string[] {
  const others = Array.isArray(beside) ? beside.filter(name => typeof name === 'string') : []
  return [String(node), ...others].toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))
}

function nextIn({ next }: Values): string {
  return typeof next === 'string' ? next : 'going on'
}

/** What the steps of updates and of batches are. */
export const ROLLING_STEPS = {
  ...WORK_STEPS,
  'batch-can-leave': {
    title: input => `${someOf(batchNodes(input))} can be spared together`,
    why: 'Nodes of a batch are out of service side by side: what each can be spared for by itself may not hold for all of them.',
  },
  'batches-fit': {
    title: () => 'The instances of each batch find a place',
    why: 'One node may need the room that another left, and nodes that are out together cannot hold instances of each other.',
  },
  'emptied-by-nova': {
    title: () => 'Compute nodes of batches are emptied through Nova, not by Watcher',
    why: "Watcher's action plan is made from what the cloud is now; when a later batch begins, it is another cloud.",
    undo: 'Nothing to undo: it only says so.',
  },
  'instances-reviewed': {
    title: input => `Migration mode of ${nodeIn(input)} and of its instances`,
    why: 'The operator sets annotations on nodes and selects the migration mode for workloads before the update begins.',
  },
  'pause-here': {
    title: input => `Ask before ${nextIn(input)}`,
    why: 'You chose to be asked before the update goes on.',
    undo: 'Nothing to undo: it only asks.',
  },
  'update-permitted': {
    title: ({ requests }) =>
      requests === false ? 'Permissions for the Jobs suffice' : 'Permissions for requests and locks suffice',
    why: 'An update that stops half way for want of a permission leaves a cluster under maintenance.',
  },
  'whole-cluster-verified': {
    title: () => 'The whole cluster is operable again',
    why: 'After a while the update completes and the cluster is fully operable again; that is looked at, not assumed.',
    undo: 'Nothing to undo: it only reads.',
  },
} satisfies StepTexts

/** Nodes of the cluster, and how many were in the update; null: that is not known. */
type InService = { readonly nodes: number; readonly updated: number | null }

/** Two things are told apart, what was updated and what is in service: an update of some nodes only looks at the others. */
function inServiceText({ nodes, updated }: InService): string {
  const all = `All ${nodes} nodes of the cluster are in service`
  if (updated === null) return `${all}.`
  const rest = nodes - updated
  return rest <= 0
    ? `${all}; every one was in this update.`
    : `${all}: ${updated} ${updated === 1 ? 'was' : 'were'} in this update, ${rest} ${rest === 1 ? 'was' : 'were'} not.`
}

function faultText(fault: ClusterFault): string {
  if ('lock' in fault) return `lock ${fault.lock} is ${fault.state}`
  if ('request' in fault) return `request ${fault.request} is still there`
  return fault.is === 'cordoned' ? `${fault.node} is cordoned` : `${fault.node} is not Ready`
}

function faultsText(faults: Items<ClusterFault>): string {
  return someItems(faults, faultText)
}

type Undecided = { readonly id: string; readonly name: string; readonly code: string; readonly reason: string }

/** What the steps of updates and of batches find. */
export const ROLLING_FINDINGS = {
  ...WORK_FINDINGS,
  /** `osds`: those of the batch that Ceph lets stop together; empty: it has none that run. */
  BatchCanLeave: ({ staying, osds }: { readonly staying: number; readonly osds: readonly number[] }) =>
    `${counted(staying, 'other node')} ready and schedulable${osds.length === 0 ? '' : `; ${osdNames(osds)} may be stopped together`}.`,
  BatchesFit: ({
    moves,
    batches,
    isOpen,
  }: {
    readonly moves: number
    readonly batches: number
    readonly isOpen: boolean
  }) =>
    `${counted(moves, 'move')} in ${counted(batches, 'batch', 'batches')}${isOpen ? '' : ', and a place for each'}.`,
  BatchMayNotFit: ({ nodes, breach }: OfBatch & { readonly breach: BatchBreach }) =>
    `${someOf(nodes)}: ${breachWords(breach)}`,
  BatchRoomNotKnown: ({
    nodes,
    moving,
    doubts,
  }: OfBatch & { readonly moving: number; readonly doubts: readonly CapacityDoubt[] }) =>
    `${someOf(nodes)}: nobody can tell whether ${counted(moving, 'instance')} fit: ${doubtsWords(doubts)}`,
  EmptiedByNova: () => 'Lockkeeper moves the instances itself, through Nova.',
  WatcherNotInBatches: ({ cluster }: OfCluster) =>
    `${cluster} has strategy watcher. In batches Lockkeeper moves instances through Nova instead, and does not spread them again afterwards. To have Watcher do it, enter the nodes one by one.`,
  /** `mode`: the node's annotation; null: it has none. */
  InstancesReviewed: ({
    mode,
    total,
    undecided,
  }: {
    readonly mode: string | null
    readonly total: number
    readonly undecided: number
  }) => `Mode ${mode ?? 'live (default)'}, ${counted(total, 'instance')}, ${undecided} unresolved.`,
  AllInstancesStayByScope: ({ total }: { readonly total: number }) =>
    total === 1
      ? 'Scope drain: its 1 instance stays where it is.'
      : `Scope drain: all ${total} instances stay where they are.`,
  NodeWillWaitForInstances: ({ node, instances }: OfNode & { readonly instances: Items<Undecided> }) =>
    `${node} will wait for ${someItems(instances, ({ reason, ...of }) => `${labelOf(of)}: ${reason}`)}. Decide with a mode, a tag, or their owners.`,
  InstanceModeWarning: ({ name, warning }: { readonly id: string; readonly name: string; readonly warning: string }) =>
    `${name}: ${warning}`,
  UpdatePermitted: ({ total }: { readonly total: number }) =>
    `All ${counted(total, 'permission')} the update needs are there.`,
  ClusterInService: inServiceText,
  ClusterIsOperable: (values: InService) => `${inServiceText(values)} Every lock is active.`,
  /** A phrase. */
  ClusterHasFaults: ({ faults }: ClusterFaults) => faultsText(faults),
  NodeListEmpty: () => 'The list of nodes is empty, as that of no cluster is.',
  NodeLocksNowhere: () => 'No node has a workload lock, though controllers are set to answer.',
} satisfies TextsOf<string>

/** What is in the way of updates and of batches. */
export const ROLLING_FAULTS = {
  ...WORK_FAULTS,
  LastNodesReady: ({ nodes, cluster }: OfBatch & OfCluster) => ({
    message: `Without ${someOf(nodes)} no node of ${cluster} would be ready and schedulable.`,
    remedy: 'Make the batch smaller, or bring other nodes back into service first.',
  }),
  BatchOsdsNotOkToStop: ({
    nodes,
    osds,
    cause,
  }: OfBatch & { readonly osds: readonly number[]; readonly cause: string }) => ({
    message: `${osdNames(osds)} of ${someOf(nodes)} are not ok to stop together: ${cause}.`,
    remedy: 'Take these storage nodes in different batches.',
  }),
  BatchesUnreadable: () => ({
    message: 'The batches of this plan cannot be read.',
    remedy: 'Make a new plan.',
    never: 'nothing else says which nodes go side by side',
  }),
  BatchDoesNotFit: ({ nodes, breach }: OfBatch & { readonly breach: BatchBreach }) => ({
    message: `${someOf(nodes)}: ${breachWords(breach)}`,
    remedy: 'Make the batch smaller, make room on other hosts, or leave the node out.',
  }),
  PauseBefore: (input: { readonly next: string | null }) => ({
    message: `Next: ${nextIn(input)}.`,
    remedy: 'Continue, or abort. A node that shall be left out can be skipped before you continue.',
  }),
  UpdateNotPermitted: ({
    verb,
    resource,
    group,
    namespace,
  }: {
    readonly verb: string
    readonly resource: string
    readonly group: string
    readonly namespace: string | null
  }) => ({
    message: `These credentials may not ${verb} ${resource}.${group}${namespace === null ? '' : ` in namespace ${namespace}`}.`,
    // Whoever may make Jobs may run anything on the nodes: that is granted per namespace, by hand, where it is wanted.
    remedy:
      group === 'batch'
        ? `Ask for a Role in namespace ${namespace ?? ''} that may get and create jobs.batch, or choose another way to know that the work is over.`
        : 'Ask for the role in resources/rbac/lockkeeper-operator.yaml.',
    never: 'no flag grants a permission',
  }),
  ClusterStaysFaulty: (quiet: Quiet) => ({
    message: quietText(quiet),
    remedy: 'Mend it and retry. Skip if it is meant to be so.',
  }),
  ClusterNotOperable: ({ faults }: ClusterFaults) => ({
    message: `${faultsText(faults)}.`,
    remedy: 'Mend it, then resume the run.',
  }),
  /** Controllers each let one of two nodes into maintenance at a time. `areZonesApart`: taking one availability zone after another helps. */
  GroupMayDeadlock: ({
    group,
    one,
    other,
    controllers,
    areZonesApart,
  }: {
    readonly group: string
    readonly one: string
    readonly other: string
    readonly controllers: readonly string[]
    readonly areZonesApart: boolean
  }) => ({
    message: `Group "${group}" may stand still: ${controllers.join(' and ')} each let one of ${one} and ${other} into maintenance at a time, and asked for both at once they may begin with different ones and wait for each other for ever.`,
    remedy: `Take one node at a time, ${areZonesApart ? 'work zone by zone, ' : ''}or put them into groups of their own.`,
  }),
} satisfies TextsOf<FaultText>

/** What the steps of updates and of batches read. */
export const ROLLING_READS = {
  BatchNodes: () => 'The nodes of the batches',
  CephCanSpareBatch: () => 'Whether Ceph can spare them together',
  TheCluster: () => 'The cluster',
} satisfies TextsOf<string>
