import { describe, expect, it } from 'vitest'
import type { CephPort } from '../../../main/ports/ceph.ts'
import type { MaintenanceWorld } from '../../../main/ports/world.ts'
import { type ReadBatchFacts, readBatchFacts } from '../../../main/procedures/plans/rolling/read-batch-facts.ts'
import type { CephOsd } from '../../../shared/domain/ceph.ts'
import { failure } from '../../../shared/domain/failure.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { valueIn } from '../../fixtures/clusters/results.ts'
import { fakeWorkload } from '../../fixtures/procedures/fake-records.ts'
import {
  COMPUTE,
  CONTROL,
  decision,
  fakeCluster,
  fakeInstance,
  fakeNode,
  fakePod,
  fakeService,
  fakeWorld,
} from '../../fixtures/procedures/fake-world.ts'
import { noCeph } from '../../fixtures/procedures/no-maintenance-api.ts'

const DOWN = failed(failure('unreachable', 'It does not answer.'))

function world(change: Parameters<typeof fakeWorld>[0] = {}, port: Partial<MaintenanceWorld> = {}): MaintenanceWorld {
  const made = fakeWorld({
    nodes: [
      fakeNode('ctl-1', { labels: CONTROL }),
      fakeNode('cmp-1', { labels: COMPUTE }),
      fakeNode('cmp-2', { labels: COMPUTE }),
    ],
    services: [fakeService('cmp-1'), fakeService('cmp-2')],
    instances: [fakeInstance('i', 'cmp-1')],
    ...change,
  }).port
  const cloud = made.openstack
  return {
    ...made,
    openstack: cloud && { ...cloud, resourceProviders: async () => ok([]), serverGroups: async () => ok([]) },
    ...port,
  }
}

async function read(of: MaintenanceWorld, racks = false): Promise<ReadBatchFacts> {
  return valueIn(await readBatchFacts(of, null, { racks }))
}

function osd(id: number, host: string, rack?: string): CephOsd {
  return { id, host, ...(rack === undefined ? {} : { rack }), up: true, in: true, noout: false, hostNoout: false }
}

const ceph = (port: Partial<CephPort>): Partial<MaintenanceWorld> => ({
  cluster: fakeCluster({ roleMaintenance: { ...fakeCluster().roleMaintenance, ceph: 'toolbox' } }),
  ceph: { ...noCeph, ...port },
})

