import type { MeasuredClock } from '../../domain/clock-skew.ts'
import type { Maker } from '../../domain/maintenance-api.ts'
import { memoryWords } from '../../grammar/bytes.ts'
import { counted, someOf } from '../../grammar/counts.ts'
import { shellWord } from '../../grammar/shell-word.ts'
import { instantWords } from '../../grammar/times.ts'
import { clockWords } from '../clocks.ts'
import {
  afterMany,
  type HolderSeen,
  heldMessage,
  seemsGoneWords,
  severalNodesHeld,
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

export const OTHERS_STEPS = {
  'already-out-of-service': {
    title: input => `${nodeIn(input)} is still in service`,
    why: 'Another operator may be working on a node that is out of service.',
  },
  'no-other-maintenance': {
    title: input =>
      typeof input.node === 'string'
        ? 'No other maintenance of the cloud is running'
        : 'No other maintenance is requested',
    why: 'Two maintenances of one cloud undo each other: one brings back what the other took out.',
  },
  'no-other-run': {
    title: input => `No other run works on ${nodeIn(input)}`,
    why: 'Two consoles on one node undo each other.',
  },
  'other-nodes-in-maintenance': {
    title: input => `Capacity that remains without ${nodeIn(input)}`,
    why: 'Two nodes out of service together can break what one does not: a quorum, capacity, copies of data.',
  },
} satisfies StepTexts

type WithHolder = OfNode & { readonly holder: HolderSeen }

/** A maintenance request of a node, or of the cloud. */
type Request = {
  readonly cluster: string
  readonly request: string
  readonly node: string | null
  readonly maker: Maker
  readonly at: string
  readonly isOurs: boolean
}

type WithSigns = readonly Pick<AwayNode, 'node' | 'signs'>[]

/** Hosts with nova-compute that remain. */
type HostsLeft = { readonly left: number; readonly hosts: number }

export const OTHERS_FINDINGS = {
  IsOutOfService: ({ node }: OfNode) => `${node} is already out of service.`,
  OnlyMissingIsDone: ({ node, signs }: OfNode & { readonly signs: readonly MaintenanceSign[] }) =>
    `${node} is already out of service (${signsWords(signs)}). This plan does only what is missing. Make sure that nobody works on the node.`,
  OutByThisRun: ({ node, signs }: OfNode & { readonly signs: readonly MaintenanceSign[] }) =>
    `${node} is out of service because of this run (${signsWords(signs)}).`,
  NotCordoned: ({ node }: OfNode) => `${node} is not cordoned.`,
  InService: ({ node }: OfNode) => `${node} is in service.`,
  ComputeDisabledNotKnown: ({ node, cause }: OfNode & Cause) =>
    `Cannot tell whether nova-compute of ${node} is disabled for a maintenance. ${cause}`,
  OtherComputesNotCounted: ({ cause }: Cause) =>
    `Cannot tell whether nova-compute of another node is disabled for a maintenance, so Lockkeeper counts none as out: ${cause}`,
  OtherComputesNotKnown: ({ cause }: Cause) => `Cannot tell whether nova-compute of another node is disabled. ${cause}`,
  MachinesNotKnown: ({ cause }: Cause) =>
    `Cannot tell whether a machine outside of Kubernetes is in maintenance. ${cause}`,
  NoOtherNodeAway: () => 'No other node is in maintenance.',
  NoOtherKubernetesNodeAway: () => 'No other node of Kubernetes is in maintenance.',
  OthersInMaintenance: ({ nodes }: { readonly nodes: WithSigns }) =>
    `In maintenance or going out: ${nodesWithSigns(nodes)}.`,
  NotOnlyOneOut: ({ node, nodes }: OfNode & { readonly nodes: WithSigns }) =>
    `Other nodes are out of service besides ${node}: ${nodesWithSigns(nodes)}.`,
  ComputeRemainsNotKnown: () => 'Compute: remaining capacity is unknown because Nova did not answer.',
  ComputeRoomNotKnown: (left: HostsLeft) =>
    `${hostsLeft(left)}; their free capacity is unknown because Placement did not answer.`,
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
    return `${hostsLeft(left)}, with ${vcpus} vCPUs and ${memoryWords(memoryMib)} free for ${usedVcpus} vCPUs and ${memoryWords(usedMemoryMib)} still on the nodes that go out${fits ? '' : ': not enough'}.`
  },
  CephRemainsNotKnown: () => 'Ceph: remaining capacity is unknown because Ceph did not answer.',
  CephOsdsNotKnown: ({ nodes }: { readonly nodes: readonly string[] }) =>
    `Ceph: remaining capacity is unknown because Lockkeeper cannot tell which OSDs ${someOf(nodes)} ${nodes.length === 1 ? 'has' : 'have'}.`,
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
  NobodyHolds: ({ node }: OfNode) => `No run works on ${node}.`,
  ThisRunHolds: ({ node }: OfNode) => `This run already has the Lease of ${node}.`,
  HolderGone: ({ node, holder }: WithHolder) => `${heldMessage(node, holder)} You may take it over.`,
  HolderSilent: ({ node }: OfNode) => `The console that has the Lease of ${node} seems to have stopped.`,
  HolderSeemsGone: ({ subject, holder }: { readonly subject: string; readonly holder: HolderSeen }) =>
    seemsGoneWords(subject, holder),
  ClockDiffers: (clock: MeasuredClock) => clockSentences(clock),
  NoOtherRequest: () => 'There is no other request.',
  RequestLeftBehind: ({ cluster, request, maker }: Request) =>
    `${request}, made ${makerWords(maker)}, still exists but no run works on it. \`lockkeeper update start ${cluster}\` takes it over and ends it.`,
  RequestTakenOver: ({ request, maker }: Request) =>
    `${request}, made ${makerWords(maker)}, still exists but no run works on it. This update takes it over.`,
} satisfies TextsOf<string>

