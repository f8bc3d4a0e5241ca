import { someOf } from '../../grammar/counts.ts'
import { type AwayNode, awayWords, besideAway } from './away-nodes.ts'
import { type Cause, type FaultText, nodeIn, type OfNode, type StepTexts, type TextsOf } from './coded.ts'

export const CONTROL_STEPS = {
  'control-quorum': {
    title: input => `The control plane keeps its quorum without ${nodeIn(input)}`,
    why: 'Without a quorum of its datastore the Kubernetes control plane stops.',
  },
  'datastore-quorum': {
    title: input => `The datastore of Kubernetes keeps its quorum without ${nodeIn(input)}`,
    why: 'Without a quorum of its datastore the Kubernetes control plane stops.',
  },
  'enable-ovn': {
    title: input => `Enable OVN on ${nodeIn(input)}`,
    why: 'Networks reach the outside through the OVN services of gateway nodes.',
    undo: 'Disable the services again: `microovn disable chassis`, `microovn disable switch`.',
  },
  'no-juju-controller': {
    title: input => `The Juju controller does not run on ${nodeIn(input)}`,
    why: 'The controller that Sunbeam bootstraps into Kubernetes has one pod: without it the cloud cannot be operated.',
  },
  'other-control-node': {
    title: input => `Another control node than ${nodeIn(input)} is in service`,
    why: 'The control plane of the cloud needs at least one active node.',
  },
} satisfies StepTexts

/** `gone`: the other nodes that are not counted; empty means all count. */
type Quorum = {
  readonly node: string
  readonly gone: readonly AwayNode[]
  readonly total: number
  readonly staying: number
  readonly needed: number
}

type Ovn = {
  readonly node: string
  readonly services: readonly string[]
}

export type MemberReported =
  /** Its node is out of service, so it does not count. */
  | { readonly code: 'IsAway'; readonly away: AwayNode }
  /** It is on the node that leaves, so it does not count. */
  | { readonly code: 'IsOnNode' }
  | { readonly code: 'AgentLost'; readonly cause: string }
  | { readonly code: 'NotAnswered'; readonly cause: string }
  | { readonly code: 'NoService'; readonly service: string; readonly output: string }
  | { readonly code: 'ServiceIs'; readonly service: string; readonly state: string }
  | { readonly code: 'PodIs'; readonly phase: string; readonly ready: boolean; readonly node: string | null }
  | { readonly code: 'NodeIs'; readonly readiness: string }

/** The state of a member of the datastore, as the evidence shows it. */
export function memberWords(reported: MemberReported): string {
  switch (reported.code) {
    case 'IsAway':
      return `not counted: ${reported.away.node} is ${awayWords(reported.away)}`
    case 'IsOnNode':
      return 'not counted: it is on the node'
    case 'AgentLost':
      return `its agent is lost: ${reported.cause}`
    case 'NotAnswered':
      return reported.cause
    case 'NoService':
      return reported.output || `it has no service ${reported.service}`
    case 'ServiceIs':
      return `${reported.service} is ${reported.state}`
    case 'PodIs':
      return `${reported.phase}${reported.ready ? '' : ', not ready'} on ${reported.node}`
    case 'NodeIs':
      return reported.readiness
  }
}

