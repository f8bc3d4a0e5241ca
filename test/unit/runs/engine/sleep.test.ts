import { describe, expect, test } from 'vitest'
import { createSleepWatch, type Slept } from '../../../../main/runs/engine/sleep-watch.ts'
import type { Step } from '../../../../main/runs/engine/step.ts'
import { failure } from '../../../../shared/domain/failure.ts'
import { emptyDisk } from '../../../fixtures/engine/memory-journal.ts'
import { act, switchStep, type ToyCloud, thingsOf, toyCloud, toyPlan } from '../../../fixtures/engine/toy-cloud.ts'
import { toyConsole } from '../../../fixtures/engine/toy-console.ts'
import { createVirtualClock } from '../../../fixtures/virtual-clock.ts'

const HOURS = 2 * 3_600_000

/** Begins a run, lets the machine sleep at the given time, and returns its outcome. */
async function sleeping(steps: readonly Step<ToyCloud>[], afterMs: number, sleptMs = HOURS) {
  const clock = createVirtualClock()
  const disk = emptyDisk()
  const world = toyCloud()
  const { engine } = toyConsole({ disk, clock, steps })
  const started = engine.start(toyPlan(steps), world)
  if (!started.ok) throw new Error(started.failure.message)
  await clock.advance(afterMs)
  clock.jump(sleptMs)
  await clock.advance(300_000)
  const bodies = disk.events.map(({ body }) => body)
  return { world, bodies, rest: await Promise.race([started.value.finished, null]), run: started.value, clock }
}

describe('a machine that slept while it drove a run', () => {
  test('continues alone, whenever it fell asleep, and says for how long it slept; nothing is done twice', async () => {
    const steps = [switchStep('first'), switchStep('second')]
    for (let afterMs = 0; afterMs <= 3_750; afterMs += 250) {
      const { world, bodies, rest } = await sleeping(steps, afterMs)
      expect(rest, `asleep after ${afterMs} ms`).toEqual({ kind: 'finished', outcome: 'done' })
      expect(world.effects).toEqual(['first/0', 'first/1', 'second/0', 'second/1'])
      expect(bodies.filter(({ kind }) => kind === 'machine-slept')).toEqual([
        { kind: 'machine-slept', ms: HOURS, since: expect.any(String) },
      ])
      expect(bodies.filter(({ kind }) => kind === 'gate-opened')).toEqual([])
    }
  })

  test('gives up a request whose connection died with the sleep, and looks at the world before it asks again', async () => {
    let calls = 0
    const waits: Step<ToyCloud>['apply'] = async (input, ctx) => {
      calls += 1
      for (const thing of thingsOf(input)) {
        if (ctx.world.on.has(thing)) continue
        ctx.announce('start-requested', thing)
        act(ctx.world, thing)
        if (calls > 1) continue
        // An answer that will never come.
        await new Promise<void>(resolve => ctx.signal.addEventListener('abort', () => resolve(), { once: true }))
        return { kind: 'failed', failure: failure('aborted', 'Stopped before there was an answer.') }
      }
      return { kind: 'applied', note: '' }
    }
    const { world, rest } = await sleeping([switchStep('first', { apply: waits })], 5_000)
    expect(rest).toEqual({ kind: 'finished', outcome: 'done' })
    expect(world.effects).toEqual(['first/0', 'first/1'])
    expect(calls).toBe(2)
  })

  test('does not count the sleep against the time of a step', async () => {
    const slow = switchStep('first', {
      withinMs: 60_000,
      apply: async (input, ctx) => {
        await ctx.clock.sleep(40_000, ctx.signal)
        if (ctx.signal.aborted) return { kind: 'stopped' }
        for (const thing of thingsOf(input)) {
          ctx.announce('start-requested', thing)
          act(ctx.world, thing)
        }
        return { kind: 'applied', note: '' }
      },
    })
    const { rest } = await sleeping([slow], 30_000)
    expect(rest).toEqual({ kind: 'finished', outcome: 'done' })
  })

  test('a clock that is set back is not a sleep', async () => {
    const { rest, bodies } = await sleeping([switchStep('first')], 500, -HOURS)
    expect(bodies.filter(({ kind }) => kind === 'machine-slept')).toEqual([])
    expect(rest).toEqual({ kind: 'finished', outcome: 'done' })
  })
})

describe('where the monotonic clock runs in sleep too', () => {
  test('a gap between two readings shows the sleep, and the clock of the run counts only the time awake', () => {
    let [wallMs, monotonicMs] = [Date.parse('2026-01-01T00:00:00Z'), 0]
    const clock = { now: () => wallMs, monotonicMs: () => monotonicMs, sleep: async () => {}, random: () => 0 }
    const pass = (ms: number) => {
      wallMs += ms
      monotonicMs += ms
    }
    const all: Slept[] = []
    const watch = createSleepWatch(clock, slept => all.push(slept))
    const { signal } = watch
    for (let ticks = 0; ticks < 20; ticks += 1) {
      pass(500)
      watch.look()
    }
    expect(all).toEqual([])
    pass(HOURS)
    expect(watch.clock.monotonicMs()).toBe(10_500)
    expect(all).toEqual([{ ms: HOURS - 500, since: '2026-01-01T00:00:10.000Z' }])
    expect([signal.aborted, watch.signal.aborted]).toEqual([true, false])
  })
})
