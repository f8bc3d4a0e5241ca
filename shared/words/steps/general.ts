import type { CordonHolder } from '../../domain/cordon-holders.ts'
import type { ForeignMaintenance } from '../../domain/foreign-maintenance.ts'
import { type GateDoubt, type GateVerdict, HealthGate } from '../../domain/health-gates.ts'
import type { RoleContradiction } from '../../domain/node-roles.ts'
import type { TaintOwner } from '../../domain/node-taints.ts'
import type { NodeVerdict } from '../../domain/node-verdict.ts'
import { asPhrase, counted, someOf } from '../../grammar/counts.ts'
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

/** What the steps of every node are. */
export const GENERAL_STEPS = {
  'cordon-node': {
    title: input => `Cordon ${nodeIn(input)}`,
    why: 'Kubernetes must not schedule new pods onto the node.',
    undo: 'Uncordon the node: the leave procedure does it.',
  },
  'health-gates': {
    title: ({ gates }) => `Health gates hold: ${gateNames(gates)}`,
    why: 'You chose these measures: no node is taken while one of them says that the cloud is not well.',
  },
  'node-emptied': {
    title: input => `Look what is left on ${nodeIn(input)}`,
    why: 'Whoever powers the node off has to know what still runs on it.',
  },
  'node-exists': {
    title: input => `Node ${nodeIn(input)} exists`,
    why: 'A procedure on a node that is not there would act on nothing, or on a namesake.',
  },
  'node-ready': {
    title: input => `${nodeIn(input)} is Ready`,
    why: 'A node whose kubelet does not report cannot run what is scheduled onto it.',
  },
  'node-serves': {
    title: input => `Look whether ${nodeIn(input)} takes work`,
    why: 'A node that somebody else keeps disabled or tainted takes no work, though the run did all it may.',
  },
  'node-state-known': {
    title: input => `The state of ${nodeIn(input)} is known`,
    why: 'A node that does not report may run things nobody can see.',
  },
  'not-last-node': {
    title: input => `${nodeIn(input)} is not the last node in service`,
    why: 'The work of the node has to go somewhere.',
  },
  'permissions-suffice': {
    title: () => 'Kubernetes permissions suffice',
    why: 'A procedure that stops half way for want of a permission leaves a node half empty.',
  },
  'roles-agree': {
    title: input => `The roles of ${nodeIn(input)} are known`,
    why: 'A role that is not known is not prepared: its instances, disks or members would be stopped with the node.',
  },
  'take-back-cordon': {
    title: input => `Uncordon ${nodeIn(input)}, if it is cordoned by run ${String(input.of)}`,
    why: 'Kubernetes may schedule pods onto the node again, unless somebody else keeps them off it.',
    undo: 'Cordon the node again.',
  },
  'uncordon-node': {
    title: input => `Uncordon ${nodeIn(input)}`,
    why: 'Kubernetes may schedule pods onto the node again. It moves none back: where another node carries too many, restart some of them.',
    undo: 'Cordon the node again.',
  },
  'undo-reaches': {
    title: input => `What run ${String(input.undoes)} did to ${nodeIn(input)} can be undone`,
    why: 'An undo touches nothing that the run did not do itself.',
  },
} satisfies StepTexts

/** A node with what Kubernetes says of its readiness. */
type WithText = OfNode & { readonly text: string }

/** A node with who holds its cordon. */
type CordonedBy = OfNode & { readonly by: readonly CordonHolder[] }

