import { someOf } from '../../grammar/counts.ts'
import { type AwayNode, awayWords, besideAway } from './away-nodes.ts'
import { type Cause, type FaultText, nodeIn, type OfNode, type StepTexts, type TextsOf } from './coded.ts'

/** What the steps of the control and gateway roles are. */
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
    why: 'The controller that Sunbeam bootstraps into Kubernetes has one pod: without it nothing can be operated any more.',
  },
  'other-control-node': {
    title: input => `Another control node than ${nodeIn(input)} is in service`,
    why: 'The control plane of the cloud needs at least one active node.',
  },
} satisfies StepTexts

/** `gone`: the other nodes that do not count; empty: all others count. */
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

/** What was read of a member of the datastore. */
export type MemberReported =
  /** Its node is away, so it does not count. */
  | { readonly code: 'IsAway'; readonly away: AwayNode }
  /** It is on the very node, so it does not count. */
  | { readonly code: 'IsOnNode' }
  | { readonly code: 'AgentLost'; readonly cause: string }
  | { readonly code: 'NotAnswered'; readonly cause: string }
  | { readonly code: 'NoService'; readonly service: string; readonly output: string }
  | { readonly code: 'ServiceIs'; readonly service: string; readonly state: string }
  | { readonly code: 'PodIs'; readonly phase: string; readonly ready: boolean; readonly node: string | null }
  | { readonly code: 'NodeIs'; readonly readiness: string }

/** What was read of a member of the datastore, as the evidence shows it. */
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

