import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLockWriter } from '../../../../main/adapters/kubernetes/lock-writer.ts'
import { type FakeApi, startFakeApi, status } from '../../../fixtures/kubernetes/fake-api.ts'

const LOCK = { kind: 'NodeWorkloadLock', name: 'openstack-cmp-1', uid: 'u-1' } as const
const REQUEST = { kind: 'NodeMaintenanceRequest', name: 'cmp-1', uid: 'u-1' } as const

let api: FakeApi
let object: { metadata: Record<string, unknown>; status?: Record<string, unknown> } | null
/** How often a write meets somebody who was faster. */
let races: number

beforeEach(async () => {
  object = { metadata: { uid: 'u-1', resourceVersion: '1', finalizers: ['of-others'] }, status: { state: 'active' } }
  races = 0
  api = await startFakeApi(({ method, body }) => {
    if (object === null) return status(404, 'NotFound', 'not found')
    if (method === 'GET') return { body: object }
    if (races > 0) {
      races -= 1
      object.metadata.resourceVersion = `${object.metadata.resourceVersion}1`
      return status(409, 'Conflict', 'the object has been modified')
    }
    const { resourceVersion } = (body.metadata ?? {}) as { resourceVersion?: string }
    return resourceVersion === object.metadata.resourceVersion
      ? { body: object }
      : status(422, 'Invalid', 'the write does not name the version that it builds on')
  })
})
afterEach(() => api.close())

const writer = async () => createLockWriter(await api.session())
const patches = () => api.requests.filter(({ method }) => method === 'PATCH')

test('a write that lost against another starts again from the new state', async () => {
  races = 2
  expect(await (await writer()).setLockStatus(LOCK, { state: 'inactive' })).toEqual({ ok: true, value: undefined })
  expect(patches().map(({ body }) => (body.metadata as { resourceVersion: string }).resourceVersion)).toEqual([
    '1',
    '11',
    '111',
  ])
})

test('a lock that changes all the time is reported, after a few tries', async () => {
  races = 99
  expect(await (await writer()).setLockStatus(LOCK, { state: 'inactive' })).toMatchObject({
    ok: false,
    failure: { code: 'conflict', retryable: true, message: expect.stringContaining('openstack-cmp-1 kept changing') },
  })
  expect(patches()).toHaveLength(5)
})

test('only what differs is written, and an emptied message is removed as Rockoon does it (docs/domain.md A.2)', async () => {
  object = { metadata: { uid: 'u-1', resourceVersion: '1' }, status: { state: 'active', errorMessage: 'x' } }
  await (await writer()).setLockStatus(LOCK, { state: 'active', errorMessage: '', release: 'r-1' })
  expect(patches().map(({ path, body }) => [path.split('/').at(-1), body.status])).toEqual([
    ['status', { errorMessage: null, release: 'r-1' }],
  ])
})

test('finalizers of others stay, also those that come at the same time: the write names the version it builds on', async () => {
  await (await writer()).setFinalizer(REQUEST, 'ours', true)
  expect(patches()[0]?.body.metadata).toEqual({ finalizers: ['of-others', 'ours'], resourceVersion: '1' })
})

test('a request that was recreated meanwhile has no finalizer of Lockkeeper’s: nothing is written', async () => {
  const gone = { ...REQUEST, uid: 'u-0' }
  expect(await (await writer()).setFinalizer(gone, 'of-others', false)).toEqual({ ok: true, value: undefined })
  expect(await (await writer()).setFinalizer(gone, 'ours', true)).toMatchObject({ failure: { code: 'conflict' } })
  expect(patches()).toEqual([])
})

test('a withdrawn request takes no new finalizer, and says so in words (docs/domain.md A.3)', async () => {
  object = { metadata: { uid: 'u-1', resourceVersion: '1', deletionTimestamp: '2026-01-02T03:04:05Z' } }
  expect(await (await writer()).setFinalizer(REQUEST, 'ours', true)).toMatchObject({
    failure: { code: 'conflict', retryable: false, message: expect.stringContaining('withdrawn') },
  })
  expect(patches()).toEqual([])
})
