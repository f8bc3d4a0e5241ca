import type { CordonHolder } from '../../domain/cordon-holders.ts'
import type { ForeignMaintenance } from '../../domain/foreign-maintenance.ts'
import { type GateDoubt, type GateVerdict, HealthGate } from '../../domain/health-gates.ts'
import type { RoleContradiction } from '../../domain/node-roles.ts'
import type { TaintOwner } from '../../domain/node-taints.ts'
import type { NodeVerdict } from '../../domain/node-verdict.ts'
import { asPhrase, counted, someOf } from '../../grammar/counts.ts'
import { instantWords } from '../../grammar/times.ts'
import { cordonedByWords } from '../cordons.ts'
import { foreignMaintenanceWords } from '../foreign-maintenances.ts'
import { doubtWords, gateWords } from '../health-gates.ts'
import { contradictionRemedy, contradictionWords } from '../node-roles.ts'
import { taintWords } from '../node-taints.ts'
import { verdictSentence } from '../node-verdict.ts'
import {
  type Cause,
  type FaultText,
  type Finding,
  labelOf,
  type Names,
  nodeIn,
  type OfCluster,
  type OfInstance,
  type OfNode,
  type StepTexts,
  someNames,
  type TextsOf,
  type Values,
} from './coded.ts'

export const GENERAL_STEPS = {
  'cordon-node': {
    title: input => `Cordon ${nodeIn(input)}`,
    why: 'Kubernetes must not schedule new pods onto the node.',
    undo: 'Uncordon the node: bringing it back does that.',
  },
  'health-gates': {
    title: ({ gates }) => `Health gates pass: ${gateNames(gates)}`,
    why: 'You chose these measures: Lockkeeper takes out no node while one of them shows a problem.',
  },
  'node-emptied': {
    title: input => `Check what is left on ${nodeIn(input)}`,
    why: 'Before a node is powered off, you must know what still runs on it.',
  },
  'node-exists': {
    title: input => `Node ${nodeIn(input)} exists`,
    why: 'Otherwise a run would have no target, or would change another node with that name.',
  },
  'node-ready': {
    title: input => `${nodeIn(input)} is Ready`,
    why: 'A node whose kubelet does not report cannot run what is scheduled onto it.',
  },
  'node-serves': {
    title: input => `Check whether ${nodeIn(input)} takes work`,
    why: 'A node that another program keeps disabled or tainted takes no work, although the run did all it may.',
  },
  'node-state-known': {
    title: input => `The state of ${nodeIn(input)} is known`,
    why: 'A node that does not report may run things that Lockkeeper cannot see.',
  },
  'not-last-node': {
    title: input => `${nodeIn(input)} is not the last node in service`,
    why: 'The work of the node has to go somewhere.',
  },
  'permissions-suffice': {
    title: () => 'Kubernetes permissions are sufficient',
    why: 'A run that lacks a permission halfway leaves a node half empty.',
  },
  'roles-agree': {
    title: input => `The roles of ${nodeIn(input)} are known`,
    why: 'Lockkeeper does not prepare for a role it does not know: instances, disks or members would go down with the node.',
  },
  'take-back-cordon': {
    title: input => `Uncordon ${nodeIn(input)}, if run ${String(input.of)} cordoned it`,
    why: 'Kubernetes may schedule pods onto the node again, unless another program keeps them off it.',
    undo: 'Cordon the node again.',
  },
  'uncordon-node': {
    title: input => `Uncordon ${nodeIn(input)}`,
    why: 'Kubernetes may schedule pods onto the node again. It moves none back: if another node has too many, restart some of them.',
    undo: 'Cordon the node again.',
  },
  'undo-reaches': {
    title: input => `What run ${String(input.undoes)} did to ${nodeIn(input)} can be undone`,
    why: 'An undo changes only what the run itself changed.',
  },
} satisfies StepTexts

/** A node with the message of its Ready condition. */
type WithText = OfNode & { readonly text: string }

/** A node with those who cordoned it. */
type CordonedBy = OfNode & { readonly by: readonly CordonHolder[] }

