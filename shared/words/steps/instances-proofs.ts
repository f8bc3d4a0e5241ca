import { counted, someOf } from '../../grammar/counts.ts'
import {
  type Cause,
  type FaultText,
  labelOf,
  type Names,
  type OfHost,
  type OfInstance,
  someNames,
  type TextsOf,
} from './coded.ts'

/** Why Placement proves nothing: it has no allocation there, does not know the host, or did not answer. */
export type SilentPlacement =
  | { readonly kind: 'no-allocation' | 'no-provider'; readonly host: string }
  | { readonly kind: 'unread'; readonly cause: string }

/** An instance that the list of a host does not show, although it is there or moves from or to it. */
type Unlisted = OfInstance & {
  readonly migration: { readonly from: string | null; readonly to: string | null } | null
}

const RUNS_UNKNOWN = 'Lockkeeper cannot know what runs on the node'

/** Faults of a list of instances without proof that it is complete. */
export const INSTANCES_PROOF_FAULTS = {
  InstancesContradicted: ({
    host,
    listed,
    here,
  }: OfHost & { readonly listed: number; readonly here: readonly Unlisted[] }) => ({
    message: `Nova's list of the servers on ${host} has ${listed}, but ${someOf(here.map(unlistedWords))}.`,
    remedy:
      'The list is incomplete, or something came to the host. Check with `openstack server list --all-projects --host`, then resume.',
    never: RUNS_UNKNOWN,
  }),
  ConsumersUnknown: ({ host, consumers }: OfHost & { readonly consumers: Names }) => ({
    message: `Placement has allocations on ${host} of ${counted(consumers.total, 'consumer')} unknown to Nova: ${someNames(consumers)}. Either they are leftovers, or these credentials do not see every server.`,
    remedy:
      'If `openstack server show` finds none as admin, remove the leftovers with `openstack resource provider allocation delete`. Otherwise use credentials that see every server.',
    never: RUNS_UNKNOWN,
  }),
  InstancesUnproved: ({ host, placement }: OfHost & { readonly placement: SilentPlacement }) => ({
    message: `Nova lists no server on ${host}, and none in the whole cloud, so nothing confirms the list. ${placementWords(placement)}`,
    remedy: 'Grant the right to read Placement (placement:resource_providers:list, :allocations:list).',
    never: RUNS_UNKNOWN,
  }),
  MigrationsUnread: ({ host, cause }: OfHost & Cause) =>
    unread(`Lockkeeper could not read the migrations of ${host}: ${cause}`),
  AllocationsUnread: ({ host, cause }: OfHost & Cause) =>
    unread(`Lockkeeper could not read Placement's allocations on ${host}: ${cause}`),
  ServersUnread: ({ placement, cause }: Cause & { readonly placement: SilentPlacement }) =>
    unread(`${placementWords(placement)} Lockkeeper could not read the servers of the whole cloud: ${cause}`),
  ServersUntold: ({ placement, cause }: Cause & { readonly placement: SilentPlacement }) =>
    unread(`${placementWords(placement)} ${cause}`),
  InstanceUnread: ({ id, cause }: Cause & { readonly id: string }) =>
    unread(`Lockkeeper could not read instance ${id}: ${cause}`),
  InstancePlaceUntold: (of: OfInstance) => unread(`Nova does not report where instance ${labelOf(of)} is.`),
} satisfies TextsOf<FaultText>

function unread(message: string): FaultText {
  return { message, remedy: 'Try again when the service answers.', never: RUNS_UNKNOWN }
}

function placementWords(placement: SilentPlacement): string {
  switch (placement.kind) {
    case 'no-allocation':
      return `Placement has no allocation on ${placement.host}.`
    case 'no-provider':
      return `Placement has no resource provider ${placement.host}.`
    case 'unread':
      return `Placement: ${placement.cause}`
  }
}

function unlistedWords({ migration, ...of }: Unlisted): string {
  return migration === null
    ? `${labelOf(of)} is on it`
    : `${labelOf(of)} migrates from ${migration.from ?? 'a node'} to ${migration.to ?? 'a node'}`
}
