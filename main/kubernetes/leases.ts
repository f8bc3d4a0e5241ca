import { failure } from '../../shared/domain/failure.ts'
import type { LeaseHolder } from '../../shared/domain/kubernetes.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import type { Clock } from '../clock/clock.ts'
import type { LeasePort, LeaseRequest } from '../maintenance/ports.ts'
import type { NodeLease } from '../view/ports.ts'
import type { KubernetesObject, ResourceVersion, Uid } from './answers.ts'
import { Misfit, numberIn, objectIn, textOrNullIn, timeOrNullIn } from './fields.ts'
import { createObject, findObject, patchObject } from './objects.ts'
import { readMetadata } from './read-metadata.ts'
import { LEASES } from './resource-types.ts'
import type { KubernetesSession } from './session.ts'

const RUN_ANNOTATION = 'lockkeeper.dev/run'
const OPERATOR_ANNOTATION = 'lockkeeper.dev/operator'
const MACHINE_ANNOTATION = 'lockkeeper.dev/machine'

/** A write that lost against another console is looked at again this often before we say so. */
const ROUNDS = 5

/** A Lease as read, with the version on which a change must build. */
interface ReadLease {
  readonly resourceVersion: ResourceVersion
  readonly uid: Uid
  readonly holder: LeaseHolder | null
  readonly transitions: number
}

/**
 * One Lease a node, so that a node is worked on by one run at a time (style G26). Every change names the version it builds on, and
 * the server refuses it when somebody was faster: two consoles never both win.
 */
export function createLeases(options: {
  readonly session: KubernetesSession
  readonly namespace: string
  readonly clock: Clock
}): LeasePort {
  const { session, namespace, clock } = options
  const target = (node: string) => ({ type: LEASES, namespace, name: leaseName(node) })

  async function read(node: string, signal?: AbortSignal): Promise<Result<ReadLease | null>> {
    return findObject(session, target(node), readLease, signal)
  }

  /** False: somebody else wrote first. */
  async function create(request: LeaseRequest, signal?: AbortSignal): Promise<Result<boolean>> {
    const now = microTime(clock.now())
    const body = {
      apiVersion: LEASES.apiVersion,
      kind: LEASES.kind,
      metadata: { name: leaseName(request.node), namespace, annotations: annotationsOf(request) },
      spec: { ...holding(request, now), acquireTime: now, leaseTransitions: 0 },
    }
    return written(await createObject(session, target(request.node), body, readHeldBy(body.spec), { signal }))
  }

  /** False: somebody else wrote first, or deleted it. */
  async function change(
    node: string,
    lease: ReadLease,
    metadata: Readonly<Record<string, unknown>>,
    spec: Readonly<Record<string, unknown>>,
    signal?: AbortSignal,
  ): Promise<Result<boolean>> {
    const { resourceVersion, uid } = lease
    const body = { metadata: { ...metadata, resourceVersion, uid }, spec }
    const patch = { kind: 'merge', body, uid } as const
    const patched = written(await patchObject(session, target(node), patch, readHeldBy(spec), signal))
    return patched.ok || patched.failure.code !== 'not-found' ? patched : ok(false)
  }

  function written(answer: Result<ReadLease>): Result<boolean> {
    if (answer.ok) return ok(true)
    return answer.failure.code === 'conflict' ? ok(false) : answer
  }

  function isHeld(lease: ReadLease | null): lease is ReadLease & { readonly holder: LeaseHolder } {
    if (lease === null || lease.holder === null) return false
    const { renewedAt, durationSeconds } = lease.holder
    return renewedAt !== null && Date.parse(renewedAt) + durationSeconds * 1000 >= clock.now()
  }

  const contended = (node: string) =>
    failed(
      failure('conflict', `The Lease of node ${node} kept changing while we asked for it. Look who else works on it.`, {
        retryable: true,
        target: `node/${node}`,
      }),
    )

  return {
    holder: async (node, signal) => {
      const lease = await read(node, signal)
      if (!lease.ok) return lease
      return ok(isHeld(lease.value) ? lease.value.holder : null)
    },
    acquire: async (request, signal) => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const lease = await read(request.node, signal)
        if (!lease.ok) return lease
        const ours = lease.value?.holder?.identity === request.identity
        if (!ours && isHeld(lease.value)) return ok({ kind: 'held', by: lease.value.holder })
        const now = microTime(clock.now())
        const won =
          lease.value === null
            ? await create(request, signal)
            : await change(
                request.node,
                lease.value,
                { annotations: annotationsOf(request) },
                ours
                  ? holding(request, now)
                  : { ...holding(request, now), acquireTime: now, leaseTransitions: lease.value.transitions + 1 },
                signal,
              )
        if (!won.ok) return won
        if (won.value) return ok({ kind: 'acquired' })
      }
      return contended(request.node)
    },
    renew: async (request, signal) => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const lease = await read(request.node, signal)
        if (!lease.ok) return lease
        if (lease.value === null || lease.value.holder?.identity !== request.identity) {
          return ok({ kind: 'lost', by: lease.value?.holder ?? null })
        }
        const spec = holding(request, microTime(clock.now()))
        const won = await change(request.node, lease.value, {}, spec, signal)
        if (!won.ok) return won
        if (won.value) return ok({ kind: 'renewed' })
      }
      return contended(request.node)
    },
    release: async (request, signal) => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const lease = await read(request.node, signal)
        if (!lease.ok) return lease
        if (lease.value === null || lease.value.holder?.identity !== request.identity) return ok(undefined)
        const annotations = { [RUN_ANNOTATION]: null, [OPERATOR_ANNOTATION]: null, [MACHINE_ANNOTATION]: null }
        const spec = { holderIdentity: null, acquireTime: null, renewTime: null }
        const won = await change(request.node, lease.value, { annotations }, spec, signal)
        if (!won.ok) return won
        if (won.value) return ok(undefined)
      }
      return contended(request.node)
    },
  }
}

