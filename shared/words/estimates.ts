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
  NothingMeasured: () => 'Nothing was measured on this cluster yet: the first run here will tell.',
  Measured: ({ nodes, runs, migrations }) =>
    `${counted(nodes, 'node')} measured on this cluster in ${counted(runs, 'run')}, ${counted(migrations, 'migration')}.`,
}

const PARTS = { drain: 'the drain', work: 'the work on a node', return: 'the way back' } as const

const GAPS: TextsOf<EstimateGaps> = {
  NodeUnknown: ({ node }) => `${node} is not a node of this cluster now.`,
  PartNotMeasured: ({ part }) => `How long ${PARTS[part]} takes was not measured on this cluster yet.`,
  PreparationNotMeasured: () => 'How long controllers take to prepare a node was not measured on this cluster yet.',
  InstancesNotRead: ({ node }) =>
    `The instances on ${node} could not be read: how long they take to move is not known.`,
  InstancesWaitForOwner: ({ node, total }) =>
    `${counted(total, 'instance')} on ${node} ${total === 1 ? 'waits' : 'wait'} for the owner: how long that takes is not in the figures.`,
  InstancesNotLive: ({ node, total }) =>
    `${counted(total, 'instance')} on ${node} ${total === 1 ? 'does' : 'do'} not move live: how long that takes is not in the figures.`,
  MigrationsNotMeasured: () => 'How long a migration takes was not measured on this cluster yet.',
  PhaseNotMeasured: ({ phase }) => `How long the phase ${phase} takes was not measured on this cluster yet.`,
  NotAllRead: ({ cause }) => `Not everything could be read: ${cause}`,
  NoPlan: () => 'The window has no plan: nothing can be estimated in advance.',
  VendorOtherFlavour: () => "The vendor's formula is about clusters of flavour mosk.",
  VendorWithoutTungstenFabric: () =>
    "The vendor's formula leaves Tungsten Fabric out, which this cloud has: there is no figure of it here.",
  VendorWholeClusterOnly: () => "The vendor's formula is about the update of a whole cluster, not about batches.",
  VendorInstancesNotRead: () =>
    "The vendor's formula asks for the instances of compute nodes, and none of those could be read.",
}

const UNKNOWNS: TextsOf<EndUnknowns> = {
  ...BASES,
  ...GAPS,
  LeftTakesLongerThanNodesThrough: () => 'what is left takes longer than the nodes that are through did',
  LeftTakesLongerThanMeasured: () => 'what is left takes longer than was measured or expected',
}

/** What the figures of an estimate are taken from, as a sentence. */
export function basisWords(basis: EstimateBasis): string {
  return textOf(BASES, basis)
}

/** What could not be estimated, as a sentence. */
function gapWords(gap: EstimateGap): string {
  return textOf(GAPS, gap)
}

/** Why no end can be told, in words without a full stop. */
export function endUnknownWords(because: EndUnknown): string {
  const why = asPhrase(textOf(UNKNOWNS, because))
  return `${why.charAt(0).toLowerCase()}${why.slice(1)}`
}

function nodeBasisWords({ code, values }: NodeBasis): string {
  const measured = `${counted(values.nodes, 'node')} measured`
  if (code === 'NodesMeasured') return measured
  const { instances, mib, migrations, atOnce } = values
  const amount = mib === null ? '' : ` of ${memoryWords(mib)}`
  return `${measured}; ${counted(instances, 'instance')}${amount} by ${counted(migrations, 'migration')}, ${atOnce} at once`
}

/** Our own estimate, as people read it. */
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
