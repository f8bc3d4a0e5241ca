import { failure } from '../../shared/domain/failure.ts'
import { MAINTENANCE_GROUP, MAINTENANCE_VERSION } from '../../shared/domain/maintenance-api.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import type { LockStatusChange, LockTarget, LockWriterPort } from '../lcm/ports.ts'
import { folderOf, pathOf, readClusterLock, readNodeLock } from './maintenance-objects.ts'
import { type RawObject, rawList, rawObject, rawText } from './raw.ts'
import { readMetadata } from './read-metadata.ts'
import type { KubernetesSession } from './session.ts'

/** A finalizer that lost against another writer is looked at again this often. */
const ROUNDS = 5

/** What only application controllers may do: locks and finalizers (main/lcm/ports.ts). A write that changes nothing sends nothing. */
export function createLockWriter(session: KubernetesSession): LockWriterPort {
  const typeOf = (kind: string) => ({ apiVersion: `${MAINTENANCE_GROUP}/${MAINTENANCE_VERSION}`, kind })

  async function read(kind: LockTarget['kind'], target: LockTarget, signal?: AbortSignal): Promise<Result<RawObject>> {
    const answer = await session.ask({ method: 'GET', path: pathOf(kind, target.name), signal })
    if (!answer.ok) return answer
    const object = rawObject(answer.value)
    return readMetadata(object).uid === target.uid ? ok(object) : failed(replaced(target.kind, target.name))
  }

  async function patch(path: string, uid: string, body: object, signal?: AbortSignal): Promise<Result<void>> {
    const answer = await session.ask({
      method: 'PATCH',
      path,
      contentType: 'application/merge-patch+json',
      body: { ...body, metadata: { ...rawObject(rawObject(body).metadata), uid } },
      signal,
    })
    return answer.ok ? ok(undefined) : answer
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
    setLockStatus: async (target, change, signal) => {
      const now = await read(target.kind, target, signal)
      if (!now.ok) return now
      const status = differing(rawObject(now.value.status), change)
      if (Object.keys(status).length === 0) return ok(undefined)
      return patch(`${pathOf(target.kind, target.name)}/status`, target.uid, { status }, signal)
    },
    annotateLock: async (target, annotations, signal) => {
      const now = await read(target.kind, target, signal)
      if (!now.ok) return now
      const before = readMetadata(now.value).annotations
      const changed = Object.entries(annotations).filter(([name, value]) => (before[name] ?? null) !== value)
      if (changed.length === 0) return ok(undefined)
      return patch(
        pathOf(target.kind, target.name),
        target.uid,
        { metadata: { annotations: Object.fromEntries(changed) } },
        signal,
      )
    },
    deleteLock: async (target, signal) => {
      const answer = await session.ask({
        method: 'DELETE',
        path: pathOf(target.kind, target.name),
        body: { preconditions: { uid: target.uid } },
        signal,
      })
      return answer.ok || answer.failure.code === 'not-found' ? ok(undefined) : answer
    },
    setFinalizer: async ({ kind, name, uid }, finalizer, present, signal) => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const answer = await session.ask({ method: 'GET', path: pathOf(kind, name), signal })
        if (!answer.ok) return !present && answer.failure.code === 'not-found' ? ok(undefined) : answer
        const metadata = rawObject(rawObject(answer.value).metadata)
        if (rawText(metadata.uid) !== uid) return present ? failed(replaced(kind, name)) : ok(undefined)
        const finalizers = rawList(metadata.finalizers).filter(entry => typeof entry === 'string')
        if (finalizers.includes(finalizer) === present) return ok(undefined)
        const written = await session.ask({
          method: 'PATCH',
          path: pathOf(kind, name),
          contentType: 'application/merge-patch+json',
          body: {
            metadata: {
              uid,
              resourceVersion: rawText(metadata.resourceVersion),
              finalizers: present ? [...finalizers, finalizer] : finalizers.filter(entry => entry !== finalizer),
            },
          },
          signal,
        })
        if (written.ok) return ok(undefined)
        if (!present && written.failure.code === 'not-found') return ok(undefined)
        if (written.failure.code !== 'conflict') return written
      }
      return failed(
        failure('conflict', `${kind} ${name} kept changing while its finalizer was written. It is tried again.`, {
          retryable: true,
          target: `${kind}/${name}`,
        }),
      )
    },
  }
}

/** The fields of a status that are not yet as wanted; an absent message is an empty one. */
function differing(status: RawObject, change: LockStatusChange): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(change).filter(([field, value]) => {
      const before = status[field] ?? (field === 'errorMessage' ? '' : null)
      return JSON.stringify(before) !== JSON.stringify(value)
    }),
  )
}

function replaced(kind: string, name: string) {
  return failure(
    'conflict',
    `${kind} ${name} is another object now: it was deleted and made anew. It is looked at again.`,
    {
      retryable: true,
      target: `${kind}/${name}`,
    },
  )
}
