import type { KubernetesObject, ResourceVersion } from './answers.ts'
import { Misfit } from './fields.ts'
import type { ResourceType } from './resource-types.ts'

/** Objects whose last version is kept; the oldest is forgotten first. */
const REMEMBERED_OBJECTS = 20_000

/**
 * What an API server told us of its history, so that an answer of the past is not taken for the present. A read without a resourceVersion is the
 * server's most recent (docs/drain.md, client facts), so what is older than something already heard comes from a cache on the way.
 */
export interface NewestVersions {
  /** A list: not older than any list or object of its type before. */
  list(type: ResourceType, version: ResourceVersion): void
  /** An object: not older than the same object before. */
  object(type: ResourceType, object: KubernetesObject): void
}

/** Remembers, for one session, the newest versions that were heard. Both functions throw a Misfit. */
export function createNewestVersions(): NewestVersions {
  const types = new Map<string, bigint>()
  const objects = new Map<string, bigint>()

  function heard(key: string, number: bigint): void {
    if (number > (types.get(key) ?? -1n)) types.set(key, number)
  }

  return {
    list: (type, version) => {
      const number = numberOf(version)
      if (number === null) return
      const newest = types.get(keyOf(type))
      if (newest !== undefined && number < newest) {
        throw new Misfit(`it is of the past: version ${number}, and ${newest} was heard before`)
      }
      heard(keyOf(type), number)
    },
    object: (type, { metadata: { uid, resourceVersion, name } }) => {
      const number = numberOf(resourceVersion)
      if (number === null) return
      const newest = objects.get(uid)
      if (newest !== undefined && number < newest) {
        throw new Misfit(`it is "${name}" of the past: version ${number}, and ${newest} was heard before`)
      }
      objects.delete(uid)
      objects.set(uid, number)
      const [oldest] = objects.keys()
      if (objects.size > REMEMBERED_OBJECTS && oldest !== undefined) objects.delete(oldest)
      heard(keyOf(type), number)
    },
  }
}

/** Versions of one type are of one history; two types may be kept in two stores. */
function keyOf({ apiVersion, plural }: ResourceType): string {
  return `${apiVersion.split('/').at(-2) ?? ''}/${plural}`
}

/** API servers count; whatever does not is not compared. */
function numberOf(version: ResourceVersion): bigint | null {
  return /^\d{1,20}$/.test(version) ? BigInt(version) : null
}
