import { describe, expect, test } from 'vitest'
import { readCluster } from '../../../../main/platform/reading/cluster-reading.ts'
import type { MaintenanceWorld } from '../../../../main/ports/world.ts'
import { otherNodesInMaintenance } from '../../../../main/procedures/steps/general/other-nodes-in-maintenance.ts'
import type { CephOsd } from '../../../../shared/domain/ceph.ts'
import { failure } from '../../../../shared/domain/failure.ts'
import type { LeaseHolder } from '../../../../shared/domain/kubernetes.ts'
import { type LeaseName, nodeLease } from '../../../../shared/domain/lease-name.ts'
import type { ResourceProvider } from '../../../../shared/domain/openstack.ts'
import { failed, ok } from '../../../../shared/domain/result.ts'
import type { CheckAnswer } from '../../../../shared/domain/step-answers.ts'
import { fakeHolder } from '../../../fixtures/procedures/fake-records.ts'
import {
  CONTROL,
  fakeCluster,
  fakeContext,
  fakeNode,
  fakeService,
  fakeWorld,
} from '../../../fixtures/procedures/fake-world.ts'
import { createVirtualClock } from '../../../fixtures/virtual-clock.ts'

const NODES = ['n1', 'n2', 'n3'] as const

const provider = (name: string, used: number): ResourceProvider => ({
  id: name,
  name,
  capacities: { VCPU: 16, MEMORY_MB: 16_384 },
  usages: { VCPU: used, MEMORY_MB: used * 1024 },
})
const osd = (id: number, host: string): CephOsd => ({ id, host, up: true, in: true, noout: false, hostNoout: false })

const OSDS = [osd(0, 'n1'), osd(1, 'n2'), osd(2, 'n3')]

function cloud(change: (world: ReturnType<typeof fakeWorld>) => void, more: Partial<MaintenanceWorld> = {}) {
  const world = fakeWorld({
    nodes: NODES.map(name => fakeNode(name, { labels: CONTROL })),
    services: NODES.map(name => fakeService(name)),
  })
  change(world)
  const { openstack, ceph } = world.port
  if (openstack === null) throw new Error('the fake world has a cloud')
  const port: MaintenanceWorld = {
    ...world.port,
    cluster: fakeCluster({ flavour: 'sunbeam' }),
    openstack: {
      ...openstack,
      resourceProviders: async () => ok([provider('n1', 6), provider('n2', 4), provider('n3', 9)]),
    },
    ceph: { ...ceph, osds: async () => ok(OSDS), osdsReported: async () => ok(OSDS) },
    ...more,
  }
  return Object.assign(world, { port })
}

async function check(world: ReturnType<typeof cloud>): Promise<CheckAnswer | undefined> {
  return otherNodesInMaintenance.check?.({ node: 'n1' }, fakeContext(world))
}

const cordoned = (world: ReturnType<typeof fakeWorld>) => {
  world.nodes = world.nodes.map(node => (node.name === 'n2' ? { ...node, unschedulable: true } : node))
}

