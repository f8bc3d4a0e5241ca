import { describe, expect, test } from 'vitest'
import type { MaintenanceWorld } from '../../../../main/ports/world.ts'
import { readRoleFacts } from '../../../../main/procedures/steps/general/role-facts.ts'
import { agentsOf, gatewayAgentsOf } from '../../../../shared/domain/agents-of-node.ts'
import type { CephOsd } from '../../../../shared/domain/ceph.ts'
import { failure } from '../../../../shared/domain/failure.ts'
import type { ClusterNode } from '../../../../shared/domain/kubernetes.ts'
import type { StoresOsds } from '../../../../shared/domain/node-roles.ts'
import type { NetworkAgent } from '../../../../shared/domain/openstack.ts'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import { fakeJuju, UNREACHABLE, unit } from '../../../fixtures/procedures/fake-juju.ts'
import { fakeAgent } from '../../../fixtures/procedures/fake-records.ts'
import { fakeCluster, fakeNode, fakeService, fakeWorld } from '../../../fixtures/procedures/fake-world.ts'

const node = fakeNode('n1')
const agent = (host: string, type: string): NetworkAgent => fakeAgent(host, { id: `${type} on ${host}`, type })
const GATEWAY = 'OVN Controller Gateway agent'
const osd: CephOsd = { id: 0, host: 'n1', up: true, in: true, noout: false, hostNoout: false }

function sunbeam(change: (world: MaintenanceWorld) => Partial<MaintenanceWorld> = () => ({})): MaintenanceWorld {
  const { port } = fakeWorld({ services: [fakeService('n1')], agents: [agent('n1', GATEWAY)] })
  const world: MaintenanceWorld = {
    ...port,
    cluster: fakeCluster({ flavour: 'sunbeam' }),
    juju: fakeJuju().port,
    ceph: { ...port.ceph, osds: async () => ok([osd]), osdsReported: async () => ok([osd]) },
  }
  return { ...world, ...change(world) }
}

const factsOf = async (node: ClusterNode, world: MaintenanceWorld) => (await readRoleFacts(world))(node)

describe('what the cloud reports about the roles of a node', () => {
  test('nova-compute computes, OSDs store, an OVN gateway routes', async () => {
    expect(await factsOf(node, sunbeam())).toEqual({ computes: true, stores: true, routes: true, controls: [] })
    expect(await factsOf(fakeNode('n2'), sunbeam())).toEqual({
      computes: false,
      stores: false,
      routes: false,
      controls: [],
    })
  })

  test('MicroCeph without a Juju controller to ask it by: nobody knows', async () => {
    expect(
      (
        await factsOf(
          node,
          sunbeam(() => ({ juju: null })),
        )
      ).stores,
    ).toBe('silent')
  })

  test('Ceph that is not there stores nothing; Ceph that does not answer is silent, one whose answer cannot be read contradicts', async () => {
    const ceph = (code: 'not-found' | 'unreachable' | 'unreadable') =>
      sunbeam(world => ({ ceph: { ...world.ceph, osds: async () => failed(failure(code, 'It failed.')) } }))
    expect((await factsOf(node, ceph('not-found'))).stores).toBe('not-asked')
    expect((await factsOf(node, ceph('unreachable'))).stores).toBe('silent')
    expect((await factsOf(node, ceph('unreadable'))).stores).toBe('contradicts')
  })

  test.each<[string, Result<readonly Pick<CephOsd, 'id' | 'host'>[]>, StoresOsds]>([
    ['the OSDs reported elsewhere', ok([{ id: 0, host: 'n1' }]), false],
    ['an OSD reported to run there', ok([{ id: 0, host: 'n2' }]), 'contradicts'],
    ['an OSD that runs reported from nowhere', ok([]), 'contradicts'],
    ['where the OSDs reported to run cannot be read', failed(failure('timed-out', 'No answer.')), 'silent'],
  ])('a node without OSDs in the CRUSH map, and %s: %o, %s', async (_, reported, stores) => {
    const world = sunbeam(({ ceph }) => ({ ceph: { ...ceph, osdsReported: async () => reported } }))
    expect((await factsOf(fakeNode('n2'), world)).stores).toBe(stores)
    // What the map shows on the node is enough to say that it stores.
    expect((await factsOf(node, world)).stores).toBe(true)
  })

  test('for many nodes each service is asked once', async () => {
    const asked: string[] = []
    const world = sunbeam(({ ceph }) => ({
      ceph: {
        ...ceph,
        osds: async () => {
          asked.push('osds')
          return ok([osd])
        },
        osdsReported: async () => {
          asked.push('reported')
          return ok([osd])
        },
      },
    }))
    const facts = await readRoleFacts(world)
    for (const name of ['n1', 'n2', 'n3']) facts(fakeNode(name))
    expect(asked).toEqual(['osds', 'reported'])
  })

  test('a cloud that is registered but was not reached leaves its roles open; without one there are none', async () => {
    expect(
      await factsOf(
        node,
        sunbeam(() => ({ openstack: null })),
      ),
    ).toMatchObject({
      computes: null,
      routes: null,
    })
    const cloudless = sunbeam(({ cluster }) => ({ openstack: null, cluster: { ...cluster, cloud: null } }))
    expect(await factsOf(node, cloudless)).toMatchObject({ computes: 'not-asked', routes: 'not-asked' })
  })

  test('a MicroOVN unit routes although its chassis is no longer an agent', async () => {
    const juju = fakeJuju({ units: [unit('microovn/0', 'n2')] }).port
    expect(
      (
        await factsOf(
          fakeNode('n2'),
          sunbeam(() => ({ juju })),
        )
      ).routes,
    ).toBe(true)
    const down = fakeJuju({ down: UNREACHABLE }).port
    expect(
      (
        await factsOf(
          fakeNode('n2'),
          sunbeam(() => ({ juju: down })),
        )
      ).routes,
    ).toBe(false)
  })

  test('on other clouds Nova is read too, Neutron is not: labels name the gateways', async () => {
    const never = async () => {
      throw new Error('it was asked')
    }
    const plain = sunbeam(({ openstack }) => ({
      cluster: fakeCluster({ flavour: 'plain' }),
      openstack: openstack === null ? null : { ...openstack, networkAgents: never },
    }))
    expect(await factsOf(node, plain)).toEqual({
      computes: true,
      stores: 'not-asked',
      routes: 'not-asked',
      controls: [],
    })
  })

  test('agents of a node are found by its name or the first label of it, never by a prefix', () => {
    const agents = [agent('n1', GATEWAY), agent('n1.maas', 'OVN Metadata agent'), agent('n10', GATEWAY)]
    expect(agentsOf(['n1.maas'], agents).map(({ host }) => host)).toEqual(['n1', 'n1.maas'])
    expect(gatewayAgentsOf(['n1'], agents)).toHaveLength(1)
  })
})
