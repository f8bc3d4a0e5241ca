import { because } from '../../../shared/words/reasons.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { createRecentMap, type RecentMap } from '../../platform/clock/recent-map.ts'
import type { KubernetesObject, ResourceVersion } from './answers.ts'
import { MalformedAnswer } from './fields.ts'
import type { ResourceType } from './resource-types.ts'

/** Versions kept per object or type: enough for those arriving during one request, plus one from before it. */
const REMEMBERED_VERSIONS = 16

export type Moment = number & { readonly made: 'moment-of-session' }

/**
 * The resource versions that an API server sent. A read without a resourceVersion is the most recent state (docs/drain.md, client facts), so an answer older
 * than one received before the request comes from a cache, or the store was restored. Answers received during the request do not count: answers may overtake
 * each other.
 */
export interface NewestVersions {
  moment(): Moment
  list(type: ResourceType, version: ResourceVersion, askedAt: Moment): void
  object(type: ResourceType, object: Pick<KubernetesObject, 'metadata'>, askedAt: Moment): void
}

interface Received {
  readonly at: number
  readonly number: bigint
}

export function createNewestVersions(clock: Pick<Clock, 'monotonicMs'>): NewestVersions {
  const types = createRecentMap<readonly Received[]>(clock)
  const objects = createRecentMap<readonly Received[]>(clock)
  let now = 0

  function receive(received: RecentMap<readonly Received[]>, key: string, number: bigint): void {
    const before = received.get(key) ?? []
    const newest = before.at(-1)
    if (newest !== undefined && newest.number >= number) {
      received.put(key, before)
      return
    }
    now += 1
    received.put(key, [...before, { at: now, number }].slice(-REMEMBERED_VERSIONS))
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
      receive(types, keyOf(type), number)
    },
  }
}

function newestBefore(received: readonly Received[] | undefined, moment: Moment): bigint | null {
  return received?.findLast(({ at }) => at <= moment)?.number ?? null
}

/** The message says what to do: after a restore of etcd every answer is outdated until the cluster is opened again. */
function ofPast(name: string | null, number: bigint, newest: bigint): MalformedAnswer {
  return new MalformedAnswer(because('ObjectOfPast', { name, version: String(number), newest: String(newest) }))
}

/** Versions are comparable within one type; two types may be in two stores. */
function keyOf({ apiVersion, plural }: ResourceType): string {
  return `${apiVersion.split('/').at(-2) ?? ''}/${plural}`
}

/** API servers use numbers; anything else is not compared. */
function numberOf(version: ResourceVersion): bigint | null {
  return /^\d{1,20}$/.test(version) ? BigInt(version) : null
}
