import { describe, expect, test } from 'vitest'
import { flagIn, objectIn, objectsIn, textIn } from '../../../../main/adapters/kubernetes/fields.ts'
import { readPod } from '../../../../main/adapters/kubernetes/read-pod.ts'
import { NODES, PODS } from '../../../../main/adapters/kubernetes/resource-types.ts'
import { recordAt, textAt } from '../../../../main/wings/simulators/kubernetes/store/json.ts'
import type { Stored } from '../../../../main/wings/simulators/kubernetes/store/models.ts'
import { parsed } from '../../../fixtures/kubernetes/like-a-server.ts'

/*
 * A line below an expectation of an error that compiles fails the type check: the models of @kubernetes/client-node say which fields Kubernetes' own
 * kinds have, and which kind of value is in each.
 */
describe("fields of Kubernetes' own kinds", () => {
  const node = parsed(NODES, { spec: { unschedulable: true, taints: [{ key: 'a', effect: 'NoSchedule' }] } })
  const spec = objectIn(node, 'spec')

  test('are read by the names of their model', () => {
    expect(flagIn(spec, 'unschedulable')).toBe(true)
    expect(objectsIn(spec, 'taints').map(taint => textIn(taint, 'key'))).toEqual(['a'])
  })

  test('a name that the model does not have does not compile', () => {
    // @ts-expect-error
    expect(flagIn(spec, 'unschedulabel')).toBe(false)
    // @ts-expect-error
    expect(spec.podCidr).toBeUndefined()
    // @ts-expect-error
    expect(objectsIn(spec, 'taints').map(taint => textIn(taint, 'name'))).toEqual([''])
    // @ts-expect-error
    expect(objectIn(node, 'specs')).toEqual({})
  })

  test('nor does a field that is read for another kind of value', () => {
    // @ts-expect-error
    expect(() => textIn(spec, 'unschedulable')).toThrow('unschedulable')
  })

  test('nor a reader of another kind of object', () => {
    // @ts-expect-error
    expect(() => readPod(node)).toThrow()
    expect(readPod(parsed(PODS, { spec: {}, status: { phase: 'Running' } })).phase).toBe('Running')
  })
})

describe('paths of the simulators', () => {
  const pod: Stored<'Pod'> = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'a', uid: '1', resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z' },
    spec: { nodeName: 'cmp-01' },
  }

  test('follow the model', () => {
    expect(textAt(pod, 'spec', 'nodeName')).toBe('cmp-01')
    // @ts-expect-error
    expect(textAt(pod, 'spec', 'nodename')).toBeUndefined()
    // @ts-expect-error
    expect(textAt(recordAt(pod, 'spec'), 'node')).toBeUndefined()
  })
})
