import type { NodeEstimate, OwnEstimate } from '../domain/estimate.ts'
import type {
  Bases,
  EndUnknown,
  EndUnknowns,
  EstimateBasis,
  EstimateGap,
  EstimateGaps,
  NodeBasis,
} from '../domain/estimate-findings.ts'
import type { FoundEstimate, FoundNodeEstimate } from '../domain/own-estimate.ts'
import { memoryWords } from '../grammar/bytes.ts'
import { asPhrase, counted } from '../grammar/counts.ts'
import { type TextsOf, textOf } from './coded-text.ts'

const BASES: TextsOf<Bases> = {
  NothingMeasured: () => 'Nothing was measured on this cloud yet: the first run here will show how long work takes.',
  Measured: ({ nodes, runs, migrations }) =>
    `${counted(nodes, 'node')} measured on this cloud in ${counted(runs, 'run')}, ${counted(migrations, 'migration')}.`,
}

const PARTS = { drain: 'the drain', work: 'the work on a node', return: 'the way back' } as const

const GAPS: TextsOf<EstimateGaps> = {
  NodeUnknown: ({ node }) => `${node} is not a node of this cloud now.`,
  PartNotMeasured: ({ part }) => `The duration of ${PARTS[part]} was not measured on this cloud yet.`,
  PreparationNotMeasured: () => 'The time that controllers need to prepare a node was not measured on this cloud yet.',
  InstancesNotRead: ({ node }) =>
    `The instances on ${node} could not be read, so the duration of their moves is unknown.`,
  InstancesWaitForOwner: ({ node, total }) =>
    `${counted(total, 'instance')} on ${node} ${total === 1 ? 'waits' : 'wait'} for the owner. The figures do not include that.`,
  InstancesNotLive: ({ node, total }) =>
    `${counted(total, 'instance')} on ${node} ${total === 1 ? 'does' : 'do'} not move live. The figures do not include that.`,
  MigrationsNotMeasured: () => 'The duration of a migration was not measured on this cloud yet.',
  PhaseNotMeasured: ({ phase }) => `The duration of the phase ${phase} was not measured on this cloud yet.`,
  NotAllRead: ({ cause }) => `Lockkeeper could not read everything: ${cause}`,
  NoPlan: () => 'The window has no plan, so there is no estimate in advance.',
  VendorOtherFlavour: () => "The vendor's formula is only for clouds of flavour mosk.",
  VendorWithoutTungstenFabric: () =>
    "The vendor's formula leaves out Tungsten Fabric, which this cloud has, so it gives no figure here.",
  VendorWholeClusterOnly: () => "The vendor's formula is for the update of a whole cloud, not for batches.",
  VendorInstancesNotRead: () =>
    "The vendor's formula needs the instances of compute nodes, which Lockkeeper could not read.",
}

const UNKNOWNS: TextsOf<EndUnknowns> = {
  ...BASES,
  ...GAPS,
  LeftTakesLongerThanNodesThrough: () => 'the remaining nodes take longer than the finished ones did',
  LeftTakesLongerThanMeasured: () => 'the rest takes longer than was measured or expected',
}

export function basisWords(basis: EstimateBasis): string {
  return textOf(BASES, basis)
}

/** The missing part of an estimate, as a sentence. */
function gapWords(gap: EstimateGap): string {
  return textOf(GAPS, gap)
}

/** Why the end is unknown: a phrase without a full stop. */
export function endUnknownWords(because: EndUnknown): string {
  const why = asPhrase(textOf(UNKNOWNS, because))
  return `${why.charAt(0).toLowerCase()}${why.slice(1)}`
}

function nodeBasisWords({ code, values }: NodeBasis): string {
  const measured = `${counted(values.nodes, 'node')} measured`
  if (code === 'NodesMeasured') return measured
  const { instances, mib, migrations, atOnce } = values
  const amount = mib === null ? '' : ` of ${memoryWords(mib)}`
  return `${measured}; ${counted(instances, 'instance')}${amount} by ${counted(migrations, 'migration')}, ${atOnce} at a time`
}

/** Lockkeeper's own estimate, with its texts. */
export function wordedEstimate({ nodes, batches, total, basis, missing }: FoundEstimate): OwnEstimate {
  return {
    nodes: nodes.map(wordedNode),
    batches,
    total,
    basis: basisWords(basis),
    code: basis.code,
    values: { ...basis.values },
    missing: missing.map(gapWords),
    gaps: missing.map(({ code, values }) => ({ code, values: { ...values } })),
  }
}

function wordedNode({ basis, ...node }: FoundNodeEstimate): NodeEstimate {
  return { ...node, basis: nodeBasisWords(basis), code: basis.code, values: { ...basis.values } }
}
