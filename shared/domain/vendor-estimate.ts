import type { Cluster } from './cluster.ts'
import type { Coded } from './coded.ts'
import type { EstimateGap } from './estimate-findings.ts'

type Nothing = Readonly<Record<string, never>>

/** The letters of the vendor's formula (docs/domain.md A.7). */
export interface VendorInputs {
  /** The average number. */
  readonly instancesPerCompute: number
  readonly computes: number
  readonly gateways: number
  readonly controlPlaneNodes: number
  readonly workers: number
  readonly reboots: boolean
}

/** The letters as an operator types them, each with a number; `restart` is 1 or 0. */
export const VENDOR_FIGURES = [
  'instances-per-compute',
  'computes',
  'gateways',
  'masters',
  'workers',
  'restart',
] as const

type FigureFaults = {
  readonly FiguresUnknown: { readonly figures: readonly string[] }
  readonly FiguresMissing: { readonly figures: readonly string[] }
  readonly FiguresNotWhole: { readonly figures: readonly string[] }
  readonly RestartNotOneOrZero: Nothing
}
export type FigureFault = Coded<FigureFaults>

/** The inputs from typed figures, all required. */
export function vendorInputsOf(typed: ReadonlyMap<string, number>): VendorInputs | FigureFault {
  const unknown = [...typed.keys()].filter(name => VENDOR_FIGURES.every(figure => figure !== name))
  if (unknown.length > 0) return { code: 'FiguresUnknown', values: { figures: unknown } }
  const of = (name: (typeof VENDOR_FIGURES)[number]) => typed.get(name) ?? Number.NaN
  const missing = VENDOR_FIGURES.filter(name => !(of(name) >= 0))
  if (missing.length > 0) return { code: 'FiguresMissing', values: { figures: missing } }
  const broken = VENDOR_FIGURES.filter(name => name !== 'instances-per-compute' && !Number.isInteger(of(name)))
  if (broken.length > 0) return { code: 'FiguresNotWhole', values: { figures: broken } }
  if (of('restart') > 1) return { code: 'RestartNotOneOrZero', values: {} }
  return {
    instancesPerCompute: of('instances-per-compute'),
    computes: of('computes'),
    gateways: of('gateways'),
    controlPlaneNodes: of('masters'),
    workers: of('workers'),
    reboots: of('restart') === 1,
  }
}

/** Why the formula does not apply; null if it does. */
export function whyNoVendorEstimate({
  flavour,
  maintenanceApi,
}: Pick<Cluster, 'flavour' | 'maintenanceApi'>): EstimateGap | null {
  if (flavour !== 'mosk') return { code: 'VendorOtherFlavour', values: {} }
  return maintenanceApi.controllers.tungstenfabric === 'none'
    ? null
    : { code: 'VendorWithoutTungstenFabric', values: {} }
}

export type VendorStage =
  | 'LcmModules'
  | 'OpenStackComponents'
  | 'Ceph'
  | 'HostOsOnMasters'
  | 'KubernetesOnMasters'
  | 'HostOsAndKubernetesOnWorkers'

/** The formula's line about Ceph: "35 + 15 (minor version) or 50 (major)" (docs/domain.md A.7). */
const CEPH_READINGS = [
  { reading: 'CephSameForMinorAndMajor', minutes: 50 },
  { reading: 'CephMoreForMajor', minutes: 85 },
] as const
export type VendorReading = (typeof CEPH_READINGS)[number]['reading']

export type VendorNotes = {
  readonly NotMeasuredHere: Nothing
  readonly OpenVSwitchOnly: Nothing
  readonly NodesOneAfterTheOther: Nothing
  readonly CephLineReadInTwoWays: Nothing
  /** The scope of a plan, or the typed figure. */
  readonly RestartRead: { readonly reboots: boolean; readonly by: 'scope' | 'typed' }
  readonly NodesLeftOut: { readonly left: number; readonly total: number }
}
type VendorNote = Coded<VendorNotes>

export interface FoundVendorEstimate {
  /** D, NC, NG, NKC, NKM, RE of the formula, by these names. */
  readonly inputs: Readonly<Record<string, number>>
  readonly readings: readonly {
    readonly reading: VendorReading
    readonly stages: readonly { readonly stage: VendorStage; readonly minutes: number }[]
    readonly totalMinutes: number
  }[]
  readonly notes: readonly VendorNote[]
}

/**
 * The vendor's duration in minutes, stage by stage (docs/domain.md A.7): one node after another, for Open vSwitch. `restartBy`: what says whether
 * nodes restart.
 */
export function vendorEstimate(inputs: VendorInputs, restartBy: 'scope' | 'typed'): FoundVendorEstimate {
  const D = inputs.instancesPerCompute
  const NC = inputs.computes
  const NG = inputs.gateways
  const NKC = inputs.controlPlaneNodes
  const NKM = inputs.workers
  const RE = inputs.reboots ? 1 : 0
  return {
    inputs: { D, NC, NG, NKC, NKM, RE },
    readings: CEPH_READINGS.map(({ reading, minutes }) => {
      const stages = [
        { stage: 'LcmModules', minutes: 45 },
        { stage: 'OpenStackComponents', minutes: ((0.78 * D + 359) * (NC + NG)) / 60 },
        { stage: 'Ceph', minutes },
        { stage: 'HostOsOnMasters', minutes: 15 * NKC },
        { stage: 'KubernetesOnMasters', minutes: 40 },
        { stage: 'HostOsAndKubernetesOnWorkers', minutes: (20 * NC + 40 * NKM) * RE },
      ] as const
      return { reading, stages, totalMinutes: stages.reduce((sum, stage) => sum + stage.minutes, 0) }
    }),
    notes: [
      { code: 'NotMeasuredHere', values: {} },
      { code: 'OpenVSwitchOnly', values: {} },
      { code: 'NodesOneAfterTheOther', values: {} },
      { code: 'CephLineReadInTwoWays', values: {} },
      { code: 'RestartRead', values: { reboots: inputs.reboots, by: restartBy } },
    ],
  }
}
