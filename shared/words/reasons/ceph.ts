import { type Finding, type Items, type OfCall, type OfNode, someItems, type TextsOf } from '../steps/coded.ts'

/** An invalid answer: the exit code of `ceph`, the beginning of its output, and what is wrong with it. */
type NotAnAnswer = OfCall & { readonly exitCode: number; readonly output: string; readonly wrong: Finding }

/** The host whose OSDs noout is for; null means all of Ceph. */
type OfReach = { readonly host: string | null }

/** A node, and the units that may be on it; `host` null: Juju has no name of the machine. */
type OfUnits = OfNode & { readonly units: Items<{ readonly unit: string; readonly host: string | null }> }

export const CEPH_REASONS = {
  CephAnswerHasText: () => 'text on stdout',
  CephAnswerOfOtherOsds: () => 'about other OSDs than requested',
  CephCommandFailed: ({ call, output, exitCode }: OfCall & { readonly output: string; readonly exitCode: number }) =>
    `Ceph did not ${call.message}: ${output === '' ? `exit code ${exitCode}` : output}. Check \`ceph status\` in the toolbox.`,
  CephMapOfThePast: ({ epoch, newest }: { readonly epoch: number; readonly newest: number }) =>
    `map ${epoch} of the OSDs is old: Lockkeeper has already read map ${newest}`,
  CephMapsDiffer: () => 'the tree and the map list different OSDs',
  CephNeitherJsonNorText: () => 'neither JSON nor text',
  MicroCephAbsent: ({ model, application }: { readonly model: string; readonly application: string }) =>
    `Juju model ${model} has no application ${application}. Name the model of the machines in this cloud's settings, or say how else to ask its Ceph.`,
  MicroCephActionEnded: ({ status }: { readonly status: string }) => `the action ended as ${status}`,
  MicroCephAnswerUnreadable: ({
    action,
    unit,
    status,
    output,
  }: {
    readonly action: string
    readonly unit: string
    readonly status: string
    readonly output: string
  }) =>
    `Could not run ${action} on ${unit}: the action ended as ${status}, and its output (“${output}”) is not that of MicroCeph's charm. Its result is unknown: check before you try again. Is the charm supported?`,
  MicroCephSeveralUnits: ({ node, units }: OfUnits) =>
    `Several MicroCeph units match ${node}: ${unitsWords(units)}. Find out with \`juju status\` which machine the node is, and remove the others with \`juju remove-machine\`.`,
  MicroCephNotOnNode: ({ node, units }: OfUnits) =>
    `No MicroCeph unit runs on ${node}: ${unitsWords(units)}. Does the node have the name of its machine?`,
  MicroCephSilent: ({ units }: { readonly units: Items<{ readonly unit: string; readonly agent: string }> }) => {
    const states = someItems(units, ({ unit, agent }) => `${unit} is ${agent}`)
    return `Lockkeeper cannot ask Ceph: no MicroCeph unit answers (${states}). Check \`juju status\`.`
  },
  NoNooutByHost: ({ set, host }: OfReach & { readonly set: boolean }) =>
    `This release of Ceph has no flags per host, so noout cannot be ${set ? 'set' : 'unset'} for ${reachOf(host)}.`,
  NotACephAnswer: ({ call, exitCode, output }: NotAnAnswer) =>
    `Ceph did not ${call.message}: the output is not an answer to that (exit code ${exitCode}, ${output === '' ? 'nothing on stdout' : `beginning with “${output}”`}). Lockkeeper ignored it. Is this \`ceph\` really Ceph, and is its release supported?`,
  NoToolboxPod: ({ namespace, selector, pod }: OfToolbox & { readonly pod: string | null }) =>
    `Lockkeeper cannot ask Ceph: no toolbox pod with labels ${selector} in namespace ${namespace} is ready (${pod === null ? 'none exists' : `${pod} is not ready`}). Deploy Rook's toolbox, or set its namespace and labels for this cloud.`,
  PgsAtRisk: ({ pgs }: { readonly pgs: number }) => `${pgs} PGs are or would become unavailable`,
} satisfies TextsOf<string>

/** Requests to Ceph, in the infinitive. */
export const CEPH_CALLS = {
  AskOkToStop: ({ osds }: { readonly osds: readonly number[] }) => `say whether OSDs ${osds.join(', ')} may stop`,
  FindCephToolbox: () => "find Ceph's toolbox",
  ListCephServices: () => 'list its services',
  ListOsds: () => 'list its OSDs',
  ListOsdsByHost: () => 'list its OSDs by host',
  RemoveNoout: ({ host }: OfReach) => `remove noout for ${reachOf(host)}`,
  SetNoout: ({ host }: OfReach) => `set noout for ${reachOf(host)}`,
  TellCephStatus: () => 'report its status',
} satisfies TextsOf<string>

type OfToolbox = { readonly namespace: string; readonly selector: string }

function reachOf(host: string | null): string {
  return host === null ? 'all of Ceph' : `the OSDs of host ${host}`
}

function unitsWords(units: OfUnits['units']): string {
  return someItems(units, ({ unit, host }) => `${unit} on ${host ?? 'a machine without a name'}`)
}