/** What the steps of every node find. */
export const GENERAL_FINDINGS = {
  KnowBeforeGoingOn: () => 'This is to be known before it goes on.',
  MaintainedByOthers: (reported: ForeignMaintenance) => foreignMaintenanceWords(reported),
  MaintenanceByOthersNotRead: ({ cause }: Cause) =>
    `Whether another program maintains the node (medik8s, Cluster API, Metal3) could not be read: ${cause}`,
  TaintOfOthers: ({ node, taint, owner }: OfNode & { readonly taint: string; readonly owner: TaintOwner }) =>
    `${node} has the taint ${taintWords(taint, owner)}: pods that do not tolerate it ${taint.endsWith(':NoExecute') ? 'are evicted from the node and stay off it' : 'stay off the node'}, now and afterwards. Lockkeeper leaves the taint alone.`,
  NodeThere: ({ node }: OfNode) => `Node ${node} is in the cluster.`,
  NodeIsReady: ({ node }: OfNode) => `${node} is Ready.`,
  NodeKnownNotReady: ({ node }: OfNode) => `${node} is known to be NotReady.`,
  PodsMayNotEnd: ({ node, text }: WithText) =>
    `${node} is NotReady (${text}): its pods may not terminate by themselves.`,
  OtherNodesServe: ({ total }: { readonly total: number }) => `${counted(total, 'other node')} ready and schedulable.`,
  PermissionsThere: ({ total }: { readonly total: number }) =>
    `All ${counted(total, 'permission')} the plan needs are there.`,
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
  IsCordonedBy: ({ node, by }: CordonedBy) => `${node} is cordoned already, ${cordonedByWords(by)}.`,
  WasCordoned: ({ node }: OfNode) => `${node} was cordoned already.`,
  IsSchedulable: ({ node }: OfNode) => `${node} is schedulable.`,
  IsSchedulableAlready: ({ node }: OfNode) => `${node} is schedulable already.`,
  WasSchedulable: ({ node }: OfNode) => `${node} was schedulable already.`,
  IsUncordoned: ({ node }: OfNode) => `${node} is uncordoned.`,
  ReadyAndSchedulable: ({ node }: OfNode) => `${node} is Ready and schedulable.`,
  CordonedByOthers: ({ node, by }: CordonedBy) =>
    `${node} was cordoned ${cordonedByWords(by)}, not by Lockkeeper as far as Kubernetes tells. It is uncordoned all the same.`,
  CordonOfOthersStays: (cordon: CordonedBy) => cordonStays(cordon),
  UncordonItYourself: (cordon: CordonedBy) =>
    `${cordonStays(cordon)} Uncordon it yourself once whoever cordoned it agrees.`,
  CordonOwnerNotKnown: (cordon: CordonedBy) => `${ownerNotKnown(cordon)} The run asks before it uncordons it.`,
  MayBeUncordoned: (cordon: CordonedBy) =>
    `${ownerNotKnown(cordon)} Continue uncordons it, skip leaves it cordoned, or abort.`,
  PodsDoNotComeBack: ({ total }: { readonly total: number }) =>
    `${counted(total, 'pod')} left the node and ${total === 1 ? 'does' : 'do'} not come back by an undo: whoever owns ${total === 1 ? 'it makes it' : 'them makes them'} anew.`,
  OthersOfRunStay: ({ run }: { readonly run: string }) =>
    `Run ${run} works on many nodes. Where it still waits it is ended for all of them; what it did to others, and a maintenance request of the cluster, stays.`,
  OnlyWhatRunDid: () => 'The plan is made of what the run did, and of nothing else.',
  NodeVerdict: ({ node, verdict }: OfNode & { readonly verdict: NodeVerdict }) => verdictSentence(node, verdict),
  InstancePlaceNotKnown: ({ id, name }: OfInstance) => `Nova cannot tell where instance ${labelOf({ name, id })} is.`,
  NovaHasNoService: ({ node }: OfNode) => `Nova has no nova-compute service on ${node}.`,
} satisfies TextsOf<string>

/** Something that could not be read, and why it was not. */
type Unread = {
  readonly read: Finding
  readonly cause: string
  readonly retryable: boolean
}

const WAIT_FOR_ANSWER = 'Try again when the service answers.'

/** A permission as it is asked for. */
type Access = {
  readonly verb: string
  readonly group: string
  readonly resource: string
  readonly subresource?: string | null | undefined
  readonly namespace?: string | null | undefined
}

/** A health gate that tells nothing. */
export type UnknownGate = {
  readonly gate: string
  readonly why: GateDoubt | { readonly code: 'NoPrometheus' } | { readonly code: 'NoAnswer'; readonly cause: string }
}

