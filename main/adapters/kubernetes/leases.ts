import type { V1Lease, V1LeaseSpec } from '@kubernetes/client-node'
import type { Failure } from '../../../shared/domain/failure.ts'
import { type LeaseName, nodeLease } from '../../../shared/domain/lease-name.ts'
import { isGone, type LeaseState, leaseStateOf } from '../../../shared/domain/lease-state.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { LeaseAcquired, LeasePort, LeaseRenewed, LeaseRequest, ListedLease } from '../../ports/leases.ts'
import { annotate } from './cordon.ts'
import {
  annotationsOf,
  headAnnotation,
  heldSpec,
  listedLease,
  microTime,
  NO_ANNOTATIONS,
  ownLeaseName,
  type ReadLease,
  readLease,
  readLeaseHeldBy,
} from './lease-object.ts'
import type { LeaseObserver } from './lease-observer.ts'
import { listRead } from './list.ts'
import type { Written } from './model-fields.ts'
import { createObject, findObject, patchObject } from './objects.ts'
import { readMetadata } from './read-metadata.ts'
import { LEASES } from './resource-types.ts'
import type { KubernetesSession } from './session.ts'

/** How often a write that conflicts with another console is repeated. */
const ROUNDS = 5

interface LeasePlace {
  readonly session: KubernetesSession
  readonly namespace: string
  readonly clock: Clock
  readonly observer: LeaseObserver
}

interface SeenLease extends ReadLease {
  readonly status: LeaseState | null
}

/**
 * One Lease per node, so that one run at a time works on it (style G26). Every change names its resource version, so two consoles never both win. Whether a
 * holder is gone depends on how long this process saw the record unchanged, as in client-go: clocks of other machines do not count.
 */
export function createLeases(place: LeasePlace): LeasePort {
  return {
    holder: async (name, signal) => {
      const lease = await lookAtLease(place, name, signal)
      return lease.ok ? ok(lease.value?.status ?? null) : lease
    },
    all: signal => allLeases(place, signal),
    acquire: (request, signal) => acquireLease(place, request, signal),
    renew: (request, signal) => renewLease(place, request, signal),
    confirm: async (request, signal) => {
      const lease = await lookAtLease(place, request.name, signal)
      if (!lease.ok) return lease
      const by = lease.value?.status ?? null
      if (by === null) return ok({ kind: 'free' })
      return ok(by.identity === request.identity ? { kind: 'ours' } : { kind: 'lost', by })
    },
    release: (request, signal) => releaseLease(place, request, signal),
  }
}

async function allLeases(
  place: LeasePlace,
  signal?: AbortSignal,
): Promise<Result<ReadonlyMap<LeaseName, ListedLease>>> {
  const { session, namespace, observer } = place
  const prefix = observedName(session.address, namespace, '')
  const seen = observer.there(prefix).flatMap(lease => ownLeaseName(lease.slice(prefix.length)) ?? [])
  const listed = await listRead(session, LEASES, listedLease, { namespace, signal })
  if (!listed.ok) return listed
  const all = new Map(listed.value.filter(lease => lease !== null))
  // Missing Leases are read once each: if one exists, the list is incomplete.
  for (const name of seen.filter(each => !all.has(each))) {
    const lease = await lookAtLease(place, name, signal)
    if (!lease.ok) return lease
    if (lease.value !== null) return failed(notWhole(name, session.host))
  }
  return ok(all)
}

function acquireLease(place: LeasePlace, request: LeaseRequest, signal?: AbortSignal): Promise<Result<LeaseAcquired>> {
  return settleLease<LeaseAcquired>(
    place,
    request.name,
    lease => {
      const by = lease?.status ?? null
      const ours = by?.identity === request.identity
      const mayTake = by === null || ours || isGone(by) || request.isPredecessor?.(by.identity) === true
      if (!mayTake) return { answer: { kind: 'held', by } }
      const head = by?.runId === request.runId ? lease?.journalHead : null
      if (head != null && request.journal?.holds(head) === false) return { answer: { kind: 'journal-lacks', head } }
      const now = microTime(place.clock.now())
      return () => {
        if (lease === null) return createLease(place, request, signal)
        const taking = { acquireTime: now, leaseTransitions: lease.transitions + 1 }
        const spec = { ...heldSpec(request, now), ...(ours ? {} : taking) }
        return changeLease(place, request.name, lease, { annotations: annotationsOf(request) }, spec, signal)
      }
    },
    { kind: 'acquired' },
    signal,
  )
}