export const GENERAL_FINDINGS = {
  KnowBeforeGoingOn: () => 'Read this before you continue.',
  MaintainedByOthers: (reported: ForeignMaintenance) => foreignMaintenanceWords(reported),
  MaintenanceByOthersNotRead: ({ cause }: Cause) =>
    `Lockkeeper could not read whether another program maintains the node (medik8s, Cluster API, Metal3): ${cause}`,
  TaintOfOthers: ({ node, taint, owner }: OfNode & { readonly taint: string; readonly owner: TaintOwner }) =>
    `${node} has the taint ${taintWords(taint, owner)}: pods that do not tolerate it ${taint.endsWith(':NoExecute') ? 'are evicted from the node and stay off it' : 'stay off the node'}, now and afterwards. Lockkeeper does not change the taint.`,
  NodeThere: ({ node }: OfNode) => `Node ${node} is in the cloud.`,
  NodeIsReady: ({ node }: OfNode) => `${node} is Ready.`,
  NodeKnownNotReady: ({ node }: OfNode) => `${node} is known to be NotReady.`,
  PodsMayNotEnd: ({ node, text }: WithText) => `${node} is NotReady (${text}): its pods may not terminate.`,
  OtherNodesServe: ({ total }: { readonly total: number }) => `${counted(total, 'other node')} ready and schedulable.`,
  PermissionsThere: ({ total }: { readonly total: number }) =>
    `The credentials have all ${counted(total, 'permission')} that the plan needs.`,
  RolesAgree: ({
    node,
    roles,
  }: OfNode & { readonly roles: readonly { readonly role: string; readonly by: readonly string[] }[] }) =>
    roles.length === 0
      ? `${node} has no role.`
      : `${roles.map(({ role, by }) => `${role} by ${by.join(' and ')}`).join('; ')}.`,
  HealthGatesHold: ({
    gates,
  }: {
    readonly gates: readonly { readonly gate: string; readonly verdict: GateVerdict }[]
  }) => gates.map(({ gate, verdict }) => `${gate}: ${gateWords(verdict)}.`).join(' '),
  IsCordoned: ({ node }: OfNode) => `${node} is cordoned.`,
  IsUnschedulable: ({ node }: OfNode) => `${node} is unschedulable.`,
  IsCordonedBy: ({ node, by }: CordonedBy) => `${node} is already cordoned, ${cordonedByWords(by)}.`,
  WasCordoned: ({ node }: OfNode) => `${node} was already cordoned.`,
  IsSchedulable: ({ node }: OfNode) => `${node} is schedulable.`,
  IsSchedulableAlready: ({ node }: OfNode) => `${node} is already schedulable.`,
  WasSchedulable: ({ node }: OfNode) => `${node} was already schedulable.`,
  IsUncordoned: ({ node }: OfNode) => `${node} is uncordoned.`,
  ReadyAndSchedulable: ({ node }: OfNode) => `${node} is Ready and schedulable.`,
  CordonedByOthers: ({ node, by }: CordonedBy) =>
    `${node} was cordoned ${cordonedByWords(by)}. Kubernetes does not show that Lockkeeper did it. The run uncordons it anyway.`,
  CordonOfOthersStays: (cordon: CordonedBy) => cordonStays(cordon),
  UncordonItYourself: (cordon: CordonedBy) => `${cordonStays(cordon)} Uncordon it once its owner agrees.`,
  CordonOwnerNotKnown: (cordon: CordonedBy) => `${ownerNotKnown(cordon)} The run asks before it uncordons the node.`,
  MayBeUncordoned: (cordon: CordonedBy) =>
    `${ownerNotKnown(cordon)} Continue uncordons it; "Skip" leaves it cordoned; or stop the run.`,
  PodsDoNotComeBack: ({ total }: { readonly total: number }) =>
    `${counted(total, 'pod')} left the node. An undo does not bring ${total === 1 ? 'it' : 'them'} back: the owner of ${total === 1 ? 'the pod creates it' : 'the pods creates them'} again.`,
  OthersOfRunStay: ({ run }: { readonly run: string }) =>
    `Run ${run} works on several nodes. If it still waits, the undo ends it for all of them. Its changes to the others, and a maintenance request of the cloud, stay.`,
  OnlyWhatRunDid: () => 'The plan contains only what the run did.',
  NodeVerdict: ({ node, verdict }: OfNode & { readonly verdict: NodeVerdict }) => verdictSentence(node, verdict),
  InstancePlaceNotKnown: ({ id, name }: OfInstance) =>
    `Nova does not report where instance ${labelOf({ name, id })} is.`,
  NovaHasNoService: ({ node }: OfNode) => `Nova has no nova-compute service on ${node}.`,
} satisfies TextsOf<string>