export const CONTROL_FINDINGS = {
  ControlQuorumStays: ({ node, gone, total, staying, needed }: Quorum) =>
    `${staying} of ${total} control nodes stay ready without ${node}${besideAway(gone)}; a quorum needs ${needed}.`,
  TwoControlNodes: () => 'Two control nodes have no redundancy: a quorum of two needs both.',
  DatastoreQuorumStays: ({ node, gone, total, staying, needed, kind }: Quorum & { readonly kind: string }) =>
    `${staying} of ${total} members (${kind}) stay without ${node}${besideAway(gone)}; a quorum needs ${needed}.`,
  TwoDatastoreMembers: () => 'Two members have no redundancy: a quorum of two needs both.',
  OtherControlNodes: ({ nodes }: { readonly nodes: readonly string[] }) => `Also in service: ${nodes.join(', ')}.`,
  NoJujuControllerHere: () =>
    'Not applicable: this Kubernetes runs no Juju controller. It is external, or the cloud has none.',
  JujuControllerElsewhere: ({ nodes }: { readonly nodes: readonly string[] }) =>
    `The Juju controller runs on ${someOf(nodes)}.`,
  JujuControllersOfMaas: () =>
    'Not applicable: MAAS provides the machines, and its Juju controllers are separate machines.',
  JujuControllerOfOthers: ({ node, pods }: OfNode & { readonly pods: readonly string[] }) =>
    `Pod ${someOf(pods)} on ${node} looks like a Juju controller of another product.`,
  JujuMachinesLeftOver: ({ node, machines }: JujuMachines) =>
    `Juju has a record of ${node} that no longer reports, beside one that does: ${machinesText(machines)}. Remove it with ${machines.map(({ id }) => `\`juju remove-machine --force ${id}\``).join(', ')}.`,
  OvnOnlyVerified: () => 'Lockkeeper knows no Juju controller, so it enables nothing. It verifies OVN through Neutron.',
  OvnWithoutUnit: ({ node }: OfNode) => `${node} has no MicroOVN unit, so no service needs to be enabled.`,
  OvnIsEnabled: ({ node, services }: Ovn) => `OVN is already enabled on ${node}: ${services.join(', ')}.`,
  OvnToBeEnabled: ({ node, services }: Ovn) => `Not enabled on ${node}: ${services.join(', ')}.`,
  OvnNotEnabledWithoutJuju: () => 'Lockkeeper knows no Juju controller, so it enabled nothing and only verifies OVN.',
  OvnNotEnabledJujuSilent: () => 'Juju did not answer, so Lockkeeper enabled nothing and only verifies OVN.',
  OvnHasNoUnit: ({ node }: OfNode) => `${node} has no MicroOVN unit.`,
  OvnWasEnabled: ({ node }: OfNode) => `OVN was already enabled on ${node}.`,
  OvnEnabled: ({ node, services }: Ovn) => `Enabled on ${node}: ${services.join(', ')}.`,
  OvnEnabledWithoutCloud: ({ node }: OfNode) =>
    `OVN is enabled on ${node}. Without OpenStack, Lockkeeper cannot check its agents.`,
  OvnNowhere: ({ node }: OfNode) => `${node} has no MicroOVN unit and no OVN agent.`,
  OvnLives: ({ node, agents }: OfNode & { readonly agents: readonly string[] }) =>
    `OVN works on ${node}: ${someOf(agents)}.`,
} satisfies TextsOf<string>

export const CONTROL_FAULTS = {
  SeveralJujuMachines: ({ node, machines }: JujuMachines) => ({
    message: `Several machines of Juju match ${node}: ${machinesText(machines)}.`,
    remedy: 'Find out with `juju status` which machine the node is, and remove the others with `juju remove-machine`.',
    never: 'the work would affect another machine',
  }),
  ControlQuorumLost: ({ node, gone, total, staying, needed }: Quorum) => ({
    message: `Only ${staying} of ${total} control nodes would be ready without ${node}${besideAway(gone)}; a quorum needs ${needed}.`,
    remedy: 'Bring the other control nodes back to Ready first.',
  }),
  DatastoreQuorumLost: ({ node, gone, total, staying, needed, kind }: Quorum & { readonly kind: string }) => ({
    message: `Only ${staying} of ${total} members (${kind}) would be serving without ${node}${besideAway(gone)}; a quorum needs ${needed}.`,
    remedy: 'Bring the other members back first.',
  }),
  DatastoreQuorumNotKnown: ({ node, cause }: OfNode & Cause) => ({
    message: `Cannot tell whether the datastore keeps its quorum without ${node}: Lockkeeper could not ask Juju. ${cause}`,
    remedy: 'Bring the Juju controller back, or check the quorum yourself and give --force with the reason.',
  }),
  LastControlNode: ({ node }: OfNode) => ({
    message: `${node} is the last control node that is ready and schedulable.`,
    remedy: 'Bring another control node back into service first.',
  }),
  JujuControllerOnNode: ({ node, pods }: OfNode & { readonly pods: readonly string[] }) => ({
    message: `${node} hosts the Juju controller (${someOf(pods)}), which has no replica.`,
    remedy: 'Move the controller to another node first, or maintain another node.',
    never: 'draining it takes the cloud down, and nothing could bring it back',
  }),
  OvnNotKnown: ({ node, cause }: OfNode & Cause) => ({
    message: `Cannot tell whether OVN is enabled on ${node}: ${cause}`,
    remedy:
      'Bring the Juju controller back, or give --force with the reason: Lockkeeper then verifies OVN only through Neutron.',
  }),
  OvnNotEnabled: ({ node, services }: Ovn) => ({
    message: `Not enabled on ${node}: ${services.join(', ')}.`,
    remedy: `Run \`microovn enable ${services[0]}\` on the machine and check \`snap logs microovn\`.`,
  }),
  NoOvnAgent: ({ node }: OfNode) => ({
    message: `Neutron knows no OVN agent on ${node}.`,
    remedy: 'Check ovn-controller on the machine.',
  }),
  OvnAgentsDead: ({ node, agents }: OfNode & { readonly agents: readonly string[] }) => ({
    message: `Not alive on ${node}: ${someOf(agents)}.`,
    remedy: 'Check ovn-controller and the metadata agent on the machine.',
  }),
  CommandFailed: ({
    command,
    unit,
    output,
  }: {
    readonly command: string
    readonly unit: string
    readonly output: string
  }) => ({
    message: `\`${command}\` on ${unit} failed: ${output || 'it printed nothing'}.`,
    remedy: '',
  }),
} satisfies TextsOf<FaultText>

export const CONTROL_READS = {
  NodeList: () => 'The list of nodes',
  OtherNodesAway: () => 'Which other nodes are out of service',
  DatastoreMembers: () => 'The members of the datastore',
  AllPods: () => 'The pods of the cluster',
  MicroOvn: ({ node }: OfNode) => `MicroOVN of ${node}`,
  NetworkAgents: ({ node }: OfNode) => `The network agents of ${node}`,
} satisfies TextsOf<string>

type JujuMachines = OfNode & {
  readonly machines: readonly {
    readonly id: string
    readonly hostname: string
    readonly reports: boolean
    readonly units: readonly string[]
  }[]
}

/** `machine 3, sun-1 (no longer reports; microceph/0)`. */
function machinesText(machines: JujuMachines['machines']): string {
  return machines
    .map(
      ({ id, hostname, reports, units }) =>
        `machine ${id}, ${hostname} (${reports ? 'reports' : 'no longer reports'}; ${units.join(', ')})`,
    )
    .join('; ')
}
