import { isReasonOfNova } from '../../domain/disabled-reason.ts'
import { counted, someOf, upperFirst } from '../../grammar/counts.ts'
import { disablerWords } from '../disablers.ts'
import {
  type FaultText,
  type Names,
  nodeIn,
  type OfCluster,
  type OfHost,
  type OfNode,
  type StepTexts,
  someNames,
  type TextsOf,
} from './coded.ts'

/** What the steps about nova-compute are. */
export const COMPUTE_STEPS = {
  'bring-home': {
    title: input => `Bring instances home to ${nodeIn(input)}`,
    why: 'What was moved for the maintenance is spread over other hosts until somebody brings it back.',
    undo: 'Instances stay where they are; move them with Nova if you want them elsewhere.',
  },
  'compute-given-back': {
    title: input => `nova-compute of ${nodeIn(input)} is given back`,
    why: 'A host whose nova-compute stays disabled takes no instances, and nobody notices.',
    undo: 'Nothing to undo: it only looks.',
  },
  'compute-returns': {
    title: input => `nova-compute and network agents of ${nodeIn(input)} are up`,
    why: 'Instances may be scheduled onto a host only when its services and network work.',
    undo: 'Nothing to undo: it only waits.',
  },
  'compute-service-found': {
    title: input => `nova-compute of ${nodeIn(input)} is found and up`,
    why: 'Instances can be moved away only by a nova-compute that reports.',
  },
  'destinations-exist': {
    title: input => `Instances of ${nodeIn(input)} have somewhere to go`,
    why: 'A host cannot be emptied when there is nowhere to go.',
  },
  'disable-compute': {
    title: input => `Disable nova-compute of ${nodeIn(input)}`,
    why: 'Nova must not schedule new instances onto the node.',
    undo: 'Enable nova-compute again: the leave procedure does it.',
  },
  'enable-compute': {
    title: input => `Enable nova-compute of ${nodeIn(input)}`,
    why: 'Nova may schedule instances onto the node again.',
    undo: 'Disable nova-compute again.',
  },
} satisfies StepTexts

/** `reason`: why it is disabled, as Nova keeps it; null: none was given. */
type Disabled = {
  readonly host: string
  readonly reason: string | null
}

