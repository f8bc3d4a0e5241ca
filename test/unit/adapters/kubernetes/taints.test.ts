import { afterEach, expect, test } from 'vitest'
import { setTaint } from '../../../../main/adapters/kubernetes/taints.ts'
import { type FakeApi, startFakeApi, status } from '../../../fixtures/kubernetes/fake-api.ts'

const OURS = { key: 'ours', value: '', effect: 'NoExecute' } as const
const THEIRS = { key: 'theirs', value: 'x', effect: 'NoSchedule' } as const

let api: FakeApi
afterEach(() => api.close())

/** A node whose taints somebody else changes right before our first write. */
async function contendedNode(before: readonly object[], then: readonly object[]) {
  let [version, taints, isContended] = [1, before, true]
  api = await startFakeApi(({ method, body }) => {
    const node = () => ({ metadata: { name: 'n', resourceVersion: String(version) }, spec: { taints } })
    if (method === 'GET') return { body: node() }
    if (isContended) [version, taints, isContended] = [version + 1, then, false]
    const { resourceVersion } = (body.metadata ?? {}) as { readonly resourceVersion?: string }
    if (resourceVersion !== undefined && resourceVersion !== String(version)) {
      return status(409, 'Conflict', 'the object has been modified')
    }
    taints = (body.spec as { readonly taints: readonly object[] | null }).taints ?? []
    version += 1
    return { body: node() }
  })
  return { session: await api.session(), taints: () => taints }
}

test('a taint that somebody puts on the node at the same time stays', async () => {
  const { session, taints } = await contendedNode([], [THEIRS])
  expect(await setTaint(session, 'n', OURS, true)).toEqual({ ok: true, value: { changed: true } })
  expect(taints()).toEqual([THEIRS, OURS])
})

test('a taint that somebody takes away at the same time does not come back with ours taken away', async () => {
  const { session, taints } = await contendedNode([THEIRS, OURS], [OURS])
  expect(await setTaint(session, 'n', OURS, false)).toEqual({ ok: true, value: { changed: true } })
  expect(taints()).toEqual([])
})

test('nothing is sent where the node has the taint already', async () => {
  const { session } = await contendedNode([OURS], [OURS])
  expect(await setTaint(session, 'n', OURS, true)).toEqual({ ok: true, value: { changed: false } })
  expect(api.requests.map(({ method }) => method)).toEqual(['GET'])
})
