import type { CephNotWhole } from '../../domain/ceph-safety.ts'
import { counted } from '../../grammar/counts.ts'
import { notWholeWords, osdNames, osdsAre } from '../ceph.ts'
import { type AwayNode, awayNames, besideAway } from './away-nodes.ts'
import { type Cause, type FaultText, nodeIn, type OfNode, type StepTexts, type TextsOf } from './coded.ts'

const OK_TO_STOP = 'Stopping OSDs that are not ok to stop makes data unavailable.'

/** What the steps of the storage role are. */
export const STORAGE_STEPS = {
  'ceph-can-spare': {
    title: input => `Ceph can spare ${nodeIn(input)}`,
    why: OK_TO_STOP,
  },
  'ceph-clean': {
    title: () => 'Ceph is active and clean',
    why: 'Until Ceph has recovered, no other storage node may leave.',
    undo: 'Nothing to undo: it only waits.',
  },
  'ceph-healthy': {
    title: () => 'Ceph is healthy',
    why: 'A Ceph that is being repaired has fewer copies than it should: each further OSD may be the last one.',
  },
  'ceph-services-enough': {
    title: input => `Enough of Ceph's services run beside ${nodeIn(input)}`,
    why: 'Without a quorum of monitors, a manager and a metadata server Ceph does not work, however many OSDs are up.',
  },
  'no-osds-to-return': {
    title: input => `${nodeIn(input)} has no OSDs to bring back`,
    why: 'OSDs that stay down, or keep their noout, leave data with fewer copies.',
  },
  'osds-down': {
    title: input => `OSDs of ${nodeIn(input)} are down`,
    why: 'An OSD that is up runs, and so does its machine.',
  },
  'osds-ok-to-stop': {
    title: input => `OSDs of ${nodeIn(input)} are ok to stop`,
    why: OK_TO_STOP,
  },
  'set-noout': {
    title: input => `Set noout for ${nodeIn(input)}`,
    why: 'OSDs that are away for ten minutes become out, and Ceph copies all their data elsewhere.',
    undo: 'Remove noout again: the leave procedure does it.',
  },
  'start-osds': {
    title: input => `Start the OSDs of ${nodeIn(input)}`,
    why: 'While OSDs are away, every write has fewer copies.',
    undo: 'Stop the OSDs again.',
  },
  'stop-osds': {
    title: input => `Stop the OSDs of ${nodeIn(input)}`,
    why: 'An OSD that is stopped in order leaves no client waiting for it to be found dead.',
    undo: 'Start the OSDs again: the leave procedure does it.',
  },
  'storage-unchecked': {
    title: input => `Ceph can spare ${nodeIn(input)}`,
    why: OK_TO_STOP,
  },
  'unset-noout': {
    title: input => `Remove noout of ${nodeIn(input)}`,
    why: 'Under noout Ceph does not replace OSDs that break.',
    undo: 'Set noout again.',
  },
} satisfies StepTexts

type Osds = {
  readonly osds: readonly number[]
}

type NodeOsds = OfNode & Osds

/** What of one kind stays of Ceph's services. */
type Services = {
  readonly kind: string
  readonly staying: number
  readonly needed: number
}

/** `mons`: null where the node has no monitor. */
type Spared = OfNode & {
  readonly osds: number
  readonly mons: { readonly staying: number; readonly total: number } | null
}

const STILL_UP =
  "Look who keeps them up (Rook's operator?) and retry, skip (they stay up until the node goes down), or abort."

