import { describe, expect, test } from 'vitest'
import * as objects from '../../../../main/adapters/kubernetes/maintenance-objects.ts'
import { maintenanceType } from '../../../../main/adapters/kubernetes/resource-types.ts'
import type { MaintenanceKind } from '../../../../shared/domain/maintenance-api.ts'
import { parsed } from '../../../fixtures/kubernetes/like-a-server.ts'

type Raw = Readonly<Record<string, unknown>>
const whole = (kind: MaintenanceKind, raw: Raw) => parsed(maintenanceType(kind), raw)
const readClusterLock = (raw: Raw) => objects.readClusterLock(whole('ClusterWorkloadLock', raw))
const readClusterRequest = (raw: Raw) => objects.readClusterRequest(whole('ClusterMaintenanceRequest', raw))
const readDeletionRequest = (raw: Raw) => objects.readDeletionRequest(whole('NodeDeletionRequest', raw))
const readNodeLock = (raw: Raw) => objects.readNodeLock(whole('NodeWorkloadLock', raw))
const readNodeRequest = (raw: Raw) => objects.readNodeRequest(whole('NodeMaintenanceRequest', raw))

const metadata = {
  name: 'node-1-openstack',
  uid: 'u-1',
  resourceVersion: '7',
  creationTimestamp: '2026-01-02T03:04:05Z',
}
const spec = { controllerName: 'openstack', nodeName: 'cmp-1' }

describe('docs/domain.md A.1: a lock is read by what its spec names', () => {
  test('never by its own name', () => {
    expect(readNodeLock({ metadata, spec, status: { state: 'inactive', release: 'r-1' } })).toMatchObject({
      name: 'node-1-openstack',
      controller: 'openstack',
      nodeName: 'cmp-1',
      state: 'inactive',
      release: 'r-1',
      writers: [],
      faults: [],
    })
  })

  test.each([
    ['a state nobody knows', { metadata, spec, status: { state: 'busy' } }, /"busy"/],
    ['no spec', { metadata, status: { state: 'active' } }, /spec\.controllerName/],
    ['no node', { metadata, spec: { controllerName: 'ceph' }, status: { state: 'active' } }, /spec\.nodeName/],
    [
      'an inner state nobody knows',
      { metadata: { ...metadata, annotations: { inner_state: 'busy' } }, spec, status: { state: 'active' } },
      /inner_state/,
    ],
    ['a state that is not text', { metadata, spec, status: { state: { a: 1 } } }, /not one of active/],
  ])('%s is a fault in words, and the object is there', (_, object, fault) => {
    const lock = readNodeLock(object)
    expect(lock.faults.join(' ')).toMatch(fault)
    expect(lock.uid).toBe('u-1')
  })

  test('progress without a percentage keeps its description (docs/domain.md A.1: TF)', () => {
    const status = { state: 'active', inactivationProgress: { description: '1 out of 5 nodes updated' } }
    expect(readNodeLock({ metadata, spec, status }).progress).toEqual({
      percentage: null,
      description: '1 out of 5 nodes updated',
    })
    expect(readNodeLock({ metadata, spec, status: { state: 'active', inactivationProgress: {} } }).progress).toBeNull()
  })

  test.each([
    ['no status', { metadata, spec }],
    ['a status without a state', { metadata, spec, status: { errorMessage: 'x' } }],
  ])('seed 001 ("default: active"): a lock with %s is active, and nothing is wrong with it', (_, object) => {
    expect(readNodeLock(object)).toMatchObject({ state: 'active', faults: [] })
    expect(readClusterLock({ ...object, spec: { controllerName: 'ceph' } })).toMatchObject({
      state: 'active',
      faults: [],
    })
  })

  test('docs/domain.md A.2: inner_state says that its controller has begun', () => {
    const begun = { ...metadata, annotations: { inner_state: 'active' } }
    expect(readNodeLock({ metadata: begun, spec, status: { state: 'active' } }).innerState).toBe('active')
    expect(readNodeLock({ metadata, spec, status: { state: 'active' } }).innerState).toBeNull()
  })
})

describe('docs/domain.md A.1, A.3: a request', () => {
  test('that is Terminating says since when, and who holds it', () => {
    const going = {
      ...metadata,
      deletionTimestamp: '2026-01-02T04:00:00Z',
      finalizers: ['lcm.mirantis.com/openstack-controller.maintenance-finalizer'],
    }
    expect(readNodeRequest({ metadata: going, spec: { nodeName: 'cmp-1', scope: 'os' } })).toMatchObject({
      deletingSince: '2026-01-02T04:00:00Z',
      finalizers: ['lcm.mirantis.com/openstack-controller.maintenance-finalizer'],
      scope: 'os',
      writers: [],
      faults: [],
    })
  })

  test('of the cluster needs no spec at all', () => {
    expect(readClusterRequest({ metadata })).toMatchObject({ scope: null, release: null, faults: [] })
  })

  test('with a scope nobody knows has no scope, and a fault', () => {
    const request = readNodeRequest({ metadata, spec: { nodeName: 'cmp-1', scope: 'reboot' } })
    expect(request.scope).toBeNull()
    expect(request.faults).toEqual([expect.stringContaining('"reboot"')])
  })

  test('without its node is shown with a fault', () => {
    expect(readDeletionRequest({ metadata }).faults).toHaveLength(1)
  })
})

test('of those who wrote within one second the first is who made it', () => {
  const entry = (manager: string) => ({ manager, time: '2026-01-02T03:04:05Z', operation: 'Update' })
  const managedFields = ['kubectl-create', 'openstack-controller'].map(entry)
  const { writers } = readClusterRequest({ metadata: { ...metadata, managedFields }, spec: { scope: 'os' } })
  expect(writers.map(({ manager }) => manager)).toEqual(['openstack-controller', 'kubectl-create'])
})
