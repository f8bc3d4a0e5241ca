import { describe, expect, test } from 'vitest'
import { DEFINITIONS } from '../../../../../main/adapters/kubernetes/definition-manifests.ts'
import {
  type Json,
  type JsonObject,
  listAt,
  textAt,
} from '../../../../../main/wings/simulators/kubernetes/store/json.ts'
import type { ApiClient } from '../../../../fixtures/demo-kubernetes/api-client.ts'
import { simulatorForEach } from '../../../../fixtures/demo-kubernetes/simulator-for-each.ts'

let client: ApiClient
const LOCKS = '/apis/lcm.mirantis.com/v1alpha1/nodeworkloadlocks'
const REQUESTS = '/apis/lcm.mirantis.com/v1alpha1/nodemaintenancerequests'
const MERGE = { 'content-type': 'application/merge-patch+json' }

simulatorForEach(async (_, started) => {
  client = started
  for (const definition of Object.values(DEFINITIONS)) {
    await client.send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', plain(definition))
  }
})

const plain = (value: object): Json => JSON.parse(JSON.stringify(value))
const lock = (spec: Json, more: JsonObject = {}) => ({
  apiVersion: 'lcm.mirantis.com/v1alpha1',
  kind: 'NodeWorkloadLock',
  metadata: { name: 'a' },
  spec,
  ...more,
})
const create = (spec: Json, more: JsonObject = {}) => client.send('POST', LOCKS, lock(spec, more))
const patch = (path: string, body: Json) => client.send('PATCH', `${LOCKS}${path}`, body, MERGE)
const subject = 'NodeWorkloadLock.lcm.mirantis.com "a" is invalid'

// Each answer of this block is what the lab's API server says to the same request.
describe('what a schema refuses', () => {
  test('reports every missing field, each with its cause', async () => {
    expect(await create({})).toMatchObject({
      status: 422,
      body: {
        reason: 'Invalid',
        message: `${subject}: [spec.controllerName: Required value, spec.nodeName: Required value]`,
        details: {
          name: 'a',
          group: 'lcm.mirantis.com',
          kind: 'NodeWorkloadLock',
          causes: [
            { reason: 'FieldValueRequired', message: 'Required value', field: 'spec.controllerName' },
            { reason: 'FieldValueRequired', message: 'Required value', field: 'spec.nodeName' },
          ],
        },
      },
    })
  })

  test.each([
    [{ controllerName: null, nodeName: 'n' }, 'spec.controllerName: Required value'],
    [[], 'spec: Invalid value: "array": spec in body must be of type object: "array"'],
    [
      { controllerName: 1, nodeName: 'n' },
      'spec.controllerName: Invalid value: "integer": spec.controllerName in body must be of type string: "integer"',
    ],
  ])('a spec %j is refused', async (spec, why) => {
    expect(await create(spec)).toMatchObject({ status: 422, body: { message: `${subject}: ${why}` } })
  })

  test.each([
    [{ state: 'bad' }, 'status.state: Unsupported value: "bad": supported values: "inactive", "active", "failed"'],
    [{ errorMessage: 'x' }, 'status.state: Required value'],
    [
      { state: 'active', inactivationProgress: { percentage: 101 } },
      'status.inactivationProgress.percentage: Invalid value: 101: status.inactivationProgress.percentage in body should be less than or equal to 100',
    ],
    [
      { state: 'active', inactivationProgress: { percentage: 1.5 } },
      'status.inactivationProgress.percentage: Invalid value: "number": status.inactivationProgress.percentage in body must be of type integer: "number"',
    ],
  ])('a status %j is refused', async (status, why) => {
    await create({ controllerName: 'openstack', nodeName: 'n' })
    expect(await patch('/a/status', { status })).toMatchObject({ status: 422, body: { message: `${subject}: ${why}` } })
  })

  test('an object that says another kind is refused', async () => {
    const other = { ...lock({ controllerName: 'openstack', nodeName: 'n' }), kind: 'Other' }
    expect(await client.send('POST', LOCKS, other)).toMatchObject({
      status: 422,
      body: {
        message: 'Other.lcm.mirantis.com "a" is invalid: kind: Invalid value: "Other": must be NodeWorkloadLock',
      },
    })
  })
})

describe('what a schema does not know', () => {
  test('is dropped without a word, annotations stay', async () => {
    const request = {
      apiVersion: 'lcm.mirantis.com/v1alpha1',
      kind: 'NodeMaintenanceRequest',
      metadata: { name: 'r', annotations: { ticket: 'CHG-1' } },
      spec: { nodeName: 'cmp-01', scope: 'os', reason: 'disk', drainStrategy: { force: true } },
      phase: 'Pending',
    }
    expect((await client.send('POST', REQUESTS, request)).status).toBe(201)
    const read = (await client.get(`${REQUESTS}/r`)).body
    expect(read).toMatchObject({
      spec: { nodeName: 'cmp-01', scope: 'os' },
      metadata: { annotations: { ticket: 'CHG-1' } },
    })
    expect(read).not.toHaveProperty('spec.reason')
    expect(read).not.toHaveProperty('spec.drainStrategy')
    expect(read).not.toHaveProperty('phase')
  })

  test('is refused where kubectl asks for strict validation', async () => {
    const sent = lock({ controllerName: 'openstack', nodeName: 'n', reason: 'disk' })
    expect(await client.send('POST', `${LOCKS}?fieldValidation=Strict`, sent)).toMatchObject({
      status: 400,
      body: {
        message:
          'NodeWorkloadLock in version "v1alpha1" cannot be handled as a NodeWorkloadLock: strict decoding error: unknown field "spec.reason"',
      },
    })
  })
})

