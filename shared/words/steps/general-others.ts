import { memoryWords } from '../../grammar/bytes.ts'
import { counted, someOf } from '../../grammar/counts.ts'
import { type AwayNode, type MaintenanceSign, nodesWithSigns, signsWords } from './away-nodes.ts'
import { type FaultText, nodeIn, type StepTexts, type TextsOf } from './coded.ts'

/** What the steps are that ask who else is at work, and which nodes are out. */
export const OTHERS_STEPS = {
  'already-out-of-service': {
    title: input => `${nodeIn(input)} is still in service`,
    why: 'A node that somebody took out of service may have somebody at work on it.',
  },
  'other-nodes-in-maintenance': {
    title: input => `What remains beside ${nodeIn(input)}`,
    why: 'Two nodes out of service at once may cost what one does not: a quorum, capacity, copies of data.',
  },
} satisfies StepTexts

type OfNode = { readonly node: string }
type Cause = { readonly cause: string }
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
    `Whether nova-compute of ${node} is disabled for a maintenance is not known: ${cause}`,
  OtherComputesNotCounted: ({ cause }: Cause) =>
    `Whether the nova-compute of another node is disabled for a maintenance is not known, so none counts as gone for that: ${cause}`,
  OtherComputesNotKnown: ({ cause }: Cause) => `Whether another node's nova-compute is disabled is not known: ${cause}`,
  MachinesNotKnown: ({ cause }: Cause) =>
    `Whether a machine outside of Kubernetes is in maintenance is not known: ${cause}`,
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
} satisfies TextsOf<string>

/** What is in the way of these steps. */
export const OTHERS_FAULTS = {
  NodeListNotWhole: ({ node }: OfNode) => ({
    message: `it does not show ${node} itself, so it is not whole.`,
    remedy: '',
  }),
} satisfies TextsOf<FaultText>

/** What these steps read. */
export const OTHERS_READS = {
  WorkOnOthers: () => 'Who works on the other nodes',
} satisfies TextsOf<string>

function hostsLeft({ left, hosts }: HostsLeft): string {
  return `Compute: ${left} of ${counted(hosts, 'host')} would remain`
}
