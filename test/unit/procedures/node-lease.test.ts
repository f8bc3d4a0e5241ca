import { describe, expect, it } from 'vitest'
import type { LeaseRequest } from '../../../main/ports/leases.ts'
import type { MaintenanceWorld } from '../../../main/ports/world.ts'
import { nodeLeaseKeeper, watchedWords } from '../../../main/procedures/steps/general/node-lease.ts'
import { nodeLease, UPDATE_LEASE } from '../../../shared/domain/lease-name.ts'
import type { LeaseState } from '../../../shared/domain/lease-state.ts'
import { must } from '../../../shared/domain/must.ts'
import { ok } from '../../../shared/domain/result.ts'
import { heldMessage } from '../../../shared/words/leases.ts'
import { DRIVER } from '../../fixtures/driver.ts'
import { fakeStatus } from '../../fixtures/procedures/fake-records.ts'
import { moskCloud } from '../../fixtures/procedures/lcm-world.ts'

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
          calls.push(`acquire ${request.name}`)
          return ok({ kind: 'acquired' })
        },
        holder: async node =>
          ok(
            node === UPDATE_LEASE
              ? fakeStatus({
                  identity: 'lockkeeper-other',
                  operator: 'ana',
                  machine: 'laptop-2',
                  since: '2026-01-01T00:00:00Z',
                  renewedAt: '2026-01-01T00:00:00Z',
                })
              : null,
          ),
        release: async request => {
          calls.push(`release ${request.name}`)
          return ok(undefined)
        },
      },
    },
  }
  const keeper = nodeLeaseKeeper(DRIVER)
  const plan = { kind: 'enter', node: 'cmp-1', cluster: 'test' } as Parameters<typeof keeper.of>[0]
  const claim = { runId: 'run-1', fence: { id: 'driver-1', epoch: 1 }, isDriverGone: () => false }
  const { signal } = new AbortController()
  expect(await keeper.of(plan, claim, world).acquire(signal)).toMatchObject({
    ok: true,
    value: { kind: 'held', message: expect.stringContaining('ana on laptop-2'), freeInMs: null },
  })
  expect(calls).toEqual([`acquire ${nodeLease('cmp-1')}`, `release ${nodeLease('cmp-1')}`])
  calls.length = 0
  await keeper
    .of({ kind: 'update', cluster: 'test' } as typeof plan, { ...claim, runId: 'run-2' }, world)
    .acquire(signal)
  expect(calls).toEqual([`acquire ${UPDATE_LEASE}`])
})

it('each claim of a run has a separate name, and takes at once only the Lease of a dead driver', async () => {
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
  const keeper = nodeLeaseKeeper(DRIVER)
  const plan = { kind: 'update', cluster: 'test' } as Parameters<typeof keeper.of>[0]
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

describe('it names who holds a node', () => {
  const by = fakeStatus({
    runId: 'r-1',
    since: '2026-11-22T12:27:59.123456Z',
    renewedAt: '2026-11-22T12:31:00.000001Z',
    unchangedForMs: 2_000,
    freeInMs: 58_000,
  })
  const silent = { seenRenewed: false, unchangedForMs: 5_000 }

  it.each([
    ['with the time of day, in whole seconds, while its console is seen to live', {}, 'since 12:27:59 UTC (run r-1)'],
    [
      'with the day, when that is another one',
      { since: '2026-11-21T23:59:59.999999Z' },
      'since 2026-11-21 23:59:59 UTC',
    ],
    ['with the day, when its console was not seen to live', silent, 'since 2026-11-22 12:27:59 UTC'],
    [
      'with when it says it was renewed',
      silent,
      'Its Lease was last renewed at 2026-11-22 12:31:00 UTC by its own clock;',
    ],
    ['also when that is unknown', { since: null }, 'since an unknown time'],
    ['also when that is not a time', { since: 'soon' }, 'since soon'],
  ])('%s', (_, more, words) => {
    expect(heldMessage('cmp-1', { ...by, ...more })).toContain(words)
  })
})

it('for a run whose journal lacks its end the meaning comes first, and the digest is a detail', async () => {
  const { lcm } = moskCloud()
  const hash = 'ab'.repeat(32)
  const leases = {
    ...lcm.world.kubernetes.leases,
    acquire: async () => ok({ kind: 'journal-lacks', head: { seq: 7, hash } } as const),
  }
  const world: MaintenanceWorld = { ...lcm.world, kubernetes: { ...lcm.world.kubernetes, leases } }
  const keeper = nodeLeaseKeeper(DRIVER)
  const plan = { kind: 'update', cluster: 'test' } as Parameters<typeof keeper.of>[0]
  const claim = { runId: 'run-1', fence: { id: 'driver-2', epoch: 3 }, isDriverGone: () => false }
  const taken = await keeper.of(plan, claim, world).acquire(new AbortController().signal)
  expect(taken).toMatchObject({
    ok: false,
    failure: {
      message: expect.stringMatching(/This journal is missing part of run run-1:/),
      detail: expect.stringContaining(hash),
    },
  })
  expect(JSON.stringify(!taken.ok && taken.failure.message)).not.toContain(hash)
})

it.each<[string, Partial<LeaseState> | null, readonly unknown[]]>([
  ['nobody holds', null, []],
  ['a console holds that is seen to live', {}, []],
  ['a console held that is gone', { seenRenewed: false, freeInMs: 0 }, []],
  ['somebody holds for longer than is waited', { seenRenewed: false, freeInMs: 600_000 }, []],
  [
    'a console holds that was not seen to renew it',
    { seenRenewed: false, freeInMs: 58_000 },
    [
      expect.stringMatching(
        /this console has seen no change for 2 s so far\. Lockkeeper watches for up to 25 s whether its Lease is renewed/,
      ),
    ],
  ],
])('before a Lease is watched the run says for how long; one that %s: %o', async (_, more, words) => {
  const { lcm } = moskCloud()
  const by: LeaseState = fakeStatus({ runId: 'r-1', unchangedForMs: 2_000, freeInMs: 58_000 })
  const holder = async (name: string) => ok(name === nodeLease('cmp-1') && more !== null ? { ...by, ...more } : null)
  const leases = { ...lcm.world.kubernetes.leases, holder }
  const world: MaintenanceWorld = { ...lcm.world, kubernetes: { ...lcm.world.kubernetes, leases } }
  expect(await watchedWords('cmp-1', world)).toEqual(words)
})
