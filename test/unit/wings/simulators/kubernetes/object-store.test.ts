import { expect, test } from 'vitest'
import {
  createObjectStore,
  type UnversionedObject,
} from '../../../../../main/wings/simulators/kubernetes/store/object-store.ts'

function thing(name: string, value: number, namespace?: string): UnversionedObject {
  const metadata = { name, uid: `uid-${name}`, creationTimestamp: '2026-01-01T00:00:00Z' }
  return {
    apiVersion: 'v1',
    kind: 'Thing',
    metadata: namespace === undefined ? metadata : { ...metadata, namespace },
    value,
  }
}

test('every write counts one revision up, over all types', () => {
  const store = createObjectStore(100)
  const first = store.put('a', thing('x', 1))
  const second = store.put('b', thing('y', 1))
  expect(Number(second.metadata.resourceVersion)).toBe(Number(first.metadata.resourceVersion) + 1)
})

test('a write that changes nothing keeps its revision and tells nobody', () => {
  const store = createObjectStore(100)
  const first = store.put('a', thing('x', 1))
  let reported = 0
  store.onChange(() => {
    reported += 1
  })
  expect(store.put('a', { ...thing('x', 1), extra: undefined })).toBe(first)
  expect(reported).toBe(0)
  store.put('a', thing('x', 2))
  expect(reported).toBe(1)
})

test('a deletion has a new revision and carries the last state', () => {
  const store = createObjectStore(100)
  const stored = store.put('a', thing('x', 1))
  const removed = store.remove('a', stored)
  expect(Number(removed.metadata.resourceVersion)).toBe(Number(stored.metadata.resourceVersion) + 1)
  expect(store.get('a', null, 'x')).toBeNull()
  expect(store.changesSince(Number(stored.metadata.resourceVersion))).toMatchObject([
    { kind: 'deleted', object: { value: 1 }, previous: { value: 1 } },
  ])
})

test('changes since a revision come in order, with what was there before', () => {
  const store = createObjectStore(100)
  const first = store.put('a', thing('x', 1))
  store.put('a', thing('x', 2))
  store.put('b', thing('y', 1))
  expect(store.changesSince(Number(first.metadata.resourceVersion))).toMatchObject([
    { kind: 'modified', storeKey: 'a', previous: { value: 1 }, object: { value: 2 } },
    { kind: 'added', storeKey: 'b', previous: null },
  ])
})

test('a revision from before the kept history is expired', () => {
  const store = createObjectStore(3)
  const first = store.put('a', thing('x', 0))
  for (let value = 1; value < 20; value += 1) store.put('a', thing('x', value))
  expect(store.changesSince(Number(first.metadata.resourceVersion))).toBe('expired')
  expect(store.changesSince(store.revision() - 1)).toMatchObject([{ object: { value: 19 } }])
})

test('compaction expires every older revision but not the present one', () => {
  const store = createObjectStore(100)
  const first = store.put('a', thing('x', 1))
  store.put('a', thing('x', 2))
  store.compact()
  expect(store.changesSince(Number(first.metadata.resourceVersion))).toBe('expired')
  expect(store.changesSince(store.revision())).toEqual([])
})

test('lists are ordered by namespace and name and can be cut to one namespace', () => {
  const store = createObjectStore(100)
  store.put('a', thing('b', 1, 'two'))
  store.put('a', thing('z', 1, 'one'))
  store.put('a', thing('a', 1, 'two'))
  const names = (namespace: string | null) => store.list('a', namespace).map(object => object.metadata.name)
  expect(names(null)).toEqual(['z', 'a', 'b'])
  expect(names('two')).toEqual(['a', 'b'])
})
