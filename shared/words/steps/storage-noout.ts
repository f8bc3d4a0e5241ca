import { osdNames } from '../ceph.ts'
import type { FaultText, OfNode, TextsOf } from './coded.ts'

type NodeOsds = OfNode & {
  readonly osds: readonly number[]
}

/** Who else needs noout of all of Ceph. `noted`: a node that says so itself; else a CRUSH host all of whose OSDs are down. */
type Needs = {
  readonly others: readonly { readonly node: string; readonly noted: boolean }[]
}

/** What the steps of noout find. */
export const STORAGE_NOOUT_FINDINGS = {
  RookRemovesNoout: () =>
    'Rook removes noout by itself after its osdMaintenanceTimeout (30 minutes by default): a longer maintenance starts rebalancing.',
  MicroCephSetsNoout: () =>
    'MicroCeph sets noout for all of Ceph: OSDs of other nodes that break meanwhile are not replaced either, until the last node has left.',
  NooutOfSomebody: () =>
    'Somebody else has set noout for all of Ceph. MicroCeph knows only this one flag: it is removed when the last node leaves maintenance.',
  NooutIsSet: ({ node }: OfNode) => `noout is set for ${node} already.`,
  NooutLeansOnOthers: ({ node, osds }: NodeOsds) =>
    `noout protects ${osdNames(osds)} of ${node} only as long as somebody else needs it.`,
  NooutToBeSet: ({ node, osds }: NodeOsds) => `noout does not protect ${osdNames(osds)} of ${node}.`,
  NooutProtects: ({ osds, everywhere }: { readonly osds: readonly number[]; readonly everywhere: boolean }) =>
    `noout protects ${osdNames(osds)}${everywhere ? ', as all of Ceph' : ''}.`,
  NooutSetWithoutHosts: () => 'noout is set for all of Ceph: this release has no flags by host.',
  NooutSetForHosts: ({ hosts }: { readonly hosts: readonly string[] }) => `noout is set for host ${hosts.join(', ')}.`,
  NooutWasSet: ({ node }: OfNode) => `noout was set for all of Ceph; it stays while ${node} needs it.`,
  NooutSetForNode: ({ node }: OfNode) => `noout is set for all of Ceph, for ${node}.`,
  NooutNotNeeded: ({ node }: OfNode) => `${node} needs noout no longer.`,
  NooutStays: ({ others }: Needs) => `noout stays set for all of Ceph: ${needWords(others)}.`,
  NooutStaysForSomebody: () => 'noout is set for all of Ceph by somebody else, and stays.',
  NooutRemovedOfNode: ({ node }: OfNode) => `noout of ${node} is removed.`,
  NooutRemoved: () => 'noout is removed: nobody needs it any more.',
  NooutRemovedUnderAnother: ({ node }: OfNode) =>
    `noout of ${node} is removed; its OSDs are still under one that is not ours.`,
  NooutNotSet: ({ node }: OfNode) => `noout is not set for ${node}.`,
  NooutToRemoveByHand: () =>
    'noout is set for all of Ceph by somebody else: remove it with `ceph osd unset noout` when its reason is gone.',
} satisfies TextsOf<string>

const LOOK_AT_HOSTS =
  'Look with `ceph osd tree` and `ceph node ls`. OSDs under a CRUSH host of another name than their node cannot be protected from here.'

const REFUSED = {
  SetNoout: (node: string) => `set noout for ${node}`,
  StopOsds: (node: string) => `stop the OSDs of ${node}`,
  EndMaintenance: (node: string) => `end the maintenance of ${node}`,
} as const

/** What is in the way of the steps of noout, and why Ceph's list of OSDs is not believed. */
export const STORAGE_NOOUT_FAULTS = {
  NooutGone: ({ node, osds }: NodeOsds) => ({
    message: `noout does not protect ${osdNames(osds)} of ${node}.`,
    remedy: 'Somebody removed it; find out who, then resume the run to set it again.',
  }),
  NooutNotNoted: ({ node }: OfNode) => ({
    message: `noout is set, but nothing notes that ${node} needs it: the next leave of another node would remove it.`,
    remedy: 'Resume the run.',
  }),
  NooutStillSetForHosts: ({ hosts }: { readonly hosts: readonly string[] }) => ({
    message: `noout is still set for host ${hosts.join(', ')}.`,
    remedy: 'Resume the run, or remove it with `ceph osd unset-group`.',
  }),
  NooutStillNoted: ({ node }: OfNode) => ({
    message: `${node} is still noted as needing noout.`,
    remedy: 'Resume the run.',
  }),
  NooutGoneForOthers: ({ others }: Needs) => ({
    message: `noout is gone for all of Ceph, and ${needWords(others)}.`,
    remedy: 'Resume the run, or set it with `ceph osd set noout`.',
  }),
  NooutStillSet: () => ({
    message: 'noout is still set for all of Ceph, and nobody needs it.',
    remedy: 'Resume the run, or remove it with `ceph osd unset noout`.',
  }),
  MicroCephRefused: ({
    node,
    what,
    output,
  }: OfNode & { readonly what: keyof typeof REFUSED; readonly output: string }) => ({
    message: `MicroCeph did not ${REFUSED[what](node)}: ${output}.`,
    remedy: 'Mend that, then resume the run.',
  }),
  OsdsMissing: ({ names, nodes }: { readonly names: readonly string[]; readonly nodes: readonly string[] }) => ({
    message: `Ceph lists ${names.join(', ')} no more, counted on ${nodes.join(', ')} before, and nothing tells that it was removed.`,
    remedy: LOOK_AT_HOSTS,
  }),
  SeveralCrushHosts: ({ node, hosts }: OfNode & { readonly hosts: readonly OsdsOfHost[] }) => ({
    message: `Ceph has OSDs under several CRUSH hosts that fit ${node}, and they did not all report from one machine: ${hosts.map(({ host, osds }) => `${host} (${osdNames(osds)})`).join(', ')}.`,
    remedy: 'Look with `ceph node ls osd` which are of this machine, and move the others with `ceph osd crush move`.',
  }),
  OsdsReportedOnNode: ({ node, osds }: NodeOsds) => ({
    message: `${noHost(node)}, but ${osdNames(osds)} reported to run there.`,
    remedy: LOOK_AT_HOSTS,
  }),
  OsdsUnplaced: ({ node, osds }: NodeOsds) => ({
    message: `${noHost(node)}, but nothing tells where ${osdNames(osds)} ${osds.length === 1 ? 'runs' : 'run'}.`,
    remedy: LOOK_AT_HOSTS,
  }),
  OsdPodsOnNode: ({ node, pods }: OfNode & { readonly pods: readonly string[] }) => ({
    message: `${noHost(node)}, but ${pods.join(', ')} runs there.`,
    remedy: LOOK_AT_HOSTS,
  }),
  NoPodsOfRook: ({ node }: OfNode) => ({
    message: `${noHost(node)}, and Rook's namespace shows no pod, not even the one that Ceph is asked by.`,
    remedy: LOOK_AT_HOSTS,
  }),
} satisfies TextsOf<FaultText>

/** A CRUSH host and its OSDs. */
type OsdsOfHost = { readonly host: string; readonly osds: readonly number[] }

function noHost(node: string): string {
  return `Ceph's CRUSH map has no OSD on a host ${node}`
}

function needWords(others: Needs['others']): string {
  return others
    .map(({ node, noted }) => (noted ? `${node} is in maintenance` : `all OSDs of ${node} are down`))
    .join('; ')
}
