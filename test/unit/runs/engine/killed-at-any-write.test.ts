import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Death, type Disk, emptyDisk, ProcessDied } from '../../../fixtures/engine/memory-journal.ts'
import { switchStep, type ToyCloud, toyCloud, toyPlan } from '../../../fixtures/engine/toy-cloud.ts'
import { toyConsole } from '../../../fixtures/engine/toy-console.ts'
import { createVirtualClock } from '../../../fixtures/virtual-clock.ts'

const steps = [switchStep('first'), switchStep('second', { verifyEarly: false }), switchStep('third')]
const plan = toyPlan(steps)
const everything = plan.steps.flatMap(step => step.input.things as string[])

/** Drives the plan through these deaths, a fresh process after each, until one lives to the end. */
async function driveThrough(deaths: readonly Death[], disk: Disk, world: ToyCloud) {
  const clock = createVirtualClock({ auto: true })
  world.onEffect = thing => {
    const last = disk.events.at(-1)?.body
    expect(last, 'the fact that announces an effect is on disk before it').toMatchObject({
      kind: 'fact',
      fact: 'start-requested',
      subject: thing,
      announces: true,
    })
  }
  for (const [at, death] of [...deaths, null].entries()) {
    const { engine, journal } = toyConsole({ disk, clock, steps, death, pid: at + 1 })
    const runId = disk.events[0]?.runId
    const last = disk.events.at(-1)?.body
    // Killed right after its last word: there is nothing left to resume.
    if (last?.kind === 'run-finished') return { kind: 'finished', outcome: last.outcome }
    try {
      const driven = runId === undefined ? engine.start(plan, world) : engine.resume(runId, world)
      // A start that could not be journaled says so; the process is dead all the same.
      if (!driven.ok && journal.died) continue
      if (!driven.ok) throw new Error(driven.failure.message)
      const rest = await driven.value.finished
      if (!journal.died) {
        expect(clock.sleeping, 'nothing is left running').toBe(0)
        return rest
      }
    } catch (error) {
      if (!(error instanceof ProcessDied)) throw error
    }
  }
  throw new Error('the last process lives')
}

async function appendsOfAWholeRun(): Promise<number> {
  const disk = emptyDisk()
  await driveThrough([], disk, toyCloud())
  return disk.events.length
}

test('a run killed at any one write, before or after it is on disk, is finished by the next process with every effect exactly once', async () => {
  const whole = await appendsOfAWholeRun()
  expect(whole).toBeGreaterThan(25)
  for (let atAppend = 1; atAppend <= whole; atAppend += 1) {
    for (const written of [false, true]) {
      const disk = emptyDisk()
      const world = toyCloud()
      const rest = await driveThrough([{ atAppend, written }], disk, world)
      const where = `killed ${written ? 'after' : 'before'} write ${atAppend} of ${whole}`
      expect(rest, where).toEqual({ kind: 'finished', outcome: 'done' })
      expect([...world.effects].sort(), where).toEqual([...everything].sort())
    }
  }
})

test('a run killed again and again, also while it is resumed, ends done with every effect exactly once and in order', async () => {
  const death = fc.record({ atAppend: fc.integer({ min: 1, max: 30 }), written: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(fc.array(death, { maxLength: 5 }), async deaths => {
      const disk = emptyDisk()
      const world = toyCloud()
      expect(await driveThrough(deaths, disk, world)).toEqual({ kind: 'finished', outcome: 'done' })
      expect(world.effects).toEqual(everything)
      expect(disk.events.filter(({ body }) => body.kind === 'run-created')).toHaveLength(1)
    }),
    { numRuns: 60 },
  )
})
