import type { Coded } from './coded.ts'
import type { UpdatePhase } from './update.ts'

type Nothing = Readonly<Record<string, never>>
type OfNode = { readonly node: string }
type InstancesOf = OfNode & { readonly total: number }

export type Bases = {
  readonly NothingMeasured: Nothing
  readonly Measured: { readonly nodes: number; readonly runs: number; readonly migrations: number }
}

type NodeBases = {
  readonly NodesMeasured: { readonly nodes: number }
  /** `mib`: the memory of its instances; null if unknown for at least one. */
  readonly MovesMeasured: {
    readonly nodes: number
    readonly instances: number
    readonly mib: number | null
    readonly migrations: number
    readonly atOnce: number
  }
}

export type EstimateGaps = {
  readonly NodeUnknown: OfNode
  readonly PartNotMeasured: { readonly part: 'drain' | 'work' | 'return' }
  readonly PreparationNotMeasured: Nothing
  readonly InstancesNotRead: OfNode
  readonly InstancesWaitForOwner: InstancesOf
  readonly InstancesNotLive: InstancesOf
  readonly MigrationsNotMeasured: Nothing
  readonly PhaseNotMeasured: { readonly phase: UpdatePhase }
  readonly NotAllRead: { readonly cause: string }
  readonly NoPlan: Nothing
  readonly VendorOtherFlavour: Nothing
  readonly VendorWithoutTungstenFabric: Nothing
  readonly VendorWholeClusterOnly: Nothing
  readonly VendorInstancesNotRead: Nothing
}

export type EtaReasons = Bases & {
  readonly EveryNodeThrough: Nothing
  /** Median and 90th percentile of completed nodes. `overdue`: nodes that take longer and are not counted. */
  readonly NodesThroughTook: {
    readonly through: number
    readonly middleMs: number
    readonly slowMs: number
    readonly left: number
    readonly overdue: readonly string[]
  }
  readonly NodesOverdue: { readonly nodes: readonly string[] }
}

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

export interface Eta {
  readonly lowAt: string
  readonly highAt: string
  readonly reasonsGiven: readonly EtaReason[]
}
