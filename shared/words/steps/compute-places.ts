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

/** `asked`: what an instance asks for, as `name value` or `name=value`. */
type Asked = {
  readonly asked: readonly string[]
}

/** `moving`: so many instances; `hosts`: may go to so many others; `gib`: of disk is copied at most. */
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

/** Where instances may go, and what makes that less than certain. */
export const PLACE_FINDINGS = {
  RuleOfNova: ({ has, verdict, way }: MoveObstacle) => moveObstacleWords({ has, verdict, way }),
  NoOtherHostUp: () => 'No other compute host is enabled and up.',
  NoHostOfZoneUp: ({ zone }: OfZone) => `No other compute host of zone ${zone} is enabled and up.`,
  NoRoomOnHosts: ({ hosts }: Hosts) => `None of ${someNames(hosts, 50)} has room for it by Placement's figures.`,
  RoomNotKnown: ({ hosts }: Hosts) => `Whether there is room on ${someNames(hosts, 50)} is not known.`,
  ZoneHasNoOtherHost: ({ zone }: OfZone) =>
    `No other host of zone ${zone} can take it. Nova does not tell whether it is pinned there.`,
  MayBePinnedToZone: ({ zone }: OfZone) =>
    `If it is pinned to zone ${zone}, only hosts of that zone can take it. Nova does not tell.`,
  InstanceIsLocked: () => 'It is locked: only an administrator can move it.',
  GroupNotRead: () => 'Its server group could not be read and may rule some hosts out.',
  GroupKeepsItHere: () => 'Its affinity group keeps it with instances on this host; Nova moves none of them alone.',
  GroupRulesOutHosts: () => 'Its server group rules out every other host of its zone.',
  SoftGroupNotMet: ({ groups }: { readonly groups: readonly string[] }) =>
    `Its group ${groups.join(', ')} is a preference that no host meets now: Nova moves it all the same.`,
  PlacementNotAsked: ({ asked }: Asked) =>
    `Placement could not be asked which hosts have what it asks (${asked.join(', ')}): some may be ruled out.`,
  PlacementNamesNone: ({ hosts, asked }: Hosts & Asked) =>
    `Placement names none of ${someNames(hosts, 50)} for what it asks (${asked.join(', ')}).`,
  AggregatesNotRead: ({ asked }: Asked) =>
    `Its flavor asks for ${asked.join(', ')}; aggregates could not be read and may rule some hosts out.`,
  NoHostInAggregate: ({ asked }: Asked) =>
    `Its flavor asks for ${asked.join(', ')}, which no host it may go to has: if Nova's AggregateInstanceExtraSpecsFilter is enabled, it has nowhere to go. Nova does not tell.`,
  SomeHostsInAggregate: ({ asked, hosts }: Asked & Hosts) =>
    `Its flavor asks for ${asked.join(', ')}: if Nova's AggregateInstanceExtraSpecsFilter is enabled, only ${someNames(hosts, 50)} can take it. Nova does not tell.`,
  HostsOfOtherProjects: ({ hosts }: Hosts) =>
    `If Nova's AggregateMultiTenancyIsolation is enabled, ${someNames(hosts, 50)} can not take it: kept for other projects.`,
  NovaNotAsked: () => 'Nova could not be asked.',
  SpecialNeedsJudgedAlone: ({ instances }: { readonly instances: readonly string[] }) =>
    `What ${listed(instances)} ask of Placement beside processors, memory and disk was judged for each by itself.`,
  NoInstanceHasToMove: () => 'No instance has to move.',
  PlacesFound: ({ gib, ...places }: Places) =>
    `${fitWords(places)}${gib === 0 ? '' : ` Up to ${gib} GiB of disk is copied, unless hosts share it.`}`,
  RoomTogetherNotKnown: ({ moving, cause }: { readonly moving: number; readonly cause: string }) =>
    `Whether all ${moving} find a place together cannot be told: ${cause}`,
  PlacesLessThanCertain: ({ instances, notes }: { readonly instances: Names; readonly notes: readonly Finding[] }) =>
    `${someNames(instances)}: ${messagesOf(notes)}`,
  /** Why an instance does not go: after its name, in what a plan tells of it. */
  CannotMove: (refused: Refused) => asPhrase(refusedWords(refused)),
  NoPlaceBesideOthers: (crowded: Crowded) => asPhrase(crowdedWords(crowded)),
  NowhereToGo: (nowhere: Nowhere) => asPhrase(nowhereWords(nowhere)),
} satisfies TextsOf<string>

/** What is in the way of instances that are to go elsewhere. */
export const PLACE_FAULTS = {
  MoveRefused: ({ id, name, ...refused }: OfInstance & Refused) => ({
    message: `Instance ${labelOf({ name, id })} ${refusedWords(refused)}`,
    remedy: [...new Set(refused.rules.map(({ remedy }) => MOVE_REMEDIES[remedy]))].join(' '),
  }),
  NoRoomTogether: ({ id, name, ...crowded }: OfInstance & Crowded) => ({
    message: `Instance ${labelOf({ name, id })} ${crowdedWords(crowded)}`,
    remedy:
      'Make room on another compute host, have owners move or stop instances, or give some of them another action (tag maintenance_action=poweroff).',
  }),
  /** `freedFrom`: the zone that alone leaves it nowhere to go, where Nova can free it from that; else null. */
  NoDestination: ({
    id,
    name,
    freedFrom,
    ...nowhere
  }: OfInstance & Nowhere & { readonly freedFrom: string | null }) => ({
    message: `Instance ${labelOf({ name, id })} ${nowhereWords(nowhere)}`,
    remedy:
      freedFrom === null
        ? 'Make room for it on another compute host, have its owner move or stop it, or give it another action (tag maintenance_action=poweroff).'
        : `Other zones have a place: with its owner's word, free it from zone ${freedFrom} (\`openstack --os-compute-api-version 2.104 server unset --pinned-availability-zone ${id}\`). Or make room in its zone, or have its owner move or stop it.`,
  }),
} satisfies TextsOf<FaultText>

/** What holds of all of them together; which host takes which is the scheduler's. */
function fitWords({ moving, hosts, together }: Omit<Places, 'gib'>): string {
  const may = `${counted(hosts, 'other compute host')} may take ${counted(moving, 'instance')}`
  switch (together) {
    case 'fits':
      return `${may}, and all fit together by Placement's figures and their groups. Which host takes which is decided by Nova's scheduler.`
    case 'does-not-fit':
      return `${may}, but they do not fit together.`
    case 'cannot-tell':
      return `${may}, each weighed by itself. Whether all fit together cannot be told.`
  }
}

function refusedWords({ rules }: Refused): string {
  return `cannot move: ${rules.map(moveObstacleWords).join(' ')}`
}

function crowdedWords({ cause }: Crowded): string {
  return `finds no place beside what else moves: ${cause}`
}

function nowhereWords({ notes }: Nowhere): string {
  return `has nowhere to go: ${notes.length === 0 ? 'no host takes it.' : messagesOf(notes)}`
}
