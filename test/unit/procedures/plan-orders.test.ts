import { describe, expect, it } from 'vitest'
import { ENTER } from '../../../main/procedures/plans/node/enter.ts'
import { LEAVE } from '../../../main/procedures/plans/node/leave.ts'
import type { PlanRequest } from '../../../main/procedures/plans/node/plan-request.ts'
import type { ClusterFlavour } from '../../../shared/domain/cluster.ts'
import { failure } from '../../../shared/domain/failure.ts'
import { DEFAULT_RUN_OPTIONS } from '../../../shared/domain/plan.ts'
import { failed } from '../../../shared/domain/result.ts'
import { DEFAULT_ROLE_MAINTENANCE } from '../../../shared/domain/role-maintenance.ts'
import { fakeCluster, fakeNode } from '../../fixtures/procedures/fake-world.ts'

const FOUND = 'compute-service-found'
const CLASSIFIED = 'instances-classified'

const PLANS = { enter: ENTER, leave: LEAVE } as const

/** A node of every role whose OSDs are stopped, in a cloud whose Ceph the toolbox asks. */
function orderOf(flavour: ClusterFlavour, way: keyof typeof PLANS, isOutside = false): readonly string[] {
  const request: PlanRequest = {
    cluster: fakeCluster({ flavour, roleMaintenance: { ...DEFAULT_ROLE_MAINTENANCE, ceph: 'toolbox' } }),
    name: 'n1',
    node: isOutside ? null : fakeNode('n1'),
    isOutside,
    roles: ['compute', 'control', 'storage', 'gateway'],
    options: { ...DEFAULT_RUN_OPTIONS, scope: 'os', stopOsds: true },
    watcher: null,
    ran: 'noted-in-this-run',
  }
  return PLANS[way][flavour](request).map(({ id }) => id)
}

/** Every check and act of a plan, in its order. */
const ORDERS = [
  {
    flavour: 'plain',
    way: 'enter',
    isOutside: false,
    steps: [
      'node-exists',
      'node-state-known',
      'roles-agree',
      'already-out-of-service',
      'not-last-node',
      'permissions-suffice',
      'no-other-run',
      'compute-service-found',
      'instances-classified',
      'instances-quiet',
      'destinations-exist',
      'other-control-node',
      'datastore-quorum',
      'osds-ok-to-stop',
      'ceph-services-enough',
      'ceph-healthy',
      'replicas-redundancy',
      'disable-compute',
      'migrate-instances',
      'set-noout',
      'stop-osds',
      'cordon-node',
      'drain-node',
    ],
  },
  {
    flavour: 'plain',
    way: 'leave',
    isOutside: false,
    steps: [
      'node-exists',
      'node-ready',
      'permissions-suffice',
      'no-other-run',
      'uncordon-node',
      'start-osds',
      'unset-noout',
      'ceph-clean',
      'compute-returns',
      'enable-compute',
      'instances-return',
    ],
  },
  {
    flavour: 'mosk',
    way: 'enter',
    isOutside: false,
    steps: [
      'node-exists',
      'node-state-known',
      'roles-agree',
      'already-out-of-service',
      'not-last-node',
      'permissions-suffice',
      'no-other-run',
      'maintenance-api-ready',
      'no-other-maintenance',
      'node-locks-sound',
      'lock-limits-allow',
      'instances-classified',
      'destinations-exist',
      'other-control-node',
      'control-quorum',
      'ceph-can-spare',
      'replicas-redundancy',
      'request-node-maintenance',
      'node-locks-inactive',
      'cordon-node',
      'drain-node',
    ],
  },
  {
    flavour: 'mosk',
    way: 'leave',
    isOutside: false,
    steps: [
      'node-exists',
      'node-ready',
      'permissions-suffice',
      'no-other-run',
      'maintenance-api-ready',
      'request-is-ours',
      'uncordon-node',
      'remove-node-request',
      'node-locks-active',
      'compute-given-back',
      'instances-return',
    ],
  },
  {
    flavour: 'sunbeam',
    way: 'enter',
    isOutside: false,
    steps: [
      'node-exists',
      'node-state-known',
      'roles-agree',
      'already-out-of-service',
      'not-last-node',
      'other-nodes-in-maintenance',
      'permissions-suffice',
      'no-other-run',
      'other-control-node',
      'datastore-quorum',
      'no-juju-controller',
      'replicas-redundancy',
      'compute-service-found',
      'instances-status',
      'no-ephemeral-disks',
      'instances-classified',
      'instances-quiet',
      'destinations-exist',
      'disable-compute',
      'migrate-instances',
      'osds-ok-to-stop',
      'ceph-services-enough',
      'ceph-healthy',
      'set-noout',
      'stop-osds',
      'cordon-node',
      'drain-node',
    ],
  },
  {
    flavour: 'sunbeam',
    way: 'enter',
    isOutside: true,
    steps: [
      'machine-found',
      'permissions-suffice',
      'no-other-run',
      'compute-service-found',
      'instances-status',
      'no-ephemeral-disks',
      'instances-classified',
      'instances-quiet',
      'destinations-exist',
      'disable-compute',
      'migrate-instances',
      'osds-ok-to-stop',
      'ceph-services-enough',
      'ceph-healthy',
      'set-noout',
      'stop-osds',
    ],
  },
  {
    flavour: 'sunbeam',
    way: 'leave',
    isOutside: false,
    steps: [
      'node-exists',
      'node-ready',
      'permissions-suffice',
      'no-other-run',
      'uncordon-node',
      'start-osds',
      'unset-noout',
      'ceph-clean',
      'enable-ovn',
      'compute-returns',
      'enable-compute',
      'instances-return',
    ],
  },
  {
    flavour: 'sunbeam',
    way: 'leave',
    isOutside: true,
    steps: [
      'machine-found',
      'permissions-suffice',
      'no-other-run',
      'start-osds',
      'unset-noout',
      'ceph-clean',
      'compute-returns',
      'enable-compute',
      'instances-return',
    ],
  },
] as const