/** What the steps of the storage role find of Ceph and its OSDs. */
export const STORAGE_FINDINGS = {
  CephHasNothing: ({ node }: OfNode) => `Ceph has nothing on ${node}.`,
  NoCephPod: ({ node }: OfNode) => `No pod of Ceph runs on ${node}.`,
  CephSilentOfOsds: ({ node, cause }: OfNode & Cause) =>
    `Ceph could not be asked whether it has OSDs on ${node}: ${cause}`,
  CephSpares: ({ node, osds, mons }: Spared) =>
    `${[
      ...(osds === 0 ? [] : [`${counted(osds, 'OSD')} of ${node} may be stopped`]),
      ...(mons === null ? [] : [`${mons.staying} of ${mons.total} monitors stay in quorum`]),
    ].join('; ')}.`,
  CephIsWhole: () => 'Every placement group is active+clean.',
  CephRecovers: () => 'Ceph recovers by itself: it is not waited for.',
  CephNotWholeYet: (why: CephNotWhole) =>
    `Ceph is not whole yet: ${notWholeWords(why)}. Take no other storage node before it is.`,
  CephRecoveryAwaited: (why: CephNotWhole) => `Ceph recovers, which is waited for: ${notWholeWords(why)}.`,
  CephNotAwaited: (why: CephNotWhole) => `Ceph is not waited for; it is not whole yet: ${notWholeWords(why)}.`,
  CephToBeWhole: (why: CephNotWhole) => `Ceph to be whole: ${notWholeWords(why)}`,
  CephStillNotWhole: (why: CephNotWhole) =>
    `Still waiting for Ceph to be whole: ${notWholeWords(why)}. Retry to wait on, skip (Ceph goes on recovering by itself; take no other storage node before it has), or abort.`,
  CephHealth: ({ health, isWhole }: { readonly health: string; readonly isWhole: boolean }) =>
    `Ceph is ${health}${isWhole ? ', all placement groups active+clean' : ''}.`,
  CephNotWholeWithoutNode: ({ node, ...why }: OfNode & CephNotWhole) =>
    `Ceph is not whole, for the OSDs of ${node} are down: ${notWholeWords(why)}.`,
  CephWarns: ({ check, summary }: { readonly check: string; readonly summary: string }) =>
    `Ceph warns: ${check}: ${summary}`,
  CephServicesStay: ({
    node,
    gone,
    services,
  }: OfNode & { readonly gone: readonly AwayNode[]; readonly services: readonly Services[] }) =>
    `Beside ${node}${besideAway(gone)} run ${services.map(({ kind, staying, needed }) => `${staying} ${kind} (${needed} needed)`).join(', ')}.`,
  NoOsdsOnNode: ({ node }: OfNode) => `Ceph has no OSDs on ${node}.`,
  NoCeph: ({ node }: OfNode) => `There is no Ceph to have OSDs on ${node}.`,
  NothingTellsOfOsds: ({ node }: OfNode) => `No label and no pod of Ceph tells of OSDs on ${node}.`,
  OsdsToReturnNotKnown: ({ node, cause }: OfNode & Cause) =>
    `Ceph could not be asked whether it has OSDs on ${node}: ${cause} This plan starts none and removes no noout: look with \`ceph osd tree\` when Ceph answers.`,
  OsdsNotKnown: () => 'Whether OSDs run there is not known.',
  CephSilentOfRunningOsds: ({ node, cause }: OfNode & Cause) =>
    `Ceph could not be asked whether OSDs of ${node} still run: ${cause}`,
  CephRebuilds: ({ osds }: Osds) =>
    `Ceph rebuilds what was on ${osdNames(osds)} elsewhere, unless noout keeps it from that: look at \`ceph status\`.`,
  OsdsDown: ({ node, osds }: NodeOsds) => `${osdsAre(osds, ` of ${node}`)} down.`,
  OsdsDownAlready: ({ node, osds }: NodeOsds) => `${osdsAre(osds, ` of ${node}`)} down already.`,
  OsdsMayStop: ({ node, osds, beside }: NodeOsds & { readonly beside: readonly AwayNode[] }) =>
    `${osdNames(osds)} of ${node} may be stopped${beside.length > 0 ? ` together with those of ${awayNames(beside)}` : osds.length === 1 ? '' : ' together'}.`,
  OsdsUp: ({ node, osds }: NodeOsds) => `${osdsAre(osds, ` of ${node}`)} up.`,
  OsdsUpAndIn: ({ node, osds, out }: NodeOsds & { readonly out: readonly number[] }) =>
    `${osdsAre(osds, ` of ${node}`)} up${out.length === 0 ? ' and in' : `; ${osdNames(out)} stay out, as somebody wanted`}.`,
  OsdsUpButOut: ({ osds }: Osds) => `${osdsAre(osds)} up but out: somebody put them out by hand.`,
  OsdsLeftOver: ({ hosts, osds }: Osds & { readonly hosts: readonly string[] }) =>
    `${osdsAre(osds)} down and out under CRUSH host ${hosts.join(', ')}, beside OSDs of this node that serve. Remove what is left over: ${osds.map(id => `\`ceph osd purge ${id}\``).join(', ')}, then ${hosts.map(host => `\`ceph osd crush rm ${host}\``).join(', ')}.`,
  OsdsWillStop: ({ node, osds }: NodeOsds) => `${osdNames(osds)} of ${node} will be stopped.`,
  RookMayStartOsds: () =>
    "Rook's operator may start OSDs again when it reconciles; the last look of the run tells when it did. Scale the operator down to be sure.",
  OsdsToComeUp: ({ osds }: Osds) => `${osdNames(osds)} to come up`,
  OsdsToGoDown: ({ osds }: Osds) => `${osdNames(osds)} to go down`,
  OsdsStarted: ({ node }: OfNode) => `The OSDs of ${node} are up.`,
  OsdsStopped: ({ node }: OfNode) => `The OSDs of ${node} are down.`,
  OsdsStillDown: ({ node, osds }: NodeOsds) =>
    `Still waiting for ${osdNames(osds)} to come up on ${node}. Look at the logs of the OSDs and retry, skip (a disk that was broken before need not come back), or abort.`,
  OsdsStillUp: ({ node, osds }: NodeOsds) => `Still waiting for ${osdNames(osds)} to go down on ${node}. ${STILL_UP}`,
  OsdsNotOkToStopAnyMore: ({ node, osds, output }: NodeOsds & { readonly output: string }) =>
    `${osdsAre(osds, ` of ${node}`)} not ok to stop any more: ${output}. Let Ceph recover and retry, skip (they stay up until the node goes down), or abort.`,
} satisfies TextsOf<string>

/** `beside`: the OSDs of the nodes `gone`, which Ceph was asked about together with the node's. */
type NotOkToStop = NodeOsds & {
  readonly gone: readonly AwayNode[]
  readonly beside: readonly number[]
  readonly output: string
}

type MonQuorum = OfNode & {
  readonly gone: readonly AwayNode[]
  readonly staying: number
  readonly total: number
  readonly needed: number
}

/** `unplaced`: running, and possibly on the node. */
type ServicesMissing = OfNode &
  Services & {
    readonly gone: readonly AwayNode[]
    readonly monsTotal: number
    readonly rule: 'fixed' | 'majority'
    readonly unplaced: readonly string[]
  }

type Health = {
  readonly health: string
  readonly checks: readonly { readonly code: string; readonly summary: string }[]
}

/** What is in the way of the steps of the storage role, of Ceph and its OSDs. */
export const STORAGE_FAULTS = {
  MonQuorumLost: ({ node, gone, staying, total, needed }: MonQuorum) => ({
    message: `Without ${node}${besideAway(gone)} Ceph has ${counted(staying, 'monitor')} in quorum of ${total}; it needs ${needed}.`,
    remedy: 'Bring the other monitors back first.',
  }),
  OsdsNotOkToStop: ({ node, osds, gone, beside, output }: NotOkToStop) => {
    const asked = [...osds, ...beside]
    return {
      message: `${osdsAre(asked, ` of ${node}${besideAway(gone)}`)} not ok to stop${asked.length === 1 ? '' : ' together'}: ${output}.`,
      remedy:
        'Let Ceph recover, or bring the OSDs of other nodes back first; `ceph osd ok-to-stop` tells when it is so.',
    }
  },
  CephNotWhole: (why: CephNotWhole) => ({
    message: `Ceph is not whole: ${notWholeWords(why)}.`,
    remedy: 'Wait until Ceph has recovered; the next storage node is taken only then.',
  }),
  CephStillRecovers: (why: CephNotWhole) => ({
    message: `Ceph is not whole: ${notWholeWords(why)}.`,
    remedy: 'Take no other storage node before it is.',
  }),
  CephHealthError: ({ health, checks }: Health) => ({
    message: `Ceph is ${health === 'unknown' ? 'in a state that it does not tell' : health}: ${
      checks.map(({ code, summary }) => `${code}: ${summary}`).join('; ') || 'no reason given'
    }.`,
    remedy: 'Mend what `ceph health detail` lists.',
  }),
  CephServicesNotEnough: ({ node, gone, kind, staying, needed, monsTotal, rule, unplaced }: ServicesMissing) => ({
    message: `Without ${node}${besideAway(gone)} Ceph has ${staying} ${kind} running of the ${needed} it needs${
      kind === 'mon' ? (rule === 'fixed' ? ' (fixed rule)' : ` (a majority of ${monsTotal})`) : ''
    }${unplaced.length === 0 ? '' : `; where ${unplaced.join(', ')} runs is not known, so it may be on ${node}`}.`,
    remedy:
      kind === 'mon' && rule === 'fixed'
        ? 'Bring monitors back or add one elsewhere; where your MicroCeph counts a majority, set the rule of this cluster to majority.'
        : `Bring the ${kind} services of other nodes back, or add one elsewhere.`,
  }),
  OsdsUnplanned: ({ node, osds }: NodeOsds) => ({
    message: `Ceph has ${osdNames(osds)} on ${node}, and this plan has no steps for them.`,
    remedy: 'Make a new plan: it has the steps of a storage node.',
    never: 'nothing in this plan sets noout for these OSDs, removes it, or starts them',
  }),
  OsdsStillRun: ({ node, osds }: NodeOsds) => ({
    message: `${osdsAre(osds, ` of ${node}`)} up by Ceph, so the machine may run.`,
    remedy: 'See that it is off. Ceph notices within a minute that an OSD is gone: try again then.',
  }),
  OsdsCannotBeStopped: ({ node }: OfNode) => ({
    message: `Nothing here can stop the OSDs of ${node}: no MicroCeph, no Rook.`,
    remedy: 'Make a plan without stopping OSDs, or give --force and stop them yourself when the run asks for it.',
  }),
  StorageNotChecked: ({ node }: OfNode) => ({
    message: `${node} has the storage role, and this procedure does not ask Ceph whether its OSDs may stop.`,
    remedy:
      'Say in the settings of this cluster how its Ceph is asked (--ceph). Or check `ceph osd ok-to-stop` for the OSDs of the node and set noout for it, then give --force with what you found.',
  }),
  OsdsNotUp: ({ node, osds }: NodeOsds) => ({
    message: `${osdsAre(osds, ` of ${node}`)} down.`,
    remedy: 'Look at the logs of these OSDs; resume the run to start them again.',
  }),
  OsdsNotDown: ({ node, osds }: NodeOsds) => ({
    message: `${osdsAre(osds, ` of ${node}`)} up.`,
    remedy: 'Somebody started them again, perhaps the operator of Rook; find out who before going on.',
  }),
  OsdsWantedAgain: ({ node, osds }: NodeOsds) => ({
    message: `The daemons of OSDs ${osds.join(', ')} of ${node} are wanted again, though they are down.`,
    remedy: 'Somebody scaled them up, perhaps the operator of Rook; resume the run to stop them.',
  }),
} satisfies TextsOf<FaultText>

/** What the steps of the storage role read. */
export const STORAGE_READS = {
  CephStatus: () => 'The status of Ceph',
  CephPods: () => "Ceph's pods",
  CephServices: () => "Ceph's services",
  WhichOsds: ({ node }: OfNode) => `Which OSDs ${node} has`,
  NodeOsds: ({ node }: OfNode) => `The OSDs of ${node}`,
  NodeOsdDaemons: ({ node }: OfNode) => `The OSD daemons of ${node}`,
  OkToStop: ({ node }: OfNode) => `Whether the OSDs of ${node} are ok to stop`,
  NodeNoout: ({ node }: OfNode) => `noout of ${node}`,
} satisfies TextsOf<string>
