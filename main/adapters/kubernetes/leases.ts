import type { V1Lease, V1LeaseSpec } from '@kubernetes/client-node'
import { NOOUT_ANNOTATION } from '../../../shared/domain/ceph.ts'
import type { Failure } from '../../../shared/domain/failure.ts'
import type { ChainHead } from '../../../shared/domain/journal-chain.ts'
import type { LeaseHolder } from '../../../shared/domain/kubernetes.ts'
import { type LeaseName, nodeLease, nodeOfLease } from '../../../shared/domain/lease-name.ts'
import { isGone, type LeaseState, leaseStateOf } from '../../../shared/domain/lease-state.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { NodeLease } from '../../ports/kubernetes.ts'
import type { LeaseAcquired, LeasePort, LeaseRenewed, LeaseRequest, ListedLease } from '../../ports/leases.ts'
import type { KubernetesObject, ResourceVersion, Uid } from './answers.ts'
import { annotate } from './cordon.ts'
import { MalformedAnswer, numberIn, objectOrNullIn, textOrNullIn, timeOrNullIn } from './fields.ts'
import type { LeaseObserver, LeaseRecord } from './lease-observer.ts'
import { listRead } from './list.ts'
import type { Written } from './model-fields.ts'
import { createObject, findObject, patchObject } from './objects.ts'
import { readMetadata } from './read-metadata.ts'
import { LEASES } from './resource-types.ts'
import type { KubernetesSession } from './session.ts'

const RUN_ANNOTATION = 'lockkeeper.dev/run'
const OPERATOR_ANNOTATION = 'lockkeeper.dev/operator'
const MACHINE_ANNOTATION = 'lockkeeper.dev/machine'
/** `number:hash`: the position of the driver's journal in this run. A journal that continues the run must contain it. */
const HEAD_ANNOTATION = 'lockkeeper.dev/journal-head'

/** How often a write that conflicts with another console is repeated. */
const ROUNDS = 5

/** A Lease with the resource version that a change must name. */
interface ReadLease {
  readonly resourceVersion: ResourceVersion
  readonly uid: Uid
  readonly holder: LeaseHolder | null
  readonly journalHead: ChainHead | null
  readonly transitions: number
}

/**
 * One Lease per node, so that one run at a time works on it (style G26). Every change names its resource version, so two consoles never both win. Whether a
 * holder is gone depends on how long this process saw the record unchanged, as in client-go's leader election: clocks of other machines do not count.
 */