describe('spec and status', () => {
  test('a status in a new object, or in a write of the object, is ignored', async () => {
    await create({ controllerName: 'openstack', nodeName: 'n' }, { status: { state: 'inactive' } })
    expect((await client.get(`${LOCKS}/a`)).body).not.toHaveProperty('status')
    await patch('/a/status', { status: { state: 'active' } })
    await patch('/a', { spec: { nodeName: 'm' }, status: { state: 'inactive' } })
    expect((await client.get(`${LOCKS}/a`)).body).toMatchObject({
      spec: { nodeName: 'm' },
      status: { state: 'active' },
      metadata: { generation: 2 },
    })
  })

  test('a write of the status changes neither spec nor metadata, and counts no generation', async () => {
    await create({ controllerName: 'openstack', nodeName: 'n' })
    const change = {
      status: { state: 'active' },
      spec: { nodeName: 'm' },
      metadata: { annotations: { a: 'b' }, finalizers: ['a/b'] },
    }
    const written = await patch('/a/status', change)
    expect(written).toMatchObject({ status: 200, body: { spec: { nodeName: 'n' }, metadata: { generation: 1 } } })
    expect(written.body).not.toHaveProperty('metadata.annotations')
    expect(written.body).not.toHaveProperty('metadata.finalizers')
  })
})

describe('how an object goes', () => {
  test('it terminates until its last finalizer is gone, and takes no new ones', async () => {
    await create({ controllerName: 'openstack', nodeName: 'n' })
    await patch('/a', { metadata: { finalizers: ['h/one', 'h/two'] } })
    const deleted = await client.send('DELETE', `${LOCKS}/a`)
    expect(deleted).toMatchObject({ status: 200, body: { metadata: { deletionGracePeriodSeconds: 0, generation: 2 } } })
    expect(textAt(deleted.body, 'metadata', 'deletionTimestamp')).toBeDefined()

    expect(await patch('/a', { metadata: { finalizers: ['h/one', 'h/two', 'h/three'] } })).toMatchObject({
      status: 422,
      body: {
        message: `${subject}: metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"h/three"}`,
      },
    })
    expect((await patch('/a', { metadata: { finalizers: ['h/two'] } })).status).toBe(200)
    expect((await client.get(`${LOCKS}/a`)).status).toBe(200)
    expect((await patch('/a', { metadata: { finalizers: null } })).status).toBe(200)
    expect((await client.get(`${LOCKS}/a`)).status).toBe(404)
  })

  test('a deletion meant for another object of that name is refused', async () => {
    await create({ controllerName: 'openstack', nodeName: 'n' })
    const uid = textAt((await client.get(`${LOCKS}/a`)).body, 'metadata', 'uid')
    expect(await client.send('DELETE', `${LOCKS}/a`, { preconditions: { uid: 'other' } })).toMatchObject({
      status: 409,
      body: {
        message: `Operation cannot be fulfilled on NodeWorkloadLock.lcm.mirantis.com "a": the UID in the precondition (other) does not match the UID in record (${uid}). The object might have been deleted and then recreated`,
        details: { name: 'a', group: 'lcm.mirantis.com', kind: 'NodeWorkloadLock' },
      },
    })
  })
})

describe('who wrote an object of a definition', () => {
  test('has managedFields: an entry for each manager and subresource, with the time of the last write that changed anything', async () => {
    const spec = { nodeName: 'cmp-1', controllerName: 'openstack' }
    await client.send('POST', `${LOCKS}?fieldManager=kubectl-create`, lock(spec))
    const status = { status: { state: 'active' } }
    await client.send('PATCH', `${LOCKS}/a/status?fieldManager=rockoon`, status, MERGE)
    const managers = async () => {
      const { body } = await client.send('GET', `${LOCKS}/a`)
      return listAt(body, 'metadata', 'managedFields').map(entry => [
        textAt(entry, 'manager'),
        textAt(entry, 'subresource'),
        textAt(entry, 'time'),
      ])
    }
    const before = await managers()
    expect(before.map(([manager, subresource]) => [manager, subresource])).toEqual([
      ['kubectl-create', undefined],
      ['rockoon', 'status'],
    ])
    await client.send('PATCH', `${LOCKS}/a/status?fieldManager=somebody-else`, status, MERGE)
    expect(await managers()).toEqual(before)
  })
})
