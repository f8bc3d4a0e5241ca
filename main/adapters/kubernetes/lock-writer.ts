import type { Failure } from '../../../shared/domain/failure.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import type { LockStatusChange, LockWriterPort } from '../../ports/maintenance-api.ts'
import type { KubernetesObject } from './answers.ts'
import { MalformedAnswer, objectIn, objectOrNullIn, textIn, textOrNullIn, textsIn } from './fields.ts'
import { readClusterLock, readNodeLock } from './maintenance-objects.ts'
import { createObject, deleteExactly, type ExactObject, getObject, patchObject, recreated } from './objects.ts'
import type { RawObject } from './raw.ts'
import { readMetadata } from './read-metadata.ts'
import { maintenanceType } from './resource-types.ts'
import type { KubernetesSession } from './session.ts'

const ROUNDS = 5

type Change =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'status'; readonly status: RawObject }
  | { readonly kind: 'metadata'; readonly metadata: RawObject }
  | { readonly kind: 'refused'; readonly why: Failure }

/** Writes that only application controllers may make. Each names the UID and resource version of a new read; the status subresource ignores a UID in the patch. */
export function createLockWriter(session: KubernetesSession): LockWriterPort {
  return {
    createClusterLock: ({ name, controller, annotations }, signal) =>
      createLock(
        session,
        { kind: 'ClusterWorkloadLock', metadata: { name, annotations }, spec: { controllerName: controller } },
        readClusterLock,
        signal,
      ),
    createNodeLock: ({ name, controller, nodeName, nodeDeletionRequestSupported, annotations }, signal) =>
      createLock(
        session,
        {
          kind: 'NodeWorkloadLock',
          metadata: { name, annotations },
          spec: { controllerName: controller, nodeName, nodeDeletionRequestSupported },
        },
        readNodeLock,
        signal,
      ),
    setLockStatus: (target, wanted, signal) =>
      changeObject(session, target, object => statusChange(object, wanted), signal),
    annotateLock: (target, annotations, signal) =>
      changeObject(session, target, object => annotationChange(object, annotations), signal),
    deleteLock: (target, signal) => deleteExactly(session, target, signal),
    setFinalizer: async (request, finalizer, present, signal) => {
      const decide = (object: KubernetesObject) => finalizerChange(object, request, finalizer, present)
      if (present) return changeObject(session, request, decide, signal)
      // An object that is gone, or was recreated, no longer holds our finalizer.
      const changed = await changeObject(session, request, decide, signal, ok(undefined))
      return !changed.ok && changed.failure.code === 'not-found' ? ok(undefined) : changed
    },
  }
}

/** Reads the object and writes what `decide` returns, until no other writer interferes. */
async function changeObject(
  session: KubernetesSession,
  target: ExactObject,
  decide: (object: KubernetesObject) => Change,
  signal: AbortSignal | undefined,
  whenRecreated: Result<void> = failed(recreated(target)),
): Promise<Result<void>> {
  const named = { type: maintenanceType(target.kind), namespace: null, name: target.name }
  for (let round = 0; round < ROUNDS; round += 1) {
    const found = await getObject(session, named, object => ({ object, decided: decide(object) }), signal)
    if (!found.ok) return found
    const { object, decided } = found.value
    const { uid, resourceVersion } = object.metadata
    if (uid !== target.uid) return whenRecreated
    if (decided.kind === 'nothing') return ok(undefined)
    if (decided.kind === 'refused') return failed(decided.why)
    const patch =
      decided.kind === 'status'
        ? ({ subresource: 'status', body: { metadata: { resourceVersion }, status: decided.status } } as const)
        : { body: { metadata: { ...decided.metadata, resourceVersion } } }
    const written = await patchObject(
      session,
      named,
      { kind: 'merge', uid, ...patch },
      after => assertWritten(decided, after),
      signal,
    )
    if (written.ok) return ok(undefined)
    if (written.failure.code !== 'conflict') return written
  }
  return failed(contendedFailure(target))
}

