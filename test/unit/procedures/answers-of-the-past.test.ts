import { describe, expect, it } from 'vitest'
import { evacuate } from '../../../main/procedures/steps/compute/evacuation.ts'
import type { Instance } from '../../../shared/domain/openstack.ts'
import { ok } from '../../../shared/domain/result.ts'
import { INSTANCE_SETTLED, MIGRATION_FAILED, MIGRATION_REQUESTED } from '../../../shared/domain/run-facts.ts'
import { fakeMigration } from '../../fixtures/procedures/fake-records.ts'
import {
  COMPUTE,
  fakeContext,
  fakeInstance,
  fakeNode,
  fakeService,
  fakeWorld,
} from '../../fixtures/procedures/fake-world.ts'

const LIMITS = { concurrency: 1, attempts: 3 }
const BEFORE = '2026-01-01T00:00:00.000Z'
const AFTER = '2026-01-01T00:05:00.000Z'

/** A cloud whose answers about instance a are replaced. */
function worldWhere(reports: (instance: Instance, looks: number) => Instance) {
  const world = fakeWorld({
    nodes: [fakeNode('cmp-1', { labels: COMPUTE })],
    services: [fakeService('cmp-1'), fakeService('cmp-2')],
    instances: [fakeInstance('a', 'cmp-1', { updatedAt: BEFORE })],
  })
  const cloud = world.port.openstack
  if (cloud === null) throw new Error('the fake world has a cloud')
  const { getInstance } = cloud
  let looks = 0
  cloud.getInstance = async (id, signal) => {
    const read = await getInstance(id, signal)
    looks += 1
    return read.ok ? ok(reports(read.value, looks)) : read
  }
  return world
}

const stale = (instance: Instance): Instance => ({ ...fakeInstance('a', 'cmp-1'), updatedAt: instance.updatedAt })

const record = (status: string, updatedAt: string | null, destHost: string) =>
  fakeMigration({ status, destHost, createdAt: BEFORE, updatedAt })

describe('an instance that Nova reports in its old place', () => {
  it('is not migrated again by a record that says completed: a person is asked', async () => {
    const world = worldWhere(stale)
    const ctx = fakeContext(world)
    const answer = await evacuate('cmp-1', LIMITS, ctx)
    expect(answer).toMatchObject({
      kind: 'unresolved',
      instances: [
        {
          why: {
            message: expect.stringMatching(
              /but Nova's migration record to elsewhere says completed\. Find out where it is with `openstack server show a` and `openstack server migration list --server a` \(gave up after 1 attempt\)/,
            ),
          },
        },
      ],
    })
    expect(world.asked).toEqual(['live-migrate a'])
    expect(ctx.facts.filter(({ fact }) => fact === MIGRATION_REQUESTED)).toHaveLength(1)
  })

  it('is not migrated again where no record shows either, nor once a person says to retry', async () => {
    const world = worldWhere(stale)
    const cloud = world.port.openstack
    if (cloud === null) throw new Error('the fake world has a cloud')
    cloud.migrations = async () => ok([])
    cloud.instancesOnHost = async () => ok({ items: world.instances.map(stale), unreachable: [] })
    const ctx = fakeContext(world)
    await evacuate('cmp-1', LIMITS, ctx)
    const again = fakeContext(world, { facts: ctx.facts, resumed: true })
    expect(await evacuate('cmp-1', LIMITS, again)).toMatchObject({
      kind: 'unresolved',
      instances: [
        {
          why: {
            message: expect.stringMatching(
              /Nova accepted its migration but still reports it unchanged \(last change 2026-01-01 00:00:00 UTC\)\. Find out where it is with `openstack server show a` and `openstack server migration list --server a` \(gave up after 1 attempt\)/,
            ),
          },
        },
      ],
    })
    expect(world.asked).toEqual(['live-migrate a'])
    expect(ctx.facts.find(({ fact }) => fact === MIGRATION_FAILED)?.values).toMatchObject({
      unseenSince: BEFORE,
      why: expect.stringMatching(/^it is ACTIVE on cmp-1, and no migration record of Nova explains that\. Find/),
    })
  })

  it('continues as soon as Nova reports its real place', async () => {
    const world = worldWhere((instance, looks) => (looks < 9 ? stale(instance) : instance))
    expect(await evacuate('cmp-1', LIMITS, fakeContext(world))).toEqual({ kind: 'emptied', moved: 1 })
    expect(world.asked).toEqual(['live-migrate a'])
  })
})

describe('before an instance is asked to move', () => {
  it('it is read again, and left alone where it is on another host by then', async () => {
    const world = worldWhere(instance => ({ ...instance, host: 'cmp-2' }))
    const ctx = fakeContext(world)
    expect(await evacuate('cmp-1', LIMITS, ctx)).toMatchObject({ kind: 'emptied' })
    expect(world.asked).toEqual([])
    expect(ctx.facts.map(({ fact }) => fact)).toEqual([INSTANCE_SETTLED])
  })

  it.each([
    { what: 'went elsewhere after it was changed', at: AFTER, to: 'cmp-2', status: 'completed', asks: false },
    { what: 'went elsewhere in the second it was changed', at: BEFORE, to: 'cmp-2', status: 'confirmed', asks: false },
    { what: 'came here', at: AFTER, to: 'cmp-1', status: 'completed', asks: true },
    { what: 'failed to go elsewhere', at: AFTER, to: 'cmp-2', status: 'failed', asks: true },
    {
      what: 'went elsewhere and was changed since',
      at: '2025-12-31T00:00:00.000Z',
      to: 'cmp-2',
      status: 'completed',
      asks: true,
    },
  ])(
    'whether a move is requested is $asks where the newest record says that it $what',
    async ({ at, to, status, asks }) => {
      const world = worldWhere(instance => instance)
      world.migrations = [record(status, at, to)]
      await evacuate('cmp-1', LIMITS, fakeContext(world))
      expect(world.asked).toEqual(asks ? ['live-migrate a'] : [])
    },
  )
})
