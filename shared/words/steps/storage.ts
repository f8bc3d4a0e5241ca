import type { CephNotWhole } from '../../domain/ceph-safety.ts'
import { counted } from '../../grammar/counts.ts'
import { notWholeWords, osdNames, osdsAre } from '../ceph.ts'
import { type AwayNode, awayNames, besideAway } from './away-nodes.ts'
import { type Cause, type FaultText, nodeIn, type OfNode, type StepTexts, type TextsOf } from './coded.ts'

const OK_TO_STOP = 'Stopping OSDs that are not ok to stop makes data unavailable.'

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
    why: 'A Ceph under repair has fewer copies than it should: each further OSD may hold the last copy.',
  },
  'ceph-services-enough': {
    title: input => `Enough Ceph services run without ${nodeIn(input)}`,
    why: 'Without a quorum of monitors, a manager and a metadata server Ceph does not work, however many OSDs are up.',
  },
  'no-osds-to-return': {
    title: input => `${nodeIn(input)} has no OSDs to bring back`,
    why: 'OSDs that stay down, or keep their noout, leave data with fewer copies.',
  },
  'osds-down': {
    title: input => `OSDs of ${nodeIn(input)} are down`,
    why: 'An OSD that is up shows that its machine runs.',
  },
  'osds-ok-to-stop': {
    title: input => `OSDs of ${nodeIn(input)} are ok to stop`,
    why: OK_TO_STOP,
  },
  'set-noout': {
    title: input => `Set noout for ${nodeIn(input)}`,
    why: 'Ceph marks OSDs out after ten minutes without them, and copies all their data elsewhere.',
    undo: 'Remove noout again: bringing the node back does that.',
  },
  'start-osds': {
    title: input => `Start the OSDs of ${nodeIn(input)}`,
    why: 'While OSDs are down, every write has fewer copies.',
    undo: 'Stop the OSDs again.',
  },
  'stop-osds': {
    title: input => `Stop the OSDs of ${nodeIn(input)}`,
    why: 'If an OSD stops in order, no client has to wait until Ceph finds it dead.',
    undo: 'Start the OSDs again: bringing the node back does that.',
  },
  'storage-unchecked': {
    title: input => `Ceph can spare ${nodeIn(input)}`,
    why: OK_TO_STOP,
  },
  'unset-noout': {
    title: input => `Remove noout of ${nodeIn(input)}`,
    why: 'While noout is set, Ceph does not replace failed OSDs.',
    undo: 'Set noout again.',
  },
} satisfies StepTexts

type Osds = {
  readonly osds: readonly number[]
}

type NodeOsds = OfNode & Osds

/** The rest of one kind of Ceph services. */
type Services = {
  readonly kind: string
  readonly staying: number
  readonly needed: number
}

/** `mons`: null if the node has no monitor. */
type Spared = OfNode & {
  readonly osds: number
  readonly mons: { readonly staying: number; readonly total: number } | null
}

const STILL_UP =
  "Find out what keeps them up (Rook's operator?) and try again, skip the step (they stay up until the node goes down), or stop the run."

