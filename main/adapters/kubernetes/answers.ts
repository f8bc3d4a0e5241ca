import type { V1ListMeta, V1ObjectMeta } from '@kubernetes/client-node'
import type { Failure } from '../../../shared/domain/failure.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import { scrubbed } from '../http/scrubbed.ts'
import { failureOfAnswer, quoteOf } from './errors.ts'
import { asObject, MalformedAnswer, neededText, objectIn, shortened, textOrNullIn } from './fields.ts'
import type { Fields } from './model-fields.ts'
import type { RawObject } from './raw.ts'
import type { RequestWords } from './request-words.ts'
import type { Collection, Named } from './resource-types.ts'

/** The UID of an object from a server's answer; never empty. */
export type Uid = string & { readonly made: 'uid-of-answer' }

export type ResourceVersion = string & { readonly made: 'version-of-answer' }

/** An object whose identity was checked against the request. */
export type KubernetesObject<M = unknown> = Fields<M> & {
  readonly metadata: Fields<V1ObjectMeta> & {
    readonly name: string
    readonly uid: Uid
    readonly resourceVersion: ResourceVersion
  }
}

interface Metadata<M> {
  readonly metadata?: M
}

interface ListPage<M> {
  readonly items: readonly KubernetesObject<M>[]
  readonly resourceVersion: ResourceVersion
  readonly next: string | null
}

export interface ReceivedAnswer {
  readonly status: number
  readonly body: unknown
  /** The server's content type, or empty. For messages only: proxies rewrite it, so the shape decides. */
  readonly contentType: string
  /** Removes the session's credentials from texts about an unreadable answer, since proxies repeat requests. */
  readonly scrub: (text: string) => string
}

export interface WholeAnswer extends ReceivedAnswer {
  readonly retryAfterMs: number | null
}

/** The failure for an answer that cannot belong to the request; quotes it and learns nothing from it. */
export function unreadable({ call, target }: RequestWords, answer: ReceivedAnswer, why: Finding): Failure {
  const { status, contentType, body, scrub } = answer
  // The finding may quote the answer, and a proxy quotes the request.
  const safeWhy = scrubbed(why, scrub)
  return refusal(
    'unreadable',
    because('NotWhatWasAsked', { call, status, why: safeWhy, ...quoteOf(contentType, body, scrub) }),
    { target: target ?? undefined, detail: `HTTP ${status}, ${safeWhy.message}` },
  )
}

/** The failure for an answer given before the request, or to somebody else: it says nothing about the present. `cause` is the evidence. */
export function outdatedFailure(
  { call, target }: RequestWords,
  status: number,
  why: Finding,
  changes: boolean,
): Failure {
  return refusal('unreadable', because('KubernetesAnswerOfPast', { call, why, changes }), {
    target: target ?? undefined,
    detail: `HTTP ${status}, ${why.message}`,
  })
}

/** Reads a 2xx answer; any other status, and a MalformedAnswer from the reader, is a failure. */
export function readAnswer<T>(words: RequestWords, answer: WholeAnswer, read: (body: unknown) => T): Result<T> {
  const { status, body, contentType } = answer
  if (status < 200 || status > 299) {
    const refused = failureOfAnswer(words, status, body, contentType)
    // A caller that retries waits at least as long as the server asked.
    return failed(answer.retryAfterMs === null ? refused : { ...refused, retryAfterMs: answer.retryAfterMs })
  }
  return attempted(words, answer, () => read(body))
}

/** Turns a MalformedAnswer, and nothing else, into a failure. */
export function attempted<T>(words: RequestWords, answer: ReceivedAnswer, work: () => T): Result<T> {
  try {
    return ok(work())
  } catch (error) {
    if (error instanceof MalformedAnswer) return failed(unreadable(words, answer, error.why))
    throw error
  }
}

/** Checks that a body is the requested object, by apiVersion, kind, name and namespace, with a UID and a version. */
export function objectOf<M>(body: unknown, asked: Named<M>): KubernetesObject<M> {
  const object = jsonObject(body)
  const { apiVersion, kind } = asked.type
  if (object.kind !== kind || object.apiVersion !== apiVersion) {
    throw new MalformedAnswer(because('ObjectOfOtherKind', { ...kindOf(object), kind, apiVersion }))
  }
  return identified(object, asked)
}

export function listPageOf<M>(body: unknown, asked: Collection<M>): ListPage<M> {
  const list = jsonObject(body)
  const { apiVersion, kind } = asked.type
  if (list.kind !== `${kind}List` || list.apiVersion !== apiVersion) {
    throw new MalformedAnswer(because('ListOfOtherKind', { ...kindOf(list), kind, apiVersion }))
  }
  if (!Array.isArray(list.items)) throw new MalformedAnswer(because('ItemsWithoutList'))
  const metadata = objectIn<Metadata<V1ListMeta>, 'metadata'>(list, 'metadata')
  return {
    // Built-in objects in a list omit kind and apiVersion; custom resources repeat them.
    items: list.items.map((item, index) => itemOf(item, asked, index)),
    resourceVersion: neededText(metadata, 'resourceVersion') as ResourceVersion,
    next: textOrNullIn(metadata, 'continue'),
  }
}

export function memberOf<M>(body: unknown, asked: Collection<M>): KubernetesObject<M> {
  const object = jsonObject(body)
  return objectOf(object, { ...asked, name: neededText(objectIn(object, 'metadata'), 'name') })
}

function itemOf<M>(item: unknown, asked: Collection<M>, index: number): KubernetesObject<M> {
  const object = asObject(item, `item ${index}`)
  const { apiVersion, kind } = asked.type
  const foreign = (object.kind ?? kind) !== kind || (object.apiVersion ?? apiVersion) !== apiVersion
  if (foreign)
    throw new MalformedAnswer(because('ItemOfOtherKind', { item: index, ...kindOf(object), kind, apiVersion }))
  return identified(object, { ...asked, name: neededText(objectIn(object, 'metadata'), 'name') })
}

function identified<M>(object: RawObject, { type, namespace, name }: Named<M>): KubernetesObject<M> {
  const metadata = objectIn<Metadata<V1ObjectMeta>, 'metadata'>(object, 'metadata')
  const its = { name: neededText(metadata, 'name'), namespace: textOrNullIn(metadata, 'namespace') }
  const { kind } = type
  if (its.name !== name)
    throw new MalformedAnswer(because('OtherNameFound', { kind, found: shortened(its.name), name }))
  if (type.namespaced && its.namespace === null) throw new MalformedAnswer(because('NamespaceMissing'))
  if (!type.namespaced && its.namespace !== null) throw new MalformedAnswer(because('NamespaceUnexpected', { kind }))
  if (namespace !== null && its.namespace !== namespace) {
    throw new MalformedAnswer(because('OtherNamespaceFound', { found: shortened(its.namespace ?? ''), namespace }))
  }
  neededText(metadata, 'uid')
  neededText(metadata, 'resourceVersion')
  return object as KubernetesObject<M>
}

export function jsonObject(body: unknown): RawObject {
  if (typeof body === 'string') throw new MalformedAnswer(because('KubernetesNotJson'))
  return asObject(body, 'it')
}

export function kindOf({ kind, apiVersion }: RawObject) {
  if (typeof kind !== 'string' || kind === '') return { foundKind: null, foundVersion: null }
  return { foundKind: shortened(kind), foundVersion: typeof apiVersion === 'string' ? shortened(apiVersion) : null }
}
