import { describe, expect, test } from 'vitest'
import { readBudget, readDaemonSet, readReplicated } from '../../../../main/adapters/kubernetes/drain-reads.ts'
import { MalformedAnswer } from '../../../../main/adapters/kubernetes/fields.ts'
import { readListedNode, readNode } from '../../../../main/adapters/kubernetes/read-node.ts'
import { readPod } from '../../../../main/adapters/kubernetes/read-pod.ts'
import {
  BUDGETS,
  DAEMON_SETS,
  DEPLOYMENTS,
  NODES,
  OLD_BUDGETS,
  PODS,
} from '../../../../main/adapters/kubernetes/resource-types.ts'
import { parsed } from '../../../fixtures/kubernetes/like-a-server.ts'

describe('nodes', () => {
  const conditions = (status?: string) => ({
    conditions: status === undefined ? [] : [{ type: 'Ready', status, reason: 'R', message: 'm' }],
  })
  test.each([
    ['True', 'ready', 'R: m'],
    ['False', 'not-ready', 'R: m'],
    ['Unknown', 'unknown', 'R: m'],
    [undefined, 'unknown', 'The node never reported.'],
  ])('Ready condition %s', (status, readiness, readinessText) => {
    expect(readNode(parsed(NODES, { status: conditions(status) }))).toMatchObject({ readiness, readinessText })
  })

  test('nothing at all is still a node without facts', () => {
    expect(readNode(parsed(NODES, {}))).toMatchObject({
      name: 'x',
      unschedulable: false,
      internalIp: null,
      labels: {},
      bootId: '',
    })
  })

  test('one of which the server does not tell the spec is unreadable, not schedulable', () => {
    expect(() => readNode(parsed(NODES, { spec: null }))).toThrow(MalformedAnswer)
  })

  test('one without a spec is listed beside the others, and nobody knows how it is', () => {
    const object = parsed(NODES, { spec: null, status: conditions('True') })
    expect(readListedNode(object)).toMatchObject({ name: 'x', readiness: 'unknown', unschedulable: false })
    expect(readListedNode(parsed(NODES, { status: conditions('True') })).readiness).toBe('ready')
  })

  const entry = (manager: string, fieldsV1: object) => ({ manager, time: '2026-01-01T00:00:00Z', fieldsV1 })
  const CORDON = { 'f:spec': { 'f:unschedulable': {} } }
  test.each([
    ['the managers of that field', true, [entry('a', CORDON), entry('b', { 'f:status': {} })], ['a']],
    ['all who hold it', true, [entry('a', CORDON), entry('b', CORDON)], ['a', 'b']],
    ['nobody where the server names nobody', true, undefined, []],
    ['nobody of a node that is not cordoned', false, [entry('a', CORDON)], []],
  ])('who cordoned one is, of its managedFields, %s', (_, unschedulable, managedFields, managers) => {
    const node = readNode(parsed(NODES, { metadata: { managedFields }, spec: { unschedulable } }))
    expect(node.cordonedBy).toEqual(managers.map(manager => ({ manager, at: '2026-01-01T00:00:00Z' })))
  })

  test('all else of managedFields is left behind', () => {
    const managedFields = [entry('x', { 'f:status': {} })]
    const node = readNode(parsed(NODES, { metadata: { managedFields }, spec: { unschedulable: true } }))
    expect(JSON.stringify(node)).not.toContain('manager')
  })
})

describe('pods', () => {
  test('the fields that drain rules need', () => {
    const pod = readPod(
      parsed(PODS, {
        metadata: {
          namespace: 'n',
          name: 'p',
          uid: 'u',
          deletionTimestamp: '2026-01-01T00:00:00Z',
          annotations: { 'kubernetes.io/config.mirror': '' },
          ownerReferences: [
            { apiVersion: 'v1', kind: 'X', name: 'not', uid: '1' },
            { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'rs', uid: '2', controller: true },
          ],
        },
        spec: {
          nodeName: 'cmp-1',
          volumes: [
            { name: 'a', emptyDir: {} },
            { name: 'b', hostPath: { path: '/x' } },
            { name: 'c', persistentVolumeClaim: { claimName: 'data' } },
          ],
        },
        status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
      }),
    )
    expect(pod).toMatchObject({
      controller: { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'rs', uid: '2' },
      mirror: true,
      emptyDirs: ['a'],
      claims: ['data'],
      ready: true,
      deletionAt: '2026-01-01T00:00:00Z',
      phase: 'Running',
    })
  })

  test('an unscheduled pod', () => {
    const pod = readPod(parsed(PODS, { status: { phase: 'Pending' } }))
    expect(pod).toMatchObject({ nodeName: null, phase: 'Pending', controller: null })
  })

  test.each<[string, Readonly<Record<string, unknown>>]>([
    ['a phase that no pod has', { status: { phase: 'Dreaming' } }],
    ['no phase', { status: {} }],
    ['no status', { status: undefined }],
    ['no spec', { spec: null }],
    ['a node that is not text', { spec: { nodeName: 7 } }],
    ['owners that are not a list', { metadata: { ownerReferences: {} } }],
    ['an owner whose kind is not text', { metadata: { ownerReferences: [{ controller: true, kind: 1 }] } }],
    ['volumes that are not a list', { spec: { volumes: 'all' } }],
    ['annotations that are a list', { metadata: { annotations: [] } }],
    ['a deletion at no time', { metadata: { deletionTimestamp: 'soon' } }],
    ['conditions that are text', { status: { phase: 'Running', conditions: 'Ready' } }],
  ])('%s is not a pod: it is refused', (_, given) => {
    const object = parsed(PODS, given)
    expect(() => readPod(object)).toThrow(MalformedAnswer)
  })
})

describe('budgets', () => {
  test.each([
    [{}, null],
    [{ selector: null }, null],
    [{ selector: {} }, {}],
    [{ selector: { matchLabels: { a: 'b' } } }, { matchLabels: { a: 'b' } }],
  ])('selector of %j', (spec, selector) => {
    expect(readBudget(parsed(BUDGETS, { spec }), 'policy/v1').selector).toEqual(selector)
  })

  test("the list's apiVersion is used where the item has none; percentages stay text", () => {
    expect(readBudget(parsed(OLD_BUDGETS, { spec: { minAvailable: '50%' } }), 'policy/v1beta1')).toMatchObject({
      apiVersion: 'policy/v1beta1',
      minAvailable: '50%',
      maxUnavailable: null,
    })
  })
})

describe('workloads', () => {
  test('a DaemonSet counts the nodes it wants to be on', () => {
    const object = { status: { desiredNumberScheduled: 4, numberReady: 3 } }
    expect(readDaemonSet(parsed(DAEMON_SETS, object))).toMatchObject({ replicas: 4, readyReplicas: 3 })
  })

  test.each([
    [{}, 1, 0],
    [{ spec: { replicas: 0 } }, 0, 0],
    [{ spec: { replicas: 3 }, status: { readyReplicas: 2 } }, 3, 2],
  ])('a Deployment of %j', (object, replicas, readyReplicas) => {
    expect(readReplicated('Deployment', parsed(DEPLOYMENTS, object))).toMatchObject({ replicas, readyReplicas })
  })
})
