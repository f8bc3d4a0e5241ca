import { expect, it } from 'vitest'
import { nodeLeaseKeeper } from '../../../main/maintenance/node-lease.ts'
import { type LeaseRequest, type MaintenanceWorld, UPDATE_LEASE } from '../../../main/maintenance/ports.ts'
import { must } from '../../../shared/domain/must.ts'
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
                  unchangedForMs: 0,
                  seenRenewed: true,
                  freeInMs: 60_000,
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
  const plan = { kind: 'enter', node: 'cmp-1', cluster: 'test' } as Parameters<typeof keeper.of>[0]
  const claim = { runId: 'run-1', fence: { id: 'driver-1', epoch: 1 }, isDriverGone: () => false }
  const { signal } = new AbortController()
  expect(await keeper.of(plan, claim, world).acquire(signal)).toMatchObject({
    ok: true,
    value: { kind: 'held', message: expect.stringContaining('ana on laptop-2'), freeInMs: null },
  })
  expect(calls).toEqual(['acquire cmp-1', 'release cmp-1'])
  calls.length = 0
  await keeper.of({ ...plan, kind: 'update', node: '' }, { ...claim, runId: 'run-2' }, world).acquire(signal)
  expect(calls).toEqual([`acquire ${UPDATE_LEASE}`])
})

it('each claim of a run asks under a name of its own, and takes at once only what a driver that is gone left behind', async () => {
  const { lcm } = moskCloud()
  let asked: LeaseRequest | null = null
  const leases = {
    ...lcm.world.kubernetes.leases,
    acquire: async (request: LeaseRequest) => {
      asked = request
      return ok({ kind: 'acquired' } as const)
    },
  }
  const world: MaintenanceWorld = { ...lcm.world, kubernetes: { ...lcm.world.kubernetes, leases } }
  const keeper = nodeLeaseKeeper(driver)
  const plan = { kind: 'update', node: '', cluster: 'test' } as Parameters<typeof keeper.of>[0]
  const claim = { runId: 'run-1', fence: { id: 'driver-2', epoch: 3 }, isDriverGone: (id: string) => id === 'driver-1' }
  await keeper.of(plan, claim, world).acquire(new AbortController().signal)
  const request = must<LeaseRequest>(asked, 'it was asked')
  expect(request.identity).toBe('lockkeeper-run-1/driver-2/3')
  const isPredecessor = must(request.isPredecessor, 'a run knows its earlier drivers')
  expect(
    [
      'lockkeeper-run-1/driver-1/2',
      'lockkeeper-run-1/driver-3/2',
      'lockkeeper-run-2/driver-1/2',
      'lockkeeper-run-1',
    ].map(isPredecessor),
  ).toEqual([true, false, false, false])
})
