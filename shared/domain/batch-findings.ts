import type { Coded } from './coded.ts'
import type { NodeRole } from './roles.ts'

/** `asked`: the limit in the request, which overrides the cluster's own. */
export type LimitSource = 'one-by-one' | 'cluster-setting' | 'default-setting' | 'no-ceph' | 'asked'

/** How many nodes of a role may be away. `beyond`: the cluster's own limit, if the request exceeds it. */
export type RoleLimit = {
  readonly most: number
  readonly by: LimitSource
  readonly beyond?: { readonly most: number; readonly by: LimitSource }
}

export type OsdsApart =
  | { readonly is: 'not-asked'; readonly cause: string }
  | { readonly is: 'unclear'; readonly nodes: readonly string[] }
  | { readonly is: 'one-host' }
  | { readonly is: 'no-shared-rack' }
  | { readonly is: 'rack-may-not-stop'; readonly rack: string }

type Nothing = Readonly<Record<string, never>>
type Nodes = { readonly nodes: readonly string[] }
type Zone = { readonly zone: string | null }
type Instances = { readonly instances: readonly string[]; readonly total: number }

export type Breaches = {
  readonly BatchEmpty: Nothing
  readonly NodesUnknown: Nodes
  readonly NodesInEarlierBatch: Nodes
  readonly NodesTwice: Nodes
  readonly NodesNotReady: Nodes
  readonly TooManyOfRole: Nodes & { readonly role: NodeRole; readonly limit: RoleLimit }
  /** The controllers hold back every other node. */
  readonly RoleAtLimit: Nodes & { readonly role: NodeRole; readonly most: number; readonly others: readonly string[] }
  readonly ZonesMixed: Nodes & { readonly zones: readonly string[]; readonly byControllers: boolean }
  readonly OsdsDownTogether: Nodes & { readonly away: readonly string[]; readonly because: OsdsApart }
  /** `goes` counts members on nodes of the batch, `out` others that do not serve or are out of service. */
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
}

export type Doubts = {
  readonly NovaNotRead: { readonly list: 'compute-services' | 'instances' }
  readonly InventoriesNotRead: Nothing
  readonly GroupsNotRead: Nothing
  readonly InstancesMissing: { readonly causes: readonly string[] }
  readonly NoPlacementFound: { readonly moving: number }
  readonly FlavorNotTold: Instances
  readonly ZonePinNotTold: Instances
  readonly TraitsNotAsked: Instances
  readonly NoInventory: { readonly hosts: readonly string[] }
}

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

type LeftAlone = {
  readonly NodeUnknown: Nothing
  readonly OnlyBeforeOthers: Nothing
}

export type BatchBreach = Coded<Breaches>
export type CapacityDoubt = Coded<Doubts>
export type MoveRefusal = Coded<Refusals>
export type LeftOut = LeftAlone & Breaches & Refusals
export type LeftReason = Coded<LeftOut>
