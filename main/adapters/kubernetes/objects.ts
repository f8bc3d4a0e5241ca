import type { V1APIGroupList, V1APIResourceList } from '@kubernetes/client-node'
import type { Failure } from '../../../shared/domain/failure.ts'
import type { MaintenanceKind } from '../../../shared/domain/maintenance-api.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import { jsonObject, type KubernetesObject, kindOf, objectOf, readAnswer, type Uid, unreadable } from './answers.ts'
import { failureOfAnswer } from './errors.ts'
import { flagIn, MalformedAnswer, neededText, objectsIn, textOrNullIn } from './fields.ts'
import type { Fields } from './model-fields.ts'
import type { Moment } from './newest-versions.ts'
import { type RequestWords, requestWords } from './request-words.ts'
import { type Collection, folderOf, maintenanceType, type Named, pathOf, versionPath } from './resource-types.ts'
import type { KubernetesRequest } from './send-request.ts'
import type { KubernetesAnswer, KubernetesSession } from './session.ts'
import { readStatus } from './status.ts'

/** Reads and writes single objects. `not-found` means that the API server said so about this object, or proved that it does not serve its kind. */

export async function getObject<T, M>(
  session: KubernetesSession,
  target: Named<M>,
  read: (object: KubernetesObject<M>) => T,
  signal?: AbortSignal,
): Promise<Result<T>> {
  return exchanged(session, target, { method: 'GET', path: pathOf(target), signal }, (body, askedAt) =>
    read(presentObject(session, target, body, askedAt)),
  )
}

export async function findObject<T, M>(
  session: KubernetesSession,
  target: Named<M>,
  read: (object: KubernetesObject<M>) => T,
  signal?: AbortSignal,
): Promise<Result<T | null>> {
  const found = await getObject(session, target, read, signal)
  return found.ok || found.failure.code !== 'not-found' ? found : ok(null)
}

export async function createObject<T, M>(
  session: KubernetesSession,
  target: Named<M>,
  body: Readonly<Record<string, unknown>>,
  read: (object: KubernetesObject<M>) => T,
  more: { readonly query?: KubernetesRequest['query']; readonly signal?: AbortSignal | undefined } = {},
): Promise<Result<T>> {
  return exchanged(session, target, { method: 'POST', path: folderOf(target), body, ...more }, (answer, askedAt) =>
    read(presentObject(session, target, answer, askedAt)),
  )
}

interface Patch {
  readonly kind: 'merge' | 'strategic-merge'
  readonly body: Readonly<Record<string, unknown>>
  readonly subresource?: 'status'
  /** The expected UID; an answer with another one is malformed. Null means any object of that name. */
  readonly uid: Uid | null
  /** The server's `fieldManager` for this write; default: our user agent. */
  readonly manager?: string
}

export async function patchObject<T, M>(
  session: KubernetesSession,
  target: Named<M>,
  patch: Patch,
  read: (object: KubernetesObject<M>) => T,
  signal?: AbortSignal,
): Promise<Result<T>> {
  const path = patch.subresource === undefined ? pathOf(target) : `${pathOf(target)}/${patch.subresource}`
  const contentType = `application/${patch.kind}-patch+json`
  return exchanged(
    session,
    target,
    {
      method: 'PATCH',
      path,
      contentType,
      body: patch.body,
      signal,
      ...(patch.manager === undefined ? {} : { query: { fieldManager: patch.manager } }),
    },
    (answer, askedAt) => {
      const object = presentObject(session, target, answer, askedAt)
      if (patch.uid !== null && object.metadata.uid !== patch.uid) {
        throw new MalformedAnswer(because('OtherThanChanged', { kind: target.type.kind }))
      }
      return read(object)
    },
  )
}

function presentObject<M>(
  session: KubernetesSession,
  target: Named<M>,
  body: unknown,
  askedAt: Moment,
): KubernetesObject<M> {
  const object = objectOf(body, target)
  session.newest.object(target.type, object, askedAt)
  return object
}

/** Deletes exactly this object. Success means that the server accepted it: finalizers and grace periods may delay it. */
async function deleteObject(
  session: KubernetesSession,
  target: Named,
  uid: string,
  signal?: AbortSignal,
): Promise<Result<void>> {
  if (uid === '') throw new Error(`A ${target.type.kind} is deleted by its UID, and none was given`)
  const body = { kind: 'DeleteOptions', apiVersion: 'v1', preconditions: { uid } }
  return exchanged(session, target, { method: 'DELETE', path: pathOf(target), body, signal }, answer =>
    assertDeleted(answer, target, uid),
  )
}

/** The answer to a deletion is the object, or a Status of success. */
export function assertDeleted(body: unknown, target: Named, uid: string): void {
  const object = jsonObject(body)
  if (object.kind === 'Status') {
    const status = readStatus(object)
    if (status?.success !== true) throw new MalformedAnswer(because('StatusNotDone'))
    const { about } = status
    if ((about.uid !== '' && about.uid !== uid) || (about.name !== '' && about.name !== target.name)) {
      throw new MalformedAnswer(because('StatusOfOther'))
    }
    return
  }
  if (objectOf(object, target).metadata.uid !== uid) {
    throw new MalformedAnswer(because('OtherThanDeleted', { kind: target.type.kind }))
  }
}

type ServedResources = ReadonlyMap<
  string,
  {
    readonly kind: string
    readonly namespaced: boolean
    readonly group: string | null
    readonly version: string | null
  }
