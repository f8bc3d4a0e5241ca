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

/** What keeps a cloud from being operable after an update: a node, a lock or a request. */
export type ClusterFault =
  | { readonly node: string; readonly is: 'not-ready' | 'cordoned' }
  | { readonly lock: string; readonly state: string }
  | { readonly request: string }

type ClusterFaults = { readonly faults: Items<ClusterFault> }
type OfBatch = { readonly nodes: readonly string[] }

/** The nodes of a batch, sorted. */
export function batchNodes({ node, beside }: Values): readonly string[] {
  const others = Array.isArray(beside) ? beside.filter(name => typeof name === 'string') : []
  return [String(node), ...others].toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))
}

function nextIn({ next }: Values): string {
  return typeof next === 'string' ? next : 'continuing'
}

export const ROLLING_STEPS = {
  ...WORK_STEPS,
  'batch-can-leave': {
    title: input => `The cloud can spare ${someOf(batchNodes(input))} together`,
    why: 'Nodes of a batch are out of service together. The cloud may be able to spare each alone, but not all of them.',
  },
  'batches-fit': {
    title: () => 'The instances of each batch find room',
    why: "One node may need the room that another left, and nodes that are out together cannot take each other's instances.",
  },
  'emptied-by-nova': {
    title: () => 'Nova, not Watcher, empties the compute nodes of batches',
    why: 'Watcher makes its plan from the current state of the cloud, which is different when a later batch starts.',
    undo: 'Nothing to undo: it is only a note.',
  },
  'instances-reviewed': {
    title: input => `Migration mode of ${nodeIn(input)} and of its instances`,
    why: 'The operator sets annotations on nodes and chooses the migration mode of instances before the update starts.',
  },
  'pause-here': {
    title: input => `Ask before ${nextIn(input)}`,
    why: 'You chose to be asked before the update continues.',
    undo: 'Nothing to undo: it only asks.',
  },
  'update-permitted': {
    title: ({ requests }) =>
      requests === false
        ? 'Permissions for the Jobs are sufficient'
        : 'Permissions for requests and locks are sufficient',
    why: 'An update that lacks a permission halfway leaves a cloud in maintenance.',
  },
  'whole-cluster-verified': {
    title: () => 'The whole cloud is operable again',
    why: 'At the end of an update the cloud must be fully operable again. Lockkeeper checks that.',
    undo: 'Nothing to undo: it only reads.',
  },
} satisfies StepTexts

/** Nodes of the cloud, and how many were in the update; null if unknown. */
type InService = { readonly nodes: number; readonly updated: number | null }

/** An update of some nodes only checks the others: the text keeps "updated" and "in service" apart. */
function inServiceText({ nodes, updated }: InService): string {
  const all = `All ${nodes} nodes of the cloud are in service`
  if (updated === null) return `${all}.`
  const rest = nodes - updated
  return rest <= 0
    ? `${all}; all were in this update.`
    : `${all}: ${updated} ${updated === 1 ? 'was' : 'were'} in this update, ${rest} ${rest === 1 ? 'was' : 'were'} not.`
}

function faultText(fault: ClusterFault): string {
  if ('lock' in fault) return `lock ${fault.lock} is ${fault.state}`
  if ('request' in fault) return `request ${fault.request} still exists`
  return fault.is === 'cordoned' ? `${fault.node} is cordoned` : `${fault.node} is not Ready`
}

function faultsText(faults: Items<ClusterFault>): string {
  return someItems(faults, faultText)
}

type Undecided = { readonly id: string; readonly name: string; readonly code: string; readonly reason: string }

