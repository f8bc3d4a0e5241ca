import type { Coded } from './coded.ts'
import type { NodeRole } from './roles.ts'

/** Where the limit of a role is from: `asked`, by who makes the batches, goes before the cluster's own. */
export type LimitSource = 'one-by-one' | 'cluster-setting' | 'default-setting' | 'no-ceph' | 'asked'

/** How many nodes of a role may be away at once. `beyond`: the cluster's own limit, where more than that was asked for. */
export type RoleLimit = {
  readonly most: number
  readonly by: LimitSource
  readonly beyond?: { readonly most: number; readonly by: LimitSource }
}

/** Why OSDs of several nodes may not be down together. */
export type OsdsApart =
  | { readonly is: 'not-asked'; readonly cause: string }
  | { readonly is: 'unclear'; readonly nodes: readonly string[] }
  | { readonly is: 'one-host' }
  | { readonly is: 'no-shared-rack' }
  | { readonly is: 'rack-may-not-stop'; readonly rack: string }

type Nothing = Readonly<Record<string, never>>
type Nodes = { readonly nodes: readonly string[] }
type Zone = { readonly zone: string | null }
/** The first of them, by name, and how many there are. */
type Instances = { readonly instances: readonly string[]; readonly total: number }

/** What a batch breaks, by code. */
export type Breaches = {
  readonly BatchEmpty: Nothing
  readonly NodesUnknown: Nodes
  readonly NodesInEarlierBatch: Nodes
  readonly NodesTwice: Nodes
  readonly NodesNotReady: Nodes
  readonly TooManyOfRole: Nodes & { readonly role: NodeRole; readonly limit: RoleLimit }
  /** The role is at its limit, and then the controllers hold back every other node. */
  readonly RoleAtLimit: Nodes & { readonly role: NodeRole; readonly most: number; readonly others: readonly string[] }
  readonly ZonesMixed: Nodes & { readonly zones: readonly string[]; readonly byControllers: boolean }
  readonly OsdsDownTogether: Nodes & { readonly away: readonly string[]; readonly because: OsdsApart }
  /** `goes`: members on the nodes of the batch; `out`: others that do not serve or are away. */
  readonly QuorumLost: Nodes & {
    readonly what: string
    readonly total: number
    readonly staying: number
    readonly needed: number
    readonly goes: readonly string[]
    readonly out: readonly string[]
  }
  readonly GroupWithoutRoom: {
    readonly group: string
    readonly instances: readonly string[]
    readonly places: number
  }
  readonly InstancesWithoutPlace: {
    readonly moving: number
    readonly total: number
    readonly instances: readonly { readonly name: string; readonly host: string }[]
  }
  /** No maintenance can handle them yet; there is room for the others. */
  readonly InstancesBlocked: { readonly instances: readonly { readonly name: string; readonly node: string }[] }
}

/** Why it cannot be told whether the instances of a batch find a place, by code. */
export type Doubts = {
  readonly NovaNotRead: { readonly list: 'compute-services' | 'instances' }
  readonly InventoriesNotRead: Nothing
  readonly GroupsNotRead: Nothing
  readonly InstancesMissing: { readonly causes: readonly string[] }
  /** None was found, which proves nothing. */
  readonly NoPlacementFound: { readonly moving: number }
  readonly FlavorNotTold: Instances
  readonly ZonePinNotTold: Instances
  readonly TraitsNotAsked: Instances
  readonly NoInventory: { readonly hosts: readonly string[] }
}

/** Why an instance finds no place, by code; `zone` null: it may go to any. */
export type Refusals = {
  readonly NoHostInService: Zone
  readonly NoHostHasWhatItAsks: Zone
  readonly AntiAffinityRulesOut: Zone & { readonly groups: readonly string[] }
  readonly AffinityKeepsTogether: { readonly group: string }
  readonly NoRoomLeft: Zone & {
    readonly hosts: number
    readonly needs: { readonly vcpus: number; readonly ramMib: number } | null
  }
}

/** Why a node is in no batch, by code, besides what it breaks and why its instances find no place. */
type LeftAlone = {
  readonly NodeUnknown: Nothing
  readonly OnlyBeforeOthers: Nothing
}

export type BatchBreach = Coded<Breaches>
export type CapacityDoubt = Coded<Doubts>
export type MoveRefusal = Coded<Refusals>
export type LeftOut = LeftAlone & Breaches & Refusals
export type LeftReason = Coded<LeftOut>
