import type { MeasuredClock } from '../../domain/clock-skew.ts'
import type { Maker } from '../../domain/maintenance-api.ts'
import { memoryWords } from '../../grammar/bytes.ts'
import { counted, someOf } from '../../grammar/counts.ts'
import { shellWord } from '../../grammar/shell-word.ts'
import { clockWords } from '../clocks.ts'
import {
  afterMany,
  type HolderSeen,
  heldMessage,
  manyUnderWay,
  seemsGoneWords,
  waitRemedy,
  worksOn,
} from '../leases.ts'
import { makerWords } from '../makers.ts'
import { type AwayNode, type MaintenanceSign, nodesWithSigns, signsWords } from './away-nodes.ts'
import {
  type Cause,
  type FaultText,
  nodeIn,
  type OfCluster,
  type OfNode,
  type StepTexts,
  type TextsOf,
} from './coded.ts'

/** What the steps are that ask who else is at work, and which nodes are out. */
export const OTHERS_STEPS = {
  'already-out-of-service': {
    title: input => `${nodeIn(input)} is still in service`,
    why: 'A node that somebody took out of service may have somebody at work on it.',
  },
  'no-other-maintenance': {
    title: input =>
      typeof input.node === 'string' ? 'Nobody else maintains the cluster' : 'No other maintenance is requested',
    why: 'Two drivers on one cluster undo each other: what one has released, the other takes back.',
  },
  'no-other-run': {
    title: input => `No other run holds ${nodeIn(input)}`,
    why: 'Two consoles on one node undo each other.',
  },
  'other-nodes-in-maintenance': {
    title: input => `What remains beside ${nodeIn(input)}`,
    why: 'Two nodes out of service at once may cost what one does not: a quorum, capacity, copies of data.',
  },
} satisfies StepTexts

type WithHolder = OfNode & { readonly holder: HolderSeen }

/** A request of maintenance: of a node, or of the cluster. */
type Request = {
  readonly cluster: string
  readonly request: string
  readonly node: string | null
  readonly maker: Maker
  readonly at: string
  readonly isOurs: boolean
}

type WithSigns = readonly Pick<AwayNode, 'node' | 'signs'>[]

/** How many of the hosts of nova-compute would be left. */
type HostsLeft = { readonly left: number; readonly hosts: number }

/** What these steps find. */
export const OTHERS_FINDINGS = {
  IsOutOfService: ({ node }: OfNode) => `${node} is out of service already.`,
  OnlyMissingIsDone: ({ node, signs }: OfNode & { readonly signs: readonly MaintenanceSign[] }) =>
    `${node} is out of service already (${signsWords(signs)}): this plan does only what is missing. Make sure that nobody is at work on it.`,
  OutByThisRun: ({ node, signs }: OfNode & { readonly signs: readonly MaintenanceSign[] }) =>
    `${node} is out of service by this run itself (${signsWords(signs)}).`,
  NotCordoned: ({ node }: OfNode) => `${node} is not cordoned.`,
  InService: ({ node }: OfNode) => `${node} is in service.`,
  ComputeDisabledNotKnown: ({ node, cause }: OfNode & Cause) =>
    `Whether nova-compute of ${node} is disabled for a maintenance is not known. ${cause}`,
  OtherComputesNotCounted: ({ cause }: Cause) =>
    `Whether the nova-compute of another node is disabled for a maintenance is not known, so none counts as gone for that: ${cause}`,
  OtherComputesNotKnown: ({ cause }: Cause) => `Whether another node's nova-compute is disabled is not known. ${cause}`,
  MachinesNotKnown: ({ cause }: Cause) =>
    `Whether a machine outside of Kubernetes is in maintenance is not known. ${cause}`,
  NoOtherNodeAway: () => 'No other node is in maintenance.',
  NoOtherKubernetesNodeAway: () => 'No other node of Kubernetes is in maintenance.',
  OthersInMaintenance: ({ nodes }: { readonly nodes: WithSigns }) =>
    `In maintenance or on the way: ${nodesWithSigns(nodes)}.`,
  NotOnlyOneOut: ({ node, nodes }: OfNode & { readonly nodes: WithSigns }) =>
    `${node} would not be the only one out of service: ${nodesWithSigns(nodes)}.`,
  ComputeRemainsNotKnown: () => 'Compute: what would remain is not known, Nova could not be asked.',
  ComputeRoomNotKnown: (left: HostsLeft) =>
    `${hostsLeft(left)}; their free capacity is not known, Placement could not be asked.`,
  ComputeRemains: ({
    vcpus,
    memoryMib,
    usedVcpus,
    usedMemoryMib,
    ...left
  }: HostsLeft & {
    readonly vcpus: number
    readonly memoryMib: number
    readonly usedVcpus: number
    readonly usedMemoryMib: number
  }) => {
    const fits = usedVcpus <= vcpus && usedMemoryMib <= memoryMib
    return `${hostsLeft(left)}, with ${vcpus} vCPUs and ${memoryWords(memoryMib)} free for ${usedVcpus} vCPUs and ${memoryWords(usedMemoryMib)} still on those that go${fits ? '' : ': not enough'}.`
  },
  CephRemainsNotKnown: () => 'Ceph: what would remain is not known, it could not be asked.',
  CephOsdsNotKnown: ({ nodes }: { readonly nodes: readonly string[] }) =>
    `Ceph: what would remain is not known, it cannot be told which OSDs ${someOf(nodes)} ${nodes.length === 1 ? 'has' : 'have'}.`,
  CephRemains: ({
    nodes,
    leftHosts,
    hosts,
    leftOsds,
    osds,
  }: {
    readonly nodes: readonly string[]
    readonly leftHosts: number
    readonly hosts: number
    readonly leftOsds: number
    readonly osds: number
  }) =>
    `Ceph: ${leftHosts} of ${counted(hosts, 'host')} with ${leftOsds} of ${osds} OSDs would remain without ${someOf(nodes)}.`,
  NobodyHolds: ({ node }: OfNode) => `Nobody holds ${node}.`,
  ThisRunHolds: ({ node }: OfNode) => `This run holds ${node} already.`,
  HolderGone: ({ node, holder }: WithHolder) => `${heldMessage(node, holder)} It may be taken over.`,
  HolderSilent: ({ node }: OfNode) => `${node} is held by a console that seems gone.`,
  HolderSeemsGone: ({ subject, holder }: { readonly subject: string; readonly holder: HolderSeen }) =>
    seemsGoneWords(subject, holder),
  ClockDiffers: (clock: MeasuredClock) => clockSentences(clock),
  NoOtherRequest: () => 'No other request is there.',
  RequestLeftBehind: ({ cluster, request, maker }: Request) =>
    `${request}, made ${makerWords(maker)}, is still there and nobody goes on with it: \`lockkeeper update start ${cluster}\` takes it over and ends it.`,
  RequestTakenOver: ({ request, maker }: Request) =>
    `${request}, made ${makerWords(maker)}, is still there and nobody goes on with it: this update takes it over.`,
} satisfies TextsOf<string>

