import { describe, expect, test } from 'vitest'
import { parseFieldSelector } from '../../../../../main/wings/simulators/kubernetes/selectors/field-selector.ts'
import {
  parseLabelSelector,
  selectorMatches,
} from '../../../../../main/wings/simulators/kubernetes/selectors/label-selector.ts'
import { builtInTypes } from '../../../../../main/wings/simulators/kubernetes/store/built-in-types.ts'
import type { KubernetesObject } from '../../../../../main/wings/simulators/kubernetes/store/kubernetes-object.ts'
import { releaseOf } from '../../../../../main/wings/simulators/kubernetes/store/release.ts'

describe('a label selector', () => {
  const labels = { app: 'nova', tier: 'api', 'node-role.kubernetes.io/control-plane': '' }

  test.each([
    ['', true],
    ['app=nova', true],
    ['app==nova,tier=api', true],
    ['app=nova,tier=db', false],
    ['app!=nova', false],
    ['app!=glance', true],
    ['missing!=x', true],
    ['app in (glance, nova)', true],
    ['app in (glance)', false],
    ['app notin (glance,nova)', false],
    ['missing notin (a)', true],
    ['app', true],
    ['missing', false],
    ['!missing', true],
    ['!app', false],
    ['node-role.kubernetes.io/control-plane=', true],
    ['app in (a,nova),tier notin (x,y),!z', true],
  ])('%s selects as kubectl means it', (text, expected) => {
    const parsed = parseLabelSelector(text)
    expect(parsed.ok && parsed.value(labels)).toBe(expected)
  })

  test.each(['app=(', 'a b', '=x', 'app in nova', ',,'])('%s is refused with 400', text => {
    const parsed = parseLabelSelector(text)
    expect(parsed.ok ? null : parsed.status.code).toBe(400)
  })
})

describe('the selector of an object', () => {
  test.each([
    ['an empty one selects everything', {}, true],
    ['none selects nothing', null, false],
    [
      'labels and expressions must both hold',
      { matchLabels: { a: '1' }, matchExpressions: [{ key: 'b', operator: 'Exists' }] },
      true,
    ],
    ['an absent label is not In', { matchExpressions: [{ key: 'z', operator: 'In', values: ['1'] }] }, false],
    ['an absent label is NotIn', { matchExpressions: [{ key: 'z', operator: 'NotIn', values: ['1'] }] }, true],
    [
      'an unknown operator selects nothing',
      { matchExpressions: [{ key: 'a', operator: 'Like', values: ['1'] }] },
      false,
    ],
  ])('%s', (_, selector, expected) => {
    expect(selectorMatches(selector, { a: '1', b: '2' })).toBe(expected)
  })
})

describe('a field selector', () => {
  const types = builtInTypes(releaseOf('1.36'))
  const typeOf = (kind: string) => types.find(type => type.kind === kind) ?? expect.fail(`no kind ${kind}`)
  const pod: KubernetesObject = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'a', namespace: 'ns' },
    spec: { nodeName: 'cmp-1' },
    status: { phase: 'Running' },
  }

  test.each([
    ['spec.nodeName=cmp-1', true],
    ['spec.nodeName=cmp-1,status.phase!=Succeeded,status.phase!=Failed', true],
    ['spec.nodeName==cmp-2', false],
    ['metadata.name=a,metadata.namespace=ns', true],
    ['status.podIP=', true],
  ])('%s selects a pod', (text, expected) => {
    const parsed = parseFieldSelector(typeOf('Pod'), text)
    expect(parsed.ok && parsed.value(pod)).toBe(expected)
  })

  test('a node without the field is schedulable', () => {
    const parsed = parseFieldSelector(typeOf('Node'), 'spec.unschedulable=false')
    expect(parsed.ok && parsed.value({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } })).toBe(true)
  })

  test('a field that cannot be selected by is refused in the words of the server', () => {
    const parsed = parseFieldSelector(typeOf('Pod'), 'spec.foo=1')
    expect(parsed.ok ? null : parsed.status.message).toBe('field label not supported: spec.foo')
  })
})
