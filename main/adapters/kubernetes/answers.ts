import { type Failure, failure } from '../../../shared/domain/failure.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { failureOfAnswer, sketchOf } from './errors.ts'
import { asObject, Misfit, neededText, objectIn, textOrNullIn } from './fields.ts'
import type { RawObject } from './raw.ts'
import type { RequestWords } from './request-words.ts'
import type { Collection, Named } from './resource-types.ts'

/** The UID of an object as a server told it: made only from an answer that was read, and never empty. */
export type Uid = string & { readonly made: 'uid of an answer' }

/** The version of an object or list as a server told it: made only from an answer that was read, and never empty. */
export type ResourceVersion = string & { readonly made: 'resourceVersion of an answer' }

/** An object that proved to be the one that was asked for. */
export interface KubernetesObject extends RawObject {
  readonly metadata: RawObject & {
    readonly name: string
    readonly uid: Uid
    readonly resourceVersion: ResourceVersion
  }
}

/** A page of a list that proved to be one of what was asked for. */
interface ListPage {
  readonly items: readonly KubernetesObject[]
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
export function unreadable(words: RequestWords, answer: Came, why: string): Failure {
  return failure(
    'unreadable',
    `The API server's address answered HTTP ${answer.status} when asked to ${words.text}, but not with that: ${why}. It sent ${sketchOf(answer.contentType, answer.body, answer.scrub)}. A login page, a proxy or another server may have answered in its place: look at the address by hand, then try again.`,
    { target: words.target ?? undefined, detail: `HTTP ${answer.status}, ${why}` },
  )
}

/** An answer that was given before it was asked for, or to somebody else: of now nothing was learnt from it. `why` says by what it shows. */
export function ofThePast(words: RequestWords, status: number, why: string, changes: boolean): Failure {
  const lost = changes ? ' It is unknown whether it was done: look before you try again.' : ''
  return failure(
    'unreadable',
    `Asked to ${words.text}, but what came from the API server's address is of the past: ${why}.${lost} Does a cache or a proxy on the way keep answers, are the clocks of the API servers apart?`,
    { target: words.target ?? undefined, detail: `HTTP ${status}, ${why}` },
  )
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
    if (error instanceof Misfit) return failed(unreadable(words, answer, error.message))
    throw error
  }
}

/** Proves that a body is the object that was asked for, by apiVersion, kind, name and namespace, with a UID and a version. */
export function objectOf(body: unknown, asked: Named): KubernetesObject {
  const object = jsonObject(body)
  const { apiVersion, kind } = asked.type
  if (object.kind !== kind || object.apiVersion !== apiVersion) {
    throw new Misfit(`it is ${kindOf(object)} and not a ${kind} of ${apiVersion}`)
  }
  return identified(object, asked)
}

/** Proves that a body is a page of the list that was asked for, and that each item is one of its objects, none twice. */
export function listPageOf(body: unknown, asked: Collection): ListPage {
  const list = jsonObject(body)
  const { apiVersion, kind } = asked.type
  if (list.kind !== `${kind}List` || list.apiVersion !== apiVersion) {
    throw new Misfit(`it is ${kindOf(list)} and not a ${kind}List of ${apiVersion}`)
  }
  if (!Array.isArray(list.items)) throw new Misfit('its items are no list')
  const metadata = objectIn(list, 'metadata')
  return {
    // Objects in a list do not repeat what the list says they are; custom resources do.
    items: list.items.map((item, index) => itemOf(item, asked, index)),
    resourceVersion: neededText(metadata, 'resourceVersion') as ResourceVersion,
    next: textOrNullIn(metadata, 'continue'),
  }
}

/** Proves that a body is an object of a collection, whatever its name: an item of a list, the object of a watch's event. */
export function memberOf(body: unknown, asked: Collection): KubernetesObject {
  const object = jsonObject(body)
  return objectOf(object, { ...asked, name: neededText(objectIn(object, 'metadata'), 'name') })
}

function itemOf(item: unknown, asked: Collection, index: number): KubernetesObject {
  const object = asObject(item, `item ${index}`)
  const { apiVersion, kind } = asked.type
  const foreign = (object.kind ?? kind) !== kind || (object.apiVersion ?? apiVersion) !== apiVersion
  if (foreign) throw new Misfit(`item ${index} is ${kindOf(object)} and not a ${kind} of ${apiVersion}`)
  return identified(object, { ...asked, name: neededText(objectIn(object, 'metadata'), 'name') })
}

function identified(object: RawObject, { type, namespace, name }: Named): KubernetesObject {
  const metadata = objectIn(object, 'metadata')
  const its = { name: neededText(metadata, 'name'), namespace: textOrNullIn(metadata, 'namespace') }
  if (its.name !== name) throw new Misfit(`it is ${type.kind} "${shortened(its.name)}" and not "${name}"`)
  if (type.namespaced && its.namespace === null) throw new Misfit('its namespace is missing')
  if (!type.namespaced && its.namespace !== null) throw new Misfit(`a ${type.kind} is in no namespace, and this one is`)
  if (namespace !== null && its.namespace !== namespace) {
    throw new Misfit(`it is of namespace "${shortened(its.namespace ?? '')}" and not of "${namespace}"`)
  }
  neededText(metadata, 'uid')
  neededText(metadata, 'resourceVersion')
  return object as KubernetesObject
}

/** A body that is a JSON object. */
export function jsonObject(body: unknown): RawObject {
  if (typeof body === 'string') throw new Misfit('it is not JSON')
  return asObject(body, 'it')
}

/** What a body says that it is. */
export function kindOf(object: RawObject): string {
  const { kind, apiVersion } = object
  if (typeof kind !== 'string' || kind === '') return 'no object of Kubernetes'
  return `a ${shortened(kind)}${typeof apiVersion === 'string' ? ` of ${shortened(apiVersion)}` : ''}`
}

/** A name that somebody else chose, for a message: short, and without what a terminal would act on. */
function shortened(text: string): string {
  return text.replace(/[^\x20-\x7e]+/g, ' ').slice(0, 80)
}
