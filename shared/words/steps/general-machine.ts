import type { NodeTaint } from '../../domain/kubernetes.ts'
import { counted, someOf } from '../../grammar/counts.ts'
import { instantWords } from '../../grammar/times.ts'
import { osdNames } from '../ceph.ts'
import {
  type FaultText,
  nodeIn,
  type OfHost,
  type OfMachine,
  type OfNode,
  type StepTexts,
  type TextsOf,
  type Values,
} from './coded.ts'

export const MACHINE_STEPS = {
  'machine-found': {
    title: input => `${nodeIn(input)} is a ${rolesWord(plannedIn(input))} machine outside of Kubernetes`,
    why: 'A machine outside of Kubernetes is not cordoned or drained, so its other work must be known first.',
  },
  'machine-off': {
    title: input => `${nodeIn(input)} is off`,
    why: 'An instance that runs twice destroys its own data.',
  },
  'out-of-service-taint': {
    title: input => `Force-remove the pods of ${nodeIn(input)} (out-of-service taint)`,
    why: 'Kubernetes starts pods with volumes nowhere else while it takes them for running on a machine that is off.',
    undo: 'Bring the node back into service once its machine runs: that removes the taint.',
  },
  'take-back-taint': {
    title: input => `Remove the out-of-service taint from ${nodeIn(input)}`,
    why: 'Kubernetes removes every pod from a node as long as it has this taint.',
    undo: 'Nothing to undo: the machine runs.',
  },
} satisfies StepTexts

type WithTaint = OfNode & { readonly taint: string }

/** The roles that the plan of a machine has steps for. */
type Planned = { readonly computes: boolean; readonly stores: boolean }

/** The report of a kubelet on a machine that should be off. */
export type MachineReport = OfNode & { readonly readiness: 'ready' | 'not-ready'; readonly text: string }

export const MACHINE_FINDINGS = {
  MachineIsOff: ({ node, said, since }: OfNode & { readonly said: string; readonly since: string | null }) =>
    `${node} is off: ${said}. Its kubelet has not reported to Kubernetes${since === null ? '' : ` since ${instantWords(since)}`}.`,
  MachineRunsNoPods: ({ computes, stores }: Planned) => {
    const what = computes && stores ? 'Only Nova and Ceph use it' : `Only ${stores ? 'Ceph' : 'Nova'} uses it`
    return `${what}. It runs no pods, so Lockkeeper does not cordon or drain it.`
  },
  HasTaintAlready: ({ node }: OfNode) => `${node} already has the taint.`,
  WillGetTaint: ({ node, taint }: WithTaint) => `${node} gets the taint ${taint}.`,
  HasTaint: ({ node, taint }: WithTaint) => `${node} has the taint ${taint}.`,
  PodsRemovedByForce: ({ node }: OfNode) =>
    `Kubernetes force-removes every pod on ${node} and detaches its volumes. The taint stays until the node is brought back into service, even if its machine is switched on.`,
  TaintToGo: ({ node }: OfNode) => `${node} has the taint.`,
  TaintNoteToGo: ({ node }: OfNode) => `${node} no longer has the taint; Lockkeeper removes its record.`,
  TaintTaken: ({ node }: OfNode) => `${node} no longer has the taint.`,
  HadNoTaint: ({ node }: OfNode) => `${node} had no such taint.`,
  HasNoTaint: ({ node }: OfNode) => `${node} has no out-of-service taint.`,
} satisfies TextsOf<string>

const PODS_GO_DOWN = 'its pods would go down with it'

