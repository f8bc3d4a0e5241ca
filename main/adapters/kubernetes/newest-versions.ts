import { because } from '../../../shared/words/reasons.ts'
import type { KubernetesObject, ResourceVersion } from './answers.ts'
import { MalformedAnswer } from './fields.ts'
import type { ResourceType } from './resource-types.ts'

/** Objects whose versions are kept; the oldest is forgotten first. */
const REMEMBERED_OBJECTS = 20_000

/** Versions kept of one object or type: as many as may come while one request is under way and still leave one from before it. */
const REMEMBERED_VERSIONS = 16

/** A point in the order of what was heard. */
export type Moment = number & { readonly made: 'moment-of-session' }

/**
 * What an API server told us of its history, so that an answer of the past is not taken for the present. A read without a resourceVersion is the
 * server's most recent (docs/drain.md, client facts), so what is older than something heard before it was asked for comes from a cache on the way, or
 * the server's store was put back to an older state. An answer heard while the request was under way says nothing: two answers may overtake each other.
 */
export interface NewestVersions {
  /** Now: taken before a request is sent, and given back with its answer. */
  moment(): Moment
  /** A list: not older than any list or object of its type heard before it was asked for. */
  list(type: ResourceType, version: ResourceVersion, askedAt: Moment): void
  /** An object: not older than the same object heard before it was asked for. */
  object(type: ResourceType, object: Pick<KubernetesObject, 'metadata'>, askedAt: Moment): void
}

/** A version, and when it was heard. */
interface Received {
  readonly at: number
  readonly number: bigint
}

/** Remembers, for one session, the newest versions that were heard. Both checks throw a Misfit. */
export function createNewestVersions(): NewestVersions {
  const types = new Map<string, readonly Received[]>()
  const objects = new Map<string, readonly Received[]>()
  let now = 0

  function receive(received: Map<string, readonly Received[]>, key: string, number: bigint): void {
    const before = received.get(key) ?? []
    const newest = before.at(-1)
    if (newest !== undefined && newest.number >= number) return
    now += 1
    received.delete(key)
    received.set(key, [...before, { at: now, number }].slice(-REMEMBERED_VERSIONS))
  }

  return {
    moment: () => now as Moment,
    list: (type, version, askedAt) => {
      const number = numberOf(version)
      if (number === null) return
      const newest = newestBefore(types.get(keyOf(type)), askedAt)
      if (newest !== null && number < newest) throw ofPast(null, number, newest)
      receive(types, keyOf(type), number)
    },
    object: (type, { metadata: { uid, resourceVersion, name } }, askedAt) => {
      const number = numberOf(resourceVersion)
      if (number === null) return
      const newest = newestBefore(objects.get(uid), askedAt)
      if (newest !== null && number < newest) throw ofPast(name, number, newest)
      receive(objects, uid, number)
      const [oldest] = objects.keys()
      if (objects.size > REMEMBERED_OBJECTS && oldest !== undefined) objects.delete(oldest)
      receive(types, keyOf(type), number)
    },
  }
}

/** The newest of what was heard up to a moment; null where nothing is remembered of that time. */
function newestBefore(received: readonly Received[] | undefined, moment: Moment): bigint | null {
  return received?.findLast(({ at }) => at <= moment)?.number ?? null
}

/** What to do stands with it: after a restore of etcd every answer is of the past until the cluster is opened again. */
function ofPast(name: string | null, number: bigint, newest: bigint): MalformedAnswer {
  return new MalformedAnswer(because('ObjectOfPast', { name, version: String(number), newest: String(newest) }))
}

/** Versions of one type are of one history; two types may be kept in two stores. */
function keyOf({ apiVersion, plural }: ResourceType): string {
  return `${apiVersion.split('/').at(-2) ?? ''}/${plural}`
}

/** API servers count; whatever does not is not compared. */
function numberOf(version: ResourceVersion): bigint | null {
  return /^\d{1,20}$/.test(version) ? BigInt(version) : null
}
