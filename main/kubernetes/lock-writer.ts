import { failure } from '../../shared/domain/failure.ts'
import { MAINTENANCE_GROUP, MAINTENANCE_VERSION } from '../../shared/domain/maintenance-api.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import type { LockStatusChange, LockWriterPort } from '../lcm/ports.ts'
import { deleteExactly, type ExactObject, madeAnew } from './delete-exactly.ts'
import { folderOf, pathOf, readClusterLock, readNodeLock } from './maintenance-objects.ts'
import { type RawObject, rawList, rawObject, rawText } from './raw.ts'
import { readMetadata } from './read-metadata.ts'
import type { KubernetesSession } from './session.ts'

/** A write that lost against another writer is looked at again this often before we say so. */
const ROUNDS = 5

/** A merge patch: of the status, by its subresource, or of the metadata. */
type Change =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'status'; readonly status: RawObject }
  | { readonly kind: 'metadata'; readonly metadata: RawObject }
  /** What was meant is no longer there. */
  | { readonly kind: 'refused'; readonly why: ReturnType<typeof failure> }

/**
 * What only application controllers may do: locks and finalizers (main/lcm/ports.ts). Every change is made of a fresh read, whose UID is
 * compared, and names the version it builds on. A UID in the patch would guard nothing: the status subresource ignores metadata.
 */
export function createLockWriter(session: KubernetesSession): LockWriterPort {
  const typeOf = (kind: string) => ({ apiVersion: `${MAINTENANCE_GROUP}/${MAINTENANCE_VERSION}`, kind })

  async function change(
    target: ExactObject,
    decide: (object: RawObject) => Change,
    signal: AbortSignal | undefined,
    whenMadeAnew: Result<void> = failed(madeAnew(target)),
  ): Promise<Result<void>> {
    const path = pathOf(target.kind, target.name)
    for (let round = 0; round < ROUNDS; round += 1) {
      const answer = await session.ask({ method: 'GET', path, signal })
      if (!answer.ok) return answer
      const object = rawObject(answer.value)
      const { uid, resourceVersion } = readMetadata(object)
      if (uid !== target.uid) return whenMadeAnew
      const decided = decide(object)
      if (decided.kind === 'nothing') return ok(undefined)
      if (decided.kind === 'refused') return failed(decided.why)
      const written = await session.ask({
        method: 'PATCH',
        path: decided.kind === 'status' ? `${path}/status` : path,
        contentType: 'application/merge-patch+json',
        body:
          decided.kind === 'status'
            ? { metadata: { resourceVersion }, status: decided.status }
            : { metadata: { ...decided.metadata, resourceVersion } },
        signal,
      })
      if (written.ok) return ok(undefined)
      if (written.failure.code !== 'conflict') return written
    }
    return failed(contended(target))
  }

  return {
    createClusterLock: async ({ name, controller }, signal) => {
      const answer = await session.ask({
        method: 'POST',
        path: folderOf('ClusterWorkloadLock'),
        body: { ...typeOf('ClusterWorkloadLock'), metadata: { name }, spec: { controllerName: controller } },
        signal,
      })
      return answer.ok ? ok(readClusterLock(rawObject(answer.value))) : answer
    },
    createNodeLock: async ({ name, controller, nodeName, nodeDeletionRequestSupported, annotations }, signal) => {
      const answer = await session.ask({
        method: 'POST',
        path: folderOf('NodeWorkloadLock'),
        body: {
          ...typeOf('NodeWorkloadLock'),
          metadata: { name, annotations },
          spec: { controllerName: controller, nodeName, nodeDeletionRequestSupported },
        },
        signal,
      })
      return answer.ok ? ok(readNodeLock(rawObject(answer.value))) : answer
    },
    setLockStatus: (target, wanted, signal) =>
      change(
        target,
        object => {
          const status = differing(rawObject(object.status), wanted)
          return Object.keys(status).length === 0 ? { kind: 'nothing' } : { kind: 'status', status }
        },
        signal,
      ),
    annotateLock: (target, annotations, signal) =>
      change(
        target,
        object => {
          const before = readMetadata(object).annotations
          const changed = Object.entries(annotations).filter(([name, value]) => (before[name] ?? null) !== value)
          return changed.length === 0
            ? { kind: 'nothing' }
            : { kind: 'metadata', metadata: { annotations: Object.fromEntries(changed) } }
        },
        signal,
      ),
    deleteLock: (target, signal) => deleteExactly(session, target, signal),
    setFinalizer: async (request, finalizer, present, signal) => {
      const decide = (object: RawObject) => finalizerChange(object, request, finalizer, present)
      if (present) return change(request, decide, signal)
      // What is gone, or was made anew, holds nothing of ours any more.
      const changed = await change(request, decide, signal, ok(undefined))
      return !changed.ok && changed.failure.code === 'not-found' ? ok(undefined) : changed
    },
  }
}

function finalizerChange(object: RawObject, request: ExactObject, finalizer: string, present: boolean): Change {
  const metadata = rawObject(object.metadata)
  const finalizers = rawList(metadata.finalizers).filter(entry => typeof entry === 'string')
  if (finalizers.includes(finalizer) === present) return { kind: 'nothing' }
  if (present && rawText(metadata.deletionTimestamp) !== '') return { kind: 'refused', why: withdrawn(request) }
  const others = finalizers.filter(entry => entry !== finalizer)
  return { kind: 'metadata', metadata: { finalizers: present ? [...others, finalizer] : others } }
}

/** The fields of a status that are not yet as wanted; an absent message is an empty one. */
function differing(status: RawObject, change: LockStatusChange): RawObject {
  const { state, errorMessage, release, inactivationProgress } = change
  return {
    ...(state === undefined || state === status.state ? {} : { state }),
    // Removed rather than emptied, as Rockoon does it; the lab's API server makes null of an empty text and then refuses it.
    ...(errorMessage === undefined || errorMessage === rawText(status.errorMessage)
      ? {}
      : { errorMessage: errorMessage || null }),
    ...(release === undefined || release === status.release ? {} : { release }),
    ...(inactivationProgress === undefined || isProgress(status.inactivationProgress, inactivationProgress)
      ? {}
      : { inactivationProgress }),
  }
}

function isProgress(now: unknown, wanted: NonNullable<LockStatusChange['inactivationProgress']> | null): boolean {
  if (wanted === null) return now === undefined || now === null
  const { percentage, description } = rawObject(now)
  return percentage === wanted.percentage && description === wanted.description
}

function contended({ kind, name }: ExactObject) {
  return failure(
    'conflict',
    `${kind} ${name} kept changing while we wrote to it. It is tried again; look who else answers for it.`,
    { retryable: true, target: `${kind}/${name}` },
  )
}

/** The API server refuses new finalizers of what is being deleted as well, with a sentence about fields. */
function withdrawn({ kind, name }: ExactObject) {
  return failure(
    'conflict',
    `${kind} ${name} is being deleted: nobody can hold it who did not hold it before. It counts as withdrawn.`,
    { target: `${kind}/${name}` },
  )
}
