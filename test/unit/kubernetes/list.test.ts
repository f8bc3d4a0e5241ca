import { afterEach, expect, test } from 'vitest'
import { listAll } from '../../../main/kubernetes/list.ts'
import { PODS } from '../../../main/kubernetes/resource-types.ts'
import { type FakeAnswer, type FakeApi, startFakeApi, status } from '../../fixtures/kubernetes/fake-api.ts'

let api: FakeApi | undefined

afterEach(async () => {
  await api?.close()
})

const page = (names: readonly string[], next?: string): FakeAnswer => ({
  body: {
    apiVersion: 'v1',
    metadata: { resourceVersion: '7', ...(next === undefined ? {} : { continue: next }) },
    items: names.map(name => ({ metadata: { name } })),
  },
})
const names = (items: readonly unknown[]) => items.map(item => (item as { metadata: { name: string } }).metadata.name)

async function list(answer: (token: string | null, nth: number) => FakeAnswer) {
  let nth = 0
  api = await startFakeApi(({ query }) => {
    nth += 1
    return answer(query.get('continue'), nth)
  })
  return listAll(await api.session(), { type: PODS, namespace: null })
}

test('a list is followed page by page, 500 at a time', async () => {
  const listed = await list(token => (token === null ? page(['a', 'b'], 'more') : page(['c'])))
  expect(listed.ok && names(listed.value.items)).toEqual(['a', 'b', 'c'])
  expect(listed.ok && listed.value.resourceVersion).toBe('7')
  expect(api?.requests.map(({ query }) => query.get('limit'))).toEqual(['500', '500'])
})

test('410 in the middle of the pages begins the list anew', async () => {
  const listed = await list((token, nth) =>
    nth === 2
      ? status(410, 'Expired', 'the provided continue parameter is too old')
      : token === null
        ? page(['a'], 'more')
        : page(['b']),
  )
  expect(listed.ok && names(listed.value.items)).toEqual(['a', 'b'])
})

test('410 every time is given up', async () => {
  const listed = await list(token => (token === null ? page(['a'], 'more') : status(410, 'Expired', 'too old')))
  expect(listed).toMatchObject({ ok: false, failure: { code: 'conflict', retryable: true } })
  expect(api?.requests).toHaveLength(8)
})

test('a list that is refused names what may not be listed', async () => {
  const listed = await list(() => status(403, 'Forbidden', 'User "viewer" cannot list resource "pods"'))
  expect(listed).toMatchObject({
    ok: false,
    failure: { code: 'not-permitted', message: expect.stringContaining('list pods') },
  })
})
