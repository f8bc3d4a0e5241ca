import { describe, expect, test } from 'vitest'
import { budgetsOf } from '../../../../main/adapters/kubernetes/drain-filters.ts'
import { readBudget } from '../../../../main/adapters/kubernetes/drain-reads.ts'
import { readPod } from '../../../../main/adapters/kubernetes/read-pod.ts'
import { BUDGETS, PODS } from '../../../../main/adapters/kubernetes/resource-types.ts'
import { parsed } from '../../../fixtures/kubernetes/like-a-server.ts'
import { rawPod } from '../../../fixtures/kubernetes/small-cluster.ts'

const podOf = (raw: ReturnType<typeof rawPod>) => readPod(parsed(PODS, raw))

const pod = podOf(rawPod({ name: 'p', namespace: 'openstack', labels: { app: 'mariadb', tier: 'db' } }))

function budget(name: string, selector: unknown, namespace = 'openstack') {
  return readBudget(
    parsed(BUDGETS, {
      metadata: { name, namespace, uid: name },
      spec: { selector },
      status: { disruptionsAllowed: 1, currentHealthy: 3, desiredHealthy: 2 },
    }),
    'policy/v1',
  )
}

function matching(...budgets: readonly ReturnType<typeof budget>[]) {
  return budgetsOf(pod, budgets).map(({ name }) => name)
}

describe('5.5 which budgets guard a pod', () => {
  test('none', () => {
    expect(matching(budget('a', { matchLabels: { app: 'keystone' } }))).toEqual([])
  })

  test('exactly one, with its numbers', () => {
    expect(budgetsOf(pod, [budget('a', { matchLabels: { app: 'mariadb' } })])).toEqual([
      { name: 'a', disruptionsAllowed: 1, currentHealthy: 3, desiredHealthy: 2, status: 'allows' },
    ])
  })

  test('more than one, which the server answers with 500', () => {
    const two = matching(budget('a', { matchLabels: { app: 'mariadb' } }), budget('b', { matchLabels: { tier: 'db' } }))
    expect(two).toEqual(['a', 'b'])
  })

  test('a null selector matches nothing', () => {
    expect(matching(budget('a', null), budget('b', undefined))).toEqual([])
  })

  test('an empty selector matches every pod of its namespace and no other', () => {
    expect(matching(budget('a', {}), budget('b', {}, 'elsewhere'))).toEqual(['a'])
  })

  test('an empty selector of policy/v1beta1 matches nothing (drain.md 5.7)', () => {
    const old = { ...budget('a', {}), apiVersion: 'policy/v1beta1' }
    expect(matching(old, { ...budget('b', { matchLabels: { tier: 'db' } }), apiVersion: 'policy/v1beta1' })).toEqual([
      'b',
    ])
  })

  test.each([
    ['an unknown operator', { matchExpressions: [{ key: 'app', operator: 'Like', values: ['mariadb'] }] }],
    ['In without values', { matchExpressions: [{ key: 'app', operator: 'In', values: [] }] }],
    ['Exists with values', { matchExpressions: [{ key: 'app', operator: 'Exists', values: ['x'] }] }],
    ['an empty key', { matchExpressions: [{ key: '', operator: 'Exists' }] }],
  ])('an invalid selector matches nothing: %s', (_, selector) => {
    expect(matching(budget('a', selector))).toEqual([])
  })

  test.each([
    ['In', { key: 'app', operator: 'In', values: ['a', 'mariadb'] }, true],
    ['In, another value', { key: 'app', operator: 'In', values: ['a'] }, false],
    ['NotIn', { key: 'app', operator: 'NotIn', values: ['mariadb'] }, false],
    ['NotIn on an absent label', { key: 'zone', operator: 'NotIn', values: ['x'] }, true],
    ['Exists', { key: 'app', operator: 'Exists' }, true],
    ['Exists on an absent label', { key: 'zone', operator: 'Exists' }, false],
    ['DoesNotExist', { key: 'zone', operator: 'DoesNotExist' }, true],
    ['DoesNotExist on a present label', { key: 'app', operator: 'DoesNotExist' }, false],
    ['a label that objects inherit does not exist', { key: 'constructor', operator: 'Exists' }, false],
  ])('expressions: %s', (_, expression, expected) => {
    expect(matching(budget('a', { matchExpressions: [expression] }))).toEqual(expected ? ['a'] : [])
  })

  test('labels and expressions must all hold', () => {
    const both = (key: string) => ({ matchLabels: { app: 'mariadb' }, matchExpressions: [{ key, operator: 'Exists' }] })
    expect(matching(budget('a', both('tier')), budget('b', both('zone')))).toEqual(['a'])
  })
})
