import type { NodeTaint } from '../../domain/kubernetes.ts'
import { counted, someOf } from '../../grammar/counts.ts'
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

/** What the steps are that ask whether a machine is off, or is outside of Kubernetes. */
export const MACHINE_STEPS = {
  'machine-found': {
    title: input => `${nodeIn(input)} is a ${rolesWord(plannedIn(input))} machine outside of Kubernetes`,
    why: 'A machine outside of Kubernetes is not cordoned and not drained; what else it does has to be known before.',
  },
  'machine-off': {
    title: input => `${nodeIn(input)} is off`,
    why: 'An instance that runs twice destroys its own data.',
  },
  'out-of-service-taint': {
    title: input => `Have Kubernetes let go of the pods of ${nodeIn(input)}`,
    why: 'Pods with volumes start nowhere else while Kubernetes takes them for still running on a machine that is off.',
    undo: 'Bring the node back into service once its machine runs: that takes the taint away.',
  },
  'take-back-taint': {
    title: input => `Take the out-of-service taint from ${nodeIn(input)}`,
    why: 'Kubernetes removes every pod from a node that it was told is off, for as long as nobody says otherwise.',
    undo: 'Nothing to undo: the machine runs.',
  },
} satisfies StepTexts

type WithTaint = OfNode & { readonly taint: string }

/** What a plan of a machine has steps for. */
type Planned = { readonly computes: boolean; readonly stores: boolean }

/** What Kubernetes hears of a machine that ought to be off. */
export type MachineReport = OfNode & { readonly readiness: 'ready' | 'not-ready'; readonly text: string }

/** What these steps find. */
export const MACHINE_FINDINGS = {
  MachineIsOff: ({ node, said, since }: OfNode & { readonly said: string; readonly since: string | null }) =>
    `${node} is off: ${said}. Kubernetes hears nothing of it${since === null ? '' : ` since ${since}`}.`,
  MachineRunsNoPods: ({ computes, stores }: Planned) => {
    const what =
      computes && stores ? 'Only Nova and Ceph have something' : `Only ${stores ? 'Ceph' : 'Nova'} has something`
    return `${what} on it. It runs no pods: nothing is cordoned or drained.`
  },
  HasTaintAlready: ({ node }: OfNode) => `${node} has the taint already.`,
  WillGetTaint: ({ node, taint }: WithTaint) => `${node} is to get the taint ${taint}.`,
  HasTaint: ({ node, taint }: WithTaint) => `${node} has the taint ${taint}.`,
  PodsRemovedByForce: ({ node }: OfNode) =>
    `Every pod on ${node} is removed by force, and its volumes are detached. Whoever switches the machine on has to know that the taint goes only when the node is brought back into service.`,
  TaintToGo: ({ node }: OfNode) => `${node} has the taint.`,
  TaintNoteToGo: ({ node }: OfNode) => `${node} has the taint no more; the note of it is to go.`,
  TaintTaken: ({ node }: OfNode) => `${node} has the taint no more.`,
  HadNoTaint: ({ node }: OfNode) => `${node} had no such taint.`,
  HasNoTaint: ({ node }: OfNode) => `${node} has no out-of-service taint.`,
} satisfies TextsOf<string>

const PODS_GO_DOWN = 'its pods would go down with it'

