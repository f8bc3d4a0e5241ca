import { afterEach, expect, test } from 'vitest'
import type { Uid } from '../../../../main/adapters/kubernetes/answers.ts'
import { deleteExactly, patchObject } from '../../../../main/adapters/kubernetes/objects.ts'
import { maintenanceType } from '../../../../main/adapters/kubernetes/resource-types.ts'
import { type FakeApi, startFakeApi, status } from '../../../fixtures/kubernetes/fake-api.ts'

const REQUEST = { kind: 'NodeMaintenanceRequest', name: 'cmp-1', uid: 'meant' } as const

let api: FakeApi
afterEach(() => api.close())

test('a deletion names the UID, so that an object that was recreated under the name stays', async () => {
  api = await startFakeApi(({ body }) => {
    const { uid } = (body.preconditions ?? {}) as { readonly uid?: string }
    return uid === undefined || uid === 'made-anew'
      ? { body: { metadata: { name: 'cmp-1', uid: 'made-anew', resourceVersion: '2' } } }
      : status(409, 'Conflict', 'the UID in the precondition does not match')
  })
  expect(await deleteExactly(await api.session(), REQUEST)).toMatchObject({
    ok: false,
    failure: { code: 'conflict', message: expect.stringContaining('Check the new object before you continue') },
  })
  expect(api.requests.map(({ method, body }) => [method, body])).toEqual([
    ['DELETE', { kind: 'DeleteOptions', apiVersion: 'v1', preconditions: { uid: 'meant' } }],
  ])
})

test('a patch that is answered with another object of that name is not done', async () => {
  api = await startFakeApi(() => ({ body: { metadata: { name: 'cmp-1', uid: 'made-anew', resourceVersion: '2' } } }))
  const target = { type: maintenanceType(REQUEST.kind), namespace: null, name: REQUEST.name }
  const patch = { kind: 'merge', body: { metadata: { annotations: { a: 'b' } } }, uid: 'meant' as Uid } as const
  expect(await patchObject(await api.session(), target, patch, object => object.metadata.uid)).toMatchObject({
    ok: false,
    failure: { code: 'unreadable', message: expect.stringContaining('another NodeMaintenanceRequest') },
  })
})
