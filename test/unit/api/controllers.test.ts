import { expect, test } from 'vitest'
import { restartOnChange } from '../../../main/api/controllers.ts'
import type { ConnectedWorld } from '../../../main/clusters/clusters.ts'
import type { ControllersHost } from '../../../main/lcm/controllers/controllers-host.ts'
import { silentLogger } from '../../../main/platform/log/logger.ts'
import type { ControllersStatus } from '../../../shared/contract/index.ts'
import type { Cluster } from '../../../shared/domain/cluster.ts'
import { failure } from '../../../shared/domain/failure.ts'
import { failed, ok } from '../../../shared/domain/result.ts'
import { fakeCluster } from '../../fixtures/procedures/fake-world.ts'
import { createVirtualClock } from '../../fixtures/virtual-clock.ts'

type Choice = Cluster['maintenanceApi']['controllers']['openstack']

function cluster(openstack: Choice, more: Partial<Cluster> = {}): Cluster {
  const { maintenanceApi } = fakeCluster()
  return fakeCluster({
    maintenanceApi: { ...maintenanceApi, controllers: { ...maintenanceApi.controllers, openstack, ceph: 'none' } },
    ...more,
  })
}

function console(kept: { cluster: Cluster | null }) {
  const clock = createVirtualClock()
  const did: string[] = []
  let stopped: () => void = () => {}
  let running = new Promise<void>(resolve => {
    stopped = resolve
  })
  const status: ControllersStatus = { cluster: 'test', state: 'here', heldBy: null, trouble: null, controllers: [] }
  const controllers: ControllersHost = {
    start: async () => {
      did.push('start')
      running = new Promise(resolve => {
        stopped = resolve
      })
      return ok(status)
    },
    stop: async () => {
      did.push('stop')
      stopped()
      return status
    },
    status: async () => status,
    ended: async () => {
      await running
      return null
    },
    closeAll: async () => stopped(),
  }
  const request = { name: 'nmr', uid: 'u', finalizers: ['lcm.mirantis.com/lockkeeper-openstack-finalizer'] }
  const objects = { nodeRequests: [request, { ...request, name: 'other', finalizers: [] }], clusterRequests: [] }
  const gone = failed(failure('not-found', 'cluster test does not exist.'))
  return {
    clock,
    did,
    controllers,
    services: {
      clock,
      controllers,
      log: silentLogger,
      clusters: { get: () => (kept.cluster === null ? gone : ok(kept.cluster)) } as never,
      worlds: {
        open: async () =>
          kept.cluster === null
            ? gone
            : ok({
                world: { cluster: kept.cluster, maintenanceApi: { objects: async () => ok(objects) } },
                locks: {
                  setFinalizer: async (request: { readonly name: string }, finalizer: string, present: boolean) => {
                    did.push(`${present ? 'hold' : 'let go'} ${request.name} ${finalizer}`)
                    return ok(undefined)
                  },
                },
                openstackFailure: null,
              } as unknown as ConnectedWorld),
      },
    },
  }
}

test.each<[what: string, after: Cluster | null, did: readonly string[]]>([
  [
    'the cluster’s own controllers answer from now on, and Lockkeeper’s controllers no longer hold requests',
    cluster('cluster'),
    ['stop', 'let go nmr lcm.mirantis.com/lockkeeper-openstack-finalizer'],
  ],
  ['the cluster is no longer known', null, ['stop']],
  [
    'other labels mean roles',
    cluster('console', { roleLabels: { ...fakeCluster().roleLabels, compute: ['c'] } }),
    ['stop', 'start'],
  ],
  ['only its colour changed', cluster('console', { colour: 'pink' }), []],
])('controllers keep to the settings of their cluster: %s', async (_what, after, did) => {
  const kept: { cluster: Cluster | null } = { cluster: cluster('console') }
  const it = console(kept)
  const over = restartOnChange(cluster('console'), it.services)
  await it.clock.advance(10_000)
  expect(it.did).toEqual([])
  kept.cluster = after
  await it.clock.advance(10_000)
  expect(it.did).toEqual(did)
  await it.controllers.closeAll()
  await over
  expect(it.clock.sleeping).toBe(0)
})