describe('a second node while one is out of service (docs/domain.md B.1, defect 6)', () => {
  test('no other is: said, without a warning', async () => {
    expect(await check(cloud(() => undefined))).toMatchObject({
      kind: 'ready',
      reason: 'No other node is in maintenance.',
      warnings: [],
    })
  })

  test('it is warned, not blocked, with what would remain of capacity and Ceph; of quorums their own checks speak', async () => {
    const answer = await check(cloud(cordoned))
    expect(answer?.kind).toBe('ready')
    // A cordon keeps pods away, not instances: n2 still computes.
    expect(answer?.warnings.map(({ message }) => message)).toEqual([
      'Other nodes are out of service besides n1: n2 (cordoned).',
      'Compute: 2 of 3 hosts would remain, with 19 vCPUs and 19 GiB free for 6 vCPUs and 6 GiB still on the nodes that go out.',
      'Ceph: 1 of 3 hosts with 1 of 3 OSDs would remain without n1, n2.',
    ])
  })

  test('a host whose nova-compute is disabled for a maintenance is lost capacity', async () => {
    const answer = await check(
      cloud(world => {
        world.services = world.services.map(service =>
          service.host === 'n2' ? { ...service, status: 'disabled', disabledReason: 'watcher_maintaining' } : service,
        )
      }),
    )
    expect(answer?.warnings[1]?.message).toBe(
      'Compute: 1 of 3 hosts would remain, with 7 vCPUs and 7 GiB free for 10 vCPUs and 10 GiB still on the nodes that go out: not enough.',
    )
  })

  test('where an OSD reported to run on a node that the CRUSH map shows bare, what would remain is unknown', async () => {
    const reported = async () => ok([osd(0, 'n1'), osd(2, 'n2')])
    const { ceph } = cloud(() => undefined).port
    const osds = async () => ok([osd(0, 'n1'), osd(2, 'n3')])
    const answer = await check(cloud(cordoned, { ceph: { ...ceph, osds, osdsReported: reported } }))
    expect(answer?.warnings.at(-1)?.message).toBe(
      'Ceph: remaining capacity is unknown because Lockkeeper cannot tell which OSDs n2 has.',
    )
  })

  test.each<[string, (world: ReturnType<typeof fakeWorld>) => void, string]>([
    [
      'nova-compute that Watcher disabled for a maintenance',
      world => {
        world.services = world.services.map(service =>
          service.host === 'n3' ? { ...service, status: 'disabled', disabledReason: 'watcher_maintaining' } : service,
        )
      },
      'n3 (nova-compute disabled: watcher_maintaining)',
    ],
    ['a cordon', cordoned, 'n2 (cordoned)'],
  ])('%s is a sign', async (_sign, change, said) => {
    expect((await check(cloud(change)))?.warnings[0]?.message).toContain(said)
  })

  test('a run that works on another node now counts, although that node is still in service', async () => {
    const holder: LeaseHolder = fakeHolder({
      identity: 'other',
      runId: 'run-7',
      operator: 'adam',
      machine: 'desk',
      durationSeconds: 30,
    })
    const world = cloud(() => undefined)
    const { kubernetes } = world.port
    const leases = {
      ...kubernetes.leases,
      holder: async (name: LeaseName) => ok(name === nodeLease('n3') ? holder : null),
    }
    const port = { ...world.port, kubernetes: { ...kubernetes, isLeaseFree: async () => ok(false), leases } }
    const answer = await check(Object.assign(world, { port }))
    expect(answer?.warnings[0]?.message).toContain('n3 (run run-7 works on it)')
  })

  test('one list of Leases spares the question for each node that nobody works on', async () => {
    const world = cloud(() => undefined)
    const { kubernetes } = world.port
    const looked: string[] = []
    const leases = {
      ...kubernetes.leases,
      all: async () => ok(new Map([[nodeLease('n3'), { held: true, annotations: {} }]])),
      holder: async (name: LeaseName) => {
        looked.push(name)
        return ok(null)
      },
    }
    const { world: port } = readCluster({ ...world.port, kubernetes: { ...kubernetes, leases } }, createVirtualClock())
    expect((await check(Object.assign(world, { port })))?.warnings).toEqual([])
    // Whether a holder lives the list does not tell.
    expect(looked).toEqual([nodeLease('n3')])
  })

  test('a service that somebody disabled for another reason is not maintenance', async () => {
    const world = cloud(fake => {
      fake.services = fake.services.map(service =>
        service.host === 'n2' ? { ...service, status: 'disabled', disabledReason: 'broken disk' } : service,
      )
    })
    expect((await check(world))?.warnings).toEqual([])
  })

  test('the check names what is unknown about the rest', async () => {
    const unreachable = async () => failed(failure('unreachable', 'Juju does not answer.'))
    const world = cloud(cordoned)
    const port = { ...world.port, ceph: { ...world.port.ceph, osds: unreachable } }
    expect((await check(Object.assign(world, { port })))?.warnings.map(({ message }) => message)).toContain(
      'Ceph: remaining capacity is unknown because Ceph did not answer.',
    )
  })
})
