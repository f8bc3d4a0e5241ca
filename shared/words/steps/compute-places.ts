import type { MoveObstacle } from '../../domain/move-obstacles.ts'
import { asPhrase, counted, listed } from '../../grammar/counts.ts'
import { MOVE_REMEDIES, moveObstacleWords } from '../move-obstacles.ts'
import {
  type FaultText,
  type Finding,
  labelOf,
  messagesOf,
  type Names,
  type OfInstance,
  someNames,
  type TextsOf,
} from './coded.ts'

type OfZone = {
  readonly zone: string
}

type Hosts = {
  readonly hosts: Names
}

/** What an instance asks for, as `name value` or `name=value`. */
type Asked = {
  readonly asked: readonly string[]
}

/** `moving` instances may go to `hosts` other hosts; at most `gib` of disk is copied. */
type Places = {
  readonly moving: number
  readonly hosts: number
  readonly together: 'fits' | 'does-not-fit' | 'cannot-tell'
  readonly gib: number
}

type Refused = {
  readonly rules: readonly MoveObstacle[]
}

type Crowded = {
  readonly cause: string
}

type Nowhere = {
  readonly notes: readonly Finding[]
}

/** The hosts that can take instances, and what is uncertain about that. */
export const PLACE_FINDINGS = {
  RuleOfNova: ({ has, verdict, way }: MoveObstacle) => moveObstacleWords({ has, verdict, way }),
  NoOtherHostUp: () => 'No other compute node is enabled and up.',
  NoHostOfZoneUp: ({ zone }: OfZone) => `No other compute node of zone ${zone} is enabled and up.`,
  NoRoomOnHosts: ({ hosts }: Hosts) => `Placement reports no room for it on ${someNames(hosts, 50)}.`,
  RoomNotKnown: ({ hosts }: Hosts) => `Cannot tell whether there is room on ${someNames(hosts, 50)}.`,
  ZoneHasNoOtherHost: ({ zone }: OfZone) =>
    `No other node of zone ${zone} can take it. Nova does not show whether it is pinned there.`,
  MayBePinnedToZone: ({ zone }: OfZone) =>
    `An instance pinned to zone ${zone} can only go to nodes there. Nova does not show the pin.`,
  InstanceIsLocked: () => 'It is locked: only an administrator can move it.',
  GroupNotRead: () => 'Lockkeeper could not read its server group, which may rule out some nodes.',
  GroupKeepsItHere: () => 'Its affinity group keeps it with instances on this node; Nova moves none of them alone.',
  GroupRulesOutHosts: () => 'Its server group rules out every other node of its zone.',
  SoftGroupNotMet: ({ groups }: { readonly groups: readonly string[] }) =>
    `Its group ${groups.join(', ')} is a preference that no node meets now: Nova moves it anyway.`,
  PlacementNotAsked: ({ asked }: Asked) =>
    `Lockkeeper could not ask Placement which nodes meet its request (${asked.join(', ')}): some may be ruled out.`,
  PlacementNamesNone: ({ hosts, asked }: Hosts & Asked) =>
    `By Placement, none of ${someNames(hosts, 50)} meets its request (${asked.join(', ')}).`,
  AggregatesNotRead: ({ asked }: Asked) =>
    `Its flavor asks for ${asked.join(', ')}. Lockkeeper could not read the aggregates, which may rule out some nodes.`,
  NoHostInAggregate: ({ asked }: Asked) =>
    `Its flavor asks for ${asked.join(', ')}, and no host that it may go to has that. If Nova's AggregateInstanceExtraSpecsFilter is enabled, it has nowhere to go. Nova does not show whether the filter is enabled.`,
  SomeHostsInAggregate: ({ asked, hosts }: Asked & Hosts) =>
    `Its flavor asks for ${asked.join(', ')}. If Nova's AggregateInstanceExtraSpecsFilter is enabled, only ${someNames(hosts, 50)} can take it. Nova does not show whether the filter is enabled.`,
  HostsOfOtherProjects: ({ hosts }: Hosts) =>
    `If Nova's AggregateMultiTenancyIsolation is enabled, ${someNames(hosts, 50)} cannot take it: they are reserved for other projects.`,
  NovaNotAsked: () => 'Lockkeeper could not ask Nova.',
  SpecialNeedsJudgedAlone: ({ instances }: { readonly instances: readonly string[] }) =>
    `Lockkeeper checked the special requests of ${listed(instances)} to Placement for each instance alone.`,
  NoInstanceHasToMove: () => 'No instance has to move.',
  PlacesFound: ({ gib, ...places }: Places) =>
    `${fitWords(places)}${gib === 0 ? '' : ` Up to ${gib} GiB of disk is copied, unless nodes share it.`}`,
  RoomTogetherNotKnown: ({ moving, cause }: { readonly moving: number; readonly cause: string }) =>
    `Cannot tell whether all ${moving} fit together: ${cause}`,
  PlacesLessThanCertain: ({ instances, notes }: { readonly instances: Names; readonly notes: readonly Finding[] }) =>
    `${someNames(instances)}: destination uncertain. ${messagesOf(notes)}`,
  /** Why an instance does not go: a phrase that follows its name in a plan. */
  CannotMove: (refused: Refused) => asPhrase(refusedWords(refused)),
  NoPlaceBesideOthers: (crowded: Crowded) => asPhrase(crowdedWords(crowded)),
  NowhereToGo: (nowhere: Nowhere) => asPhrase(nowhereWords(nowhere)),
} satisfies TextsOf<string>

