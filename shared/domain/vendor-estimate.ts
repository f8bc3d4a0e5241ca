import type { Cluster } from './cluster.ts'
import type { VendorEstimate } from './estimate.ts'
import type { EstimateGap } from './estimate-findings.ts'

/** The letters of the vendor's formula (docs/domain.md A.7). */
export interface VendorInputs {
  /** Instances per compute node, on average. */
  readonly instancesPerCompute: number
  readonly computes: number
  readonly gateways: number
  readonly controlPlaneNodes: number
  /** Worker nodes of all roles. */
  readonly workers: number
  /** Whether the nodes are restarted. */
  readonly reboots: boolean
}

/** The letters as an operator types them, each a number; `restart` is 1 or 0. */
export const VENDOR_FIGURES = [
  'instances-per-compute',
  'computes',
  'gateways',
  'masters',
  'workers',
  'restart',
] as const

/** The inputs of figures that were typed, every one of them; a sentence when one is missing or no number that can be. */
export function vendorInputsOf(typed: ReadonlyMap<string, number>): VendorInputs | string {
  const unknown = [...typed.keys()].filter(name => VENDOR_FIGURES.every(figure => figure !== name))
  if (unknown.length > 0)
    return `There is no figure ${unknown.join(', ')}. The formula has ${VENDOR_FIGURES.join(', ')}.`
  const of = (name: (typeof VENDOR_FIGURES)[number]) => typed.get(name) ?? Number.NaN
  const missing = VENDOR_FIGURES.filter(name => !(of(name) >= 0))
  if (missing.length > 0) return `The formula needs a number, 0 or more, for ${missing.join(', ')}.`
  const broken = VENDOR_FIGURES.filter(name => name !== 'instances-per-compute' && !Number.isInteger(of(name)))
  if (broken.length > 0) return `${broken.join(', ')}: whole numbers only.`
  if (of('restart') > 1) return 'restart is 1 when nodes are restarted, else 0.'
  return {
    instancesPerCompute: of('instances-per-compute'),
    computes: of('computes'),
    gateways: of('gateways'),
    controlPlaneNodes: of('masters'),
    workers: of('workers'),
    reboots: of('restart') === 1,
  }
}

/** Why the vendor's formula says nothing of a cluster; null: it does. */
export function whyNoVendorEstimate({
  flavour,
  maintenanceApi,
}: Pick<Cluster, 'flavour' | 'maintenanceApi'>): EstimateGap | null {
  if (flavour !== 'mosk') return { code: 'VendorOtherFlavour', values: {} }
  return maintenanceApi.controllers.tungstenfabric === 'none'
    ? null
    : { code: 'VendorWithoutTungstenFabric', values: {} }
}

const SOURCE =
  'Mirantis, how to calculate the duration of a maintenance window: docs.mirantis.com/mosk/latest/ops/calculate-update-mw.html'

/** How the formula's line about Ceph can be read: "35 + 15 (minor version) or 50 (major)" (docs/domain.md A.7). */
const CEPH_READINGS = [
  { reading: 'Ceph takes 50 min: 35 + 15 for a minor version, and the same 50 for a major one', minutes: 50 },
  { reading: 'Ceph takes 85 min: 35, and 50 more for a major version', minutes: 85 },
] as const

/**
 * The vendor's duration of a cluster update, stage by stage and in minutes, as their page has it (docs/domain.md A.7): every node after
 * the other, for Open vSwitch. `restartBy`: what says whether nodes are restarted, the scope of a plan or the figure that was typed.
 */
export function vendorEstimate(inputs: VendorInputs, restartBy: 'scope' | 'typed'): VendorEstimate {
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
        { stage: 'LCM modules', minutes: 45 },
        { stage: 'OpenStack components', minutes: ((0.78 * D + 359) * (NC + NG)) / 60 },
        { stage: 'Ceph', minutes },
        { stage: 'Host OS on Kubernetes masters', minutes: 15 * NKC },
        { stage: 'Kubernetes on masters', minutes: 40 },
        { stage: 'Host OS and Kubernetes on workers', minutes: (20 * NC + 40 * NKM) * RE },
      ]
      return { reading, stages, totalMinutes: stages.reduce((sum, stage) => sum + stage.minutes, 0) }
    }),
    source: SOURCE,
    notes: [
      "These are the vendor's figures, not measured here.",
      'For Open vSwitch only: with Tungsten Fabric the vendor adds its components, which this leaves out.',
      'The vendor counts every node after the other; our own estimate counts nodes side by side, as this plan works on them.',
      "The formula's line about Ceph can be read in two ways: both are shown.",
      restartNote(inputs.reboots, restartBy),
    ],
  }
}

function restartNote(reboots: boolean, by: 'scope' | 'typed'): string {
  const scope = reboots ? 'because the scope is os' : 'because the scope is drain'
  const effect = reboots ? 'and counts migrations and restarts of workers' : 'so workers are not counted at all'
  return `RE is read as "a restart is expected": it is ${reboots ? 1 : 0} ${by === 'typed' ? 'as typed' : scope}, ${effect}.`
}