export function createLeases(options: {
  readonly session: KubernetesSession
  readonly namespace: string
  readonly clock: Clock
  readonly observer: LeaseObserver
}): LeasePort {
  const { session, namespace, clock, observer } = options
  const target = (name: LeaseName) => ({ type: LEASES, namespace, name })

  async function read(name: LeaseName, signal?: AbortSignal): Promise<Result<ReadLease | null>> {
    return findObject(session, target(name), readLease, signal)
  }

  /** False: another console wrote first. */
  async function create(request: LeaseRequest, signal?: AbortSignal): Promise<Result<boolean>> {
    const now = microTime(clock.now())
    const body = {
      apiVersion: LEASES.apiVersion,
      kind: LEASES.kind,
      metadata: { name: request.name, namespace, annotations: annotationsOf(request) },
      spec: { ...holding(request, now), acquireTime: now, leaseTransitions: 0 },
    } satisfies Written<V1Lease>
    return written(
      request.name,
      await createObject(session, target(request.name), body, readHeldBy(body.spec), { signal }),
    )
  }

  /** False: another console changed or deleted it first. */
  async function change(
    name: LeaseName,
    lease: ReadLease,
    metadata: Readonly<Record<string, unknown>>,
    spec: Written<V1LeaseSpec>,
    signal?: AbortSignal,
  ): Promise<Result<boolean>> {
    const { resourceVersion, uid } = lease
    const body = { metadata: { ...metadata, resourceVersion, uid }, spec }
    const patch = { kind: 'merge', body, uid } as const
    const patched = written(name, await patchObject(session, target(name), patch, readHeldBy(spec), signal))
    return patched.ok || patched.failure.code !== 'not-found' ? patched : ok(false)
  }

  /** False: another console was faster. A written Lease must appear in every later list. */
  function written(name: LeaseName, answer: Result<ReadLease>): Result<boolean> {
    if (answer.ok) {
      saw(name, answer.value)
      return ok(true)
    }
    return answer.failure.code === 'conflict' ? ok(false) : answer
  }

  function saw(name: LeaseName, lease: ReadLease | null) {
    return observer.see(observedName(session.address, namespace, name), lease)
  }

  /** Reads a Lease and records that it was seen. */
  async function look(name: LeaseName, signal?: AbortSignal): Promise<Result<SeenLease | null>> {
    const lease = await read(name, signal)
    if (!lease.ok) return lease
    const seen = saw(name, lease.value)
    if (lease.value === null) return ok(null)
    const { holder } = lease.value
    const status = holder === null ? null : leaseStateOf(holder, seen, clock.monotonicMs())
    return ok({ ...lease.value, status })
  }

  /** Reads and writes until no other console interferes; `decide` returns what to write, or the result. */
  async function settle<T>(
    name: LeaseName,
    decide: (lease: SeenLease | null) => { readonly answer: T } | (() => Promise<Result<boolean>>),
    written: T,
    signal?: AbortSignal,
  ): Promise<Result<T>> {
    for (let round = 0; round < ROUNDS; round += 1) {
      const lease = await look(name, signal)
      if (!lease.ok) return lease
      const decided = decide(lease.value)
      if (typeof decided !== 'function') return ok(decided.answer)
      const won = await decided()
      if (!won.ok) return won
      if (won.value) return ok(written)
    }
    const contended = because('LeaseContended', { lease: name })
    return failed(refusal('conflict', contended, { retryable: true, target: `lease/${name}` }))
  }

  return {
    holder: async (name, signal) => {
      const lease = await look(name, signal)
      return lease.ok ? ok(lease.value?.status ?? null) : lease
    },
    all: async signal => {
      const place = observedName(session.address, namespace, '')
      const seen = observer.there(place).flatMap(lease => ourName(lease.slice(place.length)) ?? [])
      const listed = await listRead(session, LEASES, listedLease, { namespace, signal })
      if (!listed.ok) return listed
      const all = new Map(listed.value.filter(lease => lease !== null))
      // Missing Leases are read once each: if one exists, the list is incomplete.
      for (const name of seen.filter(each => !all.has(each))) {
        const lease = await look(name, signal)
        if (!lease.ok) return lease
        if (lease.value !== null) return failed(notWhole(name, session.host))
      }
      return ok(all)
    },
    acquire: (request, signal) =>
      settle<LeaseAcquired>(
        request.name,
        lease => {
          const by = lease?.status ?? null
          const ours = by?.identity === request.identity
          const mayTake = by === null || ours || isGone(by) || request.isPredecessor?.(by.identity) === true
          if (!mayTake) return { answer: { kind: 'held', by } }
          const head = by?.runId === request.runId ? lease?.journalHead : null
          if (head != null && request.journal?.holds(head) === false) return { answer: { kind: 'journal-lacks', head } }
          const now = microTime(clock.now())
          return () => {
            if (lease === null) return create(request, signal)
            const taking = { acquireTime: now, leaseTransitions: lease.transitions + 1 }
            const spec = { ...holding(request, now), ...(ours ? {} : taking) }
            return change(request.name, lease, { annotations: annotationsOf(request) }, spec, signal)
          }
        },
        { kind: 'acquired' },
        signal,
      ),
    renew: (request, signal) =>
      settle<LeaseRenewed>(
        request.name,
        lease => {
          const by = lease?.status ?? null
          if (lease === null || by === null) return { answer: { kind: 'free' } }
          if (by.identity !== request.identity) return { answer: { kind: 'lost', by } }
          const annotations = headAnnotation(request)
          return () => change(request.name, lease, { annotations }, holding(request, microTime(clock.now())), signal)
        },
        { kind: 'renewed' },
        signal,
      ),
    confirm: async (request, signal) => {
      const lease = await look(request.name, signal)
      if (!lease.ok) return lease
      const by = lease.value?.status ?? null
      if (by === null) return ok({ kind: 'free' })
      return ok(by.identity === request.identity ? { kind: 'ours' } : { kind: 'lost', by })
    },
    release: (request, signal) =>
      settle<void>(
        request.name,
        lease => {
          if (lease === null || lease.holder?.identity !== request.identity) return { answer: undefined }
          const names = [RUN_ANNOTATION, OPERATOR_ANNOTATION, MACHINE_ANNOTATION, HEAD_ANNOTATION]
          const annotations = Object.fromEntries(names.map(name => [name, null]))
          const spec = { holderIdentity: null, acquireTime: null, renewTime: null }
          return () => change(request.name, lease, { annotations }, spec, signal)
        },
        undefined,
        signal,
      ),
  }
}