export const PLACE_FAULTS = {
  MoveRefused: ({ id, name, ...refused }: OfInstance & Refused) => ({
    message: `Instance ${labelOf({ name, id })} ${refusedWords(refused)}`,
    remedy: [...new Set(refused.rules.map(({ remedy }) => MOVE_REMEDIES[remedy]))].join(' '),
  }),
  NoRoomTogether: ({ id, name, ...crowded }: OfInstance & Crowded) => ({
    message: `Instance ${labelOf({ name, id })} ${crowdedWords(crowded)}`,
    remedy:
      'Make room on another compute node, have owners move or stop instances, or set another mode for some of them (tag maintenance_action=poweroff).',
  }),
  /** `freedFrom`: the zone that leaves it nowhere to go and from which Nova can free it; else null. */
  NoDestination: ({
    id,
    name,
    freedFrom,
    ...nowhere
  }: OfInstance & Nowhere & { readonly freedFrom: string | null }) => ({
    message: `Instance ${labelOf({ name, id })} ${nowhereWords(nowhere)}`,
    remedy:
      freedFrom === null
        ? 'Make room for it on another compute node, have its owner move or stop it, or set another mode (tag maintenance_action=poweroff).'
        : `Other zones have room. With the consent of its owner, free it from zone ${freedFrom} (\`openstack --os-compute-api-version 2.104 server unset --pinned-availability-zone ${id}\`). Or make room in its zone, or have its owner move or stop it.`,
  }),
} satisfies TextsOf<FaultText>

/** Whether all fit together; Nova's scheduler chooses the host of each. */
function fitWords({ moving, hosts, together }: Omit<Places, 'gib'>): string {
  const may = `${counted(hosts, 'other compute node')} can take ${counted(moving, 'instance')}`
  switch (together) {
    case 'fits':
      return `${may}, and by Placement's figures and their server groups all fit together. Nova's scheduler chooses the node of each.`
    case 'does-not-fit':
      return `${may}, but they do not fit together.`
    case 'cannot-tell':
      return `${may}, each checked alone. Cannot tell whether all fit together.`
  }
}

function refusedWords({ rules }: Refused): string {
  return `cannot move: ${rules.map(moveObstacleWords).join(' ')}`
}

function crowdedWords({ cause }: Crowded): string {
  return `finds no room beside the other moves: ${cause}`
}

function nowhereWords({ notes }: Nowhere): string {
  return `has nowhere to go: ${notes.length === 0 ? 'no node takes it.' : messagesOf(notes)}`
}
