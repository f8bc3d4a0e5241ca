import { type Finding, type Items, type OfCall, type OfNode, someItems, type TextsOf } from '../steps/coded.ts'

/** An answer that cannot be one: how `ceph` ended, the beginning of what it printed (empty: nothing), and what is wrong with it. */
type NotAnAnswer = OfCall & { readonly exitCode: number; readonly output: string; readonly wrong: Finding }

/** Whose OSDs noout is for; null: all of Ceph. */
type OfReach = { readonly host: string | null }

/** A node, and the units that might be it; `host` null: Juju has no name of the machine. */
type OfUnits = OfNode & { readonly units: Items<{ readonly unit: string; readonly host: string | null }> }

/** Texts of Ceph's commands and their answers. */
export const CEPH_REASONS = {
  CephAnswerHasText: () => 'text on stdout',
  CephAnswerOfOtherOsds: () => 'about other OSDs than asked for',
  CephCommandFailed: ({ call, output, exitCode }: OfCall & { readonly output: string; readonly exitCode: number }) =>
    `Ceph did not ${call.message}: ${output === '' ? `exit code ${exitCode}` : output}. Look at \`ceph status\` in the toolbox.`,
  CephMapOfThePast: ({ epoch, newest }: { readonly epoch: number; readonly newest: number }) =>
    `map ${epoch} of the OSDs is of the past: ${newest} was heard before it was asked for`,
  CephMapsDiffer: () => 'the tree and the map tell of different OSDs',
  CephNeitherJsonNorText: () => 'neither JSON nor text',
  MicroCephAbsent: ({ model, application }: { readonly model: string; readonly application: string }) =>
    `Juju model ${model} has no application ${application}. Name the model of the machines in this cluster's settings, or say how else its Ceph is asked.`,
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
    `Could not run ${action} on ${unit}: the action ended as ${status}, and what it told (“${output}”) is not what MicroCeph's charm tells. It is unknown whether it was done: look before you try again. Is the charm supported?`,
  MicroCephSeveralUnits: ({ node, units }: OfUnits) =>
    `Several MicroCeph units fit ${node}: ${unitsWords(units)}. Find out with \`juju status\` which machine the node is, and remove the others with \`juju remove-machine\`.`,
  MicroCephNotOnNode: ({ node, units }: OfUnits) =>
    `No MicroCeph unit runs on ${node}: ${unitsWords(units)}. Is the node named like its machine?`,
  MicroCephSilent: ({ units }: { readonly units: Items<{ readonly unit: string; readonly agent: string }> }) => {
    const states = someItems(units, ({ unit, agent }) => `${unit} is ${agent}`)
    return `Ceph cannot be asked: no MicroCeph unit answers (${states}). Look at \`juju status\`.`
  },
  NoNooutByHost: ({ set, host }: OfReach & { readonly set: boolean }) =>
    `This release of Ceph has no flags by host, so noout cannot be ${set ? 'set' : 'unset'} for ${reachOf(host)}.`,
  NotACephAnswer: ({ call, exitCode, output }: NotAnAnswer) =>
    `Ceph did not ${call.message}: what came is not an answer to that (exit code ${exitCode}, ${output === '' ? 'nothing on stdout' : `beginning with “${output}”`}). Nothing was learnt from it. Is what runs \`ceph\` there really Ceph, and its release supported?`,
  NoToolboxPod: ({ namespace, selector, pod }: OfToolbox & { readonly pod: string | null }) =>
    `Ceph cannot be asked: no ready toolbox pod with labels ${selector} in namespace ${namespace} (${pod === null ? 'there is none' : `${pod} is not ready`}). Deploy Rook's toolbox, or set its namespace and labels for this cluster.`,
  PgsAtRisk: ({ pgs }: { readonly pgs: number }) => `${pgs} PGs are or would become unavailable`,
} satisfies TextsOf<string>

/** What is asked there, in the infinitive. */
export const CEPH_CALLS = {
  AskOkToStop: ({ osds }: { readonly osds: readonly number[] }) => `say whether OSDs ${osds.join(', ')} may be stopped`,
  FindCephToolbox: () => "find Ceph's toolbox",
  ListCephServices: () => 'list its services',
  ListOsds: () => 'list its OSDs',
  ListOsdsByHost: () => 'list its OSDs by host',
  RemoveNoout: ({ host }: OfReach) => `remove noout for ${reachOf(host)}`,
  SetNoout: ({ host }: OfReach) => `set noout for ${reachOf(host)}`,
  TellCephStatus: () => 'tell its status',
} satisfies TextsOf<string>

type OfToolbox = { readonly namespace: string; readonly selector: string }

function reachOf(host: string | null): string {
  return host === null ? 'all of Ceph' : `the OSDs of host ${host}`
}

function unitsWords(units: OfUnits['units']): string {
  return someItems(units, ({ unit, host }) => `${unit} on ${host ?? 'a machine without a name'}`)
}
