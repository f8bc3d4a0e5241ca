import { isReasonOfNova } from '../../domain/disabled-reason.ts'
import { counted, someOf, upperFirst } from '../../grammar/counts.ts'
import { instantWords } from '../../grammar/times.ts'
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

export const COMPUTE_STEPS = {
  'bring-home': {
    title: input => `Bring instances back to ${nodeIn(input)}`,
    why: 'The instances that moved for the maintenance stay spread over other nodes until a run brings them back.',
    undo: 'Instances stay where they are; move them with Nova if you want them elsewhere.',
  },
  'compute-given-back': {
    title: input => `nova-compute of ${nodeIn(input)} is enabled again`,
    why: 'A node whose nova-compute stays disabled takes no instances, and nobody notices.',
    undo: 'Nothing to undo: it only reads.',
  },
  'compute-returns': {
    title: input => `nova-compute and network agents of ${nodeIn(input)} are up`,
    why: 'Nova may schedule instances onto a node only when its services and network work.',
    undo: 'Nothing to undo: it only waits.',
  },
  'compute-service-found': {
    title: input => `nova-compute of ${nodeIn(input)} is found and up`,
    why: 'Only a nova-compute that reports can move instances away.',
  },
  'destinations-exist': {
    title: input => `Instances of ${nodeIn(input)} have somewhere to go`,
    why: 'A node can be emptied only if other nodes have room.',
  },
  'disable-compute': {
    title: input => `Disable nova-compute of ${nodeIn(input)}`,
    why: 'Nova must not schedule new instances onto the node.',
    undo: 'Enable nova-compute again: bringing the node back does that.',
  },
  'enable-compute': {
    title: input => `Enable nova-compute of ${nodeIn(input)}`,
    why: 'Nova may schedule instances onto the node again.',
    undo: 'Disable nova-compute again.',
  },
} satisfies StepTexts

/** `reason`: why it is disabled, as Nova keeps it; null if no reason was given. */
type Disabled = {
  readonly host: string
  readonly reason: string | null
}

export const COMPUTE_FINDINGS = {
  ComputeServiceFoundUp: ({ host, status }: OfHost & { readonly status: string }) =>
    `nova-compute on ${host} is up and ${status}.`,
  ComputeRecordLeftOver: ({ node, records: [own, ...others] }: Records) =>
    `Nova has another record of ${node}, which is down: ${recordsText(others)}. ${own?.host ?? node} is up. Remove the other with \`openstack compute service delete ${others.map(({ id }) => id).join(' ')}\` once no instance is on it.`,
  NetworkAgentsLeftOver: ({ node, agents }: Agents) =>
    `Neutron has records of agents of ${node} that no longer report, beside others that do: ${agentsText(agents)}. Remove them with \`openstack network agent delete ${agents.map(({ id }) => id).join(' ')}\`.`,
  HypervisorsOfOneCompute: ({ host, hypervisors }: OfHost & Hypervisors) =>
    `Nova has ${hypervisors.length} hypervisor records for nova-compute on ${host}: ${hypervisorsText(hypervisors)}. One is left over, as after a rename of the machine. Lockkeeper counts the instances of all.`,
  HypervisorLeftOver: ({ node, hypervisors }: OfNode & Hypervisors) =>
    `Nova has a hypervisor record of ${node} under another nova-compute, which is down: ${hypervisorsText(hypervisors)}. Remove it with \`openstack compute service delete ${hypervisors.map(({ serviceId }) => serviceId).join(' ')}\` once no instance is on it.`,
  HypervisorDown: ({ host, hypervisors }: OfHost & Hypervisors) =>
    `nova-compute on ${host} is up, but Nova shows its hypervisor as down: ${hypervisorsText(hypervisors)}.`,
  HypervisorsNotRead: ({ node, cause }: OfNode & { readonly cause: string }) =>
    `Lockkeeper could not read the hypervisor records of ${node}. ${cause}`,
  HypervisorCountsMore: ({ host, instances, ids }: HypervisorCount) =>
    `Nova's hypervisor record of ${host} counts ${counted(instances, 'instance')} that the instance list does not show${ids.length === 0 ? '' : `: ${someOf(ids, 3)}`}.`,
  ComputeServiceState: ({ host, state }: OfHost & { readonly state: string }) => `nova-compute on ${host} is ${state}.`,
  ComputeEnabled: ({ host }: OfHost) => `nova-compute on ${host} is enabled.`,
  ComputeEnabledAlready: ({ host }: OfHost) => `nova-compute on ${host} is already enabled.`,
  ComputeEnabledAndUp: ({ host }: OfHost) => `nova-compute on ${host} is enabled and up.`,
  ComputeDisabled: ({ host, reason }: Disabled) =>
    `nova-compute on ${host} is disabled${reason === null ? '' : `: ${reason}`}.`,
  ComputeDisabledAlready: ({ host, reason }: Disabled) =>
    `nova-compute on ${host} is already disabled: ${given(reason)}.`,
  ComputeDisabledItself: ({ host, reason }: Disabled) =>
    `nova-compute on ${host} disabled itself (${given(reason)}) and enables itself as soon as libvirt answers. This run keeps it disabled.`,
  ComputeEnablesItself: enablesItself,
  ComputeWasDisabled: ({ host }: OfHost) => `nova-compute on ${host} is already disabled.`,
  ComputeDisabledAndUp: ({ host }: OfHost) => `nova-compute on ${host} is disabled and up.`,
  ComputeReasonKept: ({ host, reason }: Disabled) =>
    `${upperFirst(disablerWords(reason))} disabled nova-compute on ${host} (${given(reason)}). Lockkeeper keeps that reason and will not enable it.`,
  ComputeDisabledForMaintenance: ({ host, reason, by }: Disabled & { readonly by: 'us' | 'watcher' }) =>
    `nova-compute on ${host} is disabled by ${by === 'us' ? 'Lockkeeper' : "Watcher's host maintenance"}: ${reason ?? ''}.`,
  ComputeReasonNotOurs: ({ host }: OfHost) =>
    `nova-compute on ${host} stays disabled: Lockkeeper did not set the reason.`,
  ComputeNotEnabled: ({ host, reason }: Disabled) =>
    `nova-compute on ${host} stays disabled: Lockkeeper did not set its reason (${given(reason)}).`,
  ComputeToEnableByHand: ({ host, reason }: Disabled) =>
    `nova-compute on ${host} was disabled by ${disablerWords(reason)} (${given(reason)}) and stays disabled. Enable it when that reason no longer applies.`,
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
  LooksAtCompute: ({ node }: OfNode) => `Checking nova-compute of ${node}.`,
  WaitsForCompute: ({ node }: OfNode) => `Waiting for nova-compute and network agents of ${node}.`,
  ComputeReturned: ({ host, agents }: OfHost & { readonly agents: number }) =>
    `nova-compute on ${host} is up, with ${counted(agents, 'network agent')} alive.`,
  InstancesUnderAnotherName: ({ host, instances }: OfHost & { readonly instances: number }) =>
    `Nova has ${counted(instances, 'instance')} on ${host}, which may be the same machine.`,
} satisfies TextsOf<string>