export const MACHINE_FAULTS = {
  MachineNotSaidOff: ({ node }: OfNode) => ({
    message: `Nobody confirmed that ${node} is off. A machine without an answer may be cut off from the network and still run its instances.`,
    remedy:
      'Switch it off by its BMC or manually, check that it is off, and say how you know: `--machine-is-off "BMC says power off 10:04"`.',
    never: 'an instance that runs twice destroys its own data',
  }),
  MachineReports: (report: MachineReport) => ({
    message: reportWords(report),
    remedy:
      'Take it out of service instead: its instances can move while it runs. If it must be switched off, do that first.',
    never: 'an instance that runs twice destroys its own data',
  }),
  MachineReportsAgain: (report: MachineReport) => ({
    message: `${reportWords(report)} ${NOTHING_MORE}`,
    remedy: '',
  }),
  HeardOfAgain: ({
    node,
    since,
    decidedSince,
  }: OfNode & { readonly since: string | null; readonly decidedSince: string }) => ({
    message: `The kubelet of ${node} reported again after this rescue was decided: its last report ${since === null ? 'has an unknown time' : `is from ${instantWords(since)}`}, and was from ${instantWords(decidedSince)} at the decision. Its machine may run. Check it: if it is off, stop this run and start a new rescue. ${NOTHING_MORE}`,
    remedy: '',
  }),
  GetsNoTaint: (report: MachineReport) => ({ message: `${reportWords(report)} It gets no taint.`, remedy: '' }),
  TaintNotKnown: ({ version, taint }: { readonly version: string; readonly taint: string }) => ({
    message: `Kubernetes ${version} does not act on the taint ${taint}.`,
    remedy:
      'Leave out the taint. Force-delete the pods (`kubectl delete pod --force`) once you are sure that the machine is off.',
    never: 'it would have no effect',
  }),
  TaintGone: ({ node, taint }: WithTaint) => ({
    message: `${node} does not have the taint ${taint}.`,
    remedy: 'Find out who removed it.',
  }),
  TaintedAgain: ({ node }: OfNode) => ({
    message: `${node} still has the out-of-service taint.`,
    remedy: 'Find out who added it again.',
  }),
  MachineIsNode: ({ machine, node }: OfMachine & OfNode) => ({
    message:
      machine === node
        ? `${machine} is now a node of Kubernetes.`
        : `${machine} is Nova's name for the node ${node} of Kubernetes.`,
    remedy:
      machine === node
        ? 'Make the plan again: a node is also cordoned and drained.'
        : `Make the plan for ${node}: a node is also cordoned and drained.`,
    never: PODS_GO_DOWN,
  }),
  MachineRunsPods: ({ machine, pods }: OfMachine & { readonly pods: number }) => ({
    message: `Kubernetes lists ${counted(pods, 'pod')} on ${machine}, but no node of that name.`,
    remedy: isListWhole(machine),
    never: PODS_GO_DOWN,
  }),
  MachineRunsKubernetes: ({ machine, units }: OfMachine & { readonly units: readonly string[] }) => ({
    message: `Juju has ${someOf(units)} on ${machine}, but Kubernetes lists no node of that name.`,
    remedy: isListWhole(machine),
    never: PODS_GO_DOWN,
  }),
  MachineUnknown: ({ machine }: OfMachine) => ({
    message: `No system knows ${machine}: Kubernetes has no such node, Nova no nova-compute, and Ceph no OSD.`,
    remedy: 'Check the name with `openstack compute service list` and `ceph osd tree`.',
    never: 'a run would have no target',
  }),
  MachineWithoutCompute: ({ machine, other }: OfMachine & { readonly other: string | null }) => ({
    message: `Nova has no nova-compute named ${machine}${other === null ? '' : `; it has ${other}`}.`,
    remedy: other === null ? 'Make a new plan: it has no steps for instances.' : `Make the plan for ${other}.`,
    never: 'Lockkeeper cannot know which instances run there',
  }),
  ComputeNotPlanned: ({ machine, host }: OfMachine & OfHost) => ({
    message: `Nova has the nova-compute ${host} on ${machine}, but this plan has no steps for it.`,
    remedy: `Make a new plan for ${host}: it also has the steps of a compute node.`,
    never: 'instances may run there, and nothing in this plan moves them',
  }),
  HypervisorNotInNova: ({ machine, units }: OfMachine & { readonly units: readonly string[] }) => ({
    message: `Juju has ${someOf(units)} on ${machine}, but Nova lists no nova-compute there.`,
    remedy: 'Check with `openstack compute service list` and `juju status` which is right.',
    never: 'instances may run there, and nothing in this plan moves them',
  }),
  OsdsWithoutUnit: ({ machine, osds }: OfMachine & { readonly osds: readonly number[] }) => ({
    message: `Ceph has ${osdNames(osds)} on ${machine}, a machine outside of Kubernetes, but Juju has no microceph unit there.`,
    remedy: `Check with \`juju status\`. Without the unit Lockkeeper cannot act on its OSDs: use \`sunbeam cluster maintenance\` for ${machine}.`,
    never: 'Ceph would mark its OSDs out',
  }),
  MachineStoresNothing: ({ machine }: OfMachine) => ({
    message: `${machine} has no microceph unit in Juju and no OSD in Ceph.`,
    remedy: 'Check with `juju status` and `ceph osd tree`, then make a new plan.',
    never: 'a run would have no target',
  }),
  MachineNamedApart: ({ machine, other }: OfMachine & { readonly other: string }) => ({
    message: `Juju or Ceph knows ${machine} as ${other}.`,
    remedy: `Lockkeeper keeps its records of noout under the CRUSH host. Use one name everywhere, or use \`sunbeam cluster maintenance\` for ${machine}.`,
    never: 'bringing back another node could clear its noout',
  }),
  NodeListContradicts: ({ node }: OfNode) => ({
    message: `The API server answered that it has no node ${node}, but its list of nodes has it.`,
    remedy: '',
  }),
} satisfies TextsOf<FaultText>

export const MACHINE_READS = {
  NodeTaints: ({ node }: OfNode) => `The taints of ${node}`,
  PodsOnMachine: ({ node }: OfNode) => `The pods on ${node}`,
  OsdsOnMachine: ({ node }: OfNode) => `The OSDs on ${node}`,
  UnitsOnMachine: ({ node }: OfNode) => `The Juju units on ${node}`,
} satisfies TextsOf<string>

const NOTHING_MORE = 'The run does nothing more to it.'

/** A taint as kubectl writes it. */
export function taintWords({ key, value, effect }: NodeTaint): string {
  return `${key}${value === '' ? '' : `=${value}`}:${effect}`
}

/** The roles that a plan of a machine covers; a plan without them is of a compute-only machine. */
function plannedIn({ computes, stores }: Values): Planned {
  return { computes: computes !== false, stores: stores === true }
}

function rolesWord({ computes, stores }: Planned): string {
  if (computes && stores) return 'compute and storage'
  return stores ? 'storage-only' : 'compute-only'
}

function reportWords({ node, readiness, text }: MachineReport): string {
  return readiness === 'ready'
    ? `${node} is Ready: its kubelet reports, so the machine runs.`
    : `The kubelet of ${node} reports that it is not ready (${text}), so the machine runs.`
}

function isListWhole(machine: string): string {
  return `Check with \`kubectl get nodes\` and \`kubectl get pods -A --field-selector spec.nodeName=${machine}\` whether the list of nodes is complete.`
}
