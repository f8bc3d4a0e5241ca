import fc from 'fast-check'
import { expect, test } from 'vitest'
import { emptyDisk } from '../../../fixtures/engine/memory-journal.ts'
import { switchStep, toyCloud, toyPlan } from '../../../fixtures/engine/toy-cloud.ts'
import { toyConsole, toyLease } from '../../../fixtures/engine/toy-console.ts'
import { createVirtualClock } from '../../../fixtures/virtual-clock.ts'

const KINDS = ['first', 'second', 'third'] as const
const subset = fc.subarray([...KINDS])

test('a run is done exactly when every verify holds at the end', async () => {
  await fc.assert(
    fc.asyncProperty(subset, subset, subset, async (early, unverifiable, unreported) => {
      const steps = KINDS.map(kind => switchStep(kind, { verifyEarly: early.includes(kind) }))
      const disk = emptyDisk()
      const world = toyCloud()
      for (const kind of unverifiable) world.unverifiable.add(kind)
      for (const kind of unreported) world.unreported.add(kind)
      const isWell = unverifiable.length + unreported.length === 0
      const { engine } = toyConsole({ disk, clock: createVirtualClock({ auto: true }), steps })
      const started = engine.start(toyPlan(steps), world)
      if (!started.ok) throw new Error(started.failure.message)
      const rest = await started.value.finished
      expect(rest).toEqual({ kind: 'finished', outcome: isWell ? 'done' : 'failed' })
      const held = disk.events.flatMap(({ body }) =>
        body.kind === 'step-verified' && body.round === 'final' && body.answer.kind === 'holds' ? [body.stepId] : [],
      )
      if (isWell) expect(held).toEqual([...KINDS])
    }),
    { numRuns: 64 },
  )
})

test('a thing that changes between its early verify and the end keeps a run from being done', async () => {
  const steps = [switchStep('first'), switchStep('second')]
  const world = toyCloud()
  world.onEffect = thing => {
    if (thing === 'second/1') world.on.delete('first/0')
  }
  const { engine } = toyConsole({ disk: emptyDisk(), clock: createVirtualClock({ auto: true }), steps })
  const started = engine.start(toyPlan(steps), world)
  expect(started.ok && (await started.value.finished)).toEqual({ kind: 'finished', outcome: 'failed' })
})

test('after the lease is lost nothing more is done, whenever that is', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 7 }), async lostAtRenewal => {
      // Forty effects of three seconds each, and a lease renewed every ten.
      const slow = switchStep('first', {
        withinMs: 600_000,
        apply: async (_input, ctx) => {
          for (let index = 0; index < 40; index += 1) {
            ctx.announce('start-requested', String(index))
            ctx.world.effects.push(String(index))
            await ctx.clock.sleep(3_000, ctx.signal)
          }
          return { kind: 'applied', note: '' }
        },
      })
      const lease = toyLease()
      const world = toyCloud()
      let doneWhenLost = -1
      let renewals = 0
      const renew = lease.renew
      const lossy = Object.assign(lease, {
        renew: (...args: Parameters<typeof renew>) => {
          renewals += 1
          if (renewals === lostAtRenewal) lease.answers = 'lost'
          if (lease.answers === 'lost' && doneWhenLost < 0) doneWhenLost = world.effects.length
          return renew(...args)
        },
      })
      const disk = emptyDisk()
      const { engine } = toyConsole({ disk, clock: createVirtualClock({ auto: true }), steps: [slow], lease: lossy })
      const started = engine.start(toyPlan([slow]), world)
      if (!started.ok) throw new Error(started.failure.message)
      const rest = await started.value.finished
      if (doneWhenLost < 0) return
      expect(rest, 'interrupted: it can be resumed').toMatchObject({ kind: 'left' })
      expect(world.effects).toHaveLength(doneWhenLost)
      expect(disk.events.map(({ body }) => body.kind)).toContain('lease-lost')
      expect(disk.events.at(-1)?.body).toMatchObject({
        kind: 'driver-left',
        why: expect.stringContaining('Ana on laptop-2'),
      })
      expect(lease.calls, 'what somebody else holds is not given back').not.toContain('release')
    }),
    { numRuns: 20 },
  )
})

test('a lease that cannot be renewed stops everything when it has run out, and not before; the run waits and asks', async () => {
  const times: number[] = []
  const clock = createVirtualClock()
  const slow = switchStep('first', {
    withinMs: 600_000,
    apply: async (_input, ctx) => {
      for (let turn = 0; turn < 300; turn += 1) {
        ctx.announce('start-requested', 'x')
        times.push(ctx.clock.now())
        await ctx.clock.sleep(1_000, ctx.signal)
      }
      return { kind: 'applied', note: '' }
    },
  })
  const lease = toyLease()
  const disk = emptyDisk()
  const { engine } = toyConsole({ disk, clock, steps: [slow], lease })
  const started = engine.start(toyPlan([slow]), toyCloud())
  if (!started.ok) throw new Error(started.failure.message)
  await Promise.resolve()
  lease.answers = 'unreachable'
  await clock.advance(1_200_000)
  expect(disk.events.map(({ body }) => body.kind)).toEqual(expect.arrayContaining(['lease-away', 'gate-opened']))
  started.value.control({ kind: 'abort', by: 'eva', reason: 'seen' })
  await clock.advance(20_000)
  expect(await started.value.finished).toEqual({ kind: 'finished', outcome: 'aborted' })
  const actedForMs = (times.at(-1) ?? 0) - (times[0] ?? 0)
  expect(actedForMs).toBeGreaterThan(lease.durationMs / 2)
  expect(actedForMs).toBeLessThanOrEqual(lease.durationMs)
})

test('after an abort nothing more is done, whenever it comes, and the run says what stays changed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 9_000 }), async abortAfterMs => {
      const steps = [switchStep('first'), switchStep('second'), switchStep('third')]
      const clock = createVirtualClock()
      const world = toyCloud()
      const disk = emptyDisk()
      const { engine, lease } = toyConsole({ disk, clock, steps })
      const started = engine.start(toyPlan(steps), world)
      if (!started.ok) throw new Error(started.failure.message)
      await clock.advance(abortAfterMs)
      const before = disk.events.at(-1)?.body
      const effects = [...world.effects]
      started.value.control({ kind: 'abort', by: 'eva', reason: 'wrong node' })
      await clock.advance(60_000)
      const rest = await started.value.finished
      expect(world.effects).toEqual(effects)
      const finished = disk.events.at(-1)?.body
      if (finished?.kind !== 'run-finished') throw new Error('the last event ends the run')
      if (before?.kind === 'run-finished') return
      expect(rest).toEqual({ kind: 'finished', outcome: 'aborted' })
      const touched = new Set(effects.map(thing => thing.split('/')[0]))
      expect(finished.leftBehind).toEqual([...touched].map(kind => `Turn on ${kind}: Turn off ${kind}.`))
      expect(lease.calls.at(-1)).toBe('release')
      expect(clock.sleeping).toBe(0)
    }),
    { numRuns: 40 },
  )
})
