import type { VendorEstimate } from '../domain/estimate.ts'
import {
  type FigureFault,
  type FoundVendorEstimate,
  VENDOR_FIGURES,
  type VendorNotes,
  type VendorReading,
  type VendorStage,
} from '../domain/vendor-estimate.ts'
import { type TextsOf, textOf } from './coded-text.ts'

const SOURCE =
  'Mirantis, how to calculate the duration of a maintenance window: docs.mirantis.com/mosk/latest/ops/calculate-update-mw.html'

const READINGS: Readonly<Record<VendorReading, string>> = {
  CephSameForMinorAndMajor: 'Ceph takes 50 min: 35 + 15 for a minor version, and the same 50 for a major one',
  CephMoreForMajor: 'Ceph takes 85 min: 35, and 50 more for a major version',
}

const STAGES: Readonly<Record<VendorStage, string>> = {
  LcmModules: 'LCM modules',
  OpenStackComponents: 'OpenStack components',
  Ceph: 'Ceph',
  HostOsOnMasters: 'Host OS on Kubernetes masters',
  KubernetesOnMasters: 'Kubernetes on masters',
  HostOsAndKubernetesOnWorkers: 'Host OS and Kubernetes on workers',
}

const NOTES: TextsOf<VendorNotes> = {
  NotMeasuredHere: () => "These are the vendor's figures, not measured here.",
  OpenVSwitchOnly: () =>
    'For Open vSwitch only: with Tungsten Fabric the vendor adds its components, which this leaves out.',
  NodesOneAfterTheOther: () =>
    'The vendor counts the nodes one after another; Lockkeeper counts nodes side by side, as in this plan.',
  CephLineReadInTwoWays: () => "The formula's line about Ceph can be read in two ways: both are shown.",
  RestartRead: ({ reboots, by }) => {
    const scope = reboots ? 'because the scope is os' : 'because the scope is drain'
    const effect = reboots ? 'and counts migrations and restarts of workers' : 'so workers are not counted'
    return `RE is read as "a restart is expected": it is ${reboots ? 1 : 0} ${by === 'typed' ? 'as typed' : scope}, ${effect}.`
  },
  NodesLeftOut: ({ left, total }) =>
    `The formula is for the whole cloud; this plan leaves out ${left} of its ${total} nodes.`,
}

export function readingWords(reading: VendorReading): string {
  return READINGS[reading]
}

export function wordedVendorEstimate({ inputs, readings, notes }: FoundVendorEstimate): VendorEstimate {
  return {
    inputs: { ...inputs },
    readings: readings.map(({ reading, stages, totalMinutes }) => ({
      reading: readingWords(reading),
      code: reading,
      stages: stages.map(({ stage, minutes }) => ({ stage: STAGES[stage], code: stage, minutes })),
      totalMinutes,
    })),
    source: SOURCE,
    notes: notes.map(note => textOf(NOTES, note)),
    noted: notes.map(({ code, values }) => ({ code, values: { ...values } })),
  }
}

/** Why typed figures are not valid inputs of the formula. */
export function figureFaultWords({ code, values }: FigureFault): string {
  switch (code) {
    case 'FiguresUnknown':
      return `Unknown figures: ${values.figures.join(', ')}. The formula has ${VENDOR_FIGURES.join(', ')}.`
    case 'FiguresMissing':
      return `The formula needs a number, 0 or more, for ${values.figures.join(', ')}.`
    case 'FiguresNotWhole':
      return `${values.figures.join(', ')}: whole numbers only.`
    case 'RestartNotOneOrZero':
      return 'restart is 1 when nodes are restarted, else 0.'
  }
}
