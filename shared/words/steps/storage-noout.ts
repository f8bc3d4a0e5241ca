import { osdNames } from '../ceph.ts'
import type { FaultText, OfNode, TextsOf } from './coded.ts'

type NodeOsds = OfNode & {
  readonly osds: readonly number[]
}

/** The others that need noout of all of Ceph. `noted`: a node with a note; else a CRUSH host whose OSDs are all down. */
type Needs = {
  readonly others: readonly { readonly node: string; readonly noted: boolean }[]
}

export const STORAGE_NOOUT_FINDINGS = {
  RookRemovesNoout: () =>
    'Rook removes noout after its osdMaintenanceTimeout (30 minutes by default): a longer maintenance starts rebalancing.',
  MicroCephSetsNoout: () =>
    'MicroCeph sets noout for all of Ceph. Until the last node is back, Ceph does not replace OSDs of other nodes that fail either.',
  NooutOfSomebody: () =>
    'Another client set noout for all of Ceph. MicroCeph has only this one flag: it is removed when the last node leaves maintenance.',
  NooutIsSet: ({ node }: OfNode) => `noout is already set for ${node}.`,
  NooutLeansOnOthers: ({ node, osds }: NodeOsds) =>
    `noout protects ${osdNames(osds)} of ${node} only as long as another node or client needs it.`,
  NooutToBeSet: ({ node, osds }: NodeOsds) => `noout does not protect ${osdNames(osds)} of ${node}.`,
  NooutProtects: ({ osds, everywhere }: { readonly osds: readonly number[]; readonly everywhere: boolean }) =>
    `noout protects ${osdNames(osds)}${everywhere ? ', like all of Ceph' : ''}.`,
  NooutSetWithoutHosts: () => 'noout is set for all of Ceph: this release has no flags per host.',
  NooutSetForHosts: ({ hosts }: { readonly hosts: readonly string[] }) => `noout is set for host ${hosts.join(', ')}.`,
  NooutWasSet: ({ node }: OfNode) => `noout was set for all of Ceph; it stays while ${node} needs it.`,
  NooutSetForNode: ({ node }: OfNode) => `noout is set for all of Ceph, for ${node}.`,
  NooutNotNeeded: ({ node }: OfNode) => `${node} no longer needs noout.`,
  NooutStays: ({ others }: Needs) => `noout stays set for all of Ceph: ${needWords(others)}.`,
  NooutStaysForSomebody: () => 'Another client set noout for all of Ceph, so it stays.',
  NooutRemovedOfNode: ({ node }: OfNode) => `Lockkeeper removed noout of ${node}.`,
  NooutRemoved: () => 'Lockkeeper removed noout: no node needs it any more.',
  NooutRemovedUnderAnother: ({ node }: OfNode) =>
    `Lockkeeper removed noout of ${node}. A noout of another client still covers its OSDs.`,
  NooutNotSet: ({ node }: OfNode) => `noout is not set for ${node}.`,
  NooutToRemoveByHand: () =>
    'Another client set noout for all of Ceph: remove it with `ceph osd unset noout` when its reason no longer applies.',
} satisfies TextsOf<string>

const LOOK_AT_HOSTS =
  'Check with `ceph osd tree` and `ceph node ls`. Lockkeeper cannot protect OSDs under a CRUSH host with another name than their node.'

const REFUSED = {
  SetNoout: (node: string) => `set noout for ${node}`,
  StopOsds: (node: string) => `stop the OSDs of ${node}`,
  EndMaintenance: (node: string) => `end the maintenance of ${node}`,
} as const

/** Blockers of the steps of noout, and reasons not to trust Ceph's list of OSDs. */
export const STORAGE_NOOUT_FAULTS = {
  NooutGone: ({ node, osds }: NodeOsds) => ({
    message: `noout does not protect ${osdNames(osds)} of ${node}.`,
    remedy: 'Find out who removed it, then resume the run to set it again.',
  }),
  NooutNotNoted: ({ node }: OfNode) => ({
    message: `noout is set, but ${node} has no note that it needs it: bringing back another node would remove noout.`,
    remedy: 'Resume the run.',
  }),
  NooutStillSetForHosts: ({ hosts }: { readonly hosts: readonly string[] }) => ({
    message: `noout is still set for host ${hosts.join(', ')}.`,
    remedy: 'Resume the run, or remove it with `ceph osd unset-group`.',
  }),
  NooutStillNoted: ({ node }: OfNode) => ({
    message: `${node} still has a note that it needs noout.`,
    remedy: 'Resume the run.',
  }),
  NooutGoneForOthers: ({ others }: Needs) => ({
    message: `noout is no longer set for all of Ceph, although ${needWords(others)}.`,
    remedy: 'Resume the run, or set it with `ceph osd set noout`.',
  }),
  NooutStillSet: () => ({
    message: 'noout is still set for all of Ceph, although no node needs it.',
    remedy: 'Resume the run, or remove it with `ceph osd unset noout`.',
  }),
  MicroCephRefused: ({
    node,
    what,
    output,
  }: OfNode & { readonly what: keyof typeof REFUSED; readonly output: string }) => ({
    message: `MicroCeph did not ${REFUSED[what](node)}: ${output}.`,
    remedy: 'Fix that, then resume the run.',
  }),
  OsdsMissing: ({ names, nodes }: { readonly names: readonly string[]; readonly nodes: readonly string[] }) => ({
    message: `Ceph no longer lists ${names.join(', ')}, which was on ${nodes.join(', ')} before, and nothing shows that it was removed.`,
    remedy: LOOK_AT_HOSTS,
  }),
  SeveralCrushHosts: ({ node, hosts }: OfNode & { readonly hosts: readonly OsdsOfHost[] }) => ({
    message: `Ceph has OSDs under several CRUSH hosts that match ${node}, and they did not all report from one machine: ${hosts.map(({ host, osds }) => `${host} (${osdNames(osds)})`).join(', ')}.`,
    remedy: 'Check with `ceph node ls osd` which are of this machine, and move the others with `ceph osd crush move`.',
  }),
  OsdsReportedOnNode: ({ node, osds }: NodeOsds) => ({
    message: `${noHost(node)}, but ${osdNames(osds)} reported from there.`,
    remedy: LOOK_AT_HOSTS,
  }),
  OsdsUnplaced: ({ node, osds }: NodeOsds) => ({
    message: `${noHost(node)}, but nothing shows where ${osdNames(osds)} ${osds.length === 1 ? 'runs' : 'run'}.`,
    remedy: LOOK_AT_HOSTS,
  }),
  OsdPodsOnNode: ({ node, pods }: OfNode & { readonly pods: readonly string[] }) => ({
    message: `${noHost(node)}, but ${pods.join(', ')} runs there.`,
    remedy: LOOK_AT_HOSTS,
  }),
  NoPodsOfRook: ({ node }: OfNode) => ({
    message: `${noHost(node)}, and Rook's namespace shows no pod, not even the one through which Lockkeeper asks Ceph.`,
    remedy: LOOK_AT_HOSTS,
  }),
} satisfies TextsOf<FaultText>

type OsdsOfHost = { readonly host: string; readonly osds: readonly number[] }

function noHost(node: string): string {
  return `Ceph's CRUSH map has no OSD on host ${node}`
}

function needWords(others: Needs['others']): string {
  return others
    .map(({ node, noted }) => (noted ? `${node} is in maintenance` : `all OSDs of ${node} are down`))
    .join('; ')
}
