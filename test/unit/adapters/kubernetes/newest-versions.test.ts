import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { KubernetesObject, ResourceVersion } from '../../../../main/adapters/kubernetes/answers.ts'
import { MalformedAnswer } from '../../../../main/adapters/kubernetes/fields.ts'
import { createNewestVersions } from '../../../../main/adapters/kubernetes/newest-versions.ts'
import { PODS } from '../../../../main/adapters/kubernetes/resource-types.ts'

const clock = { monotonicMs: () => 0 }
const version = (number: number) => String(number) as ResourceVersion
const pod = (uid: string, number: number) =>
  ({ metadata: { name: uid, uid, resourceVersion: version(number) } }) as unknown as KubernetesObject

describe('an answer of the past is not the present', () => {
  test('a list older than one received before its request is refused', () => {
    const newest = createNewestVersions(clock)
    newest.list(PODS, version(20), newest.moment())
    expect(() => newest.list(PODS, version(19), newest.moment())).toThrow(MalformedAnswer)
    newest.list(PODS, version(20), newest.moment())
  })

  test('a list older than an object of its type received before its request is refused', () => {
    const newest = createNewestVersions(clock)
    newest.object(PODS, pod('a', 20), newest.moment())
    expect(() => newest.list(PODS, version(19), newest.moment())).toThrow(MalformedAnswer)
  })

  test('an object older than itself is refused; another one may be older', () => {
    const newest = createNewestVersions(clock)
    newest.object(PODS, pod('a', 20), newest.moment())
    expect(() => newest.object(PODS, pod('a', 19), newest.moment())).toThrow(MalformedAnswer)
    newest.object(PODS, pod('b', 5), newest.moment())
  })

  test('an answer that a newer one overtook is not outdated', () => {
    const newest = createNewestVersions(clock)
    const askedAt = newest.moment()
    newest.object(PODS, pod('a', 21), newest.moment())
    newest.object(PODS, pod('a', 20), askedAt)
    newest.list(PODS, version(20), askedAt)
    expect(() => newest.list(PODS, version(20), newest.moment())).toThrow(MalformedAnswer)
  })

  test('whatever overtakes what, a server that only goes forward is never refused', () => {
    fc.assert(
      fc.property(
        // Requests in the order in which they are served: how long after that its answer comes, and whether it is a list.
        fc.array(fc.record({ late: fc.nat(8), list: fc.boolean(), uid: fc.constantFrom('a', 'b') }), { maxLength: 60 }),
        requests => {
          const newest = createNewestVersions(clock)
          const coming = new Map<number, (() => void)[]>()
          for (const [at, { late, list, uid }] of requests.entries()) {
            const askedAt = newest.moment()
            const answered = () =>
              list ? newest.list(PODS, version(at + 1), askedAt) : newest.object(PODS, pod(uid, at + 1), askedAt)
            coming.set(at + late, [...(coming.get(at + late) ?? []), answered])
            for (const answer of coming.get(at) ?? []) answer()
            coming.delete(at)
          }
        },
      ),
    )
  })
})
