import { describe, expect, test } from 'vitest'
import { type JournalPort, JournalRefused } from '../../../../main/ports/journal.ts'
import type { Step } from '../../../../main/runs/engine/step.ts'
import { failure } from '../../../../shared/domain/failure.ts'
import { OPERATOR_ANSWERED } from '../../../../shared/domain/run-facts.ts'
import { type Disk, emptyDisk } from '../../../fixtures/engine/memory-journal.ts'
import { switchStep, type ToyCloud, toyCloud, toyPlan } from '../../../fixtures/engine/toy-cloud.ts'
import { toyConsole, toyLease } from '../../../fixtures/engine/toy-console.ts'
import { createVirtualClock } from '../../../fixtures/virtual-clock.ts'

/** A run driven by hand: the clock moves when the test says. */
function begin(steps: readonly Step<ToyCloud>[], plan = toyPlan(steps)) {
  const clock = createVirtualClock()
  const disk = emptyDisk()
  const world = toyCloud()
  const lease = toyLease()
  const made = toyConsole({ disk, clock, steps, lease })
  const started = made.engine.start(plan, world)
  if (!started.ok) throw new Error(started.failure.message)
  return { ...made, clock, disk, world, plan, run: started.value }
}

const two = [switchStep('first'), switchStep('second')]
const never = new Promise<never>(() => {})
const last = (disk: Disk) => disk.events.at(-1)?.body
const kinds = (disk: Disk) => disk.events.map(({ body }) => body.kind)

describe('a driver that another process replaced', () => {
  test('neither acts nor writes any more, and leaves the lease to its successor', async () => {
    const { clock, disk, world, run, lease } = begin(two)
    await clock.advance(1_500)
    const row = disk.rows.get(run.runId)
    if (row === undefined) throw new Error('the run has a row')
    disk.rows.set(run.runId, { ...row, driverId: 'driver-2', epoch: 2 })
    const [effects, events] = [world.effects.length, disk.events.length]
    await clock.advance(120_000)
    expect(await run.finished).toEqual({ kind: 'left', why: null })
    expect([world.effects.length, disk.events.length]).toEqual([effects, events])
    expect(lease.calls).not.toContain('release')
  })
})

test.each<[what: string, verifyWithinMs: number | undefined, outcome: string]>([
  ['ten minutes, where its step sets no limit', undefined, 'failed'],
  ['as long as its step says', 720_000, 'done'],
])('a verify looks on for %s', async (_, verifyWithinMs, outcome) => {
  let since: number | null = null
  const slow = switchStep('slow', {
    withinMs: 900_000,
    ...(verifyWithinMs === undefined ? {} : { verifyWithinMs }),
    verifyEveryMs: 1_000,
    verify: async (_input, { clock }) => {
      since ??= clock.monotonicMs()
      return clock.monotonicMs() - since > 650_000
        ? { kind: 'holds', reason: '', evidence: [] }
        : { kind: 'fails', reason: 'Not yet.', remedy: '', evidence: [], mayStillHold: true }
    },
  })
  const { clock, disk } = begin([slow])
  for (let minutes = 0; minutes < 15; minutes += 1) await clock.advance(60_000)
  expect(last(disk)).toMatchObject({ kind: 'run-finished', outcome })
})

describe('a journal that takes no more', () => {
  const full = failure('server-fault', 'The disk of the journal is full.')
  /** From now on the disk keeps nothing. */
  function refuse(journal: JournalPort, words = Number.POSITIVE_INFINITY): void {
    const { append } = journal
    let left = words
    journal.append = (...entry) => {
      left -= 1
      if (left >= 0) throw new JournalRefused(full)
      return append(...entry)
    }
  }

  test.each([
    ['for good', Number.POSITIVE_INFINITY],
    ['for one word', 1],
  ])(
    '%s stops the run before its next effect; it did not fail, says why, and can be resumed here',
    async (_, words) => {
      const { clock, disk, world, run, engine, journal, lease } = begin(two)
      await clock.advance(1_500)
      const effects = world.effects.length
      const { append } = journal
      refuse(journal, words)
      await clock.advance(60_000)
      expect(await run.finished).toEqual({ kind: 'left', why: full.message })
      expect(world.effects).toHaveLength(effects)
      expect(kinds(disk)).not.toContain('step-failed')
      expect(lease.calls).toContain('release')
      journal.append = append
      const resumed = engine.resume(run.runId, world)
      if (!resumed.ok) throw new Error(resumed.failure.message)
      await clock.advance(60_000)
      expect(await resumed.value.finished).toEqual({ kind: 'finished', outcome: 'done' })
      expect(new Set(world.effects).size).toBe(world.effects.length)
    },
  )
})