/** What nova-compute is found to be. */
export const COMPUTE_FINDINGS = {
  ComputeServiceFoundUp: ({ host, status }: OfHost & { readonly status: string }) =>
    `nova-compute on ${host} is up and ${status}.`,
  ComputeRecordLeftOver: ({ node, records: [own, ...others] }: Records) =>
    `Nova has another record of ${node}, which is down: ${recordsText(others)}. ${own?.host ?? node} is the one that is up. Remove the other with \`openstack compute service delete ${others.map(({ id }) => id).join(' ')}\` once no instance is on it.`,
  NetworkAgentsLeftOver: ({ node, agents }: Agents) =>
    `Neutron has records of agents of ${node} that report no more, beside ones that do: ${agentsText(agents)}. Remove them with \`openstack network agent delete ${agents.map(({ id }) => id).join(' ')}\`.`,
  HypervisorsOfOneCompute: ({ host, hypervisors }: OfHost & Hypervisors) =>
    `Nova has ${hypervisors.length} hypervisor records for nova-compute on ${host}: ${hypervisorsText(hypervisors)}. One is left over, as after a rename of the machine; the instances of all of them count.`,
  HypervisorLeftOver: ({ node, hypervisors }: OfNode & Hypervisors) =>
    `Nova has a hypervisor record of ${node} under another nova-compute, which is down: ${hypervisorsText(hypervisors)}. Remove it with \`openstack compute service delete ${hypervisors.map(({ serviceId }) => serviceId).join(' ')}\` once no instance is on it.`,
  HypervisorDown: ({ host, hypervisors }: OfHost & Hypervisors) =>
    `nova-compute on ${host} is up, but Nova has its hypervisor as down: ${hypervisorsText(hypervisors)}.`,
  HypervisorsNotRead: ({ node, cause }: OfNode & { readonly cause: string }) =>
    `The hypervisor records of ${node} were not read. ${cause}`,
  HypervisorCountsMore: ({ host, instances, ids }: HypervisorCount) =>
    `Nova's hypervisor record of ${host} counts ${counted(instances, 'instance')} that the instance list does not show${ids.length === 0 ? '' : `: ${someOf(ids, 3)}`}.`,
  ComputeServiceState: ({ host, state }: OfHost & { readonly state: string }) => `nova-compute on ${host} is ${state}.`,
  ComputeEnabled: ({ host }: OfHost) => `nova-compute on ${host} is enabled.`,
  ComputeEnabledAlready: ({ host }: OfHost) => `nova-compute on ${host} is enabled already.`,
  ComputeEnabledAndUp: ({ host }: OfHost) => `nova-compute on ${host} is enabled and up.`,
  ComputeDisabled: ({ host, reason }: Disabled) =>
    `nova-compute on ${host} is disabled${reason === null ? '' : `: ${reason}`}.`,
  ComputeDisabledAlready: ({ host, reason }: Disabled) =>
    `nova-compute on ${host} is disabled already: ${given(reason)}.`,
  ComputeDisabledItself: ({ host, reason }: Disabled) =>
    `nova-compute on ${host} disabled itself (${given(reason)}) and enables itself as soon as libvirt answers: this run takes the disable over.`,
  ComputeEnablesItself: enablesItself,
  ComputeWasDisabled: ({ host }: OfHost) => `nova-compute on ${host} is disabled already.`,
  ComputeDisabledAndUp: ({ host }: OfHost) => `nova-compute on ${host} is disabled and up.`,
  ComputeReasonKept: ({ host, reason }: Disabled) =>
    `${upperFirst(disablerWords(reason))} disabled nova-compute on ${host} (${given(reason)}). The reason is kept, and leave will not enable it.`,
  ComputeDisabledForMaintenance: ({ host, reason, by }: Disabled & { readonly by: 'us' | 'watcher' }) =>
    `nova-compute on ${host} is disabled by ${by === 'us' ? 'us' : "Watcher's host maintenance"}: ${reason ?? ''}.`,
  ComputeReasonNotOurs: ({ host }: OfHost) => `nova-compute on ${host} stays disabled: the reason is not ours.`,
  ComputeNotEnabled: ({ host, reason }: Disabled) =>
    `nova-compute on ${host} stays disabled: ${given(reason)} is not ours.`,
  ComputeToEnableByHand: ({ host, reason }: Disabled) =>
    `nova-compute on ${host} was disabled by ${disablerWords(reason)} (${given(reason)}) and stays disabled. Enable it yourself when that reason is gone.`,
  ComputeStaysDisabled: ({ host, reason }: Disabled) =>
    isReasonOfNova(reason)
      ? enablesItself({ host, reason })
      : `nova-compute on ${host} stays disabled by ${disablerWords(reason)}: ${given(reason)}.`,
  ComputeNotTheControllers: ({ host, reason }: Disabled) =>
    `nova-compute on ${host} was disabled by ${disablerWords(reason)} (${given(reason)}) and stays disabled: the OpenStack Controller enables only what it disabled itself.`,
  ComputeUpAndStaysDisabled: ({ host, reason }: Disabled) =>
    isReasonOfNova(reason)
      ? enablesItself({ host, reason })
      : `nova-compute on ${host} is up; it stays disabled by ${disablerWords(reason)}: ${given(reason)}.`,
  LooksAtCompute: ({ node }: OfNode) => `Looking at nova-compute of ${node}.`,
  WaitsForCompute: ({ node }: OfNode) => `Waiting for nova-compute and network agents of ${node}.`,
  ComputeReturned: ({ host, agents }: OfHost & { readonly agents: number }) =>
    `nova-compute on ${host} is up and ${counted(agents, 'network agent')} alive.`,
  InstancesUnderAnotherName: ({ host, instances }: OfHost & { readonly instances: number }) =>
    `Nova has ${counted(instances, 'instance')} on ${host}, which may be the same machine.`,
} satisfies TextsOf<string>

