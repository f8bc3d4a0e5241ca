import { expect, test } from 'vitest'
import type { KubernetesSimulator } from '../../../../../main/wings/simulators/kubernetes/kubernetes-simulator.ts'
import { at, type JsonObject, textAt } from '../../../../../main/wings/simulators/kubernetes/store/json.ts'
import type { ApiClient } from '../../../../fixtures/demo-kubernetes/api-client.ts'
import { simulatorForEach } from '../../../../fixtures/demo-kubernetes/simulator-for-each.ts'
import { FAST } from '../../../../fixtures/demo-kubernetes/small-cloud.ts'
import { until } from '../../../../fixtures/demo-kubernetes/until.ts'

let simulator: KubernetesSimulator
let client: ApiClient
const PATH = '/api/v1/namespaces/default/configmaps'

simulatorForEach(
  (...started) => {
    ;[simulator, client] = started
  },
  { seed: [map('a', { tier: 'x' }), map('b', { tier: 'y' })], timings: { ...FAST, bookmarkMs: 20 } },
)

function map(name: string, labels: Readonly<Record<string, string>>) {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default', labels }, data: { k: '1' } }
}

function short(event: JsonObject): string {
  return `${textAt(event, 'type')} ${textAt(event, 'object', 'metadata', 'name') ?? ''}`.trim()
}

test('a watch without a resourceVersion starts with what exists', async () => {
  const watch = client.watch(`${PATH}?watch=1`)
  await until('both maps', () => watch.events.length >= 2)
  expect(watch.events.map(short)).toEqual(['ADDED a', 'ADDED b'])
  watch.close()
})

test('a watch from a resourceVersion tells what happened since, then what happens', async () => {
  const { body } = await client.get(PATH)
  const version = textAt(body, 'metadata', 'resourceVersion')
  await client.send('POST', PATH, map('c', {}))
  const watch = client.watch(`${PATH}?watch=true&resourceVersion=${version}`)
  await until('the creation', () => watch.events.length >= 1)
  await client.patch(`${PATH}/c`, 'merge-patch', { data: { k: '2' } })
  await client.send('DELETE', `${PATH}/c`)
  await until('all three', () => watch.events.length >= 3)
  expect(watch.events.map(short)).toEqual(['ADDED c', 'MODIFIED c', 'DELETED c'])
  watch.close()
})

test('an object that starts or stops matching the selector is added or deleted', async () => {
  const { body } = await client.get(PATH)
  const version = textAt(body, 'metadata', 'resourceVersion')
  const watch = client.watch(`${PATH}?watch=1&resourceVersion=${version}&labelSelector=tier%3Dx`)
  const label = (name: string, tier: string) =>
    client.patch(`${PATH}/${name}`, 'merge-patch', { metadata: { labels: { tier } } })
  await label('b', 'x')
  await label('a', 'y')
  await label('a', 'z')
  await client.patch(`${PATH}/b`, 'merge-patch', { data: { k: '2' } })
  await until('three events', () => watch.events.length >= 3)
  expect(watch.events.map(short)).toEqual(['ADDED b', 'DELETED a', 'MODIFIED b'])
  watch.close()
})

test('a watch of one object by its name sees nothing else', async () => {
  const watch = client.watch(`${PATH}?watch=1&fieldSelector=metadata.name%3Db`)
  await client.patch(`${PATH}/a`, 'merge-patch', { data: { k: '2' } })
  await client.patch(`${PATH}/b`, 'merge-patch', { data: { k: '2' } })
  await until('the change of b', () => watch.events.some(event => at(event, 'object', 'data', 'k') === '2'))
  expect(new Set(watch.events.map(event => textAt(event, 'object', 'metadata', 'name')))).toEqual(new Set(['b']))
  watch.close()
})

test('a resourceVersion older than history is answered with an ERROR event of code 410', async () => {
  const old = textAt((await client.get(PATH)).body, 'metadata', 'resourceVersion')
  await client.patch(`${PATH}/a`, 'merge-patch', { data: { k: '2' } })
  simulator.faults.compact()
  const watch = client.watch(`${PATH}?watch=1&resourceVersion=${old}`)
  await watch.ended
  expect(watch.events).toMatchObject([{ type: 'ERROR', object: { code: 410, reason: 'Expired' } }])
})

test('bookmarks come to those who ask, with a resourceVersion to resume from', async () => {
  const { body } = await client.get(PATH)
  const version = textAt(body, 'metadata', 'resourceVersion')
  const asking = client.watch(`${PATH}?watch=1&resourceVersion=${version}&allowWatchBookmarks=true`)
  const silent = client.watch(`${PATH}?watch=1&resourceVersion=${version}&timeoutSeconds=1`)
  await until('a bookmark', () => asking.events.some(event => event.type === 'BOOKMARK'))
  expect(Number(textAt(asking.events[0], 'object', 'metadata', 'resourceVersion'))).toBeGreaterThanOrEqual(
    Number(version),
  )
  await silent.ended
  expect(silent.events).toEqual([])
  asking.close()
})

test('a watch ends after timeoutSeconds', async () => {
  const watch = client.watch(`${PATH}?watch=1&timeoutSeconds=1`)
  await watch.ended
  expect(watch.events.map(short)).toEqual(['ADDED a', 'ADDED b'])
})

test('dropped watches end, and new ones work', async () => {
  const first = client.watch(`${PATH}?watch=1`)
  await until('the first watch', () => first.events.length >= 2)
  simulator.faults.dropWatches()
  await first.ended
  const second = client.watch(`${PATH}?watch=1`)
  await until('the second watch', () => second.events.length >= 2)
  second.close()
})

test('a client can request a watch as tables, with the columns in the first event alone', async () => {
  const accept = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json' }
  const watch = client.watch(`${PATH}?watch=1`, accept)
  await until('two tables', () => watch.events.length >= 2)
  expect(watch.events.map(event => at(event, 'object', 'columnDefinitions') === null)).toEqual([false, true])
  watch.close()
})

test('pages cover the list once, and later pages keep the first resourceVersion', async () => {
  await client.send('POST', PATH, map('c', {}))
  const first = await client.get(`${PATH}?limit=2`)
  await client.send('POST', PATH, map('d', {}))
  const second = await client.get(`${PATH}?limit=2&continue=${textAt(first.body, 'metadata', 'continue')}`)
  const names = [first, second].flatMap(page =>
    (at(page.body, 'items') as readonly JsonObject[]).map(item => textAt(item, 'metadata', 'name')),
  )
  expect(names).toEqual(['a', 'b', 'c', 'd'])
  expect(at(second.body, 'metadata', 'resourceVersion')).toBe(at(first.body, 'metadata', 'resourceVersion'))
  expect(at(first.body, 'metadata', 'remainingItemCount')).toBe(1)
  expect(at(second.body, 'metadata', 'continue')).toBeUndefined()
})

test('a continue token from before a compaction is too old', async () => {
  const first = await client.get(`${PATH}?limit=1`)
  await client.send('POST', PATH, map('c', {}))
  simulator.faults.compact()
  const second = await client.get(`${PATH}?limit=1&continue=${textAt(first.body, 'metadata', 'continue')}`)
  expect(second).toMatchObject({ status: 410, body: { reason: 'Expired' } })
})