export const ROLLING_FINDINGS = {
  ...WORK_FINDINGS,
  /** `osds`: running OSDs of the batch that Ceph lets stop together. */
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
  }) => `${counted(moves, 'move')} in ${counted(batches, 'batch', 'batches')}${isOpen ? '' : ', with room for each'}.`,
  BatchMayNotFit: ({ nodes, breach }: OfBatch & { readonly breach: BatchBreach }) =>
    `${someOf(nodes)}: ${breachWords(breach)}`,
  BatchRoomNotKnown: ({
    nodes,
    moving,
    doubts,
  }: OfBatch & { readonly moving: number; readonly doubts: readonly CapacityDoubt[] }) =>
    `${someOf(nodes)}: cannot tell whether ${counted(moving, 'instance')} fit: ${doubtsWords(doubts)}`,
  EmptiedByNova: () => 'Lockkeeper moves the instances itself, through Nova.',
  WatcherNotInBatches: ({ cluster }: OfCluster) =>
    `${cluster} lets Watcher empty nodes. In batches Lockkeeper moves instances through Nova instead, and does not spread them again. To use Watcher, take the nodes out one by one.`,
  /** `mode`: the annotation of the node; null if there is no annotation. */
  InstancesReviewed: ({
    mode,
    total,
    undecided,
  }: {
    readonly mode: string | null
    readonly total: number
    readonly undecided: number
  }) =>
    `Mode ${mode ?? 'live (default)'}, ${counted(total, 'instance')}${undecided === 0 ? '' : `, ${counted(undecided, 'needs', 'need')} a decision`}.`,
  AllInstancesStayByScope: ({ total }: { readonly total: number }) =>
    total === 1
      ? 'Scope drain: its 1 instance stays where it is.'
      : `Scope drain: all ${total} instances stay where they are.`,
  NodeWillWaitForInstances: ({ node, instances }: OfNode & { readonly instances: Items<Undecided> }) =>
    `${node} will wait for ${someItems(instances, ({ reason, ...of }) => `${labelOf(of)}: ${reason}`)}. Decide with a mode or a tag, or ask their owners.`,
  InstanceModeWarning: ({ name, warning }: { readonly id: string; readonly name: string; readonly warning: string }) =>
    `${name}: ${warning}`,
  UpdatePermitted: ({ total }: { readonly total: number }) =>
    `The credentials have all ${counted(total, 'permission')} that the update needs.`,
  ClusterInService: inServiceText,
  ClusterIsOperable: (values: InService) => `${inServiceText(values)} Every lock is active.`,
  /** A phrase. */
  ClusterHasFaults: ({ faults }: ClusterFaults) => faultsText(faults),
  NodeListEmpty: () => 'The list of nodes is empty, which no cloud has.',
  NodeLocksNowhere: () => 'No node has a workload lock, although the settings name controllers.',
} satisfies TextsOf<string>

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
    message: `Ceph does not allow ${osdNames(osds)} of ${someOf(nodes)} to stop together: ${cause}.`,
    remedy: 'Take these storage nodes in different batches.',
  }),
  BatchesUnreadable: () => ({
    message: 'Lockkeeper cannot read the batches of this plan.',
    remedy: 'Make a new plan.',
    never: 'only the batches say which nodes go out together',
  }),
  BatchDoesNotFit: ({ nodes, breach }: OfBatch & { readonly breach: BatchBreach }) => ({
    message: `${someOf(nodes)}: ${breachWords(breach)}`,
    remedy: 'Make the batch smaller, make room on other nodes, or leave the node out.',
  }),
  PauseBefore: (input: { readonly next: string | null }) => ({
    message: `Next: ${nextIn(input)}.`,
    remedy: 'Continue, or stop the run. You can skip a node before you continue.',
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
    // The right to create Jobs is the right to run anything on the nodes, so an administrator grants it per namespace.
    remedy:
      group === 'batch'
        ? `Ask for a Role in namespace ${namespace ?? ''} that may get and create jobs.batch, or choose another way to know when the work is done.`
        : 'Ask for the role in resources/rbac/lockkeeper-operator.yaml.',
    never: 'no flag grants a permission',
  }),
  ClusterStaysFaulty: (quiet: Quiet) => ({
    message: quietText(quiet),
    remedy: 'Fix it and try again. Skip if it is intended.',
  }),
  ClusterNotOperable: ({ faults }: ClusterFaults) => ({
    message: `${faultsText(faults)}.`,
    remedy: 'Fix it, then resume the run.',
  }),
  /** Each of these controllers lets only one of two nodes into maintenance. `areZonesApart`: taking one availability zone after another helps. */
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
    message: `Group "${group}" may deadlock: ${controllers.join(' and ')} each allow only one of ${one} and ${other} in maintenance at a time. If both are requested together, the controllers may start with different nodes and wait for each other forever.`,
    remedy: `Take one node at a time, ${areZonesApart ? 'work zone by zone, ' : ''}or put them into separate groups.`,
  }),
} satisfies TextsOf<FaultText>

export const ROLLING_READS = {
  BatchNodes: () => 'The nodes of the batches',
  BatchQuorums: () => 'The members of the quorums on these nodes',
  CephCanSpareBatch: () => 'The answer of Ceph about stopping their OSDs together',
  TheCluster: () => 'The cluster',
} satisfies TextsOf<string>