/** `hosts`: those that Nova knows; `asked` by: a plan for the role, a rescue, or a step that only reads it. */
type MissingCompute = OfNode & {
  readonly hosts: Names
  readonly asked: 'by-role' | 'by-rescue' | 'by-step'
}

const MISSING_ENDS = {
  'by-role': ', although the node carries the compute role.',
  'by-rescue': ': it has no instances there that could be rescued.',
  'by-step': '.',
}

function knownHosts(hosts: Names): string {
  return `Nova knows these hosts: ${someNames(hosts, 50) || 'none'}.`
}

const MISSING_REMEDIES = {
  'by-role': (hosts: Names) => `${knownHosts(hosts)} Correct the role labels of the cluster, or the host name.`,
  'by-rescue': knownHosts,
  'by-step': () => '',
}

/** What is in the way of nova-compute. */
export const COMPUTE_FAULTS = {
  NoCloud: ({ node, cluster }: OfNode & OfCluster) => ({
    message: `${node} carries the compute role, but cluster ${cluster} is registered without OpenStack credentials.`,
    remedy: 'Add the cluster again with --clouds-yaml and --cloud, or correct its role labels.',
    never: 'which instances run there cannot be known',
  }),
  SeveralComputeRecords: ({ node, records }: Records) => ({
    message: `Nova has several records of ${node}: ${recordsText(records)}.`,
    remedy:
      'Find out which one its nova-compute reports under, and remove the others with `openstack compute service delete`.',
    never: 'the instances of the node may be under either of them',
  }),
  SeveralHypervisors: ({ node, hypervisors }: OfNode & Hypervisors) => ({
    message: `Nova has hypervisor records of ${node} under several nova-computes that are up: ${hypervisorsText(hypervisors)}.`,
    remedy:
      'Find out which nova-compute runs on it with `openstack hypervisor list --long`, and remove the other service with `openstack compute service delete`.',
    never: 'the instances of the node may be under either of them',
  }),
  SeveralNetworkAgents: ({ node, agents }: Agents) => ({
    message: `Neutron has agents of one kind that report under several names of ${node}: ${agentsText(agents)}.`,
    remedy:
      'Find out which name the node is to have, stop the agent that reports under the other, and remove its record with `openstack network agent delete`.',
    never: 'the ports of the node may be bound under either name',
  }),
  ComputeOfOtherNode: ({ node, host }: OfNode & OfHost) => ({
    message: `Nova has no nova-compute service under a name of ${node}; the one on ${host}, with the same first label, is of node ${host}.`,
    remedy: `Look which record the nova-compute of ${node} reports under: \`openstack compute service list\`.`,
    never: 'work would be done to another node',
  }),
  ComputeServiceMissing: ({ node, hosts, asked }: MissingCompute) => ({
    message: `Nova has no nova-compute service on ${node}${MISSING_ENDS[asked]}`,
    remedy: MISSING_REMEDIES[asked](hosts),
    never:
      asked === 'by-rescue'
        ? 'which instances were there cannot be known'
        : 'which instances run there cannot be known',
  }),
  ComputeServiceDown: ({ host, forcedDown }: OfHost & { readonly forcedDown: boolean }) => ({
    message: `nova-compute on ${host} is down${forcedDown ? ' (forced down)' : ''}: it cannot send instances away.`,
    remedy: 'Bring nova-compute back first, or evacuate the instances with Nova once the host is fenced.',
  }),
  ComputeWouldEnableItself: ({ host, reason }: Disabled) => ({
    message: `nova-compute on ${host} disabled itself (${given(reason)}) and would enable itself in the middle of the maintenance.`,
    remedy: 'Apply the step again: it takes the disable over.',
  }),
  ComputeEnabledAgain: ({ host }: OfHost) => ({
    message: `nova-compute on ${host} is enabled.`,
    remedy: 'Somebody enabled it again; find out who before going on.',
  }),
  ComputeDisabledButDown: ({ host }: OfHost) => ({
    message: `nova-compute on ${host} is disabled, but down.`,
    remedy: 'Bring nova-compute back: the hypervisor service has to stay active.',
  }),
  ComputeEnabledButDown: ({ host }: OfHost) => ({
    message: `nova-compute on ${host} is enabled but down.`,
    remedy: 'Bring nova-compute back.',
  }),
  ComputeStillDisabled: ({ host, reason }: Disabled) => ({
    message: `nova-compute on ${host} is still disabled: ${reason ?? ''}.`,
    remedy: 'Resume the run, or enable it with the openstack client.',
  }),
  ComputeNotGivenBack: ({ host }: OfHost) => ({
    message: `nova-compute on ${host} is still disabled by the OpenStack Controller.`,
    remedy: 'Look at what the controller waits for; do not enable it by hand.',
  }),
  ComputeDown: ({ host }: OfHost) => ({
    message: `nova-compute on ${host} is down.`,
    remedy: 'Look at its pod and log.',
  }),
  ComputeNotReturned: ({ host }: OfHost) => ({
    message: `nova-compute on ${host} is down.`,
    remedy: 'Look at its pod and log; the node can be left once it reports.',
  }),
  AgentsNotReturned: ({ host, agents }: OfHost & { readonly agents: readonly string[] }) => ({
    message: `Not alive on ${host}: ${agents.join(', ')}.`,
    remedy: 'Look at the pods of these agents; the node can be left once they report.',
  }),
} satisfies TextsOf<FaultText>