/** What is in the way of the steps of every node. */
export const GENERAL_FAULTS = {
  NotRead: ({ read, cause, retryable }: Unread) => ({
    message: `${read.message} could not be read. ${cause}`,
    remedy: retryable ? WAIT_FOR_ANSWER : 'Run `lockkeeper cluster test` to see what is missing.',
    never: 'acting without knowing the state of the cloud is never allowed',
  }),
  NotReadYet: ({ read, cause, retryable }: Unread) => ({
    message: `${read.message} could not be read. ${cause}`,
    remedy: retryable
      ? WAIT_FOR_ANSWER
      : 'Run `lockkeeper cluster test` to see what is missing, mend it and resume the run.',
  }),
  NodeUnknown: ({ node, nodes }: OfNode & { readonly nodes: Names }) => ({
    message: `The cluster has no node named ${node}.`,
    remedy: `Its nodes are: ${someNames(nodes, 20)}.`,
    never: 'there is nothing to act on',
  }),
  MachineWithoutNode: ({
    node,
    inNova,
    units,
  }: OfNode & { readonly inNova: boolean; readonly units: readonly string[] }) => ({
    message: `${node} is a machine outside of Kubernetes: ${someOf([
      ...(inNova ? ['Nova has a nova-compute on it'] : []),
      ...units.map(unit => `Juju has ${unit} on it`),
    ])}, and the cluster has no node of that name.`,
    remedy:
      "Lockkeeper takes it out of service only under Nova's name of it, while its nova-compute is up, or as a storage-only machine with a microceph unit and OSDs. Else use `sunbeam cluster maintenance`.",
    never: 'there is no node to cordon, to drain, or to hold while it is worked on',
  }),
  NodeStateUnknown: ({ node, since, text }: WithText & { readonly since: string | null }) => ({
    message: `The control plane has lost contact with ${node}${since ? ` since ${since}` : ''}: ${text || 'its kubelet never reported'}.`,
    remedy: 'Find out what the node is doing (console, power state) and bring its kubelet back, or remove the node.',
    never: 'what runs on the node cannot be known',
  }),
  NodeNotReporting: ({ node, text }: WithText) => ({
    message: `${node} is not reporting: ${text}.`,
    remedy: BRING_BACK_KUBELET,
    never: 'what runs on the node cannot be known',
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
    message: `Whether ${node} computes is not known: Nova could not be asked. ${cause}`,
    remedy: 'Try again when Nova answers, or make sure that no instance is on it and give --force with the reason.',
  }),
  HealthGateUnknown: ({ gate, why }: UnknownGate) => ({
    message: `Whether ${gate} is well cannot be told: ${unknownWords(why)}.`,
    remedy: 'Look at Prometheus and at the query. What cannot be told is never taken for well.',
  }),
  HealthGateStops: ({ gate, verdict }: { readonly gate: string; readonly verdict: GateVerdict }) => ({
    message: `Health gate ${gate} does not hold: ${gateWords(verdict)}.`,
    remedy: 'Wait until it is well again, then retry.',
  }),
  CloudNotReached: ({ cluster }: OfCluster) => ({
    message: `The cloud of cluster ${cluster} was not reached.`,
    remedy: '',
  }),
  CordonGone: ({ node }: OfNode) => ({
    message: `${node} is schedulable.`,
    remedy: 'Somebody uncordoned it; find out who before going on.',
  }),
  CordonedAgain: ({ node }: OfNode) => ({
    message: `${node} is cordoned.`,
    remedy: 'Somebody cordoned it again; find out who.',
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
    message: `The maintenance request ${request} for ${node} was not made by run ${run}: somebody else has the node in maintenance.`,
    remedy: 'Let whoever made it remove it, or bring the node back into service with `lockkeeper leave`.',
    never: 'an undo touches nothing that the run did not do itself',
  }),
} satisfies TextsOf<FaultText>

/** What the steps of every node read. */
export const GENERAL_READS = {
  Node: ({ node }: OfNode) => `Node ${node}`,
  Permissions: () => 'What these credentials may do',
  WhatRunsOn: ({ node }: OfNode) => `What runs on ${node}`,
  WhatIsLeft: ({ node }: OfNode) => `What is left on ${node}`,
  WhetherItServes: ({ node }: OfNode) => `Whether ${node} takes work`,
  MaintenanceRequests: () => 'The maintenance requests',
} satisfies TextsOf<string>

const BRING_BACK_KUBELET = 'Bring its kubelet back (is the machine up?), then bring it back into service.'

/** `create pods/eviction in namespace openstack`: a permission as an operator names it. */
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
      return 'the settings of the cluster name no Prometheus'
    case 'NoAnswer':
      return asPhrase(why.cause)
    default:
      return doubtWords(why)
  }
}

function cordonStays({ node, by }: CordonedBy): string {
  return `${node} stays cordoned: the cordon that is there was set ${cordonedByWords(by)}.`
}

function ownerNotKnown({ node, by }: CordonedBy): string {
  return `${node} is cordoned, and Kubernetes does not tell whether by that run still: it was cordoned ${cordonedByWords(by)}.`
}
