import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { createExec } from '../../../main/adapters/kubernetes/exec.ts'
import { controllerWorldOf } from '../../../main/api/controller-world.ts'
import type { KubernetesConnection } from '../../../main/clusters/session-ports.ts'
import { openTokenFiles } from '../../../main/clusters/token-files.ts'
import { openConnectors } from '../../../main/compose/connectors.ts'
import { cephController } from '../../../main/lcm/controllers/ceph.ts'
import { runControllers } from '../../../main/lcm/controllers/run-controllers.ts'
import { systemClock } from '../../../main/platform/clock/clock.ts'
import { silentLogger } from '../../../main/platform/log/logger.ts'
import { labSession } from '../../fixtures/kubernetes/lab-session.ts'
import { fakeCluster } from '../../fixtures/procedures/fake-world.ts'
import { noRoleParts } from '../../fixtures/procedures/no-maintenance-api.ts'
import { kubectl } from '../cli/referees.ts'
import { isGone, removeRequest, requestNode } from '../controllers/played-lcm.ts'
import { LAB_CONTEXT, LAB_KUBECONFIG } from '../lab-places.ts'
import { ceph, isClean, startCeph, startOsds, startToolbox, stopOsds, until } from './real-ceph.ts'

/**
 * kubectl requests storage nodes, and our Ceph controller answers over a real API server and a real Ceph whose
 * daemons really stop. The test leaves the controllers' Lease alone, so that OpenStack's controllers on the lab keep
 * working.
 */
const PREFIX = `h3-${process.pid}`
const nmr = (node: string) => `${PREFIX}-${node}`

let connection: KubernetesConnection
let endToolbox: () => Promise<void>
let stopControllers: () => Promise<void>

function start(): () => Promise<void> {
  const stop = new AbortController()
  const maintenanceApi = {
    ...fakeCluster().maintenanceApi,
    controllers: { openstack: 'none', ceph: 'console', tungstenfabric: 'none', stacklight: 'none' },
  } as const
  const { locks, watchMaintenance, readLcmReport, feeds, warnings } = connection
  const world = controllerWorldOf({
    world: {
      cluster: fakeCluster({ name: 'lab', flavour: 'mosk', maintenanceApi }),
      kubernetes: connection.port,
      openstack: null,
      maintenanceApi: connection.maintenanceApi,
      ceph: connection.ceph,
      ...noRoleParts,
    },
    locks,
    watchMaintenance,
    readLcmReport,
    feeds,
    warnings,
    openstackFailure: null,
  })
  const ended = runControllers({
    world,
    controllers: [cephController(world.cluster, systemClock)],
    clock: systemClock,
    log: silentLogger,
    mayAct: () => !stop.signal.aborted,
    onActivity: () => {},
    signal: stop.signal,
  })
  return async () => {
    stop.abort()
    await ended
  }
}

const jsonpath = async (node: string, path: string) =>
  kubectl('get', 'nodeworkloadlock', `ceph-${node}`, '--ignore-not-found', '-o', `jsonpath=${path}`)
const state = (node: string) => jsonpath(node, '{.status.state}')
const message = (node: string) => jsonpath(node, '{.status.errorMessage}')

const Dump = z.object({
  crush_node_flags: z.record(z.string(), z.array(z.string())),
  osds: z.array(z.object({ osd: z.number(), up: z.number(), in: z.number() })),
})
const dump = async () => Dump.parse(await ceph('osd', 'dump'))
const nooutOf = async (host: string) => (await dump()).crush_node_flags[host] ?? []

beforeAll(async () => {
  startCeph()
  const session = await labSession(LAB_KUBECONFIG)
  endToolbox = await startToolbox(createExec(session))
  session.close()
  const connectors = openConnectors({
    clock: systemClock,
    log: silentLogger,
    tokens: openTokenFiles('/nowhere', null),
    registerSecret: () => {},
  })
  const cluster = fakeCluster({ kubeconfig: { paths: [LAB_KUBECONFIG], context: LAB_CONTEXT } })
  const opened = await connectors.connectKubernetes(cluster, () => false)
  if (!opened.ok) throw new Error(opened.failure.message)
  connection = opened.value
  await connection.maintenanceApi.installDefinitions()
  stopControllers = start()
}, 900_000)

afterAll(async () => {
  await startOsds([0, 1], 'osd-1').catch(() => {})
  for (const node of ['osd-1', 'osd-2']) {
    await removeRequest(nmr(node))
    await until(`the request of ${node} is gone`, () => isGone(nmr(node)))
  }
  await stopControllers()
  for (const node of ['osd-1', 'osd-2', 'osd-3']) {
    await kubectl('delete', 'nodeworkloadlock', `ceph-${node}`, '--ignore-not-found')
    await ceph('osd', 'unset-group', 'noout', node)
  }
  await kubectl('delete', 'clusterworkloadlock', 'ceph-lab', '--ignore-not-found')
  await endToolbox()
  connection.close()
})

test('two storage nodes in turn, with their OSDs really down, and the controller restarted while they are', async () => {
  await until('Ceph is whole', isClean)
  await until('every storage node has its lock, active', async () => {
    const states = await Promise.all(['osd-1', 'osd-2', 'osd-3'].map(state))
    return states.every(each => each === 'active')
  })

  await requestNode(nmr('osd-1'), 'osd-1', 'os')
  await until('osd-1 is released', async () => (await state('osd-1')) === 'inactive')
  expect(await nooutOf('osd-1')).toEqual(['noout'])

  await requestNode(nmr('osd-2'), 'osd-2', 'drain')
  await until('osd-2 says why it waits', async () =>
    (await message('osd-2')).includes('Deferring processing for node osd-2'),
  )
  await stopOsds([0, 1])
  await until('Ceph sees them down', async () => (await dump()).osds.filter(osd => osd.up === 0).length === 2)

  await stopControllers()
  stopControllers = start()
  await removeRequest(nmr('osd-1'))
  await until('osd-1 says what it waits for', async () => (await message('osd-1')).includes('Waiting for OSDs 0, 1'))
  expect([await state('osd-1'), await state('osd-2')]).toEqual(['inactive', 'active'])
  expect(await isGone(nmr('osd-1'))).toBe(false)
  expect((await dump()).osds.every(osd => osd.in === 1)).toBe(true)

  await startOsds([0, 1], 'osd-1')
  await until('osd-1 is back and osd-2 released', async () => {
    const states = [await state('osd-1'), await state('osd-2')]
    return states[0] === 'active' && states[1] === 'inactive'
  })
  expect(await nooutOf('osd-1')).toEqual([])
  expect(await nooutOf('osd-2')).toEqual(['noout'])
  expect(await isGone(nmr('osd-1'))).toBe(true)

  await removeRequest(nmr('osd-2'))
  await until('osd-2 is back', async () => (await state('osd-2')) === 'active' && (await isGone(nmr('osd-2'))))
  expect(await nooutOf('osd-2')).toEqual([])
}, 240_000)