/** What is in the way of these steps. */
export const OTHERS_FAULTS = {
  HeldByOtherRun: ({ node, holder }: WithHolder) => ({
    message: worksOn(node, holder),
    remedy: waitRemedy(holder),
    never: 'two runs on one node undo each other',
  }),
  ManyUnderWay: ({ node, cluster, holder }: WithHolder & OfCluster) => ({
    message: manyUnderWay(cluster, holder),
    remedy: afterMany(node),
    never: 'that run takes its nodes in turn',
  }),
  ClocksApart: (clock: MeasuredClock) => ({
    message: clockSentences(clock),
    remedy:
      'Let both follow the same time server (NTP), or give a reason to go on: what happened when cannot be told from the journal then.',
  }),
  MaintenanceRequested: ({ cluster, request, node, maker, at, isOurs }: Request) => ({
    message: `${node === null ? 'Maintenance of the cluster' : `Maintenance of ${node}`} is requested already (${request}, made ${makerWords(maker)} at ${at}).`,
    remedy:
      node !== null && isOurs
        ? `Bring the node back first: \`lockkeeper leave ${shellWord(cluster)} ${shellWord(node)}\`.`
        : 'Let that maintenance end, or have it ended where it was begun.',
    never: 'two drivers on one cluster undo each other',
  }),
  JournalLacks: ({ subject, run, seq }: { readonly subject: string; readonly run: string; readonly seq: number }) => ({
    message: `This journal does not hold all of run ${run}: the Lease of ${subject} knows its entry ${seq}, which is not here. The journal's end was cut off, or it is an older copy. Nothing was touched.`,
    remedy:
      'Put the right journal back and resume the run, or abort it and begin a new one, which looks at everything afresh.',
  }),
  NodeListNotWhole: ({ node }: OfNode) => ({
    message: `it does not show ${node} itself, so it is not whole.`,
    remedy: '',
  }),
} satisfies TextsOf<FaultText>

/** What these steps read. */
export const OTHERS_READS = {
  NodeLease: ({ node }: OfNode) => `The Lease of ${node}`,
  ManyLease: () => 'The Lease of work on many nodes of the cluster',
  WorkOnOthers: () => 'Who works on the other nodes',
} satisfies TextsOf<string>

function hostsLeft({ left, hosts }: HostsLeft): string {
  return `Compute: ${left} of ${counted(hosts, 'host')} would remain`
}

function clockSentences(clock: MeasuredClock): string {
  return `${clockWords(clock)} Times in the journal are this machine's.`
}