function renewLease(place: LeasePlace, request: LeaseRequest, signal?: AbortSignal): Promise<Result<LeaseRenewed>> {
  return settleLease<LeaseRenewed>(
    place,
    request.name,
    lease => {
      const by = lease?.status ?? null
      if (lease === null || by === null) return { answer: { kind: 'free' } }
      if (by.identity !== request.identity) return { answer: { kind: 'lost', by } }
      const spec = heldSpec(request, microTime(place.clock.now()))
      return () => changeLease(place, request.name, lease, { annotations: headAnnotation(request) }, spec, signal)
    },
    { kind: 'renewed' },
    signal,
  )
}

function releaseLease(
  place: LeasePlace,
  request: Pick<LeaseRequest, 'name' | 'identity'>,
  signal?: AbortSignal,
): Promise<Result<void>> {
  return settleLease<void>(
    place,
    request.name,
    lease => {
      if (lease === null || lease.holder?.identity !== request.identity) return { answer: undefined }
      const spec = { holderIdentity: null, acquireTime: null, renewTime: null }
      return () => changeLease(place, request.name, lease, { annotations: NO_ANNOTATIONS }, spec, signal)
    },
    undefined,
    signal,
  )
}

async function settleLease<T>(
  place: LeasePlace,
  name: LeaseName,
  decide: (lease: SeenLease | null) => { readonly answer: T } | (() => Promise<Result<boolean>>),
  written: T,
  signal?: AbortSignal,
): Promise<Result<T>> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const lease = await lookAtLease(place, name, signal)
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

async function lookAtLease(
  place: LeasePlace,
  name: LeaseName,
  signal?: AbortSignal,
): Promise<Result<SeenLease | null>> {
  const { session, clock } = place
  const lease = await findObject(session, leaseTarget(place, name), readLease, signal)
  if (!lease.ok) return lease
  const seen = recordSeen(place, name, lease.value)
  if (lease.value === null) return ok(null)
  const { holder } = lease.value
  const status = holder === null ? null : leaseStateOf(holder, seen, clock.monotonicMs())
  return ok({ ...lease.value, status })
}

/** False if another console wrote first. */
async function createLease(place: LeasePlace, request: LeaseRequest, signal?: AbortSignal): Promise<Result<boolean>> {
  const { session, namespace, clock } = place
  const { name } = request
  const now = microTime(clock.now())
  const body = {
    apiVersion: LEASES.apiVersion,
    kind: LEASES.kind,
    metadata: { name, namespace, annotations: annotationsOf(request) },
    spec: { ...heldSpec(request, now), acquireTime: now, leaseTransitions: 0 },
  } satisfies Written<V1Lease>
  const created = await createObject(session, leaseTarget(place, name), body, readLeaseHeldBy(body.spec), { signal })
  return isWon(place, name, created)
}

/** False if another console changed or deleted it first. */
async function changeLease(
  place: LeasePlace,
  name: LeaseName,
  lease: ReadLease,
  metadata: Readonly<Record<string, unknown>>,
  spec: Written<V1LeaseSpec>,
  signal?: AbortSignal,
): Promise<Result<boolean>> {
  const { resourceVersion, uid } = lease
  const body = { metadata: { ...metadata, resourceVersion, uid }, spec }
  const patch = { kind: 'merge', body, uid } as const
  const patched = await patchObject(place.session, leaseTarget(place, name), patch, readLeaseHeldBy(spec), signal)
  const won = isWon(place, name, patched)
  return won.ok || won.failure.code !== 'not-found' ? won : ok(false)
}

/** False if another console was faster. A written Lease must appear in every later list. */
function isWon(place: LeasePlace, name: LeaseName, answer: Result<ReadLease>): Result<boolean> {
  if (answer.ok) {
    recordSeen(place, name, answer.value)
    return ok(true)
  }
  return answer.failure.code === 'conflict' ? ok(false) : answer
}

function recordSeen({ session, namespace, observer }: LeasePlace, name: LeaseName, lease: ReadLease | null) {
  return observer.see(observedName(session.address, namespace, name), lease)
}

function leaseTarget({ namespace }: LeasePlace, name: LeaseName) {
  return { type: LEASES, namespace, name }
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

export function observedName(address: string, namespace: string, name: string): string {
  return `${address} ${namespace}/${name}`
}

function notWhole(name: string, host: string): Failure {
  return refusal('unreadable', because('LeaseListNotWhole', { server: host, lease: name }), {
    retryable: true,
    target: `lease/${name}`,
  })
}
