import type { V1Lease, V1LeaseSpec } from '@kubernetes/client-node'
import { NOOUT_ANNOTATION } from '../../../shared/domain/ceph.ts'
import type { ChainHead } from '../../../shared/domain/journal-chain.ts'
import type { LeaseHolder } from '../../../shared/domain/kubernetes.ts'
import { type LeaseName, nodeOfLease } from '../../../shared/domain/lease-name.ts'
import { because } from '../../../shared/words/reasons.ts'
import type { NodeLease } from '../../ports/kubernetes.ts'
import type { LeaseRequest, ListedLease } from '../../ports/leases.ts'
import type { KubernetesObject, ResourceVersion, Uid } from './answers.ts'
import { MalformedAnswer, numberIn, objectOrNullIn, textOrNullIn, timeOrNullIn } from './fields.ts'
import type { LeaseRecord } from './lease-observer.ts'
import type { Written } from './model-fields.ts'
import { readMetadata } from './read-metadata.ts'

const RUN_ANNOTATION = 'lockkeeper.dev/run'
const OPERATOR_ANNOTATION = 'lockkeeper.dev/operator'
const MACHINE_ANNOTATION = 'lockkeeper.dev/machine'
/** `number:hash`: the position of the driver's journal in this run. A journal that continues the run must contain it. */
const HEAD_ANNOTATION = 'lockkeeper.dev/journal-head'

export interface ReadLease {
  readonly resourceVersion: ResourceVersion
  readonly uid: Uid
  readonly holder: LeaseHolder | null
  readonly journalHead: ChainHead | null
  readonly transitions: number
}

/** Reads the Lease after a write; an answer with another holder is malformed. */
export function readLeaseHeldBy(spec: Written<V1LeaseSpec>): (object: KubernetesObject<V1Lease>) => ReadLease {
  return object => {
    const lease = readLease(object)
    if ((lease.holder?.identity ?? null) !== (spec.holderIdentity ?? null)) {
      throw new MalformedAnswer(because('HolderNotAsWritten'))
    }
    return lease
  }
}

/** Throws a MalformedAnswer if the holder cannot be read. */
export function readLease(object: KubernetesObject<V1Lease>): ReadLease {
  const { resourceVersion, uid, annotations } = readMetadata(object)
  // Every server sends spec, even if empty: without it the holder is unknown, not absent.
  const spec = objectOrNullIn(object, 'spec')
  if (spec === null) throw new MalformedAnswer(because('SpecMissing', { object: null }))
  const identity = textOrNullIn(spec, 'holderIdentity')
  return {
    resourceVersion,
    uid,
    transitions: numberIn(spec, 'leaseTransitions'),
    journalHead: headIn(annotations[HEAD_ANNOTATION]),
    holder:
      identity === null
        ? null
        : {
            identity,
            runId: annotations[RUN_ANNOTATION] ?? null,
            operator: annotations[OPERATOR_ANNOTATION] ?? null,
            machine: annotations[MACHINE_ANNOTATION] ?? null,
            since: timeOrNullIn(spec, 'acquireTime'),
            renewedAt: timeOrNullIn(spec, 'renewTime'),
            durationSeconds: numberIn(spec, 'leaseDurationSeconds'),
          },
  }
}

/** One of our Leases in a list; null for another program's. */
export function listedLease(object: KubernetesObject<V1Lease>): readonly [LeaseName, ListedLease] | null {
  const { name: listed, annotations } = readMetadata(object)
  const name = ownLeaseName(listed)
  return name === null ? null : [name, { held: readLease(object).holder !== null, annotations }]
}

/** The name of one of Lockkeeper's Leases; null for any other name. */
export function ownLeaseName(name: string): LeaseName | null {
  return nodeOfLease(name) === undefined ? null : (name as LeaseName)
}

/** One of our node Leases in a list or watch; null for any other Lease. */
export function nodeLeaseOf(
  object: KubernetesObject<V1Lease>,
): (LeaseRecord & Omit<NodeLease, 'seen'> & { readonly name: string }) | null {
  const { name, uid, resourceVersion, annotations } = readMetadata(object)
  const node = nodeOfLease(name)
  if (typeof node !== 'string') return null
  const nooutRun = annotations[NOOUT_ANNOTATION] ?? null
  return { uid, node, holder: readLease(object).holder, nooutRun, name, resourceVersion }
}

/** The run and operator that hold the Lease, with the journal entry that a console must know to continue. */
export function annotationsOf(request: LeaseRequest): Readonly<Record<string, string>> {
  return {
    [RUN_ANNOTATION]: request.runId,
    [OPERATOR_ANNOTATION]: request.operator,
    [MACHINE_ANNOTATION]: request.machine,
    ...headAnnotation(request),
  }
}

/** Empty while the journal has no entry of the run. */
export function headAnnotation({ runId, journal }: LeaseRequest): Readonly<Record<string, string>> {
  const head = journal?.headOf(runId) ?? null
  return head === null ? {} : { [HEAD_ANNOTATION]: `${head.seq}:${head.hash}` }
}

function headIn(annotation: string | undefined): ChainHead | null {
  const [, seq, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(annotation ?? '') ?? []
  return seq === undefined || hash === undefined ? null : { seq: Number(seq), hash }
}

export function heldSpec(request: LeaseRequest, now: string): Written<V1LeaseSpec> {
  return { holderIdentity: request.identity, leaseDurationSeconds: request.durationSeconds, renewTime: now }
}

/** A time as Kubernetes writes it in a MicroTime field. */
export function microTime(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '000Z')
}

export const NO_ANNOTATIONS: Readonly<Record<string, null>> = Object.fromEntries(
  [RUN_ANNOTATION, OPERATOR_ANNOTATION, MACHINE_ANNOTATION, HEAD_ANNOTATION].map(name => [name, null]),
)
