import { afterEach, describe, expect, test } from 'vitest'
import { getNode } from '../../../../main/adapters/kubernetes/cordon.ts'
import { listPodsOnNode } from '../../../../main/adapters/kubernetes/drain-reads.ts'
import { listAll } from '../../../../main/adapters/kubernetes/list.ts'
import { PODS } from '../../../../main/adapters/kubernetes/resource-types.ts'
import { type FakeAnswer, type FakeApi, startFakeApi, status } from '../../../fixtures/kubernetes/fake-api.ts'
import { manualClock } from '../../../fixtures/kubernetes/manual-clock.ts'
import { until } from '../../../fixtures/kubernetes/until.ts'

let api: FakeApi | undefined

afterEach(async () => {
  await api?.close()
})

const page = (names: readonly string[], next?: string, version = '7'): FakeAnswer => ({
  body: {
    apiVersion: 'v1',
    metadata: { resourceVersion: version, ...(next === undefined ? {} : { continue: next }) },
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

test('410 in the middle of the pages restarts the list', async () => {
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

test.each<[string, (nth: number) => FakeAnswer, string]>([
  ['the same token again', () => page(['a'], 'more'), 'an object twice'],
  ['the same token with other objects', nth => page([`a${nth}`], 'more'), 'A login page'],
  ['pages without end', nth => page([`a${nth}`], `more-${nth}`), 'no end after 400 pages'],
  ['an empty page that says that there is more', () => page([], 'more'), 'an empty page'],
  [
    'pages of different times',
    nth => page([`a${nth}`], `more-${nth}`, String(7 + nth)),
    'its pages are from different times',
  ],
])('%s ends in a failure', async (_, answer, why) => {
  const listed = await list((__, nth) => answer(nth))
  expect(listed).toMatchObject({ failure: { code: 'unreadable', message: expect.stringContaining(why) } })
})

test('an outdated list is refused: an earlier answer was newer', async () => {
  let version = '100'
  api = await startFakeApi(() => page(['a'], undefined, version))
  const session = await api.session()
  const again = () => listAll(session, { type: PODS, namespace: null })
  expect((await again()).ok).toBe(true)
  version = '99'
  expect(await again()).toMatchObject({
    failure: { code: 'unreadable', message: expect.stringContaining('or etcd was restored') },
  })
  version = '100'
  expect((await again()).ok).toBe(true)
})

test.each<[string, Readonly<Record<string, unknown>>]>([
  ['of another namespace', { metadata: { name: 'a', namespace: 'other', uid: 'u', resourceVersion: '1' } }],
  ['of another kind', { kind: 'Node' }],
  ['of no UID', { metadata: { name: 'a', namespace: 'ns', uid: '', resourceVersion: '1' } }],
  ['of no version', { metadata: { name: 'a', namespace: 'ns', uid: 'u', resourceVersion: '' } }],
])('a list with an object %s is refused', async (_, item) => {
  api = await startFakeApi(() => ({ body: { items: [item] } }))
  const listed = await listAll(await api.session(), { type: PODS, namespace: 'ns' })
  expect(listed).toMatchObject({ failure: { code: 'unreadable' } })
})

test('a server that ignores the field selector is not believed about the pods of a node', async () => {
  api = await startFakeApi(() => ({ body: { items: [{ metadata: { name: 'a' }, spec: { nodeName: 'cmp-2' } }] } }))
  const listed = await listPodsOnNode(await api.session(), 'cmp-1')
  expect(listed).toMatchObject({ failure: { code: 'unreadable', message: expect.stringContaining('not on cmp-1') } })
})

describe('a body', () => {
  test('that drips in ends at the limit of the whole answer', async () => {
    const clock = manualClock()
    api = await startFakeApi(() => stream => stream.write('{"kind":'))
    const listed = listAll(await api.session(clock), { type: PODS, namespace: null })
    await until(() => api?.requests.length === 1, 'the request arrived')
    clock.advance(60_000)
    expect(await listed).toMatchObject({ failure: { code: 'timed-out' } })
  })

  test('that is longer than any object is not read to its end', async () => {
    api = await startFakeApi(() => ({ body: `"${'x'.repeat(9 * 1024 * 1024)}"` }))
    const node = await getNode(await api.session(), 'cmp-1')
    expect(node).toMatchObject({ failure: { code: 'unreadable', message: expect.stringContaining('more than 8 MiB') } })
  })
})