export const OTHERS_FAULTS = {
  HeldByOtherRun: ({ node, holder }: WithHolder) => ({
    message: worksOn(node, holder),
    remedy: waitRemedy(holder),
    never: 'two runs on one node undo each other',
  }),
  ManyUnderWay: ({ node, cluster, holder }: WithHolder & OfCluster) => ({
    message: severalNodesHeld(cluster, holder),
    remedy: afterMany(node),
    never: 'that run takes its nodes in turn',
  }),
  ClocksApart: (clock: MeasuredClock) => ({
    message: clockSentences(clock),
    remedy:
      'Let both use the same time server (NTP), or give a reason to continue: the times in the journal will then be unreliable.',
  }),
  MaintenanceRequested: ({ cluster, request, node, maker, at, isOurs }: Request) => ({
    message: `${node === null ? 'Maintenance of the cloud' : `Maintenance of ${node}`} is already requested (${request}, made ${makerWords(maker)} at ${instantWords(at)}).`,
    remedy:
      node !== null && isOurs
        ? `Bring the node back first: \`lockkeeper leave ${shellWord(cluster)} ${shellWord(node)}\`.`
        : 'Wait until that maintenance ends, or end it where it was started.',
    never: 'two maintenance runs on one cloud undo each other',
  }),
  JournalLacks: ({ subject, run, seq }: { readonly subject: string; readonly run: string; readonly seq: number }) => ({
    message: `This journal is missing part of run ${run}: the Lease of ${subject} names entry ${seq}, which is not here. The end of the journal was cut off, or this is an older copy. Nothing was changed.`,
    remedy:
      'Restore the right journal and resume the run, or stop it and start a new run, which checks everything again.',
  }),
  NodeListNotWhole: ({ node }: OfNode) => ({
    message: `it does not show ${node} itself, so it is incomplete.`,
    remedy: '',
  }),
} satisfies TextsOf<FaultText>

export const OTHERS_READS = {
  NodeLease: ({ node }: OfNode) => `The Lease of ${node}`,
  ManyLease: () => 'The Lease for work on several nodes of the cloud',
  WorkOnOthers: () => 'Runs on the other nodes',
} satisfies TextsOf<string>

function hostsLeft({ left, hosts }: HostsLeft): string {
  return `Compute: ${left} of ${counted(hosts, 'host')} would remain`
}

function clockSentences(clock: MeasuredClock): string {
  return `${clockWords(clock)} The journal uses the clock of this machine.`
}