describe('a lease whose renewal hangs', () => {
  test('stops the run before the next effect once it would have run out', async () => {
    const slow = [switchStep('first', { withinMs: 3_600_000 })]
    const { clock, world, run, lease, disk } = begin(slow, toyPlan(slow, { things: 500 }))
    lease.renew = () => never
    await clock.advance(200_000)
    expect(world.effects.length).toBeGreaterThan(10)
    expect(world.effects.length).toBeLessThanOrEqual(61)
    expect(kinds(disk)).toContain('lease-away')
    await clock.advance(660_000)
    expect(world.effects.length).toBeLessThanOrEqual(61)
    expect(kinds(disk), 'nobody is known to have taken it').not.toContain('lease-lost')
    expect(kinds(disk)).toContain('gate-opened')
    run.control({ kind: 'detach', by: 'eva' })
    await clock.advance(60_000)
    expect(await run.finished).toMatchObject({ kind: 'left' })
    expect(kinds(disk)).not.toContain('run-finished')
  })
})

describe('a step that does not listen', () => {
  test('an apply that ignores its deadline fails the run soon after, as timed out', async () => {
    const deaf = [switchStep('first', { apply: () => never })]
    const { clock, disk, run } = begin(deaf)
    await clock.advance(120_000)
    expect(await run.finished).toEqual({ kind: 'finished', outcome: 'failed' })
    expect(disk.events.map(({ body }) => body)).toContainEqual(
      expect.objectContaining({ kind: 'step-failed', failure: expect.objectContaining({ code: 'timed-out' }) }),
    )
  })

  test('an apply that ignores an abort does not hold it up', async () => {
    const deaf = [switchStep('first', { apply: () => never, withinMs: 3_600_000 })]
    const { clock, run } = begin(deaf)
    await clock.advance(5_000)
    run.control({ kind: 'abort', by: 'eva', reason: 'enough' })
    await clock.advance(60_000)
    expect(await run.finished).toEqual({ kind: 'finished', outcome: 'aborted' })
  })

  test('a check that never answers blocks, and nothing may override it', async () => {
    const deaf = [switchStep('first', { check: () => never })]
    const plan = toyPlan(deaf, { options: { overrides: [{ flag: 'force', reason: 'now' }] } })
    const { clock, world, run } = begin(deaf, plan)
    await clock.advance(300_000)
    expect(await run.finished).toEqual({ kind: 'finished', outcome: 'checks-failed' })
    expect(world.effects).toEqual([])
  })

  test('a verify that never answers is not taken for one that holds', async () => {
    const deaf = [switchStep('first', { verify: () => never })]
    const { clock, run } = begin(deaf)
    await clock.advance(3_600_000)
    expect(await run.finished).toEqual({ kind: 'finished', outcome: 'failed' })
  })

  test('what its deadline cut short is reported as timed out, not as aborted', async () => {
    const apply: Step<ToyCloud>['apply'] = async (_input, ctx) => {
      await ctx.clock.sleep(3_600_000, ctx.signal)
      return { kind: 'failed', failure: failure('aborted', 'The request was aborted.') }
    }
    const { clock, disk, run } = begin([switchStep('first', { apply })])
    await clock.advance(120_000)
    await run.finished
    expect(disk.events.map(({ body }) => body)).toContainEqual(
      expect.objectContaining({ kind: 'step-failed', failure: expect.objectContaining({ code: 'timed-out' }) }),
    )
  })
})

describe('an abort is never lost', () => {
  test('when it cannot be journaled, the run stops all the same', async () => {
    const { clock, world, run, journal } = begin(two)
    await clock.advance(1_500)
    const append = journal.append
    journal.append = (runId, body, driver) => {
      if (body.kind === 'abort-requested') throw new Error('database is locked')
      return append(runId, body, driver)
    }
    expect(() => run.control({ kind: 'abort', by: 'eva', reason: 'enough' })).toThrow()
    const effects = world.effects.length
    await clock.advance(60_000)
    expect(await run.finished).toEqual({ kind: 'finished', outcome: 'aborted' })
    expect(world.effects).toHaveLength(effects)
  })

  test('asked of a driver that had died, the next one obeys it before it does anything', async () => {
    const { clock, disk, world, run } = begin(two)
    await clock.advance(1_500)
    run.control({ kind: 'detach', by: 'eva' })
    await clock.advance(5_000)
    disk.controls.push({ kind: 'abort', by: 'ana', reason: 'wrong node' })
    const effects = world.effects.length
    const auto = createVirtualClock({ auto: true, start: clock.now() })
    const resumed = toyConsole({ disk, clock: auto, steps: two, pid: 2 }).engine.resume(run.runId, world)
    expect(resumed.ok && (await resumed.value.finished)).toEqual({ kind: 'finished', outcome: 'aborted' })
    expect(world.effects).toHaveLength(effects)
    expect(last(disk)).toMatchObject({ summary: 'Stopped by ana: wrong node.' })
  })

  test('a run that somebody drives is not ended behind its back', async () => {
    const { clock, disk, run, plan } = begin(two)
    await clock.advance(1_500)
    const other = toyConsole({ disk, clock, steps: two, pid: 2, alive: () => true })
    const answer = other.engine.abortUndriven(run.runId, 'not mine')
    expect(answer.ok ? null : answer.failure.code).toBe('held')
    expect(kinds(disk)).not.toContain('run-finished')
    expect(plan.node).toBe('cmp-1')
  })
})