>

export async function servedResources(
  session: KubernetesSession,
  apiVersion: string,
  signal?: AbortSignal,
): Promise<Result<ServedResources | null>> {
  const path = versionPath(apiVersion)
  const answer = await session.exchange({ method: 'GET', path, signal })
  if (!answer.ok) return answer
  const words = requestWords('GET', path)
  if (answer.value.status !== 404) return readAnswer(words, answer.value, body => resourcesOf(body, apiVersion))
  const groups = await servedVersions(session, signal)
  if (!groups.ok) return groups
  return groups.value.has(apiVersion) ? failed(notServedYetListed(words, answer.value, apiVersion)) : ok(null)
}

/** Every group and version of the server. A list without `apps/v1` does not come from an API server. */
export async function servedVersions(
  session: KubernetesSession,
  signal?: AbortSignal,
): Promise<Result<ReadonlySet<string>>> {
  const answer = await session.exchange({ method: 'GET', path: '/apis', signal })
  if (!answer.ok) return answer
  return readAnswer(requestWords('GET', '/apis'), answer.value, body => {
    const list: Fields<V1APIGroupList> = jsonObject(body)
    if (list.kind !== 'APIGroupList') throw new MalformedAnswer(because('NotApiGroups', kindOf(list)))
    const versions = objectsIn(list, 'groups').flatMap(group =>
      objectsIn(group, 'versions').map(version => neededText(version, 'groupVersion')),
    )
    if (!versions.includes('apps/v1')) throw new MalformedAnswer(because('ApiGroupsIncomplete'))
    return new Set(versions)
  })
}

function resourcesOf(body: unknown, apiVersion: string): ServedResources {
  const list: Fields<V1APIResourceList> = jsonObject(body)
  if (list.kind !== 'APIResourceList' || list.groupVersion !== apiVersion) {
    throw new MalformedAnswer(because('NotApiResources', { ...kindOf(list), apiVersion }))
  }
  const resources = objectsIn(list, 'resources')
  if (resources.length === 0) throw new MalformedAnswer(because('ApiResourcesEmpty', { apiVersion }))
  return new Map(
    resources.map(resource => [
      neededText(resource, 'name'),
      {
        kind: neededText(resource, 'kind'),
        namespaced: flagIn(resource, 'namespaced'),
        group: textOrNullIn(resource, 'group'),
        version: textOrNullIn(resource, 'version'),
      },
    ]),
  )
}

function notServedYetListed(words: RequestWords, answer: KubernetesAnswer, apiVersion: string) {
  return unreadable(words, answer, because('ListedYetAbsent', { apiVersion }))
}

async function exchanged<T>(
  session: KubernetesSession,
  about: Collection,
  request: KubernetesRequest,
  read: (body: unknown, askedAt: Moment) => T,
): Promise<Result<T>> {
  const answer = await session.exchange(request)
  if (!answer.ok) return answer
  const words = requestWords(request.method, request.path)
  if (answer.value.status === 404) return failed(await absenceOf(session, about, words, answer.value, request.signal))
  return readAnswer(words, answer.value, body => read(body, answer.value.askedAt))
}

/** What a 404 proves. For a named object its own Status decides; any other may come from a proxy, so discovery has to confirm that the kind is not served. */
export async function absenceOf(
  session: KubernetesSession,
  { type }: Collection,
  words: RequestWords,
  answer: KubernetesAnswer,
  signal?: AbortSignal,
) {
  const said = failureOfAnswer(words, answer.status, answer.body, answer.contentType)
  if (said.code === 'not-found' && words.name !== null) return said
  const served = await servedResources(session, type.apiVersion, signal)
  if (!served.ok) return served.failure
  if (served.value === null || !served.value.has(type.plural)) {
    const { apiVersion, plural } = type
    return refusal('not-found', because(NOT_SERVED, { call: words.call, apiVersion, plural }), {
      target: words.target ?? undefined,
      detail: 'HTTP 404',
    })
  }
  // Served, and the Status is about something else, such as the namespace of a new object.
  if (said.code === 'not-found' && words.verb === 'create') return said
  return unreadable(words, answer, because('ServedYetAbsent', { plural: type.plural }))
}

const NOT_SERVED = 'KubernetesKindNotServed'

/** Whether the cluster provably lacks the kind, not only the object. */
export function isNotServed({ reason }: Failure): boolean {
  return reason === NOT_SERVED
}

/** An object of the node maintenance API with its UID, so that a recreated one is never mistaken for it. */
export interface ExactObject {
  readonly kind: MaintenanceKind
  readonly name: string
  readonly uid: string
}

/** Deletes exactly this object; if it is gone, that is fine; a recreated one is not touched. */
export async function deleteExactly(
  session: KubernetesSession,
  object: ExactObject,
  signal?: AbortSignal,
): Promise<Result<void>> {
  const { kind, name, uid } = object
  const answer = await deleteObject(session, { type: maintenanceType(kind), namespace: null, name }, uid, signal)
  if (answer.ok || answer.failure.code === 'not-found') return ok(undefined)
  return answer.failure.code === 'conflict' ? failed(recreated(object)) : answer
}

export function recreated({ kind, name }: Pick<ExactObject, 'kind' | 'name'>) {
  return refusal('conflict', because('ObjectReplaced', { kind, name }), {
    retryable: true,
    target: `${kind}/${name}`,
  })
}
