import { describe, expect, test } from 'vitest'
import { type ControllersHost, createControllersHost } from '../../../../main/lcm/controllers/controllers-host.ts'
import { silentLogger } from '../../../../main/platform/log/logger.ts'
import type { LeasePort } from '../../../../main/ports/leases.ts'
import type { ControllerWorld } from '../../../../main/ports/world.ts'
import type { ControllersStatus } from '../../../../shared/contract/index.ts'
import { CONTROLLERS_LEASE } from '../../../../shared/domain/lease-name.ts'
import type { LeaseState } from '../../../../shared/domain/lease-state.ts'
import { ok } from '../../../../shared/domain/result.ts'
import { type FakeMaintenance, fakeMaintenance } from '../../../fixtures/procedures/fake-controllers.ts'
import { fakeStatus } from '../../../fixtures/procedures/fake-records.ts'
import { COMPUTE, fakeNode, fakeService } from '../../../fixtures/procedures/fake-world.ts'

interface Site {
  readonly fake: FakeMaintenance
  readonly world: ControllerWorld
  readonly reported: ControllersStatus[]
  host(): ControllersHost
  holder: string | null
  /** How the API server answers a renewal. */
  renewal: 'renewed' | 'lost' | 'silence'
}

function site(choice: 'console' | 'cluster' = 'console'): Site {
  const fake = fakeMaintenance(
    { nodes: [fakeNode('cmp-1', { labels: COMPUTE })], services: [fakeService('cmp-1')] },
    { controllers: { openstack: choice, ceph: 'none', tungstenfabric: 'none', stacklight: 'none' } },
  )
  const by = (identity: string): LeaseState =>
    fakeStatus({
      identity,
      runId: null,
      machine: 'bastion',
      since: '2026-01-01T00:00:00Z',
      durationSeconds: 30,
      freeInMs: 30_000,
    })
  const leases: LeasePort = {
    holder: async () => ok(it.holder === null ? null : by(it.holder)),
    all: async () => ok(new Map([[CONTROLLERS_LEASE, { held: it.holder !== null, annotations: {} }]])),
    acquire: async ({ identity }) => {
      if (it.holder !== null && it.holder !== identity) return ok({ kind: 'held', by: by(it.holder) })
      it.holder = identity
      return ok({ kind: 'acquired' })
    },
    renew: async () => {
      if (it.renewal === 'silence') return new Promise(() => {})
      return ok(it.renewal === 'renewed' ? { kind: 'renewed' } : { kind: 'lost', by: by('other') })
    },
    confirm: async () => ok(it.renewal === 'lost' ? { kind: 'lost', by: by('other') } : { kind: 'ours' }),
    release: async ({ identity }) => {
      if (it.holder === identity) it.holder = null
      return ok(undefined)
    },
  }
  const reported: ControllersStatus[] = []
  let ids = 0
  const it: Site = {
    fake,
    reported,
    holder: null,
    renewal: 'renewed',
    world: { ...fake.world, kubernetes: { ...fake.world.kubernetes, leases } },
    host: () =>
      createControllersHost({
        clock: fake.clock,
        log: silentLogger,
        driver: {
          operator: 'ann',
          machine: 'bastion',
          pid: 1,
          version: '0',
          id: 'driver-1',
          bootId: 'boot-1',
          epoch: 1,
        },
        newId: () => String(++ids),
        onChanged: status => reported.push(status),
      }),
  }
  return it
}

describe('who runs our controllers', () => {
  test('one process a cluster: the second learns who does, and may once the first has stopped', async () => {
    const { fake, world, host } = site()
    const first = host()
    const second = host()
    expect((await first.start(world)).ok).toBe(true)
    await fake.clock.advance(5_000)
    expect(fake.lock('cmp-1').state).toBe('active')
    expect(await second.start(world)).toMatchObject({
      ok: false,
      failure: {
        code: 'held',
        message: expect.stringMatching(/ann on bastion since 2026-01-01 00:00:00 UTC runs the controllers of test/),
      },
    })
    expect((await second.status(world.cluster, world)).state).toBe('elsewhere')
    await first.stop(world.cluster)
    expect((await second.start(world)).ok).toBe(true)
    await second.closeAll()
    expect(fake.clock.sleeping).toBe(0)
  })

  test('a set that gives no application to the console starts nothing, and says how to', async () => {
    const { world, host } = site('cluster')
    expect(await host().start(world)).toMatchObject({
      ok: false,
      failure: { code: 'bad-input', message: expect.stringMatching(/cluster set test --controller openstack=console/) },
    })
  })

  test.each([
    ['lost', 45_000],
    // Ten minutes it is tried to be taken back.
    ['silence', 660_000],
  ] as const)(
    'the Lease cannot be kept (%s): they stop, say why, and write nothing more',
    async (renewal, endsWithinMs) => {
      const it = site()
      const { fake, world } = it
      const host = it.host()
      await host.start(world)
      await fake.clock.advance(5_000)
      it.renewal = renewal
      const ended = host.ended('test')
      await fake.clock.advance(endsWithinMs)
      expect((await ended)?.message).toMatch(/Lease/)
      const before = fake.writes.length
      fake.request('cmp-1')
      await fake.clock.advance(60_000)
      expect(fake.writes).toHaveLength(before)
      expect(fake.cloud.asked).toEqual([])
      expect(it.reported.at(-1)).toMatchObject({ trouble: expect.stringMatching(/Lease/) })
      await host.closeAll()
    },
  )

  test('while the Lease is away nothing is written and the status says so; it is retaken, and they continue', async () => {
    const it = site()
    const { fake, world } = it
    const host = it.host()
    await host.start(world)
    await fake.clock.advance(5_000)
    it.renewal = 'silence'
    await fake.clock.advance(60_000)
    expect(it.reported.at(-1)).toMatchObject({
      state: 'here',
      trouble: expect.stringMatching(/Trying to take it back/),
    })
    const before = fake.writes.length
    fake.request('cmp-1')
    await fake.clock.advance(60_000)
    expect(fake.writes).toHaveLength(before)
    it.renewal = 'renewed'
    await fake.clock.advance(60_000)
    expect(it.reported.at(-1)).toMatchObject({ state: 'here', trouble: null })
    expect(fake.writes.length).toBeGreaterThan(before)
    await host.closeAll()
  })

  test('the work of each controller is reported', async () => {
    const it = site()
    const host = it.host()
    await host.start(it.world)
    await it.fake.clock.advance(5_000)
    it.fake.cloud.nodes = it.fake.cloud.nodes.map(node => ({ ...node, readiness: 'not-ready' as const }))
    it.fake.request('cmp-1', { scope: 'drain' })
    await it.fake.clock.advance(5_000)
    it.fake.remove('nmr-cmp-1')
    await it.fake.clock.advance(5_000)
    expect(it.reported.at(-1)?.controllers[0]).toMatchObject({
      controller: 'openstack',
      busyWith: [expect.stringMatching(/^cmp-1: Waiting .*Ready/)],
    })
    await host.closeAll()
  })
})