describe('an answer given without a driver', () => {
  test('a skip is obeyed by the next driver without asking again', async () => {
    const asking = [
      switchStep('first', {
        apply: async () => ({ kind: 'question', question: 'What now?', choices: ['retry', 'skip', 'abort'] }),
      }),
      switchStep('second'),
    ]
    const { clock, disk, world, run } = begin(asking)
    await clock.advance(5_000)
    const gate = last(disk)
    if (gate?.kind !== 'gate-opened') throw new Error('the step asks')
    run.control({ kind: 'detach', by: 'eva' })
    await clock.advance(5_000)
    disk.controls.push({ kind: 'answer', gateId: gate.gateId, choice: 'skip', reason: 'known', by: 'ana' })
    const auto = createVirtualClock({ auto: true, start: clock.now() })
    const resumed = toyConsole({ disk, clock: auto, steps: asking, pid: 2 }).engine.resume(run.runId, world)
    expect(resumed.ok && (await resumed.value.finished)).toEqual({ kind: 'finished', outcome: 'done' })
    expect(world.effects).toEqual(['second/0', 'second/1'])
  })

  test('a step that depends on the answer is applied with it, and does not count as done', async () => {
    let agreed = 0
    const leaning = [
      switchStep('first', {
        apply: async (_input, ctx) => {
          if (!ctx.history().some(({ fact }) => fact === OPERATOR_ANSWERED)) {
            return {
              kind: 'question',
              question: 'Continue with it?',
              choices: ['continue', 'abort'],
              leansOnAnswer: true,
            }
          }
          agreed += 1
          for (const thing of ['first/0', 'first/1']) ctx.world.on.add(thing)
          return { kind: 'applied', note: '' }
        },
      }),
    ]
    const { clock, disk, world, run } = begin(leaning)
    await clock.advance(5_000)
    const gate = last(disk)
    if (gate?.kind !== 'gate-opened') throw new Error('the step asks')
    run.control({ kind: 'detach', by: 'eva' })
    await clock.advance(5_000)
    disk.controls.push({ kind: 'answer', gateId: gate.gateId, choice: 'continue', reason: '', by: 'ana' })
    const auto = createVirtualClock({ auto: true, start: clock.now() })
    const resumed = toyConsole({ disk, clock: auto, steps: leaning, pid: 2 }).engine.resume(run.runId, world)
    expect(resumed.ok && (await resumed.value.finished)).toEqual({ kind: 'finished', outcome: 'done' })
    expect(agreed).toBe(1)
  })
})

describe('a run and the world that changes under it', () => {
  test('a step that had nothing to do at first is applied when an earlier step changed that', async () => {
    const steps = [
      switchStep('first', {
        apply: async (input, ctx) => {
          ctx.announce('start-requested', 'first/0')
          ctx.world.on.add('first/0')
          ctx.world.on.add('first/1')
          ctx.world.on.delete('second/0')
          return { kind: 'applied', note: JSON.stringify(input) }
        },
      }),
      switchStep('second'),
    ]
    const clock = createVirtualClock({ auto: true })
    const disk = emptyDisk()
    const world = toyCloud()
    world.on.add('second/0')
    world.on.add('second/1')
    const started = toyConsole({ disk, clock, steps }).engine.start(toyPlan(steps), world)
    expect(started.ok && (await started.value.finished)).toEqual({ kind: 'finished', outcome: 'done' })
    expect(world.effects).toEqual(['second/0'])
  })

  test('a run whose journal cannot be written is not started, and says so', () => {
    const clock = createVirtualClock()
    const world = toyCloud()
    const { engine, journal } = toyConsole({ disk: emptyDisk(), clock, steps: two })
    journal.createRun = () => {
      throw new Error('disk full')
    }
    const answer = engine.start(toyPlan(two), world)
    expect(answer.ok ? null : answer.failure.message).toContain('Check the disk and the log')
  })
})