describe('what batches are judged by', () => {
  it('tells why a node is away already, and which hosts take instances when it is back', async () => {
    const { facts } = await read(
      world({
        nodes: [
          fakeNode('a', { unschedulable: true }),
          fakeNode('b', { readiness: 'unknown' }),
          fakeNode('c'),
          fakeNode('d'),
          fakeNode('e'),
        ],
        services: [
          fakeService('a', { status: 'disabled', disabledReason: 'Lockkeeper: node under maintenance, run 1' }),
          fakeService('b', { state: 'down' }),
          fakeService('c', { status: 'disabled', disabledReason: 'broken DIMM' }),
          fakeService('d', { state: 'up', forcedDown: true }),
          fakeService('e', { status: 'disabled', disabledReason: 'OSDPL: Node is under maintenance' }),
        ],
      }),
    )
    expect(facts.nodes.map(({ name, away }) => [name, away])).toEqual([
      ['a', 'cordoned'],
      ['b', 'not Ready'],
      ['c', null],
      ['d', null],
      ['e', 'nova-compute disabled: OSDPL: Node is under maintenance'],
    ])
    expect(facts.hosts?.map(({ name, takes, takesWhenBack }) => [name, takes, takesWhenBack])).toEqual([
      ['a', false, true],
      ['b', false, true],
      ['c', false, false],
      ['d', false, false],
      ['e', false, true],
    ])
  })

  it('is open about each thing that did not answer, and only the list of nodes is indispensable', async () => {
    const { openstack, kubernetes } = world()
    const silent = await read(
      world(
        {},
        {
          openstack: openstack && {
            ...openstack,
            resourceProviders: async () => DOWN,
            listInstances: async () => DOWN,
          },
        },
      ),
    )
    expect(silent.facts).toMatchObject({ providers: null, instances: null, groups: [] })
    expect(silent.unreachable).toEqual(['It does not answer.'])
    const blind = await readBatchFacts(
      world({}, { kubernetes: { ...kubernetes, listNodes: async () => DOWN } }),
      null,
      { racks: false },
    )
    expect(blind.ok).toBe(false)
  })

  it('of an unreachable cloud are unknown; a cluster without OpenStack has no hosts', async () => {
    const reached = valueIn(
      await readBatchFacts(world({}, { openstack: null }), failure('unreachable', 'Keystone is silent.'), {
        racks: false,
      }),
    )
    expect(reached.facts).toMatchObject({ hosts: null, instances: null })
    expect(reached.unreachable).toContain('Keystone is silent.')
    const cloudless = await read(world({}, { openstack: null, cluster: fakeCluster({ cloud: null }) }))
    expect(cloudless.facts).toMatchObject({ hosts: [], instances: [], providers: [], groups: [] })
    expect(cloudless.unreachable).toEqual([])
  })

  it('never takes instances without hosts for instances that need not move', async () => {
    const hidden = await read(world({ instances: [fakeInstance('i', 'cmp-1', { host: null })] }))
    expect(hidden.facts.instances).toBeNull()
    expect(hidden.unreachable.join()).toContain('os-extended-server-attributes')
  })

  it('takes one compute under the node maintenance API where no limit is set (seed 000), and more elsewhere', async () => {
    const limitOf = async (flavour: 'mosk' | 'plain' | 'sunbeam') =>
      (await read(world({}, { cluster: fakeCluster({ flavour }) }))).facts.limits.perRole.compute
    expect(await limitOf('mosk')).toEqual({ most: 1, by: 'default-setting' })
    expect(await limitOf('plain')).toEqual({ most: 30, by: 'default-setting' })
    expect(await limitOf('sunbeam')).toEqual({ most: 30, by: 'default-setting' })
  })

  it('keeps the settings of the cluster as limits, those of its controllers on flavour mosk only', async () => {
    const settings = { ...fakeCluster().maintenanceApi, computeMax: 7, roleLimits: 'any' as const, respectZone: true }
    const plain = await read(world({}, { cluster: fakeCluster({ maintenanceApi: settings }) }))
    expect(plain.facts.limits).toMatchObject({
      perRole: { compute: { most: 7 } },
      roleLimits: 'own',
      zonesByControllers: false,
    })
    const mosk = await read(world({}, { cluster: fakeCluster({ flavour: 'mosk', maintenanceApi: settings }) }))
    expect(mosk.facts.limits).toMatchObject({ roleLimits: 'any', zonesByControllers: true })
  })
})