/** `hosts`: those that Nova knows; `asked`: what needs nova-compute: the role, a rescue, or a step that only reads it. */
type MissingCompute = OfNode & {
  readonly hosts: Names
  readonly asked: 'by-role' | 'by-rescue' | 'by-step'
}

const MISSING_ENDS = {
  'by-role': ', although the node carries the compute role.',
  'by-rescue': ': it has no instances there to rescue.',
  'by-step': '.',
}

function knownHosts(hosts: Names): string {
  return `Nova knows these hosts: ${someNames(hosts, 50) || 'none'}.`
}

const MISSING_REMEDIES = {
  'by-role': (hosts: Names) => `${knownHosts(hosts)} Correct the role labels of the cloud, or the host name.`,
  'by-rescue': knownHosts,
  'by-step': () => '',
}

export const COMPUTE_FAULTS = {
  NoCloud: ({ node, cluster }: OfNode & OfCluster) => ({
    message: `${node} carries the compute role, but cloud ${cluster} has no OpenStack credentials in Lockkeeper.`,
    remedy: 'Add the cloud again with --clouds-yaml and --cloud, or correct its role labels.',
    never: 'Lockkeeper cannot know which instances run there',
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
      'Find out which name the node should have. Stop the agent that reports under the other name, and remove its record with `openstack network agent delete`.',
    never: 'the ports of the node may be bound under either name',
  }),
  ComputeOfOtherNode: ({ node, host }: OfNode & OfHost) => ({
    message: `Nova has no nova-compute service under a name of ${node}. The one on ${host} starts with the same label but belongs to node ${host}.`,
    remedy: `Check which record the nova-compute of ${node} reports under: \`openstack compute service list\`.`,
    never: 'the work would affect another node',
  }),
  ComputeServiceMissing: ({ node, hosts, asked }: MissingCompute) => ({
    message: `Nova has no nova-compute service on ${node}${MISSING_ENDS[asked]}`,
    remedy: MISSING_REMEDIES[asked](hosts),
    never:
      asked === 'by-rescue'
        ? 'Lockkeeper cannot know which instances were there'
        : 'Lockkeeper cannot know which instances run there',
  }),
  ComputeServiceDown: ({ host, forcedDown }: OfHost & { readonly forcedDown: boolean }) => ({
    message: `nova-compute on ${host} is down${forcedDown ? ' (forced down)' : ''}: it cannot send instances away.`,
    remedy: 'Bring nova-compute back first. Once the host is fenced, you can evacuate its instances with Nova instead.',
  }),
  ComputeWouldEnableItself: ({ host, reason }: Disabled) => ({
    message: `nova-compute on ${host} disabled itself (${given(reason)}) and would enable itself during the maintenance.`,
    remedy: 'Apply the step again: it keeps nova-compute disabled.',
  }),
  ComputeEnabledAgain: ({ host }: OfHost) => ({
    message: `nova-compute on ${host} is enabled.`,
    remedy: 'Another client enabled it again. Find out which before you continue.',
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
    remedy: 'Check what the controller waits for; do not enable it yourself.',
  }),
  ComputeDown: ({ host }: OfHost) => ({
    message: `nova-compute on ${host} is down.`,
    remedy: 'Check its pod and log.',
  }),
  ComputeNotReturned: ({ host }: OfHost) => ({
    message: `nova-compute on ${host} is down.`,
    remedy: 'Check its pod and log. The node can come back once it reports.',
  }),
  AgentsNotReturned: ({ host, agents }: OfHost & { readonly agents: readonly string[] }) => ({
    message: `Not alive on ${host}: ${agents.join(', ')}.`,
    remedy: 'Check the pods of these agents. The node can come back once they report.',
  }),
} satisfies TextsOf<FaultText>

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

/** `ids`: empty if Nova gave only the count. */
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
  return at === null ? '' : `, last report ${instantWords(at)}`
}

/** Nova disabled this nova-compute without a decision by an operator. */
function enablesItself({ host, reason }: Disabled): string {
  return `nova-compute on ${host} disabled itself (${given(reason)}) and enables itself as soon as libvirt answers.`
}

function given(reason: string | null): string {
  return reason ?? 'no reason given'
}
