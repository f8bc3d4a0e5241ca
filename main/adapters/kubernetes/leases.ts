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
/** `number:hash`: how far the journal of the driver went in this run. Another journal that claims to go on with it has to hold that. */
const HEAD_ANNOTATION = 'lockkeeper.dev/journal-head'

/** A write that lost against another console is looked at again this often before we say so. */
const ROUNDS = 5

/** A Lease as read, with the version on which a change must build. */
interface ReadLease {
  readonly resourceVersion: ResourceVersion
  readonly uid: Uid
  readonly holder: LeaseHolder | null
  readonly journalHead: ChainHead | null
  readonly transitions: number
}

/**
 * One Lease a node, so that a node is worked on by one run at a time (style G26). Every change names the version it builds on, and
 * the server refuses it when somebody was faster: two consoles never both win. Whether the holder of one is gone is judged by how long this
 * process saw its record unchanged, as client-go's leader election does: no clock of another machine counts.
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

  /** False: somebody else wrote first. */
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

  /** False: somebody else wrote first, or deleted it. */
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

  /** False: somebody else was faster. A Lease that was written is there: no list is to lack it. */
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

  /** Reads a Lease, and remembers that it was seen so. */
  async function look(name: LeaseName, signal?: AbortSignal): Promise<Result<SeenLease | null>> {
    const lease = await read(name, signal)
    if (!lease.ok) return lease
    const seen = saw(name, lease.value)
    if (lease.value === null) return ok(null)
    const { holder } = lease.value
    const status = holder === null ? null : leaseStateOf(holder, seen, clock.monotonicMs())
    return ok({ ...lease.value, status })
  }

  /** Writes on what was read until nobody else was faster; `decide` says what to write, or what the Lease comes to as it is. */
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
      // One that was deleted since is asked for by itself, once; one that is there shows that the list is not whole.
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

/** A Lease as it was read just now, and where its holder stands by what was seen of it. */
interface SeenLease extends ReadLease {
  readonly status: LeaseState | null
}

/** Whether nobody holds the Lease of a node or machine, read afresh. */
export async function isLeaseFree(
  session: KubernetesSession,
  namespace: string,
  node: string,
  signal?: AbortSignal,
): Promise<Result<boolean>> {
  const found = await findObject(session, { type: LEASES, namespace, name: nodeLease(node) }, readLease, signal)
  return found.ok ? ok((found.value?.holder ?? null) === null) : found
}

/** Annotations of the Lease of a node or machine, read afresh. It has none where the API server itself says that there is no such Lease. */
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

/** Sets annotations of the Lease of a node or machine and removes those given as null; who holds it stays. `not-found` when there is no such Lease. */
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

/** How a Lease is called among all that a process looks at, on all API servers (`address` as a session tells it). */
export function observedName(address: string, namespace: string, name: string): string {
  return `${address} ${namespace}/${name}`
}

/** A Lease of ours as a list of the namespace shows it; null for another's. */
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

/** A Lease as a list or watch of the namespace shows it; null for a Lease that is not one of ours on a node. */
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

/** The API's MicroTime: six digits of a second, always. */
function microTime(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '000Z')
}

/** Reads a Lease that was written: an answer in which another one holds it is none to that. */
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
  // Every server tells it, be it empty: an answer without it does not say that nobody holds the Lease.
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
