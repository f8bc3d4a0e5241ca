import { describe, expect, it } from 'vitest'
import { createStuckWatch } from '../../../main/procedures/steps/compute/stuck-migration.ts'
import { failure } from '../../../shared/domain/failure.ts'
import { must } from '../../../shared/domain/must.ts'
import type { Migration } from '../../../shared/domain/openstack.ts'
import { failed } from '../../../shared/domain/result.ts'
import { INSTANCE_DECIDED, MIGRATION_ASKS, STEERING_REFUSED } from '../../../shared/domain/run-facts.ts'
import { fakeMigration } from '../../fixtures/procedures/fake-records.ts'
import { fakeContext, fakeInstance, fakeService, fakeWorld } from '../../fixtures/procedures/fake-world.ts'

const RECORD: Migration = fakeMigration({ destHost: 'destination-2' })

/** A migration that runs for ten minutes without progress. */
async function watched(record: Migration | null, change: (world: ReturnType<typeof fakeWorld>) => void = () => {}) {
  const world = fakeWorld({
    services: [fakeService('cmp-1'), fakeService('destination-2')],
    instances: [fakeInstance('a', 'cmp-1', { taskState: 'migrating' })],
  })
  change(world)
  const ctx = fakeContext(world)
  const now = must(world.instances[0], 'it is there')
  const watch = createStuckWatch(now, 'cmp-1', ctx)
  const began = ctx.clock.monotonicMs()
  return {
    ctx,
    world,
    decide: (choice: string) => ctx.report(INSTANCE_DECIDED, 'server/a', { name: 'vm-a', choice, by: 'eva' }),
    goOn: async () => {
      for (let look = 0; look < 120; look += 1) {
        await ctx.clock.sleep(5_000)
        await watch({ now, record, behind: null, elapsedMs: ctx.clock.monotonicMs() - began })
      }
    },
    causes: () => ctx.facts.filter(({ fact }) => fact === MIGRATION_ASKS).map(({ values }) => String(values.cause)),
  }
}

const unreadLog = (world: ReturnType<typeof fakeWorld>) => {
  const cloud = must(world.port.openstack, 'the fake world has a cloud')
  cloud.instanceActions = async () => failed(failure('unreachable', 'Nova does not answer.'))
}

describe('what was decided about a migration', () => {
  it('counts as not requested while no record shows it, and the run reports nothing else', async () => {
    const { decide, goOn, causes } = await watched(null)
    decide('abort-and-leave')
    await goOn()
    expect(causes().filter(cause => cause.includes('asked'))).toEqual([])
  })

  it('is not a refusal where Nova’s log of actions cannot be read: the operator reads that, and it is sent once the log can be read', async () => {
    const { ctx, world, decide, goOn, causes } = await watched(RECORD, unreadLog)
    decide('abort-and-leave')
    await goOn()
    expect(ctx.facts.filter(({ fact }) => fact === STEERING_REFUSED)).toEqual([])
    expect(causes()).toEqual([
      'Lockkeeper could not read whether Nova was asked to abort it (Nova does not answer.), and it continues',
    ])
    expect(world.asked).toEqual([])
    const cloud = must(world.port.openstack, 'the fake world has a cloud')
    const sent: number[] = []
    cloud.instanceActions = async () => ({ ok: true, value: [] })
    cloud.abortMigration = async (_id, migrationId) => {
      sent.push(migrationId)
      return { ok: true, value: undefined }
    }
    await goOn()
    expect(sent).toEqual([1])
  })
})

describe('a migration with an end whose nova-compute is down', () => {
  it.each([
    ['cmp-1', 'SourceDown', 'of its host cmp-1', ['wait']],
    [
      'destination-2',
      'DestinationDown',
      'of its destination destination-2',
      expect.arrayContaining(['abort-and-leave']),
    ],
  ])('is asked about by that end: %s', async (host, code, words, choices) => {
    const { ctx, goOn } = await watched(RECORD, world => {
      world.services = world.services.map(each => (each.host === host ? { ...each, state: 'down' as const } : each))
    })
    await goOn()
    expect(ctx.facts.find(({ fact }) => fact === MIGRATION_ASKS)?.values).toMatchObject({
      cause: expect.stringContaining(words),
      code,
      values: { host },
      choices,
    })
  })
})