const CLUSTER_PREFIX = 'cluster:'

/** The name of the Lease of a node, or of a subject of the cluster (main/maintenance/ports.ts). */
export function leaseName(node: string): string {
  return node.startsWith(CLUSTER_PREFIX) ? `lockkeeper-${node.slice(CLUSTER_PREFIX.length)}` : `lockkeeper-node-${node}`
}

/** A Lease as a list or watch of the namespace shows it; null for a Lease that is not one of ours on a node. */
export function nodeLeaseOf(object: KubernetesObject): NodeLease | null {
  const { name, uid } = readMetadata(object)
  const prefix = leaseName('')
  if (!name.startsWith(prefix)) return null
  return { uid, node: name.slice(prefix.length), holder: readLease(object).holder }
}

function annotationsOf(request: LeaseRequest): Readonly<Record<string, string>> {
  return {
    [RUN_ANNOTATION]: request.runId,
    [OPERATOR_ANNOTATION]: request.operator,
    [MACHINE_ANNOTATION]: request.machine,
  }
}

function holding(request: LeaseRequest, now: string): Readonly<Record<string, unknown>> {
  return { holderIdentity: request.identity, leaseDurationSeconds: request.durationSeconds, renewTime: now }
}

/** The API's MicroTime: six digits of a second, always. */
function microTime(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '000Z')
}

/** Reads a Lease that was written: an answer in which another one holds it is none to that. */
function readHeldBy(spec: Readonly<Record<string, unknown>>): (object: KubernetesObject) => ReadLease {
  return object => {
    const lease = readLease(object)
    if ((lease.holder?.identity ?? null) !== (spec.holderIdentity ?? null)) {
      throw new Misfit('its holder is not the one that was written')
    }
    return lease
  }
}

function readLease(object: KubernetesObject): ReadLease {
  const { resourceVersion, uid, annotations } = readMetadata(object)
  const spec = objectIn(object, 'spec')
  const identity = textOrNullIn(spec, 'holderIdentity')
  return {
    resourceVersion,
    uid,
    transitions: numberIn(spec, 'leaseTransitions'),
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
