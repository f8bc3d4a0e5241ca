import { describe, expect, it } from 'vitest'
import { type Move, moveAll } from '../../../main/procedures/steps/compute/evacuation.ts'
import { nextLookMs } from '../../../main/procedures/steps/compute/watch-move.ts'
import { must } from '../../../shared/domain/must.ts'
import { INSTANCE_MOVED, INSTANCE_SETTLED } from '../../../shared/domain/run-facts.ts'
import { type FakeWorld, fakeContext, fakeInstance, fakeWorld } from '../../fixtures/procedures/fake-world.ts'

const LIVE = { action: 'live_migrate', code: 'instance-moves', reason: 'it runs' } as const

function moveOf(world: FakeWorld, id: string, to: string | null): Move {
  const instance = must(
    world.instances.find(each => each.id === id),
    'it is there',
  )
  return { instance, from: instance.host ?? '', to, policyOf: () => LIVE }
}

describe('moving instances of several hosts', () => {
  const worldOf = () => fakeWorld({ instances: [fakeInstance('a', 'cmp-1'), fakeInstance('b', 'cmp-2')] })

  it('brings each to the host that is named', async () => {
    const world = worldOf()
    const moves = [moveOf(world, 'a', 'cmp-3'), moveOf(world, 'b', 'cmp-3')]
    const ctx = fakeContext(world)
    expect(await moveAll(moves, { concurrency: 2, attempts: 3 }, ctx)).toEqual({ kind: 'emptied', moved: 2 })
    expect(world.asked.toSorted()).toEqual(['live-migrate a to cmp-3', 'live-migrate b to cmp-3'])
    expect(world.instances.map(({ host }) => host)).toEqual(['cmp-3', 'cmp-3'])
  })

  it('has not arrived where it is on another host than the one that was named', async () => {
    const world = worldOf()
    const port = must(world.port.openstack, 'the fake world has a cloud')
    const { liveMigrate } = port
    // Its owner takes it elsewhere meanwhile.
    port.liveMigrate = id => liveMigrate(id, 'cmp-4')
    const ctx = fakeContext(world)
    await moveAll([moveOf(world, 'a', 'cmp-3')], { concurrency: 1, attempts: 3 }, ctx)
    expect(ctx.facts.filter(({ fact }) => fact === INSTANCE_MOVED)).toEqual([])
    expect(ctx.facts.at(-1)).toMatchObject({
      fact: INSTANCE_SETTLED,
      values: { why: 'it runs on cmp-4 now, not on cmp-3' },
    })
  })

  it('does not touch one that is on another host than it is to leave', async () => {
    const world = worldOf()
    const move = { ...moveOf(world, 'a', 'cmp-3'), from: 'cmp-2' }
    await moveAll([move], { concurrency: 1, attempts: 3 }, fakeContext(world))
    expect(world.asked).toEqual([])
  })
})

describe('one look serves all who follow instances of a host', () => {
  it.each([1, 3, 12])(
    'at %i at once: three requests a migration, and one list of migrations a second',
    async concurrency => {
      const ids = Array.from({ length: 12 }, (_, index) => `i${index}`)
      const world = fakeWorld({ instances: ids.map(id => fakeInstance(id, 'cmp-1')), looksToEnd: 1 })
      const port = must(world.port.openstack, 'the fake world has a cloud')
      const ctx = fakeContext(world)
      const lists: Record<string, number[]> = { instancesOnHost: [], migrations: [] }
      let others = 0
      for (const name of Object.keys(port) as (keyof typeof port)[]) {
        const real = port[name] as (...args: unknown[]) => unknown
        Object.assign(port, {
          [name]: (...args: unknown[]) => {
            if (lists[name] === undefined) others += 1
            else lists[name].push(ctx.clock.monotonicMs())
            return real(...args)
          },
        })
      }
      const moves = ids.map(id => moveOf(world, id, null))
      expect(await moveAll(moves, { concurrency, attempts: 3 }, ctx)).toEqual({ kind: 'emptied', moved: 12 })
      expect(others).toBe(36)
      const gaps = (lists.migrations ?? []).slice(1).map((at, index) => at - (lists.migrations?.[index] ?? 0))
      // The first list of records is the whole of them.
      expect(Math.min(...gaps.slice(1), 1_000)).toBeGreaterThanOrEqual(900)
      expect(lists.instancesOnHost?.length).toBeLessThanOrEqual(4 * 12)
    },
  )
})

describe('looks at a move', () => {
  /** The moments of looks at a move that begins at 0 and ends then, each look taking 30 ms. */
  const looksAt = (endsMs: number, usual: Parameters<typeof nextLookMs>[3]) => {
    const looks: number[] = []
    for (let lastMs = 0; (looks.at(-1) ?? 0) < endsMs; ) {
      lastMs = Math.max(lastMs + 30, nextLookMs(lastMs, 0, looks.at(-1) ?? 0, usual))
      looks.push(lastMs)
    }
    return looks
  }

  it('that nothing is known about are four a second, and rarer the longer it takes', () => {
    expect(looksAt(1_000, null)).toEqual([250, 500, 750, 1_000])
    expect(looksAt(60_000, null).length).toBeLessThanOrEqual(75)
  })

  it('of a host whose moves are quick are close around the time when they end', () => {
    const looks = looksAt(1_050, { fromMs: 1_000, toMs: 1_100 })
    expect(looks[0]).toBe(850)
    expect((looks.at(-1) ?? 0) - 1_050).toBeLessThanOrEqual(50)
    expect(looks.length).toBeLessThanOrEqual(6)
  })

  it('of a host whose moves take ten seconds are fewer than two a second: one list of each kind', () => {
    const looks = looksAt(10_100, { fromMs: 9_800, toMs: 10_300 })
    expect(looks.length / 10.1).toBeLessThanOrEqual(2)
    expect((looks.at(-1) ?? 0) - 10_100).toBeLessThanOrEqual(500)
  })

  it('continue where it takes longer than usual', () => {
    const looks = looksAt(30_000, { fromMs: 1_000, toMs: 1_100 })
    expect(looks.at(-1)).toBeLessThanOrEqual(31_500)
  })
})
