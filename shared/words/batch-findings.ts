import type { FoundCapacity } from '../domain/batch-capacity.ts'
import type {
  BatchBreach,
  Breaches,
  CapacityDoubt,
  Doubts,
  LeftOut,
  LeftReason,
  LimitSource,
  MoveRefusal,
  OsdsApart,
  Refusals,
  RoleLimit,
} from '../domain/batch-findings.ts'
import type { FoundBatch } from '../domain/batch-judge.ts'
import type { BatchCapacity, JudgedBatch, JudgedBatches } from '../domain/batches.ts'
import { memoryWords } from '../grammar/bytes.ts'
import { counted, someOf } from '../grammar/counts.ts'
import { type TextsOf, textOf } from './coded-text.ts'

const SOURCES: Readonly<Record<LimitSource, string>> = {
  'one-by-one': 'control nodes go one by one',
  'cluster-setting': 'cluster setting',
  'default-setting': 'the default setting',
  'no-ceph': 'no Ceph of this cluster can be asked',
  asked: 'as asked for',
}

/** Where the limit of a role is from, in a few words. */
export function limitWords({ by, beyond }: RoleLimit): string {
  return `${SOURCES[by]}${beyond === undefined ? '' : `; more than the ${beyond.most} of ${SOURCES[beyond.by]}`}`
}

/** `a, b, c`; of more than six only the first five. */
function list(names: readonly string[]): string {
  return someOf(names, names.length <= 6 ? 6 : 5)
}

function is(names: readonly string[]): string {
  return names.length === 1 ? 'is' : 'are'
}

function apartText(because: OsdsApart): string {
  switch (because.is) {
    case 'not-asked':
      return `Ceph could not be asked, so one host at a time: ${because.cause}`
    case 'unclear':
      return `Which OSDs ${list(because.nodes)} has cannot be told, so one host at a time.`
    case 'one-host':
      return 'One failure domain at a time: a host, unless more storage nodes at once are asked for.'
    case 'no-shared-rack':
      return 'They share no rack of the CRUSH map.'
    case 'rack-may-not-stop':
      return `Ceph does not let all OSDs of rack ${because.rack} stop together.`
  }
}

const BREACHES: TextsOf<Breaches> = {
  BatchEmpty: () => 'The batch has no node.',
  NodesUnknown: ({ nodes }) => `The cluster has no node of this name: ${nodes.join(', ')}.`,
  NodesInEarlierBatch: ({ nodes }) => `In an earlier batch already: ${nodes.join(', ')}.`,
  NodesTwice: ({ nodes }) => `Twice in this batch: ${nodes.join(', ')}.`,
  NodesNotReady: ({ nodes }) => `${list(nodes)} ${is(nodes)} not Ready: maintenance begins with nodes that report.`,
  TooManyOfRole: ({ role, nodes, limit }) =>
    `${nodes.length} ${role} nodes at once (${list(nodes)}), and the limit is ${limit.most} (${limitWords(limit)}).`,
  RoleAtLimit: ({ role, nodes, most, others }) =>
    `With ${list(nodes)} the ${role} nodes are at their limit of ${most}, and this cluster's controllers then hold back every other node: ${list(others)}.`,
  ZonesMixed: ({ zones, nodes, byControllers }) =>
    `Nodes of zones ${zones.join(', ')} in one batch: ${list(nodes)}.${byControllers ? " This cluster's controllers work on one zone at a time." : ''}`,
  OsdsDownTogether: ({ nodes, away, because }) => {
    const where = away.length === 0 ? '' : ` (${list(away)} ${is(away)} away already)`
    return `OSDs of ${list(nodes)} ${because.is === 'unclear' ? 'could' : 'would'} be down together${where}. ${apartText(because)}`
  },
  QuorumLost: ({ what, total, staying, needed, nodes, goes, out }) => {
    const details = [
      ...(goes.length === 0 ? [] : [`on ${list(nodes)}: ${goes.join(', ')}`]),
      ...(out.length === 0 ? [] : [`not serving or away already: ${out.join(', ')}`]),
    ]
    return `Of ${total} members of ${what} ${staying} would stay, and ${needed} are needed (${details.join('; ')}).`
  },
  GroupWithoutRoom: ({ group, instances, places }) =>
    `Of anti-affinity group ${group} ${counted(instances.length, 'instance has', 'instances have')} to move (${instances.join(', ')}), and ${places === 0 ? 'no host' : `only ${counted(places, 'host')}`} that stays and has no other member would take them.`,
  InstancesBlocked: ({ instances }) =>
    `${counted(instances.length, 'instance is', 'instances are')} blocked, and so is the plan of the node: ${someOf(instances.map(({ name, node }) => `${name} on ${node}`))}.`,
  InstancesWithoutPlace: ({ moving, total, instances }) => {
    const named = instances.slice(0, 5).map(({ name, host }) => `${name} on ${host}`)
    const rest = total > named.length ? ` and ${total - named.length} more` : ''
    return `${total} of ${counted(moving, 'instance')} that have to move find no place: ${named.join(', ')}${rest}.`
  },
}

