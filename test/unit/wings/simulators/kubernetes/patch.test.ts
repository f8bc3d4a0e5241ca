import { describe, expect, test } from 'vitest'
import { mergePatch } from '../../../../../main/wings/simulators/kubernetes/patch/apply-patch.ts'
import { jsonPatch } from '../../../../../main/wings/simulators/kubernetes/patch/json-patch.ts'
import { strategicMergePatch } from '../../../../../main/wings/simulators/kubernetes/patch/strategic-merge-patch.ts'
import type { Json } from '../../../../../main/wings/simulators/kubernetes/store/json.ts'

describe('a merge patch', () => {
  test.each<readonly [string, Json, Json, Json]>([
    ['merges objects', { a: { b: 1 } }, { a: { c: 2 } }, { a: { b: 1, c: 2 } }],
    ['removes what is null', { a: 1, b: 2 }, { a: null }, { b: 2 }],
    ['replaces lists whole', { a: [1, 2] }, { a: [3] }, { a: [3] }],
    ['makes objects out of nothing, without the nulls', { a: 1 }, { b: { c: null, d: 1 } }, { a: 1, b: { d: 1 } }],
    ['replaces a text by an object', { a: 'x' }, { a: { b: 1 } }, { a: { b: 1 } }],
  ])('%s', (_, target, patch, expected) => {
    expect(mergePatch(target, patch)).toEqual(expected)
  })
})

describe('a JSON patch', () => {
  const document = { list: [1, 2], labels: { 'a/b': 'x' }, n: null }

  test.each<readonly [string, readonly Json[], Json]>([
    ['adds a field', [{ op: 'add', path: '/x', value: 1 }], { ...document, x: 1 }],
    ['inserts into a list', [{ op: 'add', path: '/list/1', value: 9 }], { ...document, list: [1, 9, 2] }],
    ['appends to a list', [{ op: 'add', path: '/list/-', value: 9 }], { ...document, list: [1, 2, 9] }],
    ['replaces an item', [{ op: 'replace', path: '/list/0', value: 9 }], { ...document, list: [9, 2] }],
    ['removes by an escaped name', [{ op: 'remove', path: '/labels/a~1b' }], { ...document, labels: {} }],
    ['moves', [{ op: 'move', from: '/list/0', path: '/first' }], { ...document, list: [2], first: 1 }],
    ['copies', [{ op: 'copy', from: '/labels', path: '/more' }], { ...document, more: { 'a/b': 'x' } }],
    ['replaces the whole document', [{ op: 'replace', path: '', value: {} }], {}],
    ['tests, and continues when the test holds', [{ op: 'test', path: '/list/1', value: 2 }], document],
  ])('%s', (_, operations, expected) => {
    expect(jsonPatch(document, operations)).toEqual({ value: expected })
  })

  test.each<readonly [string, readonly Json[]]>([
    ['a test that does not hold', [{ op: 'test', path: '/list/1', value: 3 }]],
    ['the removal of what is not there', [{ op: 'remove', path: '/nope' }]],
    ['the replacement of what is not there', [{ op: 'replace', path: '/nope', value: 1 }]],
    ['an index beyond the end', [{ op: 'add', path: '/list/3', value: 1 }]],
    ['a path through a text', [{ op: 'add', path: '/labels/a~1b/c', value: 1 }]],
    ['an unknown operation', [{ op: 'frob', path: '/x' }]],
    ['null in place of an operation', [null]],
    ['a path without its slash', [{ op: 'add', path: 'x', value: 1 }]],
  ])('refuses %s', (_, operations) => {
    expect(jsonPatch(document, operations)).toBeNull()
  })

  test('leaves the document as it was when a later operation fails', () => {
    const before = structuredClone(document)
    jsonPatch(document, [
      { op: 'remove', path: '/list/0' },
      { op: 'remove', path: '/nope' },
    ])
    expect(document).toEqual(before)
  })
})

describe('a strategic merge patch', () => {
  test.each<readonly [string, Json, Json, Json]>([
    [
      'merges containers and their environment by name',
      { containers: [{ name: 'a', image: '1', env: [{ name: 'X', value: '1' }] }, { name: 'b' }] },
      { containers: [{ name: 'a', image: '2', env: [{ name: 'Y', value: '2' }] }] },
      {
        containers: [
          {
            name: 'a',
            image: '2',
            env: [
              { name: 'X', value: '1' },
              { name: 'Y', value: '2' },
            ],
          },
          { name: 'b' },
        ],
      },
    ],
    [
      'merges conditions by type',
      {
        conditions: [
          { type: 'Ready', status: 'True' },
          { type: 'DiskPressure', status: 'False' },
        ],
      },
      { conditions: [{ type: 'Ready', status: 'False' }] },
      {
        conditions: [
          { type: 'Ready', status: 'False' },
          { type: 'DiskPressure', status: 'False' },
        ],
      },
    ],
    [
      'merges owners by uid',
      { ownerReferences: [{ uid: '1', name: 'a' }] },
      { ownerReferences: [{ uid: '2', name: 'b' }] },
      {
        ownerReferences: [
          { uid: '1', name: 'a' },
          { uid: '2', name: 'b' },
        ],
      },
    ],
    [
      'replaces taints whole, as the server does',
      { taints: [{ key: 'a', effect: 'NoSchedule' }] },
      { taints: [{ key: 'b', effect: 'NoExecute' }] },
      { taints: [{ key: 'b', effect: 'NoExecute' }] },
    ],
    [
      'removes what is null: an uncordon',
      { spec: { unschedulable: true, x: 1 } },
      { spec: { unschedulable: null } },
      { spec: { x: 1 } },
    ],
    [
      'deletes an item by $patch: delete',
      { containers: [{ name: 'a' }, { name: 'b' }] },
      { containers: [{ name: 'a', $patch: 'delete' }] },
      { containers: [{ name: 'b' }] },
    ],
    [
      'replaces a keyed list by $patch: replace',
      { containers: [{ name: 'a' }, { name: 'b' }] },
      { containers: [{ $patch: 'replace' }, { name: 'c' }] },
      { containers: [{ name: 'c' }] },
    ],
    ['replaces an object by $patch: replace', { a: { b: 1 } }, { a: { $patch: 'replace', c: 2 } }, { a: { c: 2 } }],
    [
      'keeps only what $retainKeys names',
      { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } } },
      { strategy: { $retainKeys: ['type'], type: 'Recreate' } },
      { strategy: { type: 'Recreate' } },
    ],
    [
      'orders a list as $setElementOrder says',
      { env: [{ name: 'A' }, { name: 'B' }] },
      {
        $setElementOrder$: null,
        env: [{ name: 'C' }],
        '$setElementOrder/env': [{ name: 'C' }, { name: 'A' }, { name: 'B' }],
      },
      { env: [{ name: 'C' }, { name: 'A' }, { name: 'B' }] },
    ],
    [
      'merges finalizers as a set and deletes from it',
      { finalizers: ['a', 'b'] },
      { '$deleteFromPrimitiveList/finalizers': ['a'], finalizers: ['b', 'c'] },
      { finalizers: ['b', 'c'] },
    ],
    [
      'merges container ports by containerPort',
      { ports: [{ containerPort: 80, name: 'a' }] },
      { ports: [{ containerPort: 80, name: 'b' }, { containerPort: 81 }] },
      { ports: [{ containerPort: 80, name: 'b' }, { containerPort: 81 }] },
    ],
  ])('%s', (_, target, patch, expected) => {
    expect(strategicMergePatch(target, patch)).toEqual(expected)
  })
})