/** Something that Lockkeeper could not read, and why. */
type Unread = {
  readonly read: Finding
  readonly cause: string
  readonly retryable: boolean
}

const WAIT_FOR_ANSWER = 'Try again when the service answers.'

type Access = {
  readonly verb: string
  readonly group: string
  readonly resource: string
  readonly subresource?: string | null | undefined
  readonly namespace?: string | null | undefined
}

/** A health gate without a verdict. */
export type UnknownGate = {
  readonly gate: string
  readonly why: GateDoubt | { readonly code: 'NoPrometheus' } | { readonly code: 'NoAnswer'; readonly cause: string }
}

export const GENERAL_FAULTS = {
  NotRead: ({ read, cause, retryable }: Unread) => ({
    message: `${read.message} could not be read. ${cause}`,
    remedy: retryable ? WAIT_FOR_ANSWER : 'Run `lockkeeper cluster test` to see what is missing.',
    never: 'Lockkeeper never acts without knowing the state of the cloud',
  }),
  NotReadYet: ({ read, cause, retryable }: Unread) => ({
    message: `${read.message} could not be read. ${cause}`,
    remedy: retryable
      ? WAIT_FOR_ANSWER
      : 'Run `lockkeeper cluster test` to see what is missing, fix it and resume the run.',
  }),
  NodeUnknown: ({ node, nodes }: OfNode & { readonly nodes: Names }) => ({
    message: `The cloud has no node named ${node}.`,
    remedy: `Its nodes are: ${someNames(nodes, 20)}.`,
    never: 'a run would have no target',
  }),
  MachineWithoutNode: ({
    node,
    inNova,
    units,
  }: OfNode & { readonly inNova: boolean; readonly units: readonly string[] }) => ({
    message: `${node} is a machine outside of Kubernetes: ${someOf([
      ...(inNova ? ['Nova has a nova-compute on it'] : []),
      ...units.map(unit => `Juju has ${unit} on it`),
    ])}, and the cloud has no node of that name.`,
    remedy:
      'Lockkeeper can take it out of service under its name in Nova while its nova-compute is up, or as a storage-only machine with a microceph unit and OSDs. Otherwise use `sunbeam cluster maintenance`.',
    never: 'there is no node to cordon, drain or lock',
  }),
  NodeStateUnknown: ({ node, since, text }: WithText & { readonly since: string | null }) => ({
    message: `The control plane lost contact with ${node}${since ? ` at ${instantWords(since)}` : ''}: ${text || 'its kubelet never reported'}.`,
    remedy: 'Check the node (console, power state) and bring its kubelet back, or remove the node.',
    never: 'Lockkeeper cannot know what runs on the node',
  }),
  NodeNotReporting: ({ node, text }: WithText) => ({
    message: `${node} is not reporting: ${text}.`,
    remedy: BRING_BACK_KUBELET,
    never: 'Lockkeeper cannot know what runs on the node',
  }),
  NodeNotReady: ({ node, text }: WithText) => ({
    message: `${node} is NotReady: ${text}.`,
    remedy: BRING_BACK_KUBELET,
  }),
  LastNode: ({ node }: OfNode) => ({
    message: `${node} is the last node that is ready and schedulable.`,
    remedy: 'Bring another node back into service first.',
  }),
  NotPermitted: ({ reason, ...access }: Access & { readonly reason: string }) => ({
    message: `These credentials may not ${accessWords(access)}${reason ? ` (${reason})` : ''}.`,
    remedy:
      'Ask for the role in resources/rbac/lockkeeper-operator.yaml, or run `lockkeeper cluster test` for the exact manifest.',
    never: 'no flag grants a permission',
  }),
  RolesContradict: (contradiction: RoleContradiction) => ({
    message: contradictionWords(contradiction),
    remedy: contradictionRemedy(contradiction),
  }),
  RolesNotKnown: ({ node, cause }: OfNode & Cause) => ({
    message: `Cannot tell whether ${node} is a compute node: Nova did not answer. ${cause}`,
    remedy: 'Try again when Nova answers, or make sure that no instance is on it and give --force with the reason.',
  }),
  HealthGateUnknown: ({ gate, why }: UnknownGate) => ({
    message: `Cannot tell whether ${gate} is healthy: ${unknownWords(why)}.`,
    remedy: 'Check Prometheus and the query. An unknown gate never passes.',
  }),
  HealthGateStops: ({ gate, verdict }: { readonly gate: string; readonly verdict: GateVerdict }) => ({
    message: `Health gate ${gate} fails: ${gateWords(verdict)}.`,
    remedy: 'Wait until it is healthy again, then try again.',
  }),
  CloudNotReached: ({ cluster }: OfCluster) => ({
    message: `Lockkeeper could not reach OpenStack of cloud ${cluster}.`,
    remedy: '',
  }),
  CordonGone: ({ node }: OfNode) => ({
    message: `${node} is schedulable.`,
    remedy: 'Find out who uncordoned it before you continue.',
  }),
  CordonedAgain: ({ node }: OfNode) => ({
    message: `${node} is cordoned.`,
    remedy: 'Find out who cordoned it again.',
  }),
  CordonStays: ({ node }: OfNode) => ({
    message: `${node} is cordoned.`,
    remedy: 'Resume the run, or uncordon it with kubectl.',
  }),
  SchedulableNotReady: ({ node, text }: WithText) => ({
    message: `${node} is schedulable but not Ready: ${text}.`,
    remedy: 'Bring its kubelet back.',
  }),
  RequestNotOfRun: ({ request, node, run }: OfNode & { readonly request: string; readonly run: string }) => ({
    message: `Run ${run} did not make the maintenance request ${request} for ${node}: someone else has the node in maintenance.`,
    remedy: 'Ask its maker to remove it, or bring the node back into service with `lockkeeper leave`.',
    never: 'an undo changes only what the run itself changed',
  }),
} satisfies TextsOf<FaultText>