function instancesText({ instances, total }: { readonly instances: readonly string[]; readonly total: number }) {
  const first = instances.slice(0, 3)
  return total > first.length ? `${first.join(', ')} and ${total - first.length} more` : first.join(', ')
}

/** Phrases. */
const DOUBTS: TextsOf<Doubts> = {
  NovaNotRead: ({ list: unread }) =>
    `Nova's ${unread === 'instances' ? 'instances' : 'compute services'} could not be read, so whether anything has to move is not known`,
  InventoriesNotRead: () => "Placement's inventories could not be read",
  GroupsNotRead: () => 'server groups could not be read',
  InstancesMissing: ({ causes }) => `Nova left instances out of its list: ${causes.join('; ')}`,
  NoPlacementFound: ({ moving }) =>
    `No way was found to place ${counted(moving, 'instance')} on the hosts that stay, and that there is none could not be proved`,
  FlavorNotTold: instances => `Nova does not tell the flavor of ${instancesText(instances)}`,
  ZonePinNotTold: instances =>
    `${instancesText(instances)} would find room only in another zone, and Nova does not tell whether ${instances.total === 1 ? 'it is' : 'they are'} pinned to ${instances.total === 1 ? 'its' : 'their'} own`,
  TraitsNotAsked: instances =>
    `Placement could not be asked which hosts have what ${instancesText(instances)} asks by traits and resources`,
  NoInventory: ({ hosts }) => `Placement has no inventory of ${hosts.join(', ')}`,
}

function zoneText({ zone }: { readonly zone: string | null }): string {
  return zone === null ? '' : ` of zone ${zone}`
}

const REFUSALS: TextsOf<Refusals> = {
  NoHostInService: zone => `No other compute host${zoneText(zone)} is enabled and up during this batch.`,
  NoHostHasWhatItAsks: zone => `No host${zoneText(zone)} that stays has what it asks of Placement.`,
  AntiAffinityRulesOut: ({ groups, zone }) =>
    `Its anti-affinity group ${groups.join(', ')} rules out every host${zoneText({ zone })} that stays.`,
  AffinityKeepsTogether: ({ group }) =>
    `Its affinity group ${group} keeps it with its other members; Nova moves none of them alone.`,
  NoRoomLeft: ({ hosts, needs, zone }) => {
    const room = needs === null ? '' : ` (${needs.vcpus} vCPUs, ${memoryWords(needs.ramMib)} of memory)`
    return `There is no room${room} left for it on the ${counted(hosts, 'host')}${zoneText({ zone })} it may go to, beside what else moves.`
  },
}

const LEFT: TextsOf<LeftOut> = {
  ...BREACHES,
  ...REFUSALS,
  NodeUnknown: () => 'The cluster has no node of this name.',
  OnlyBeforeOthers: () => 'It could go before the others, but not after them.',
}

/** What a batch breaks. */
export function breachWords(breach: BatchBreach): string {
  return textOf(BREACHES, breach)
}

/** A batch as people read it: each code with its text. */
export function wordedBatch({ nodes, zones, problems, capacity }: FoundBatch): JudgedBatch {
  return {
    nodes: [...nodes],
    zones: [...zones],
    problems: problems.map(({ rule, weight, nodes: of, breach }) => ({
      rule,
      weight,
      nodes: [...of],
      code: breach.code,
      values: { ...breach.values },
      words: breachWords(breach),
    })),
    capacity: wordedCapacity(capacity),
  }
}

/** Whether the instances of a batch find a place, as people read it. */
export function wordedCapacity(capacity: FoundCapacity): BatchCapacity {
  switch (capacity.kind) {
    case 'fits':
      return capacity
    case 'does-not-fit':
      return {
        ...capacity,
        instances: capacity.instances.map(({ refusal, ...instance }) => ({
          ...instance,
          code: refusal.code,
          values: { ...refusal.values },
          why: refusalWords(refusal),
        })),
      }
    case 'cannot-tell': {
      const { kind, moving, doubts } = capacity
      return { kind, moving, doubts: doubts.map(plain), why: doubtsWords(doubts) }
    }
  }
}

/** A node that is in no batch, as people read it. */
export function wordedLeft({
  node,
  reasons,
}: {
  readonly node: string
  readonly reasons: readonly LeftReason[]
}): JudgedBatches['left'][number] {
  return { node, reasons: reasons.map(plain), why: reasons.map(reason => textOf(LEFT, reason)).join(' ') }
}

function plain<Found extends CapacityDoubt | LeftReason>({ code, values }: Found) {
  return { code, values: { ...values } }
}

/** Why it cannot be told whether the instances of a batch find a place: one sentence. */
export function doubtsWords(doubts: readonly CapacityDoubt[]): string {
  return `${doubts.map(doubt => textOf(DOUBTS, doubt)).join('; ')}.`
}

function refusalWords(refusal: MoveRefusal): string {
  return textOf(REFUSALS, refusal)
}