/** A Lease just read, and whether its holder is alive by what was seen. */
interface SeenLease extends ReadLease {
  readonly status: LeaseState | null
}

export async function isLeaseFree(
  session: KubernetesSession,
  namespace: string,
  node: string,
  signal?: AbortSignal,
): Promise<Result<boolean>> {
  const found = await findObject(session, { type: LEASES, namespace, name: nodeLease(node) }, readLease, signal)
  return found.ok ? ok((found.value?.holder ?? null) === null) : found
}

/** The annotations of a node's or machine's Lease; empty if the API server says that it does not exist. */
export async function getLeaseAnnotations(
  session: KubernetesSession,
  namespace: string,
  node: string,
  signal?: AbortSignal,
): Promise<Result<Readonly<Record<string, string>>>> {
  const target = { type: LEASES, namespace, name: nodeLease(node) }
  const found = await findObject(session, target, object => readMetadata(object).annotations, signal)
  return found.ok ? ok(found.value ?? {}) : found
}

/** Sets annotations of a node's or machine's Lease and removes those given as null; the holder stays. `not-found` if it does not exist. */
export function annotateLease(
  session: KubernetesSession,
  namespace: string,
  node: string,
  {
    annotations,
    signal,
  }: { readonly annotations: Readonly<Record<string, string | null>>; readonly signal?: AbortSignal | undefined },
): Promise<Result<void>> {
  return annotate(session, { type: LEASES, namespace, name: nodeLease(node) }, annotations, signal)
}

/** The process-wide name of a Lease (`address` comes from the session). */
export function observedName(address: string, namespace: string, name: string): string {
  return `${address} ${namespace}/${name}`
}

/** One of our Leases in a list; null for another program's. */
function listedLease(object: KubernetesObject<V1Lease>): readonly [LeaseName, ListedLease] | null {
  const { name: listed, annotations } = readMetadata(object)
  const name = ourName(listed)
  return name === null ? null : [name, { held: readLease(object).holder !== null, annotations }]
}

function ourName(name: string): LeaseName | null {
  return nodeOfLease(name) === undefined ? null : (name as LeaseName)
}

function notWhole(name: string, host: string): Failure {
  return refusal('unreadable', because('LeaseListNotWhole', { server: host, lease: name }), {
    retryable: true,
    target: `lease/${name}`,
  })
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

function annotationsOf(request: LeaseRequest): Readonly<Record<string, string>> {
  return {
    [RUN_ANNOTATION]: request.runId,
    [OPERATOR_ANNOTATION]: request.operator,
    [MACHINE_ANNOTATION]: request.machine,
    ...headAnnotation(request),
  }
}

function headAnnotation({ runId, journal }: LeaseRequest): Readonly<Record<string, string>> {
  const head = journal?.headOf(runId) ?? null
  return head === null ? {} : { [HEAD_ANNOTATION]: `${head.seq}:${head.hash}` }
}

function headIn(annotation: string | undefined): ChainHead | null {
  const [, seq, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(annotation ?? '') ?? []
  return seq === undefined || hash === undefined ? null : { seq: Number(seq), hash }
}

function holding(request: LeaseRequest, now: string): Written<V1LeaseSpec> {
  return { holderIdentity: request.identity, leaseDurationSeconds: request.durationSeconds, renewTime: now }
}

function microTime(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '000Z')
}

/** Reads the Lease after a write; an answer with another holder is malformed. */
function readHeldBy(spec: Written<V1LeaseSpec>): (object: KubernetesObject<V1Lease>) => ReadLease {
  return object => {
    const lease = readLease(object)
    if ((lease.holder?.identity ?? null) !== (spec.holderIdentity ?? null)) {
      throw new MalformedAnswer(because('HolderNotAsWritten'))
    }
    return lease
  }
}

function readLease(object: KubernetesObject<V1Lease>): ReadLease {
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