describe("Ceph's part of it", () => {
  const racks = [osd(0, 'cmp-1', 'r1'), osd(1, 'cmp-2', 'r1'), osd(2, 'elsewhere', 'r2')]

  it('is which nodes have OSDs, and of racks Ceph is asked only when several are to go at once', async () => {
    const asked: (readonly number[])[] = []
    const answers = ceph({
      osds: async () => ok(racks),
      osdsReported: async () => ok(racks),
      okToStop: async ids => {
        asked.push(ids)
        return ok({ ok: ids.includes(0), osds: [...ids], pgsAtRisk: 0, message: '' })
      },
    })
    const one = await read(world({}, answers))
    expect(asked).toEqual([])
    expect(one.facts.ceph).toEqual({
      kind: 'known',
      rackOf: new Map([
        ['cmp-1', 'r1'],
        ['cmp-2', 'r1'],
      ]),
      unclear: new Set(),
      racksMayStop: new Set(),
    })
    const several = await read(world({}, answers), true)
    expect(asked).toEqual([[0, 1], [2]])
    expect(several.facts.ceph).toMatchObject({ racksMayStop: new Set(['r1']) })
  })

  it('is unknown when Ceph is silent, and empty when there is none', async () => {
    const silent = await read(world({}, ceph({ osds: async () => DOWN })))
    expect(silent.facts.ceph).toEqual({ kind: 'unknown', why: 'It does not answer.' })
    expect((await read(world({}, ceph({})))).facts.ceph).toEqual({ kind: 'none' })
  })

  it('is unknown where the OSDs reported to run cannot be read', async () => {
    const blind = await read(world({}, ceph({ osds: async () => ok(racks), osdsReported: async () => DOWN })))
    expect(blind.facts.ceph).toEqual({ kind: 'unknown', why: 'It does not answer.' })
  })

  it('takes a node on which an OSD reported to run, under another CRUSH host, for a separate failure domain', async () => {
    const reported = async () => ok([...racks.slice(0, 2), { id: 2, host: 'ctl-1' }])
    const facts = await read(world({}, ceph({ osds: async () => ok(racks), osdsReported: reported })))
    expect(facts.facts.ceph).toMatchObject({ kind: 'known', unclear: new Set(['ctl-1']) })
    expect(facts.unreachable.join()).toContain('Cannot tell which OSDs ctl-1 has:')
  })

  it('counts monitors in quorum by the node they run on; Rook starts its managers elsewhere', async () => {
    const services = async () =>
      ok({
        release: 18,
        monsTotal: 3,
        filesystems: 0,
        daemons: [
          { kind: 'mon' as const, name: 'a', node: 'ctl-1', active: true },
          { kind: 'mon' as const, name: 'b', node: 'cmp-1.example.org', active: false },
          { kind: 'mon' as const, name: 'c', node: null, active: true },
          { kind: 'mgr' as const, name: 'a', node: 'ctl-1', active: true },
        ],
      })
    const { facts } = await read(
      world({}, ceph({ osds: async () => ok(racks), osdsReported: async () => ok(racks), services })),
    )
    expect(facts.quorums.find(({ what }) => what.includes('monitors'))).toEqual({
      what: "Ceph's monitors",
      needed: 2,
      members: [
        { name: 'mon.a', node: 'ctl-1', serves: true },
        { name: 'mon.b', node: 'cmp-1', serves: false },
        { name: 'mon.c', node: null, serves: true },
      ],
    })
    expect(facts.quorums.map(({ what }) => what)).not.toContain("Ceph's managers")
  })
})

describe('quorums', () => {
  it("are those of etcd's pods, and on flavour mosk those of the services that refuse a second node", async () => {
    const pods = [
      fakePod('etcd-ctl-1', { labels: { component: 'etcd' }, nodeName: 'ctl-1', ready: true }),
      fakePod('mariadb-server-0', {
        nodeName: 'ctl-1',
        ready: true,
        controller: { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'mariadb-server', uid: 'set' },
      }),
    ]
    const workloads = [fakeWorkload('mariadb-server', { uid: 'set', readyReplicas: 1 })]
    const { facts } = await read(
      world({ decisions: pods.map(pod => decision(pod)), workloads }, { cluster: fakeCluster({ flavour: 'mosk' }) }),
    )
    expect(facts.quorums.map(({ what, needed, members }) => [what, needed, members.map(({ node }) => node)])).toEqual([
      ['etcd', 1, ['ctl-1']],
      ['mariadb-server (database)', 2, ['ctl-1']],
    ])
  })

  it('are those of the control nodes where no datastore shows pods, and where its pods could not be read, with a note', async () => {
    const { facts } = await read(world())
    expect(facts.quorums).toMatchObject([{ what: 'control nodes', needed: 1 }])
    const { kubernetes } = world()
    const podless: Result<never> = DOWN
    const silent = await read(world({}, { kubernetes: { ...kubernetes, listPods: async () => podless } }))
    expect(silent.facts.quorums).toMatchObject([{ what: 'control nodes', needed: 1 }])
    expect(silent.unreachable).toEqual(['It does not answer.'])
  })
})