/** What the steps of the control and gateway roles find. */
export const CONTROL_FINDINGS = {
  ControlQuorumStays: ({ node, gone, total, staying, needed }: Quorum) =>
    `${staying} of ${total} control nodes stay ready without ${node}${besideAway(gone)}; a quorum needs ${needed}.`,
  TwoControlNodes: () => 'Two control nodes have no redundancy: a quorum of two needs both.',
  DatastoreQuorumStays: ({ node, gone, total, staying, needed, kind }: Quorum & { readonly kind: string }) =>
    `${staying} of ${total} members (${kind}) stay without ${node}${besideAway(gone)}; a quorum needs ${needed}.`,
  TwoDatastoreMembers: () => 'Two members have no redundancy: a quorum of two needs both.',
  OtherControlNodes: ({ nodes }: { readonly nodes: readonly string[] }) => `Also in service: ${nodes.join(', ')}.`,
  NoJujuControllerHere: () =>
    'Not applicable: no Juju controller runs in this Kubernetes, it is an external one or there is none.',
  JujuControllerElsewhere: ({ nodes }: { readonly nodes: readonly string[] }) =>
    `The Juju controller runs on ${someOf(nodes)}.`,
  JujuControllersOfMaas: () =>
    "Not applicable: the machines are MAAS's, whose Juju controllers are machines of their own.",
  JujuControllerOfOthers: ({ node, pods }: OfNode & { readonly pods: readonly string[] }) =>
    `Pod ${someOf(pods)} on ${node} looks like a Juju controller of somebody else.`,
  JujuMachinesLeftOver: ({ node, machines }: JujuMachines) =>
    `Juju has a record of ${node} that reports no more, beside the one that does: ${machinesText(machines)}. Remove it with ${machines.map(({ id }) => `\`juju remove-machine --force ${id}\``).join(', ')}.`,
  OvnOnlyVerified: () => 'No Juju controller is known, so nothing is enabled; that OVN lives is verified by Neutron.',
  OvnWithoutUnit: ({ node }: OfNode) => `No MicroOVN unit is on ${node}: there is nothing to enable.`,
  OvnIsEnabled: ({ node, services }: Ovn) => `OVN is enabled on ${node} already: ${services.join(', ')}.`,
  OvnToBeEnabled: ({ node, services }: Ovn) => `Not enabled on ${node}: ${services.join(', ')}.`,
  OvnNotEnabledWithoutJuju: () => 'No Juju controller is known: nothing was enabled, OVN is only verified.',
  OvnNotEnabledJujuSilent: () => 'Juju did not answer: nothing was enabled, OVN is only verified.',
  OvnHasNoUnit: ({ node }: OfNode) => `No MicroOVN unit is on ${node}.`,
  OvnWasEnabled: ({ node }: OfNode) => `OVN was enabled on ${node} already.`,
  OvnEnabled: ({ node, services }: Ovn) => `Enabled on ${node}: ${services.join(', ')}.`,
  OvnEnabledWithoutCloud: ({ node }: OfNode) => `OVN is enabled on ${node}; there is no cloud to ask for its agents.`,
  OvnNowhere: ({ node }: OfNode) => `No MicroOVN unit and no OVN agent is on ${node}.`,
  OvnLives: ({ node, agents }: OfNode & { readonly agents: readonly string[] }) =>
    `OVN lives on ${node}: ${someOf(agents)}.`,
} satisfies TextsOf<string>

/** What is in the way of the steps of the control and gateway roles. */
export const CONTROL_FAULTS = {
  SeveralJujuMachines: ({ node, machines }: JujuMachines) => ({
    message: `Several of Juju's machines fit ${node}: ${machinesText(machines)}.`,
    remedy: 'Find out with `juju status` which one the node is, and remove the others with `juju remove-machine`.',
    never: 'work would be done to another machine',
  }),
  ControlQuorumLost: ({ node, gone, total, staying, needed }: Quorum) => ({
    message: `Of ${total} control nodes ${staying} would be left ready without ${node}${besideAway(gone)}; a quorum needs ${needed}.`,
    remedy: 'Bring the other control nodes back to Ready first.',
  }),
  DatastoreQuorumLost: ({ node, gone, total, staying, needed, kind }: Quorum & { readonly kind: string }) => ({
    message: `Of ${total} members (${kind}) ${staying} would be left serving without ${node}${besideAway(gone)}; a quorum needs ${needed}.`,
    remedy: 'Bring the other members back first.',
  }),
  DatastoreQuorumNotKnown: ({ node, cause }: OfNode & Cause) => ({
    message: `Whether the datastore keeps its quorum without ${node} is not known: Juju could not be asked. ${cause}`,
    remedy: 'Bring the Juju controller back, or make sure of the quorum yourself and give --force with the reason.',
  }),
  LastControlNode: ({ node }: OfNode) => ({
    message: `${node} is the last control node that is ready and schedulable.`,
    remedy: 'Bring another control node back into service first.',
  }),
  JujuControllerOnNode: ({ node, pods }: OfNode & { readonly pods: readonly string[] }) => ({
    message: `${node} hosts the Juju controller (${someOf(pods)}), which has no second one.`,
    remedy: 'Move the controller to another node first, or maintain another node.',
    never: 'draining it takes the cluster down, and nothing could bring it back',
  }),
  OvnNotKnown: ({ node, cause }: OfNode & Cause) => ({
    message: `Whether OVN is enabled on ${node} is not known: ${cause}`,
    remedy: 'Bring the Juju controller back, or give --force with the reason: then it is only verified by Neutron.',
  }),
  OvnNotEnabled: ({ node, services }: Ovn) => ({
    message: `Not enabled on ${node}: ${services.join(', ')}.`,
    remedy: `Run \`microovn enable ${services[0]}\` on the machine and look at \`snap logs microovn\`.`,
  }),
  NoOvnAgent: ({ node }: OfNode) => ({
    message: `Neutron knows no OVN agent on ${node}.`,
    remedy: 'Look at ovn-controller on the machine.',
  }),
  OvnAgentsDead: ({ node, agents }: OfNode & { readonly agents: readonly string[] }) => ({
    message: `Not alive on ${node}: ${someOf(agents)}.`,
    remedy: 'Look at ovn-controller and the metadata agent on the machine.',
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
    message: `\`${command}\` on ${unit} failed: ${output || 'it said nothing'}.`,
    remedy: '',
  }),
} satisfies TextsOf<FaultText>

/** What the steps of the control and gateway roles read. */
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

/** `machine 3, sun-1 (reports no more; microceph/0)`. */
function machinesText(machines: JujuMachines['machines']): string {
  return machines
    .map(
      ({ id, hostname, reports, units }) =>
        `machine ${id}, ${hostname} (${reports ? 'reports' : 'reports no more'}; ${units.join(', ')})`,
    )
    .join('; ')
}
