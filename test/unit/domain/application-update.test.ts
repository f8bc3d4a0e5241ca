import { describe, expect, test } from 'vitest'
import {
  type ApplicationFinish,
  ApplicationUpdate,
  announcedApplications,
  announcedFinish,
  changesOf,
  fieldAt,
  finishOf,
  isUpdatedLast,
  REQUEST_APPLICATIONS_ANNOTATION,
} from '../../../shared/domain/application-update.ts'

const OBJECT = { apiVersion: 'lcm.mirantis.com/v1alpha1', kind: 'HelmBundle', namespace: 'default', name: 'b' }

describe('what a merge patch changes', () => {
  test.each([
    ['nothing of what is so already', { spec: { a: 1, b: 2 } }, { spec: { a: 1 } }, []],
    ['a field', { spec: { a: 1 } }, { spec: { a: 2 } }, ['spec.a: 1 -> 2']],
    ['a field that is not there', { spec: {} }, { spec: { a: 'x' } }, ['spec.a: absent -> "x"']],
    ['a field that it removes', { spec: { a: 1 } }, { spec: { a: null } }, ['spec.a: 1 -> absent']],
    ['nothing where what it removes is absent', { spec: {} }, { spec: { a: null } }, []],
    ['a list as a whole', { l: [1, 2] }, { l: [1] }, ['l: [1,2] -> [1]']],
    ['fields of an object that is not there', {}, { spec: { a: 1 } }, ['spec.a: absent -> 1']],
    ['a text that becomes an object', { spec: 'x' }, { spec: {} }, ['spec: "x" -> {}']],
    ['no order of fields', { o: [{ a: 1, b: 2 }] }, { o: [{ b: 2, a: 1 }] }, []],
  ])('%s', (_, content, patch, lines) => {
    expect(changesOf(content, patch).map(({ path, from, to }) => `${path}: ${from} -> ${to}`)).toEqual(lines)
  })
})

describe('the field that shows the end', () => {
  const content = { status: { a: { 'x.y/z': 3 }, list: ['p', 'q'], conditions: [{ type: 'Ready', status: 'True' }] } }
  test.each([
    ['status.list.1', 'q'],
    ['.status.list.0', 'p'],
    ['/status/a/x.y~1z', 3],
    ['status.none.deeper', undefined],
    ['status.constructor', undefined],
  ])('is found at %s', (path, value) => {
    expect(fieldAt(content, path)).toEqual(value)
  })

  test.each<[string, Exclude<ApplicationFinish, { kind: 'lock' }>, boolean]>([
    ['an equal value', { kind: 'field', object: OBJECT, path: 'status.list.1', equals: 'q' }, true],
    ['another value', { kind: 'field', object: OBJECT, path: 'status.list.1', equals: 'p' }, false],
    ['no value', { kind: 'field', object: OBJECT, path: 'status.gone', equals: 'p' }, false],
    ['a condition that holds', { kind: 'condition', object: OBJECT, type: 'Ready', status: 'True' }, true],
    ['a condition that does not', { kind: 'condition', object: OBJECT, type: 'Ready', status: 'False' }, false],
    ['a condition that nobody wrote', { kind: 'condition', object: OBJECT, type: 'Synced', status: 'True' }, false],
  ])('%s', (_, finished, isSo) => {
    expect(finishOf(finished, content).isSo).toBe(isSo)
  })
})

test.each(['', 'spec: 1', '[]', '3', '{'])('%j is not a patch', patch => {
  const update = { application: 'a', start: { kind: 'patch', object: OBJECT, patch }, finished: { kind: 'lock' } }
  expect(ApplicationUpdate.safeParse(update).success).toBe(false)
})

test('OpenStack and Ceph are of phase 2, all others of phase 5', () => {
  expect(['openstack', 'ceph', 'stacklight', 'tungstenfabric', 'mine'].map(isUpdatedLast)).toEqual([
    false,
    false,
    true,
    true,
    true,
  ])
})

test('a request says how to see the update of each application; a missing or foreign word is unknown', () => {
  const update = ApplicationUpdate.parse({
    application: 'stacklight',
    start: { kind: 'patch', object: OBJECT, patch: '{"spec": {"secret": 1}}' },
    finished: { kind: 'field', object: OBJECT, path: 'status.version', equals: '2' },
  })
  const text = announcedApplications([update])
  expect(text).not.toContain('secret')
  const said = { [REQUEST_APPLICATIONS_ANNOTATION]: text }
  expect(announcedFinish(said, 'stacklight')).toEqual(update.finished)
  expect(announcedFinish(said, 'openstack')).toBeNull()
  expect(announcedFinish({}, 'stacklight')).toBeNull()
  expect(announcedFinish({ [REQUEST_APPLICATIONS_ANNOTATION]: '{"no"' }, 'stacklight')).toBeNull()
})
