import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { evacuate } from '../../../../main/procedures/steps/compute/evacuation.ts'
import type { Step } from '../../../../main/runs/engine/step.ts'
import type { RunEventBody } from '../../../../shared/domain/run.ts'
import { foldRun } from '../../../../shared/domain/run-fold.ts'
import { type Death, type Disk, emptyDisk, ProcessDied } from '../../../fixtures/engine/memory-journal.ts'
import { switchStep, type ToyCloud, toyCloud, toyPlan } from '../../../fixtures/engine/toy-cloud.ts'
import { toyConsole } from '../../../fixtures/engine/toy-console.ts'
import {
  COMPUTE,
  type FakeWorld,
  fakeInstance,
  fakeNode,
  fakeService,
  fakeWorld,
} from '../../../fixtures/procedures/fake-world.ts'
import { tries } from '../../../fixtures/tries.ts'
import { createVirtualClock, type VirtualClock } from '../../../fixtures/virtual-clock.ts'

const BUDGET = 3

/** A step that empties a real evacuation's host, on which nothing will move, and asks about it. */
function emptying(world: FakeWorld): Step<ToyCloud> {
  return switchStep('first', {
    withinMs: 12 * 3_600_000,
    apply: async (_input, ctx) => {
      const answer = await evacuate('cmp-1', { concurrency: 2, attempts: BUDGET }, { ...ctx, world: world.port })
      if (answer.kind === 'emptied') return { kind: 'applied', note: '' }
      if (answer.kind !== 'unresolved') return answer
      return {
        kind: 'question',
        code: 'TwoStay',
        values: { instances: 2 },
        question: 'Two stay. What now?',
        choices: ['retry', 'skip', 'abort'],
      }
    },
  })
}

function stuckHost(): FakeWorld {
  const world = fakeWorld({
    nodes: [fakeNode('cmp-1', { labels: COMPUTE })],
    services: [fakeService('cmp-1'), fakeService('cmp-2')],
    instances: ['a', 'b'].map(id => fakeInstance(id, 'cmp-1')),
  })
  world.behaviour = () => 'fail'
  return world
}

/** Drives the run with one process after the other, each until it dies or its time ends. */
async function driveWith(
  processes: readonly (Death | null)[],
  of: { readonly steps: readonly Step<ToyCloud>[]; readonly clock: VirtualClock; readonly disk: Disk },
  forMs = 60_000,
) {
  const { steps, clock, disk } = of
  const world = toyCloud()
  for (const [at, death] of processes.entries()) {
    const { engine, journal } = toyConsole({ disk, clock, steps, death, pid: at + 1 })
    const runId = disk.events[0]?.runId
    try {
      const driven =
        runId === undefined ? engine.start(toyPlan(steps, { things: 1 }), world) : engine.resume(runId, world)
      if (!driven.ok && !journal.died) throw new Error(driven.failure.message)
      await clock.advance(forMs)
      // Killed on the spot: nothing it does reaches the disk any more.
      if (!journal.died) journal.kill()
      await clock.advance(5_000)
    } catch (error) {
      if (!(error instanceof ProcessDied)) throw error
    }
  }
}

const asked = (disk: Disk) => disk.events.flatMap(({ body }) => (body.kind === 'gate-opened' ? [body] : []))
const openOf = (disk: Disk) => foldRun(disk.events).openGates

describe('a run that is resumed with a question open', () => {
  test('comes back with the same question, and tries nothing again before somebody answers', async () => {
    const world = stuckHost()
    const clock = createVirtualClock()
    const disk = emptyDisk()
    const steps = [emptying(world)]
    await driveWith(
      Array.from({ length: 10 }, () => null),
      { steps, clock, disk },
    )
    expect(world.asked, 'each as often as its budget says').toHaveLength(2 * BUDGET)
    expect(asked(disk)).toHaveLength(1)
    const question = { code: 'TwoStay', values: { instances: 2 }, question: 'Two stay. What now?' }
    expect(openOf(disk)).toEqual([expect.objectContaining(question)])
    expect(foldRun(disk.events).state).toMatchObject({ kind: 'waiting', gateId: asked(disk)[0]?.gateId })
    expect(disk.events.filter(({ body }) => body.kind === 'step-started')).toHaveLength(1)
  })

  test('continues with the answer, by the id under which it was first asked', async () => {
    const world = stuckHost()
    const clock = createVirtualClock()
    const disk = emptyDisk()
    const steps = [emptying(world)]
    await driveWith([null, null], { steps, clock, disk })
    world.behaviour = () => 'move'
    const { engine } = toyConsole({ disk, clock, steps, pid: 9 })
    const toy = toyCloud()
    const resumed = engine.resume(disk.events[0]?.runId ?? '', toy)
    if (!resumed.ok) throw new Error(resumed.failure.message)
    toy.on.add('first/0')
    resumed.value.control({
      kind: 'answer',
      by: 'ana',
      gateId: asked(disk)[0]?.gateId ?? '',
      choice: 'retry',
      reason: '',
    })
    await clock.advance(600_000)
    expect(await resumed.value.finished).toEqual({ kind: 'finished', outcome: 'done' })
    expect(asked(disk), 'it is not asked twice').toHaveLength(1)
  })

  test('paused and resumed, it still waits for the same answer', async () => {
    const world = stuckHost()
    const clock = createVirtualClock()
    const disk = emptyDisk()
    const steps = [emptying(world)]
    const { engine } = toyConsole({ disk, clock, steps })
    const started = engine.start(toyPlan(steps, { things: 1 }), toyCloud())
    if (!started.ok) throw new Error(started.failure.message)
    await clock.advance(600_000)
    for (let times = 0; times < 3; times += 1) {
      started.value.control({ kind: 'pause', by: 'eva' })
      await clock.advance(10_000)
      expect(foldRun(disk.events).state.kind).toBe('paused')
      started.value.control({ kind: 'unpause', by: 'eva' })
      await clock.advance(60_000)
      expect(foldRun(disk.events).state.kind).toBe('waiting')
    }
    expect(world.asked).toHaveLength(2 * BUDGET)
    expect(asked(disk)).toHaveLength(1)
    started.value.control({ kind: 'abort', by: 'eva', reason: 'enough' })
    await clock.advance(60_000)
    expect(await started.value.finished).toEqual({ kind: 'finished', outcome: 'aborted' })
  })
})

test('killed at any write and resumed ten times, no instance is ever asked to move more often than the budget says', async () => {
  const whole = emptyDisk()
  await driveWith([null], { steps: [emptying(stuckHost())], clock: createVirtualClock(), disk: whole })
  const writes = whole.events.length
  expect(writes).toBeGreaterThan(15)
  const death = fc.record({ atAppend: fc.integer({ min: 1, max: writes }), written: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(fc.array(death, { minLength: 10, maxLength: 10 }), async deaths => {
      const world = stuckHost()
      const disk = emptyDisk()
      await driveWith([...deaths, null], { steps: [emptying(world)], clock: createVirtualClock(), disk })
      for (const id of ['a', 'b']) {
        const times = world.asked.filter(request => request === `live-migrate ${id}`).length
        expect(times, id).toBeLessThanOrEqual(BUDGET)
      }
      const last = disk.events.at(-1)?.body as RunEventBody
      expect(openOf(disk), JSON.stringify(last)).toHaveLength(1)
    }),
    { numRuns: tries(8, 200) },
  )
})
