import type { Coded } from './coded.ts'
import type { UpdatePhase } from './update.ts'

type Nothing = Readonly<Record<string, never>>
type OfNode = { readonly node: string }
/** How many instances of a node. */
type InstancesOf = OfNode & { readonly total: number }

/** What the figures of an estimate are taken from, by code. */
export type Bases = {
  readonly NothingMeasured: Nothing
  readonly Measured: { readonly nodes: number; readonly runs: number; readonly migrations: number }
}

/** What the figures of one node are taken from, by code. */
type NodeBases = {
  readonly NodesMeasured: { readonly nodes: number }
  /** `mib`: the memory of its instances; null: it is not known of all of them. */
  readonly MovesMeasured: {
    readonly nodes: number
    readonly instances: number
    readonly mib: number | null
    readonly migrations: number
    readonly atOnce: number
  }
}

/** What could not be estimated, by code. */
export type EstimateGaps = {
  readonly NodeUnknown: OfNode
  readonly PartNotMeasured: { readonly part: 'drain' | 'work' | 'return' }
  /** What the controllers do to prepare a node. */
  readonly PreparationNotMeasured: Nothing
  readonly InstancesNotRead: OfNode
  readonly InstancesWaitForOwner: InstancesOf
  readonly InstancesNotLive: InstancesOf
  readonly MigrationsNotMeasured: Nothing
  readonly PhaseNotMeasured: { readonly phase: UpdatePhase }
  readonly NotAllRead: { readonly cause: string }
  readonly NoPlan: Nothing
  /** The vendor's formula is about clusters of flavour `mosk`. */
  readonly VendorOtherFlavour: Nothing
  readonly VendorWithoutTungstenFabric: Nothing
  readonly VendorWholeClusterOnly: Nothing
  readonly VendorInstancesNotRead: Nothing
}

/** What an end is taken from, by code. */
export type EtaReasons = Bases & {
  readonly EveryNodeThrough: Nothing
  /** How long the nodes took that are through: half of them, and nine in ten. `overdue`: nodes that take longer and are not counted. */
  readonly NodesThroughTook: {
    readonly through: number
    readonly middleMs: number
    readonly slowMs: number
    readonly left: number
    readonly overdue: readonly string[]
  }
  /** These took longer than was expected already, and count no more. */
  readonly NodesOverdue: { readonly nodes: readonly string[] }
}

/** Why no end can be told, by code: besides these, what could not be estimated. */
export type EndUnknowns = Bases &
  EstimateGaps & {
    readonly LeftTakesLongerThanNodesThrough: Nothing
    readonly LeftTakesLongerThanMeasured: Nothing
  }

export type EstimateBasis = Coded<Bases>
export type NodeBasis = Coded<NodeBases>
export type EstimateGap = Coded<EstimateGaps>
export type EtaReason = Coded<EtaReasons>
export type EndUnknown = Coded<EndUnknowns>

/** When work will be over: from the usual to what nine in ten stay below. */
export interface Eta {
  readonly lowAt: string
  readonly highAt: string
  /** What it is taken from. */
  readonly reasonsGiven: readonly EtaReason[]
}