export const STORAGE_FINDINGS = {
  CephHasNothing: ({ node }: OfNode) => `Ceph has nothing on ${node}.`,
  NoCephPod: ({ node }: OfNode) => `No pod of Ceph runs on ${node}.`,
  CephSilentOfOsds: ({ node, cause }: OfNode & Cause) => `Lockkeeper could not ask Ceph for OSDs on ${node}: ${cause}`,
  CephSpares: ({ node, osds, mons }: Spared) =>
    `${[
      ...(osds === 0 ? [] : [`${counted(osds, 'OSD')} of ${node} may stop`]),
      ...(mons === null ? [] : [`${mons.staying} of ${mons.total} monitors stay in quorum`]),
    ].join('; ')}.`,
  CephIsWhole: () => 'Every placement group is active+clean.',
  CephRecovers: () => 'Ceph recovers; the run does not wait for it.',
  CephNotWholeYet: (why: CephNotWhole) =>
    `Ceph has not recovered yet: ${notWholeWords(why)}. Take out no other storage node before it has.`,
  CephRecoveryAwaited: (why: CephNotWhole) => `The run waits for Ceph to recover: ${notWholeWords(why)}.`,
  CephNotAwaited: (why: CephNotWhole) =>
    `The run does not wait for Ceph, which has not recovered yet: ${notWholeWords(why)}.`,
  CephToBeWhole: (why: CephNotWhole) => `Ceph to recover: ${notWholeWords(why)}`,
  CephStillNotWhole: (why: CephNotWhole) =>
    `Still waiting for Ceph to recover: ${notWholeWords(why)}. Keep waiting, skip the step (Ceph continues to recover; take out no other storage node before it has), or stop the run.`,
  CephHealth: ({ health, isWhole }: { readonly health: string; readonly isWhole: boolean }) =>
    `Ceph is ${health}${isWhole ? ', all placement groups active+clean' : ''}.`,
  CephNotWholeWithoutNode: ({ node, ...why }: OfNode & CephNotWhole) =>
    `Ceph is not whole because the OSDs of ${node} are down: ${notWholeWords(why)}.`,
  CephWarns: ({ check, summary }: { readonly check: string; readonly summary: string }) =>
    `Ceph warns: ${check}: ${summary}`,
  CephServicesStay: ({
    node,
    gone,
    services,
  }: OfNode & { readonly gone: readonly AwayNode[]; readonly services: readonly Services[] }) =>
    `Without ${node}${besideAway(gone)} Ceph has ${services.map(({ kind, staying, needed }) => `${staying} ${kind} (${needed} needed)`).join(', ')}.`,
  NoOsdsOnNode: ({ node }: OfNode) => `Ceph has no OSDs on ${node}.`,
  NoCeph: ({ node }: OfNode) => `The cloud has no Ceph, so ${node} has no OSDs.`,
  NothingTellsOfOsds: ({ node }: OfNode) => `No label and no Ceph pod shows OSDs on ${node}.`,
  OsdsToReturnNotKnown: ({ node, cause }: OfNode & Cause) =>
    `Lockkeeper could not ask Ceph for OSDs on ${node}: ${cause} This plan starts no OSD and removes no noout. Check with \`ceph osd tree\` when Ceph answers.`,
  OsdsNotKnown: () => 'Lockkeeper does not know whether OSDs run there.',
  CephSilentOfRunningOsds: ({ node, cause }: OfNode & Cause) =>
    `Lockkeeper could not ask Ceph whether OSDs of ${node} still run: ${cause}`,
  CephRebuilds: ({ osds }: Osds) =>
    `Ceph rebuilds the data of ${osdNames(osds)} elsewhere unless noout is set: check \`ceph status\`.`,
  OsdsDown: ({ node, osds }: NodeOsds) => `${osdsAre(osds, ` of ${node}`)} down.`,
  OsdsDownAlready: ({ node, osds }: NodeOsds) => `${osdsAre(osds, ` of ${node}`)} already down.`,
  OsdsMayStop: ({ node, osds, beside }: NodeOsds & { readonly beside: readonly AwayNode[] }) =>
    `${osdNames(osds)} of ${node} may stop${beside.length > 0 ? ` together with those of ${awayNames(beside)}` : osds.length === 1 ? '' : ' together'}.`,
  OsdsUp: ({ node, osds }: NodeOsds) => `${osdsAre(osds, ` of ${node}`)} up.`,
  OsdsUpAndIn: ({ node, osds, out }: NodeOsds & { readonly out: readonly number[] }) =>
    `${osdsAre(osds, ` of ${node}`)} up${out.length === 0 ? ' and in' : `; ${osdNames(out)} stay out because an operator marked them out`}.`,
  OsdsUpButOut: ({ osds }: Osds) => `${osdsAre(osds)} up but out: an operator marked them out.`,
  OsdsLeftOver: ({ hosts, osds }: Osds & { readonly hosts: readonly string[] }) =>
    `${osdsAre(osds)} down and out under CRUSH host ${hosts.join(', ')}, while other OSDs of this node work. Remove the leftovers: ${osds.map(id => `\`ceph osd purge ${id}\``).join(', ')}, then ${hosts.map(host => `\`ceph osd crush rm ${host}\``).join(', ')}.`,
  OsdsWillStop: ({ node, osds }: NodeOsds) => `Lockkeeper stops ${osdNames(osds)} of ${node}.`,
  RookMayStartOsds: () =>
    "Rook's operator may start OSDs again when it reconciles; the last check of the run shows that. Scale the operator down to be sure.",
  OsdsToComeUp: ({ osds }: Osds) => `${osdNames(osds)} to come up`,
  OsdsToGoDown: ({ osds }: Osds) => `${osdNames(osds)} to go down`,
  OsdsStarted: ({ node }: OfNode) => `The OSDs of ${node} are up.`,
  OsdsStopped: ({ node }: OfNode) => `The OSDs of ${node} are down.`,
  OsdsStillDown: ({ node, osds }: NodeOsds) =>
    `Still waiting for ${osdNames(osds)} to come up on ${node}. Check the logs of the OSDs and try again, skip the step (a disk that failed before need not come back), or stop the run.`,
  OsdsStillUp: ({ node, osds }: NodeOsds) => `Still waiting for ${osdNames(osds)} to go down on ${node}. ${STILL_UP}`,
  OsdsNotOkToStopAnyMore: ({ node, osds, output }: NodeOsds & { readonly output: string }) =>
    `${osdsAre(osds, ` of ${node}`)} no longer ok to stop: ${output}. Let Ceph recover and try again, skip the step (they stay up until the node goes down), or stop the run.`,
} satisfies TextsOf<string>

/** `beside`: the OSDs of the nodes `gone`; Ceph was asked about all of them together. */
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

/** `unplaced`: services that run, possibly on the node. */
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

export const STORAGE_FAULTS = {
  MonQuorumLost: ({ node, gone, staying, total, needed }: MonQuorum) => ({
    message: `Without ${node}${besideAway(gone)} Ceph has ${counted(staying, 'monitor')} of ${total} in quorum; it needs ${needed}.`,
    remedy: 'Bring the other monitors back first.',
  }),
  OsdsNotOkToStop: ({ node, osds, gone, beside, output }: NotOkToStop) => {
    const asked = [...osds, ...beside]
    return {
      message: `${osdsAre(asked, ` of ${node}${besideAway(gone)}`)} not ok to stop${asked.length === 1 ? '' : ' together'}: ${output}.`,
      remedy:
        'Let Ceph recover, or bring the OSDs of other nodes back first; `ceph osd ok-to-stop` shows when they may stop.',
    }
  },
  CephNotWhole: (why: CephNotWhole) => ({
    message: `Ceph is not whole: ${notWholeWords(why)}.`,
    remedy: 'Wait until Ceph has recovered; only then may the next storage node go out.',
  }),
  CephStillRecovers: (why: CephNotWhole) => ({
    message: `Ceph is not whole: ${notWholeWords(why)}.`,
    remedy: 'Take out no other storage node before it has recovered.',
  }),
  CephHealthError: ({ health, checks }: Health) => ({
    message: `Ceph is ${health === 'unknown' ? 'in an unknown state' : health}: ${
      checks.map(({ code, summary }) => `${code}: ${summary}`).join('; ') || 'no reason given'
    }.`,
    remedy: 'Fix what `ceph health detail` lists.',
  }),
  CephServicesNotEnough: ({ node, gone, kind, staying, needed, monsTotal, rule, unplaced }: ServicesMissing) => ({
    message: `Without ${node}${besideAway(gone)} Ceph has ${staying} ${kind} running of the ${needed} it needs${
      kind === 'mon' ? (rule === 'fixed' ? ' (fixed rule)' : ` (a majority of ${monsTotal})`) : ''
    }${unplaced.length === 0 ? '' : `; ${unplaced.join(', ')} may be on ${node}, because Lockkeeper does not know where it runs`}.`,
    remedy:
      kind === 'mon' && rule === 'fixed'
        ? 'Bring monitors back or add one elsewhere. If your MicroCeph counts a majority, set the rule of this cloud to majority.'
        : `Bring the ${kind} services of other nodes back, or add one elsewhere.`,
  }),
  OsdsUnplanned: ({ node, osds }: NodeOsds) => ({
    message: `Ceph has ${osdNames(osds)} on ${node}, but this plan has no steps for them.`,
    remedy: 'Make a new plan: it has the steps of a storage node.',
    never: 'nothing in this plan sets noout for these OSDs, removes it, or starts them',
  }),
  OsdsStillRun: ({ node, osds }: NodeOsds) => ({
    message: `${osdsAre(osds, ` of ${node}`)} up in Ceph, so the machine may run.`,
    remedy: 'Check that it is off. Ceph notices within a minute that an OSD is gone: try again then.',
  }),
  OsdsCannotBeStopped: ({ node }: OfNode) => ({
    message: `Lockkeeper cannot stop the OSDs of ${node}: the cloud has neither MicroCeph nor Rook.`,
    remedy: 'Make a plan without stopping OSDs, or give --force and stop them yourself when the run asks.',
  }),
  StorageNotChecked: ({ node }: OfNode) => ({
    message: `${node} has the storage role, but this plan does not ask Ceph whether its OSDs may stop.`,
    remedy:
      'Say in the settings of this cloud how to ask its Ceph (--ceph). Or check `ceph osd ok-to-stop` for the OSDs of the node and set noout for it, then give --force with your result.',
  }),
  OsdsNotUp: ({ node, osds }: NodeOsds) => ({
    message: `${osdsAre(osds, ` of ${node}`)} down.`,
    remedy: 'Check the logs of these OSDs. Resume the run to start them again.',
  }),
  OsdsNotDown: ({ node, osds }: NodeOsds) => ({
    message: `${osdsAre(osds, ` of ${node}`)} up.`,
    remedy: 'They were started again, perhaps by the operator of Rook. Find out who did it before you continue.',
  }),
  OsdsWantedAgain: ({ node, osds }: NodeOsds) => ({
    message: `The daemons of OSDs ${osds.join(', ')} of ${node} are scaled up again, although they are down.`,
    remedy: 'The operator of Rook may have done that. Resume the run to stop them.',
  }),
} satisfies TextsOf<FaultText>

export const STORAGE_READS = {
  CephStatus: () => 'The status of Ceph',
  CephPods: () => "Ceph's pods",
  CephServices: () => "Ceph's services",
  WhichOsds: ({ node }: OfNode) => `The list of OSDs of ${node}`,
  NodeOsds: ({ node }: OfNode) => `The OSDs of ${node}`,
  NodeOsdDaemons: ({ node }: OfNode) => `The OSD daemons of ${node}`,
  OkToStop: ({ node }: OfNode) => `The answer of Ceph about stopping the OSDs of ${node}`,
  NodeNoout: ({ node }: OfNode) => `noout of ${node}`,
} satisfies TextsOf<string>