export const GENERAL_READS = {
  Node: ({ node }: OfNode) => `Node ${node}`,
  Permissions: () => 'The permissions of these credentials',
  WhatRunsOn: ({ node }: OfNode) => `The workload of ${node}`,
  WhatIsLeft: ({ node }: OfNode) => `The rest of the workload of ${node}`,
  WhetherItServes: ({ node }: OfNode) => `The service state of ${node}`,
  MaintenanceRequests: () => 'The maintenance requests',
} satisfies TextsOf<string>

const BRING_BACK_KUBELET = 'Bring its kubelet back (is the machine up?), then bring it back into service.'

/** `create pods/eviction in namespace openstack` */
export function accessWords({ verb, group, resource, subresource, namespace }: Access): string {
  const what = subresource ? `${resource}/${subresource}` : resource
  return `${verb} ${what}${group ? `.${group}` : ''}${namespace ? ` in namespace ${namespace}` : ''}`
}

function gateNames(gates: Values[string] | undefined): string {
  const known = HealthGate.array().safeParse(gates).data ?? []
  return known.map(({ name }) => name).join(', ')
}

function unknownWords(why: UnknownGate['why']): string {
  switch (why.code) {
    case 'NoPrometheus':
      return 'the settings of the cloud name no Prometheus'
    case 'NoAnswer':
      return asPhrase(why.cause)
    default:
      return doubtWords(why)
  }
}

function cordonStays({ node, by }: CordonedBy): string {
  return `${node} stays cordoned: its current cordon was set ${cordonedByWords(by)}.`
}

function ownerNotKnown({ node, by }: CordonedBy): string {
  return `${node} is cordoned, but Kubernetes does not show whether still by that run: it was cordoned ${cordonedByWords(by)}.`
}
