import { describe, expect, it } from 'vitest'
import { listedObjects } from '../../../../main/api/maintenance-objects.ts'
import { failure } from '../../../../shared/domain/failure.ts'
import { type MaintenanceObjects, NO_MAINTENANCE_OBJECTS } from '../../../../shared/domain/maintenance-api.ts'
import type { InstanceSummary } from '../../../../shared/domain/node-summary.ts'
import { failed, ok } from '../../../../shared/domain/result.ts'
import { createFakeContract } from '../../../fixtures/cli/fake-contract.ts'
import { playScenes } from '../../../fixtures/cli/scenes.ts'

const ID = 'e6ae0a09-7f31-43f7-a723-5977f8f2a564'
const AT = '2026-11-21T10:00:00.000Z'
const head = (name: string) => ({
  uid: `uid-of-${name}`,
  name,
  resourceVersion: '1',
  createdAt: AT,
  deletingSince: null,
  finalizers: ['lcm.mirantis.com/openstack-controller'],
  annotations: {},
  writers: [{ manager: 'lcm-controller', at: AT, subresource: null }],
  faults: [],
})
const lock = (name: string, state: 'active' | 'inactive', errorMessage = '') => ({
  ...head(name),
  controller: 'openstack',
  state,
  release: null,
  errorMessage,
  innerState: null,
  progress: null,
})
const request = (node: string, more = {}) => ({
  ...head(node),
  nodeName: node,
  scope: 'os' as const,
  release: null,
  ...more,
})
const nodeLock = (node: string, state: 'active' | 'inactive', errorMessage = '') => ({
  ...lock(`openstack-${node}`, state, errorMessage),
  nodeName: node,
  nodeDeletionRequestSupported: false,
})

const objects: MaintenanceObjects = {
  ...NO_MAINTENANCE_OBJECTS,
  clusterLocks: [lock('openstack', 'active')],
  nodeLocks: [
    nodeLock('cmp-1.kaas.local', 'active', `Some servers are still present on the host ["${ID}"]`),
    nodeLock('cmp-2', 'inactive'),
    nodeLock('cmp-3', 'inactive'),
  ],
  nodeRequests: [
    request('cmp-1'),
    request('cmp-2', { annotations: { 'lockkeeper.dev/run': 'run-7', 'lockkeeper.dev/reason': 'ticket 4711' } }),
    request('cmp-3', { deletingSince: '2026-11-21T11:00:00.000Z' }),
    request('ghost'),
  ],
  disableNotifications: [{ ...head('cmp-9'), nodeName: 'cmp-9' }],
}
const listed = () => listedObjects(objects, ['cmp-1', 'cmp-2', 'cmp-3'])

describe('a request waits for', () => {
  const waits = (name: string) => listed().requests.find(each => each.name === name)?.waitsFor

  it('each lock of its node that is not inactive, with what its controller says', () => {
    expect(waits('cmp-1')).toEqual([expect.stringContaining('openstack: Waiting: Some servers are still present')])
  })
  it('nothing once every lock is inactive', () => expect(waits('cmp-2')).toEqual([]))
  it('each lock that is not active again, while it is Terminating', () => {
    expect(waits('cmp-3')).toEqual([expect.stringContaining('openstack: Being brought back')])
  })
  it('nobody, where it names no node of the cluster', () => {
    expect(waits('ghost')).toEqual(['the cloud has no such node, so no controller will answer'])
  })
})

const console = (served = true, state: 'gone' | 'terminating' = 'gone') =>
  createFakeContract({
    'maintenance.list': () => ok({ served, ...listed(), readAt: AT }),
    'instance.list': () =>
      ok({
        instances: [{ id: ID, name: 'db-1', projectId: 'p-1' } as InstanceSummary],
        ...{ projects: [{ id: 'p-1', name: 'shop' }], readAt: AT, unreachable: [] },
      }),
    'request.remove': () => ok({ state, finalizers: [] }),
    'plan.make': () => failed(failure('unreachable', 'Nobody answers.')),
  })
const GHOST = { cluster: 'lab', kind: 'NodeMaintenanceRequest', name: 'ghost', uid: 'uid-of-ghost' }

playScenes('locks and requests', 'transcripts/maintenance-objects.txt', console, {
  'are shown for every creator: who, since when, and what they wait for': 'requests lab',
  'name instances by name and project': 'locks lab',
  'name instances by id with -v': 'locks lab -v',
  'are arrays as JSON, as the contract has them': { says: 'locks lab -o json', json: listed().locks },
  'are not there where the cluster has no such API': { says: 'requests lab', fake: () => console(false) },
  'are removed exactly as they are shown; --force REASON forces': {
    says: 'requests remove lab ghost --force "LCM is gone" --yes',
    asks: [['request.remove', { ...GHOST, reason: 'LCM is gone', force: true }]],
  },
  'are not forced by --reason alone': {
    says: 'requests remove lab ghost --reason x --yes',
    fake: () => console(true, 'terminating'),
    exit: 4,
    asks: [['request.remove', { ...GHOST, reason: 'x', force: false }]],
  },
  'are made by the plan of enter alone, with its flags': {
    says: 'requests create lab cmp-1 --scope drain --yes',
    exit: 1,
    asks: [['plan.make', { cluster: 'lab', node: 'cmp-1', kind: 'enter', choices: { scope: 'drain' } }]],
  },
})
