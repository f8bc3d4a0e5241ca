import { expect, it } from 'vitest'
import { nodeLeaseKeeper } from '../../../main/maintenance/node-lease.ts'
import { type MaintenanceWorld, UPDATE_LEASE } from '../../../main/maintenance/ports.ts'
import { ok } from '../../../shared/domain/result.ts'
import { moskCloud } from '../../fixtures/maintenance/lcm-world.ts'

const driver = {
  operator: 'eva',
  machine: 'laptop-1',
  pid: 1,
  version: '0.0.0',
  id: 'driver-1',
  bootId: 'boot-1',
  epoch: 1,
}

it('a node is not taken while the whole cluster is updated, and its own Lease is given back (style G26)', async () => {
  const fake = moskCloud()
  const calls: string[] = []
  const world: MaintenanceWorld = {
    ...fake.lcm.world,
    kubernetes: {
      ...fake.lcm.world.kubernetes,
      leases: {
        ...fake.lcm.world.kubernetes.leases,
        acquire: async request => {
          calls.push(`acquire ${request.node}`)
          return ok({ kind: 'acquired' })
        },
        holder: async node =>
          ok(
            node === UPDATE_LEASE
              ? {
                  identity: 'lockkeeper-other',
                  runId: 'other',
                  operator: 'ana',
                  machine: 'laptop-2',
                  since: '2026-01-01T00:00:00Z',
                  renewedAt: '2026-01-01T00:00:00Z',
                  durationSeconds: 60,
                }
              : null,
          ),
        release: async request => {
          calls.push(`release ${request.node}`)
          return ok(undefined)
        },
      },
    },
  }
  const keeper = nodeLeaseKeeper(driver)
  const plan = { kind: 'enter', node: 'cmp-1', cluster: 'test' } as Parameters<typeof keeper.acquire>[0]
  const answer = await keeper.acquire(plan, 'run-1', world)
  expect(answer).toMatchObject({
    ok: true,
    value: { kind: 'held', message: expect.stringContaining('ana on laptop-2') },
  })
  expect(calls).toEqual(['acquire cmp-1', 'release cmp-1'])
  calls.length = 0
  await keeper.acquire({ ...plan, kind: 'update', node: '' }, 'run-2', world)
  expect(calls).toEqual([`acquire ${UPDATE_LEASE}`])
})