describe('a node of every role goes its way in one order', () => {
  it.each(ORDERS)('$flavour, $way, machine outside of Kubernetes: $isOutside', ({ flavour, way, isOutside, steps }) => {
    expect(orderOf(flavour, way, isOutside)).toEqual(steps)
  })

  it.each([
    { flavour: 'plain', scope: 'drain', watched: false, steps: [FOUND, CLASSIFIED, 'disable-compute'] },
    { flavour: 'sunbeam', scope: 'drain', watched: true, steps: [FOUND, CLASSIFIED, 'disable-compute'] },
    { flavour: 'mosk', scope: 'drain', watched: false, steps: [CLASSIFIED] },
    {
      flavour: 'sunbeam',
      scope: 'os',
      watched: true,
      steps: ['watcher-available', FOUND, 'instances-status', 'no-ephemeral-disks', 'watcher-recommends'],
    },
    {
      flavour: 'plain',
      scope: 'os',
      watched: false,
      steps: [FOUND, CLASSIFIED, 'instances-quiet', 'destinations-exist', 'disable-compute', 'migrate-instances'],
    },
  ] as const)('a compute node: $flavour, scope $scope, by Watcher: $watched', ({ flavour, scope, watched, steps }) => {
    const answer = failed(failure('not-found', 'Watcher does not answer.'))
    const plan = ENTER[flavour]({
      cluster: fakeCluster({ flavour }),
      name: 'n1',
      node: fakeNode('n1'),
      roles: ['compute'],
      options: { ...DEFAULT_RUN_OPTIONS, scope },
      watcher: watched ? { host: 'n1', answer } : null,
      ran: null,
    })
    expect(plan.filter(({ role }) => role === 'compute').map(({ id }) => id)).toEqual(steps)
  })

  it('an unknown node gets the one check that says so', () => {
    for (const way of ['enter', 'leave'] as const) {
      for (const flavour of ['plain', 'mosk', 'sunbeam'] as const) {
        const request = {
          cluster: fakeCluster({ flavour }),
          name: 'n1',
          node: null,
          roles: [],
          watcher: null,
          ran: null,
        }
        const steps = PLANS[way][flavour]({ ...request, options: DEFAULT_RUN_OPTIONS })
        expect(steps.map(({ id }) => id)).toEqual(['node-exists'])
      }
    }
  })
})