/** What is in the way of these steps. */
export const MACHINE_FAULTS = {
  MachineNotSaidOff: ({ node }: OfNode) => ({
    message: `Nobody said that ${node} is off. That it does not answer does not say so: cut off from the network it runs on, with its instances.`,
    remedy:
      'Switch it off, by its BMC or by hand, see that it is off, and say how you know: `--machine-is-off "BMC says power off 10:04"`.',
    never: 'an instance that runs twice destroys its own data',
  }),
  MachineReports: (report: MachineReport) => ({
    message: reportWords(report),
    remedy:
      'Take it out of service instead: its instances move while it lives. If it is to be switched off, do that first.',
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
    message: `Kubernetes heard of ${node} again after this rescue was decided: it hears nothing since ${since ?? 'an unknown time'}, and heard nothing since ${decidedSince} then. Its machine may run. Look at it: if it is off, abort this run and start a new rescue. ${NOTHING_MORE}`,
    remedy: '',
  }),
  GetsNoTaint: (report: MachineReport) => ({ message: `${reportWords(report)} It gets no taint.`, remedy: '' }),
  TaintNotKnown: ({ version, taint }: { readonly version: string; readonly taint: string }) => ({
    message: `Kubernetes ${version} does nothing by the taint ${taint}.`,
    remedy:
      'Leave it out; delete the pods by force (`kubectl delete pod --force`) once you are sure that the machine is off.',
    never: 'it would come to nothing',
  }),
  TaintGone: ({ node, taint }: WithTaint) => ({
    message: `${node} does not have the taint ${taint}.`,
    remedy: 'Somebody took it away; find out who.',
  }),
  TaintedAgain: ({ node }: OfNode) => ({
    message: `${node} still has the out-of-service taint.`,
    remedy: 'Somebody put it there again; find out who.',
  }),
  MachineIsNode: ({ machine, node }: OfMachine & OfNode) => ({
    message:
      machine === node
        ? `${machine} is a node of Kubernetes by now.`
        : `${machine} is how Nova names the node ${node} of Kubernetes.`,
    remedy:
      machine === node
        ? 'Make the plan again: a node is cordoned and drained too.'
        : `Make the plan for ${node}: a node is cordoned and drained too.`,
    never: PODS_GO_DOWN,
  }),
  MachineRunsPods: ({ machine, pods }: OfMachine & { readonly pods: number }) => ({
    message: `Kubernetes lists ${counted(pods, 'pod')} on ${machine}, and Kubernetes lists no node of that name.`,
    remedy: isListWhole(machine),
    never: PODS_GO_DOWN,
  }),
  MachineRunsKubernetes: ({ machine, units }: OfMachine & { readonly units: readonly string[] }) => ({
    message: `Juju has ${someOf(units)} on ${machine}, and Kubernetes lists no node of that name.`,
    remedy: isListWhole(machine),
    never: PODS_GO_DOWN,
  }),
  MachineUnknown: ({ machine }: OfMachine) => ({
    message: `Kubernetes has no node named ${machine}, Nova no nova-compute, and Ceph no OSD.`,
    remedy: 'Look at its name with `openstack compute service list` and `ceph osd tree`.',
    never: 'there is nothing to act on',
  }),
  MachineWithoutCompute: ({ machine, other }: OfMachine & { readonly other: string | null }) => ({
    message: `Nova has no nova-compute named ${machine}${other === null ? '' : `; it has ${other}`}.`,
    remedy: other === null ? 'Make a new plan: it has no steps for instances.' : `Make the plan for ${other}.`,
    never: 'which instances run there cannot be known',
  }),
  ComputeNotPlanned: ({ machine, host }: OfMachine & OfHost) => ({
    message: `Nova has the nova-compute ${host} on ${machine}, and this plan has no steps for it.`,
    remedy: `Make a new plan for ${host}: it has the steps of a compute node too.`,
    never: 'instances may run there, and nothing in this plan moves them',
  }),
  HypervisorNotInNova: ({ machine, units }: OfMachine & { readonly units: readonly string[] }) => ({
    message: `Juju has ${someOf(units)} on ${machine}, and Nova lists no nova-compute there.`,
    remedy: 'Look with `openstack compute service list` and `juju status`: which of them is right?',
    never: 'instances may run there, and nothing in this plan moves them',
  }),
  OsdsWithoutUnit: ({ machine, osds }: OfMachine & { readonly osds: readonly number[] }) => ({
    message: `Ceph has ${osdNames(osds)} on ${machine}, a machine outside of Kubernetes, and Juju no microceph unit there.`,
    remedy: `Look with \`juju status\`. Without the unit nothing here acts on its OSDs: use \`sunbeam cluster maintenance\` for ${machine}.`,
    never: 'nothing would keep its OSDs in',
  }),
  MachineStoresNothing: ({ machine }: OfMachine) => ({
    message: `Juju has no microceph unit on ${machine}, and Ceph no OSD.`,
    remedy: 'Make a new plan, after a look with `juju status` and `ceph osd tree`.',
    never: 'there is nothing to act on',
  }),
  MachineNamedApart: ({ machine, other }: OfMachine & { readonly other: string }) => ({
    message: `${machine} is ${other} to Juju or Ceph.`,
    remedy: `Notes about noout are kept and looked for under its CRUSH host. Give all the same name, or use \`sunbeam cluster maintenance\` for ${machine}.`,
    never: "another node's return could lift its noout",
  }),
  NodeListContradicts: ({ node }: OfNode) => ({
    message: `The API server said that it has no node ${node}, and its list of nodes has it.`,
    remedy: '',
  }),
} satisfies TextsOf<FaultText>

/** What these steps read. */
export const MACHINE_READS = {
  NodeTaints: ({ node }: OfNode) => `The taints of ${node}`,
  PodsOnMachine: ({ node }: OfNode) => `Whether pods run on ${node}`,
  OsdsOnMachine: ({ node }: OfNode) => `Whether ${node} has OSDs`,
  UnitsOnMachine: ({ node }: OfNode) => `What Juju has on ${node}`,
} satisfies TextsOf<string>

const NOTHING_MORE = 'Nothing more is done to it.'

/** A taint as kubectl writes it. */
export function taintWords({ key, value, effect }: NodeTaint): string {
  return `${key}${value === '' ? '' : `=${value}`}:${effect}`
}

/** What the steps of a machine are planned for; a plan that says nothing of it is one of a compute-only machine. */
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
  return `Look with \`kubectl get nodes\` and \`kubectl get pods -A --field-selector spec.nodeName=${machine}\`: is the list of nodes whole?`
}
