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
  'cluster-setting': 'cloud setting',
  'default-setting': 'the default setting',
  'no-ceph': 'no Ceph of this cloud answers',
  asked: 'as requested',
}

/** The source of the limit of a role. */
export function limitWords({ by, beyond }: RoleLimit): string {
  return `${SOURCES[by]}${beyond === undefined ? '' : `; more than the ${beyond.most} of ${SOURCES[beyond.by]}`}`
}

/** `a, b, c`; of more than six names only the first five. */
function list(names: readonly string[]): string {
  return someOf(names, names.length <= 6 ? 6 : 5)
}

function is(names: readonly string[]): string {
  return names.length === 1 ? 'is' : 'are'
}

function apartText(because: OsdsApart): string {
  switch (because.is) {
    case 'not-asked':
      return `Ceph did not answer, so one node at a time: ${because.cause}`
    case 'unclear':
      return `Cannot tell which OSDs ${list(because.nodes)} has, so one node at a time.`
    case 'one-host':
      return 'One failure domain at a time: a node, unless you ask for more storage nodes at a time.'
    case 'no-shared-rack':
      return 'They share no rack of the CRUSH map.'
    case 'rack-may-not-stop':
      return `Ceph does not let all OSDs of rack ${because.rack} stop together.`
  }
}

const BREACHES: TextsOf<Breaches> = {
  BatchEmpty: () => 'The batch has no node.',
  NodesUnknown: ({ nodes }) => `The cloud has no node of this name: ${nodes.join(', ')}.`,
  NodesInEarlierBatch: ({ nodes }) => `Already in an earlier batch: ${nodes.join(', ')}.`,
  NodesTwice: ({ nodes }) => `Twice in this batch: ${nodes.join(', ')}.`,
  NodesNotReady: ({ nodes }) =>
    `${list(nodes)} ${is(nodes)} not Ready: maintenance starts only with nodes that report.`,
  TooManyOfRole: ({ role, nodes, limit }) =>
    `${nodes.length} ${role} nodes at a time (${list(nodes)}), but the limit is ${limit.most} (${limitWords(limit)}).`,
  RoleAtLimit: ({ role, nodes, most, others }) =>
    `With ${list(nodes)} the ${role} nodes are at their limit of ${most}, and this cloud's controllers then hold back every other node: ${list(others)}.`,
  ZonesMixed: ({ zones, nodes, byControllers }) =>
    `Nodes of zones ${zones.join(', ')} in one batch: ${list(nodes)}.${byControllers ? " This cloud's controllers work on one zone at a time." : ''}`,
  OsdsDownTogether: ({ nodes, away, because }) => {
    const where = away.length === 0 ? '' : ` (${list(away)} ${is(away)} already out)`
    return `OSDs of ${list(nodes)} ${because.is === 'unclear' ? 'could' : 'would'} be down together${where}. ${apartText(because)}`
  },
  QuorumLost: ({ what, total, staying, needed, nodes, goes, out }) => {
    const details = [
      ...(goes.length === 0 ? [] : [`on ${list(nodes)}: ${goes.join(', ')}`]),
      ...(out.length === 0 ? [] : [`not serving or already out: ${out.join(', ')}`]),
    ]
    return `Only ${staying} of ${total} members of ${what} would stay, but ${needed} are needed (${details.join('; ')}).`
  },
  GroupWithoutRoom: ({ group, instances, places }) =>
    `${counted(instances.length, 'instance', 'instances')} of anti-affinity group ${group} must move (${instances.join(', ')}), but ${places === 0 ? 'no remaining node has room without another member' : `only ${counted(places, 'remaining node has', 'remaining nodes have')} room without another member`}.`,
  InstancesWithoutPlace: ({ moving, total, instances }) => {
    const named = instances.slice(0, 5).map(({ name, host }) => `${name} on ${host}`)
    const rest = total > named.length ? ` and ${total - named.length} more` : ''
    return `${total} of ${counted(moving, 'instance')} that must move find no room: ${named.join(', ')}${rest}.`
  },
}

function instancesText({ instances, total }: { readonly instances: readonly string[]; readonly total: number }) {
  const first = instances.slice(0, 3)
  return total > first.length ? `${first.join(', ')} and ${total - first.length} more` : first.join(', ')
}

const DOUBTS: TextsOf<Doubts> = {
  NovaNotRead: ({ list: unread }) =>
    `Nova's ${unread === 'instances' ? 'instances' : 'compute services'} could not be read, so Lockkeeper cannot tell what has to move`,
  InventoriesNotRead: () => "Placement's inventories could not be read",
  GroupsNotRead: () => 'server groups could not be read',
  InstancesMissing: ({ causes }) => `Nova left instances out of its list: ${causes.join('; ')}`,
  NoPlacementFound: ({ moving }) =>
    `could not find room for ${counted(moving, 'instance')} on the remaining nodes, but the search stopped before it could prove that there is none`,
  FlavorNotTold: instances => `Nova does not show the flavor of ${instancesText(instances)}`,
  ZonePinNotTold: instances =>
    `${instancesText(instances)} would find room only in another zone, and Nova does not show whether ${instances.total === 1 ? 'it is' : 'they are'} pinned to ${instances.total === 1 ? 'its' : 'their'} own`,
  TraitsNotAsked: instances =>
    `Placement did not answer which nodes have the traits and resources that ${instancesText(instances)} requests`,
  NoInventory: ({ hosts }) => `Placement has no inventory of ${hosts.join(', ')}`,
}

function zoneText({ zone }: { readonly zone: string | null }): string {
  return zone === null ? '' : ` of zone ${zone}`
}

const REFUSALS: TextsOf<Refusals> = {
  NoHostInService: zone => `No other compute node${zoneText(zone)} is enabled and up during this batch.`,
  NoHostHasWhatItAsks: zone => `No remaining node${zoneText(zone)} meets its request to Placement.`,
  AntiAffinityRulesOut: ({ groups, zone }) =>
    `Its anti-affinity group ${groups.join(', ')} rules out every remaining node${zoneText({ zone })}.`,
  AffinityKeepsTogether: ({ group }) =>
    `Its affinity group ${group} keeps it with its other members; Nova moves none of them alone.`,
  NoRoomLeft: ({ hosts, needs, zone }) => {
    const room = needs === null ? '' : ` (${needs.vcpus} vCPUs, ${memoryWords(needs.ramMib)} of memory)`
    return `The ${counted(hosts, 'host')}${zoneText({ zone })} it may go to ${hosts === 1 ? 'has' : 'have'} no room${room} left for it beside the other moves.`
  },
}

const LEFT: TextsOf<LeftOut> = {
  ...BREACHES,
  ...REFUSALS,
  NodeUnknown: () => 'The cloud has no node of this name.',
  OnlyBeforeOthers: () => 'It could go before the others, but not after them.',
}

export function breachWords(breach: BatchBreach): string {
  return textOf(BREACHES, breach)
}

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

/** A node in no batch, with the texts of its reasons. */
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

/** Why it is unknown whether the instances of a batch find room: one sentence. */
export function doubtsWords(doubts: readonly CapacityDoubt[]): string {
  return `${doubts.map(doubt => textOf(DOUBTS, doubt)).join('; ')}.`
}

function refusalWords(refusal: MoveRefusal): string {
  return textOf(REFUSALS, refusal)
}
