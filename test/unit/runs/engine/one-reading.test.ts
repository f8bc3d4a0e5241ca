import { expect, test } from 'vitest'
import type { Step } from '../../../../main/runs/engine/step.ts'
import { emptyDisk } from '../../../fixtures/engine/memory-journal.ts'
import { switchStep, type ToyCloud, toyCloud, toyPlan } from '../../../fixtures/engine/toy-cloud.ts'
import { toyConsole } from '../../../fixtures/engine/toy-console.ts'
import { createVirtualClock } from '../../../fixtures/virtual-clock.ts'

/** By which world each verb of a step looked, and what time its evidence would bear. */
interface Look {
  readonly verb: string
  readonly world: ToyCloud
  readonly at: string
}

function watched(looks: Look[]): readonly Step<ToyCloud>[] {
  return ['first', 'second'].map(kind => {
    const step = switchStep(kind)
    const look = (verb: string, ctx: { readonly world: ToyCloud; readonly at: () => string }) =>
      looks.push({ verb: `${verb} ${kind}`, world: ctx.world, at: ctx.at() })
    return {
      ...step,
      check: async (input, ctx) => {
        look('check', ctx)
        return (await step.check?.(input, ctx)) ?? never()
      },
      apply: async (input, ctx) => {
        look('apply', ctx)
        return (await step.apply?.(input, ctx)) ?? never()
      },
      verify: async (input, ctx) => {
        look('verify', ctx)
        return (await step.verify?.(input, ctx)) ?? never()
      },
    }
  })
}

test('all checks of a pass judge by one reading, whose time their evidence bears; applies and verifies read again', async () => {
  const looks: Look[] = []
  const steps = watched(looks)
  const world = toyCloud()
  const readings: ToyCloud[] = []
  const clock = createVirtualClock({ auto: true })
  const readingOf = (of: ToyCloud) => {
    const reading = { ...of }
    readings.push(reading)
    return { at: `reading ${readings.length}`, world: reading }
  }
  const { engine } = toyConsole({ disk: emptyDisk(), clock, steps, readingOf })
  await engine.check(toyPlan(steps), world)
  expect(looks.map(({ verb, world: by, at }) => [verb, readings.indexOf(by), at])).toEqual([
    ['check first', 0, 'reading 1'],
    ['check second', 0, 'reading 1'],
  ])

  looks.length = 0
  const started = engine.start(toyPlan(steps), world)
  if (!started.ok) throw new Error(started.failure.message)
  expect(await started.value.finished).toEqual({ kind: 'finished', outcome: 'done' })
  const seen = looks.map(({ verb, world: by }) => [
    verb.split(' ')[0],
    by === world ? 'the world' : readings.indexOf(by),
  ])
  expect(seen).toEqual([
    ['check', 1],
    ['check', 1],
    ['apply', 'the world'],
    ['verify', 'the world'],
    ['apply', 'the world'],
    ['verify', 'the world'],
    ['verify', 'the world'],
    ['verify', 'the world'],
  ])
})

function never(): never {
  throw new Error('Broken invariant: the toy step has all three verbs')
}