function createLock<T>(
  session: KubernetesSession,
  lock: {
    readonly kind: 'ClusterWorkloadLock' | 'NodeWorkloadLock'
    readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> }
    readonly spec: RawObject
  },
  read: (object: KubernetesObject) => T,
  signal: AbortSignal | undefined,
): Promise<Result<T>> {
  const type = maintenanceType(lock.kind)
  const target = { type, namespace: null, name: lock.metadata.name }
  return createObject(session, target, { apiVersion: type.apiVersion, ...lock }, read, { signal })
}

/** Others act on the state and finalizers, so an answer without them is malformed. */
function assertWritten(decided: Change, { metadata, status }: KubernetesObject): void {
  if (decided.kind === 'status' && decided.status.state !== undefined) {
    const state = objectIn({ status }, 'status').state
    if (state !== decided.status.state) throw new MalformedAnswer(because('StateNotAsWritten'))
  }
  if (decided.kind !== 'metadata' || !Array.isArray(decided.metadata.finalizers)) return
  // Without its last finalizer the object is deleted, and servers return its previous form.
  if (textOrNullIn(metadata, 'deletionTimestamp') !== null) return
  const now = textsIn(metadata, 'finalizers')
  const same =
    now.length === decided.metadata.finalizers.length && decided.metadata.finalizers.every(each => now.includes(each))
  if (!same) throw new MalformedAnswer(because('FinalizersNotAsWritten'))
}

function finalizerChange(object: KubernetesObject, request: ExactObject, finalizer: string, present: boolean): Change {
  const { metadata } = object
  const finalizers = textsIn(metadata, 'finalizers')
  if (finalizers.includes(finalizer) === present) return { kind: 'nothing' }
  if (present && textOrNullIn(metadata, 'deletionTimestamp') !== null)
    return { kind: 'refused', why: deletedRequestFailure(request) }
  const others = finalizers.filter(entry => entry !== finalizer)
  return { kind: 'metadata', metadata: { finalizers: present ? [...others, finalizer] : others } }
}

function annotationChange(object: KubernetesObject, annotations: Readonly<Record<string, string | null>>): Change {
  const before = readMetadata(object).annotations
  const changed = Object.entries(annotations).filter(([name, value]) => (before[name] ?? null) !== value)
  return changed.length === 0
    ? { kind: 'nothing' }
    : { kind: 'metadata', metadata: { annotations: Object.fromEntries(changed) } }
}

function statusChange(object: KubernetesObject, wanted: LockStatusChange): Change {
  const status = changedFields(objectIn(object, 'status'), wanted)
  return Object.keys(status).length === 0 ? { kind: 'nothing' } : { kind: 'status', status }
}

/** The status fields that differ from the wanted ones; an absent message equals an empty one. */
function changedFields(status: RawObject, change: LockStatusChange): RawObject {
  const { state, errorMessage, release, inactivationProgress } = change
  return {
    ...(state === undefined || state === status.state ? {} : { state }),
    // Removed rather than emptied, as Rockoon does; the lab's API server turns an empty text into null and then rejects it.
    ...(errorMessage === undefined || errorMessage === textIn(status, 'errorMessage')
      ? {}
      : { errorMessage: errorMessage || null }),
    ...(release === undefined || release === status.release ? {} : { release }),
    ...(inactivationProgress === undefined ||
    isProgress(objectOrNullIn(status, 'inactivationProgress'), inactivationProgress)
      ? {}
      : { inactivationProgress }),
  }
}

function isProgress(
  now: RawObject | null,
  wanted: NonNullable<LockStatusChange['inactivationProgress']> | null,
): boolean {
  if (wanted === null || now === null) return wanted === now
  const { percentage, description } = now
  return percentage === wanted.percentage && description === wanted.description
}

function contendedFailure({ kind, name }: ExactObject) {
  return refusal('conflict', because('LockContended', { kind, name }), { retryable: true, target: `${kind}/${name}` })
}

/** The API server also rejects new finalizers on an object being deleted, with a message about fields. */
function deletedRequestFailure({ kind, name }: ExactObject) {
  return refusal('conflict', because('DeletedRequestNotHeld', { kind, name }), { target: `${kind}/${name}` })
}
