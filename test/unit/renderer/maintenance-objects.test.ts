import { describe, expect, test } from 'vitest'
import {
  badObjects,
  maintenanceOfNode,
  returnWaitsFor,
} from '../../../renderer/ui/maintenance-api/maintenance-of-node.ts'
import {
  type MaintenanceObjects,
  NO_MAINTENANCE_OBJECTS,
  type NodeWorkloadLock,
} from '../../../shared/domain/maintenance-api.ts'
import { nodeLock } from '../../fixtures/procedures/node-lock.ts'

const lock = (nodeName: string, more: Partial<NodeWorkloadLock> = {}) =>
  nodeLock('openstack', nodeName, { name: 'x', ...more })

const objects = (more: Partial<MaintenanceObjects>): MaintenanceObjects => ({ ...NO_MAINTENANCE_OBJECTS, ...more })

describe('the maintenance objects of a node', () => {
  test('are found by the node they mean, as an FQDN too, never by their own name (docs/domain.md A.1)', () => {
    const all = objects({
      nodeLocks: [lock('cmp-1.kaas.local', { name: 'whatever' }), lock('cmp-2', { name: 'openstack-cmp-1' })],
    })
    expect(maintenanceOfNode(all, 'cmp-1', ['cmp-1', 'cmp-2']).locks.map(({ name }) => name)).toEqual(['whatever'])
  })

  test('have their locks in the order of their controllers', () => {
    const all = objects({ nodeLocks: [lock('cmp-1'), lock('cmp-1', { controller: 'ceph' })] })
    expect(maintenanceOfNode(all, 'cmp-1', ['cmp-1']).locks.map(({ controller }) => controller)).toEqual([
      'ceph',
      'openstack',
    ])
  })
})

describe('a request that is being deleted', () => {
  const finalizers = ['lcm.mirantis.com/lockkeeper-ceph-finalizer', 'lcm.mirantis.com/openstack-controller-finalizer']

  test('waits for the controllers whose locks are not active again (docs/domain.md A.3)', () => {
    expect(
      returnWaitsFor(finalizers, [lock('cmp-1', { state: 'inactive' }), lock('cmp-1', { controller: 'ceph' })]),
    ).toEqual(['openstack'])
  })

  test('waits for those whose finalizers are on it when all locks are active', () => {
    expect(returnWaitsFor(finalizers, [lock('cmp-1')])).toEqual(['ceph', 'openstack-controller'])
  })
})

describe('objects that nothing can be made of', () => {
  test('are shown with their fault, and so are those without a node', () => {
    const all = objects({
      nodeLocks: [lock('cmp-9'), lock('cmp-1', { faults: ['status.state says "resting".'] })],
      clusterLocks: [{ ...lock(''), faults: ['it has no spec.'] }],
    })
    expect(badObjects(all, ['cmp-1']).map(({ kind, why }) => `${kind}: ${why}`)).toEqual([
      'ClusterWorkloadLock: it has no spec.',
      'NodeWorkloadLock: The cloud has no node cmp-9.',
      'NodeWorkloadLock: status.state says "resting".',
    ])
  })

  test('that name a node are not a fault while the nodes are unknown', () => {
    expect(badObjects(objects({ nodeLocks: [lock('cmp-9')] }), null)).toEqual([])
  })
})
