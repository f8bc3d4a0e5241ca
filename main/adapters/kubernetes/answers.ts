import type { V1ListMeta, V1ObjectMeta } from '@kubernetes/client-node'
import type { Failure } from '../../../shared/domain/failure.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import { scrubbed } from '../http/scrubbed.ts'
import { failureOfAnswer, sketchOf } from './errors.ts'
import { asObject, MalformedAnswer, neededText, objectIn, shortened, textOrNullIn } from './fields.ts'
import type { Fields } from './model-fields.ts'
import type { RawObject } from './raw.ts'
import type { RequestWords } from './request-words.ts'
import type { Collection, Named } from './resource-types.ts'

/** The UID of an object as a server told it: made only from an answer that was read, and never empty. */
export type Uid = string & { readonly made: 'uid-of-answer' }

/** The version of an object or list as a server told it: made only from an answer that was read, and never empty. */
export type ResourceVersion = string & { readonly made: 'version-of-answer' }

/** An object that proved to be the one that was asked for. */
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

/** A page of a list that proved to be one of what was asked for. */
interface ListPage<M> {
  readonly items: readonly KubernetesObject<M>[]
  readonly resourceVersion: ResourceVersion
  /** Where the next page begins; null on the last one. */
  readonly next: string | null
}

/** What came from the address of an API server: what is told of it when it cannot be read. */
export interface Came {
  readonly status: number
  /** Parsed JSON; the raw text when it is none. */
  readonly body: unknown
  /** As the server named it; empty when it did not. It is told, never trusted: proxies rewrite it, the shape decides. */
  readonly contentType: string
  /** Frees a text of what the session proves itself with: for the words about an answer that cannot be read, since proxies repeat what they got. */
  readonly scrub: (text: string) => string
}

/** A whole answer, also one with an error status. */
export interface WholeAnswer extends Came {
  /** How long the server asks to be left alone; null: it does not ask. */
  readonly retryAfterMs: number | null
}

/** An answer that cannot be what was asked for: says what came instead. Nothing was learnt from it. */
export function unreadable({ call, target }: RequestWords, answer: Came, why: Finding): Failure {
  const { status, contentType, body, scrub } = answer
  // It may name what came, and a proxy names what it got.
  const reported = scrubbed(why, scrub)
  return refusal(
    'unreadable',
    because('NotWhatWasAsked', { call, status, why: reported, ...sketchOf(contentType, body, scrub) }),
    { target: target ?? undefined, detail: `HTTP ${status}, ${reported.message}` },
  )
}

/** An answer that was given before it was asked for, or to somebody else: of now nothing was learnt from it. `cause` says by what it shows. */
export function ofThePast({ call, target }: RequestWords, status: number, why: Finding, changes: boolean): Failure {
  return refusal('unreadable', because('KubernetesAnswerOfPast', { call, why, changes }), {
    target: target ?? undefined,
    detail: `HTTP ${status}, ${why.message}`,
  })
}

/** Reads a 2xx answer; everything else, and what the reader throws as a Misfit, is a failure. */
export function readAnswer<T>(words: RequestWords, answer: WholeAnswer, read: (body: unknown) => T): Result<T> {
  const { status, body, contentType } = answer
  if (status < 200 || status > 299) {
    const refused = failureOfAnswer(words, status, body, contentType)
    // A caller that waits the trouble out does not come back before the time that the server asked for.
    return failed(answer.retryAfterMs === null ? refused : { ...refused, retryAfterMs: answer.retryAfterMs })
  }
  return attempted(words, answer, () => read(body))
}

/** Turns a Misfit, and nothing else, into a failure. */
export function attempted<T>(words: RequestWords, answer: Came, work: () => T): Result<T> {
  try {
    return ok(work())
  } catch (error) {
    if (error instanceof MalformedAnswer) return failed(unreadable(words, answer, error.why))
    throw error
  }
}

/** Proves that a body is the object that was asked for, by apiVersion, kind, name and namespace, with a UID and a version. */
export function objectOf<M>(body: unknown, asked: Named<M>): KubernetesObject<M> {
  const object = jsonObject(body)
  const { apiVersion, kind } = asked.type
  if (object.kind !== kind || object.apiVersion !== apiVersion) {
    throw new MalformedAnswer(because('ObjectOfOtherKind', { ...kindOf(object), kind, apiVersion }))
  }
  return identified(object, asked)
}

/** Proves that a body is a page of the list that was asked for, and that each item is one of its objects, none twice. */
export function listPageOf<M>(body: unknown, asked: Collection<M>): ListPage<M> {
  const list = jsonObject(body)
  const { apiVersion, kind } = asked.type
  if (list.kind !== `${kind}List` || list.apiVersion !== apiVersion) {
    throw new MalformedAnswer(because('ListOfOtherKind', { ...kindOf(list), kind, apiVersion }))
  }
  if (!Array.isArray(list.items)) throw new MalformedAnswer(because('ItemsWithoutList'))
  const metadata = objectIn<Metadata<V1ListMeta>, 'metadata'>(list, 'metadata')
  return {
    // Objects in a list do not repeat what the list says they are; custom resources do.
    items: list.items.map((item, index) => itemOf(item, asked, index)),
    resourceVersion: neededText(metadata, 'resourceVersion') as ResourceVersion,
    next: textOrNullIn(metadata, 'continue'),
  }
}

/** Proves that a body is an object of a collection, whatever its name: an item of a list, the object of a watch's event. */
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

/** A body that is a JSON object. */
export function jsonObject(body: unknown): RawObject {
  if (typeof body === 'string') throw new MalformedAnswer(because('KubernetesNotJson'))
  return asObject(body, 'it')
}

/** What a body says that it is. */
export function kindOf({ kind, apiVersion }: RawObject) {
  if (typeof kind !== 'string' || kind === '') return { foundKind: null, foundVersion: null }
  return { foundKind: shortened(kind), foundVersion: typeof apiVersion === 'string' ? shortened(apiVersion) : null }
}