/** What the steps about nova-compute read. */
export const COMPUTE_READS = {
  ComputeOfNode: ({ node }: OfNode) => `nova-compute of ${node}`,
  ComputeOnHost: ({ host }: OfHost) => `nova-compute on ${host}`,
  ComputeServices: () => 'The compute services',
  InstancesOnNode: ({ node }: OfNode) => `The instances on ${node}`,
  InstancesThatLeft: ({ node }: OfNode) => `The instances that left ${node}`,
} satisfies TextsOf<string>

type Records = {
  readonly node: string
  readonly records: readonly {
    readonly host: string
    readonly id: string
    readonly state: string
    readonly updatedAt: string | null
  }[]
}

type Hypervisors = {
  readonly hypervisors: readonly {
    readonly name: string
    readonly host: string
    readonly state: string
    readonly id: string
    readonly serviceId: string
  }[]
}

/** `ids`: empty where Nova told the count alone. */
type HypervisorCount = OfHost & { readonly instances: number; readonly ids: readonly string[] }

type Agents = {
  readonly node: string
  readonly agents: readonly {
    readonly host: string
    readonly type: string
    readonly id: string
    readonly heartbeatAt: string | null
  }[]
}

/** `cmp-02 of nova-compute on cmp-02 (up, id 6f1c…)`. */
function hypervisorsText(hypervisors: Hypervisors['hypervisors']): string {
  return hypervisors
    .map(({ name, host, state, id }) => `${name} of nova-compute on ${host} (${state}, id ${id})`)
    .join(', ')
}

/** `DHCP agent on cmp-02 (id 6f1c…, last report 2026-11-28 09:00:00 UTC)`. */
function agentsText(agents: Agents['agents']): string {
  return agents
    .map(({ host, type, id, heartbeatAt }) => `${type} on ${host} (id ${id}${lastReport(heartbeatAt)})`)
    .join(', ')
}

/** `cmp-02 (down, id 3, last report 2026-11-28 09:00:00 UTC)`. */
function recordsText(records: Records['records']): string {
  return records
    .map(({ host, id, state, updatedAt }) => `${host} (${state}, id ${id}${lastReport(updatedAt)})`)
    .join(', ')
}

/** `, last report 2026-11-28 09:00:00 UTC`. */
function lastReport(at: string | null): string {
  return at === null ? '' : `, last report ${at.replace(/^([0-9-]+)T([0-9:]+)(?:\.[0-9]+)?Z$/, '$1 $2 UTC')}`
}

/** A nova-compute that disabled itself stays so by nobody's decision. */
function enablesItself({ host, reason }: Disabled): string {
  return `nova-compute on ${host} disabled itself (${given(reason)}) and enables itself as soon as libvirt answers.`
}

function given(reason: string | null): string {
  return reason ?? 'no reason given'
}
