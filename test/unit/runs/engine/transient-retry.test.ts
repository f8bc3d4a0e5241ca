import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cannotAsk, cannotVerify } from '../../../../main/procedures/answers.ts'
import type { Step } from '../../../../main/runs/engine/step.ts'
import { isPassing, TRANSIENT_RETRY_MS, waitBeforeTryingMs } from '../../../../main/runs/engine/transient-retry.ts'
import { type Failure, type FailureCode, failure } from '../../../../shared/domain/failure.ts'
import { NOT_VERIFIED_YET, TRANSIENT_RECOVERED, TRANSIENT_RETRYING } from '../../../../shared/domain/run-facts.ts'
import { type Disk, emptyDisk } from '../../../fixtures/engine/memory-journal.ts'
import { switchStep, type ToyCloud, thingsOf, toyCloud, toyPlan } from '../../../fixtures/engine/toy-cloud.ts'
import { toyConsole, toyLease } from '../../../fixtures/engine/toy-console.ts'
import { createVirtualClock } from '../../../fixtures/virtual-clock.ts'

/** What a storm refuses, from when to when after the start of the run; null: it answers. */
type Weather = (atMs: number, what: 'check' | 'apply' | 'verify') => Failure | null

/** Two steps whose every request meets the weather. The second effect of each apply is what a storm in its middle cuts off. */
const stateOf = (kind: string) => ({ code: 'State', values: { kind }, message: `The state of ${kind}` })

function stormySteps(weather: Weather, clock: { now: () => number }, startMs: number): readonly Step<ToyCloud>[] {
  const meets = (what: 'check' | 'apply' | 'verify') => weather(clock.now() - startMs, what)
  return ['first', 'second'].map(kind => {
    const calm = switchStep(kind)
    return {
      ...calm,
      check: async (input, ctx) => {
        const trouble = meets('check')
        return trouble === null ? must(calm.check)(input, ctx) : cannotAsk(stateOf(kind), trouble)
      },
      apply: async (input, ctx) => {
        for (const thing of thingsOf(input)) {
          const trouble = meets('apply')
          if (trouble !== null) return { kind: 'failed', failure: trouble }
          if (ctx.world.on.has(thing)) continue
          ctx.announce('start-requested', thing)
          ctx.world.onEffect(thing)
          ctx.world.effects.push(thing)
          ctx.world.on.add(thing)
          await ctx.clock.sleep(1_000, ctx.signal)
        }
        return { kind: 'applied', note: '' }
      },
      verify: async (input, ctx) => {
        const trouble = meets('verify')
        return trouble === null ? must(calm.verify)(input, ctx) : cannotVerify(stateOf(kind), trouble)
      },
    }
  })
}

function must<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('a toy step has all three verbs')
  return value
}

/** Drives a run through the faults for the given time; returns its state then. */
async function through(weather: Weather, forMs: number) {
  const clock = createVirtualClock()
  const steps = stormySteps(weather, clock, clock.now())
  const disk = emptyDisk()
  const world = toyCloud()
  const { engine } = toyConsole({ disk, clock, steps })
  const started = engine.start(toyPlan(steps), world)
  if (!started.ok) throw new Error(started.failure.message)
  await clock.advance(forMs)
  return { clock, disk, world, run: started.value, rest: await Promise.race([started.value.finished, null]) }
}

const bodies = (disk: Disk) => disk.events.map(({ body }) => body)
const facts = (disk: Disk, name: string) => bodies(disk).filter(body => body.kind === 'fact' && body.fact === name)
const asked = (disk: Disk) => bodies(disk).flatMap(body => (body.kind === 'gate-opened' ? [body] : []))
const EFFECTS = ['first/0', 'first/1', 'second/0', 'second/1']
const between =
  (fromMs: number, toMs: number, what: Failure): Weather =>
  atMs =>
    atMs >= fromMs && atMs < toMs ? what : null

describe('a fault that passes', () => {
  test.each<[FailureCode, boolean]>([
    ['unreachable', true],
    ['timed-out', true],
    ['throttled', true],
    ['server-fault', true],
    ['unreadable', true],
    ['unauthenticated', true],
    ['not-permitted', false],
    ['not-found', false],
    ['bad-input', false],
    ['conflict', false],
    ['checks-failed', false],
    ['held', false],
    ['damaged', false],
    ['aborted', false],
    ['internal', false],
  ])('%s: retried %s', async (code, passes) => {
    const what = failure(code, `The cloud answers ${code}.`)
    expect(isPassing(what)).toBe(passes)
    const { rest, disk, world } = await through(between(1_500, 120_000, what), 600_000)
    expect(rest).toEqual({ kind: 'finished', outcome: passes ? 'done' : 'failed' })
    expect(asked(disk)).toEqual([])
    if (passes) expect(world.effects).toEqual(EFFECTS)
  })

  test('is tried again after 1, 2, 4, 8, 16 and from then on 20 seconds, and as late as the server asks while patience lasts', () => {
    const wait = (tries: number, retryAfterMs = 0, lastedMs = 0) =>
      waitBeforeTryingMs({ tries, lastedMs, patienceMs: TRANSIENT_RETRY_MS, retryAfterMs, random: 0 })
    expect([1, 2, 3, 4, 5, 6, 99].map(tries => wait(tries))).toEqual([1, 2, 4, 8, 16, 20, 20].map(s => s * 1_000))
    expect(wait(1, 120_000), 'longer than any request would wait').toBe(120_000)
    expect(wait(1, 3_600_000), 'once more when patience ends').toBe(TRANSIENT_RETRY_MS)
    expect(wait(9, 0, TRANSIENT_RETRY_MS)).toBeNull()
  })
})

describe('a storm', () => {
  const storm = failure('server-fault', 'The API server failed (HTTP 503).')

  test('is reported once when the retries begin, with its start and limit, and once at its end', async () => {
    const { disk, rest } = await through(between(1_500, 200_000, storm), 600_000)
    expect(rest).toEqual({ kind: 'finished', outcome: 'done' })
    expect(facts(disk, TRANSIENT_RETRYING)).toHaveLength(1)
    expect(facts(disk, TRANSIENT_RECOVERED)).toEqual([
      expect.objectContaining({ values: expect.objectContaining({ passed: true }) }),
    ])
    const [reported] = facts(disk, TRANSIENT_RETRYING)
    if (reported?.kind !== 'fact') throw new Error('it is reported')
    const { since, until, reason } = reported.values
    expect(reason).toContain(storm.message)
    expect(Date.parse(String(until)) - Date.parse(String(since))).toBe(TRANSIENT_RETRY_MS)
    expect(
      bodies(disk).filter(({ kind }) => kind === 'step-failed'),
      'a step that continues did not fail',
    ).toEqual([])
  })

  test('longer than patience is asked about, not before five minutes, and nothing is lost', async () => {
    const { disk, clock, run, world } = await through(between(1_500, 3_600_000, storm), 290_000)
    expect(asked(disk)).toEqual([])
    await clock.advance(60_000)
    expect(asked(disk)).toEqual([
      expect.objectContaining({
        choices: ['retry', 'abort'],
        question: expect.stringContaining('This continued for 5 min'),
      }),
    ])
    await clock.advance(3_600_000)
    run.control({ kind: 'answer', gateId: asked(disk)[0]?.gateId ?? '', choice: 'retry', reason: '', by: 'eva' })
    await clock.advance(60_000)
    expect(await run.finished).toEqual({ kind: 'finished', outcome: 'done' })
    expect(world.effects).toEqual(EFFECTS)
  })

  test('before anything was touched ends the run a minute later as not begun', async () => {
    const { disk, rest } = await through(between(0, 3_600_000, storm), 120_000)
    expect(rest).toEqual({ kind: 'finished', outcome: 'checks-failed' })
    expect(bodies(disk).at(-1)).toMatchObject({ summary: expect.stringContaining('Nothing was changed') })
    expect(facts(disk, TRANSIENT_RETRYING)).toHaveLength(1)
  })

  test.each(['pause', 'abort', 'detach'] as const)('is left at once by a person who says %s', async what => {
    const { clock, disk, run } = await through(between(1_500, 3_600_000, storm), 60_000)
    run.control(what === 'abort' ? { kind: what, by: 'eva', reason: 'enough' } : { kind: what, by: 'eva' })
    await clock.advance(1_000)
    const end = { pause: 'paused', abort: 'run-finished', detach: 'driver-left' }[what]
    expect(bodies(disk).map(({ kind }) => kind)).toContain(end)
    run.control({ kind: 'abort', by: 'eva', reason: 'the test has ended' })
    await clock.advance(1_000)
    await run.finished
  })

  test('that continues after a pause is reported again, and its patience begins again', async () => {
    const { clock, disk, run } = await through(between(1_500, 3_600_000, storm), 60_000)
    run.control({ kind: 'pause', by: 'eva' })
    await clock.advance(600_000)
    run.control({ kind: 'unpause', by: 'eva' })
    await clock.advance(60_000)
    expect(asked(disk)).toEqual([])
    expect(facts(disk, TRANSIENT_RETRYING)).toHaveLength(2)
    run.control({ kind: 'abort', by: 'eva', reason: 'the test has ended' })
    await clock.advance(1_000)
    await run.finished
  })

  test('of less than five minutes changes nothing, whenever it comes, however long, whatever it hits: all is done once, nobody is asked', async () => {
    const storms = fc.array(
      fc.record({
        fromMs: fc.integer({ min: 1_001, max: 30_000 }),
        lastsMs: fc.integer({ min: 1, max: 290_000 }),
        hits: fc.subarray(['check', 'apply', 'verify'] as const, { minLength: 1 }),
        code: fc.constantFrom<FailureCode>('throttled', 'server-fault', 'unreachable', 'timed-out', 'unauthenticated'),
      }),
      { minLength: 1, maxLength: 1 },
    )
    await fc.assert(
      fc.asyncProperty(storms, async all => {
        const weather: Weather = (atMs, what) => {
          const hit = all.find(
            ({ fromMs, lastsMs, hits }) => atMs >= fromMs && atMs < fromMs + lastsMs && hits.includes(what),
          )
          return hit === undefined ? null : failure(hit.code, `It answers ${hit.code}.`)
        }
        const { rest, disk, world } = await through(weather, 700_000)
        expect(rest).toEqual({ kind: 'finished', outcome: 'done' })
        expect(world.effects).toEqual(EFFECTS)
        expect(asked(disk)).toEqual([])
      }),
      { numRuns: 40 },
    )
  })
})

describe('an API server that is away when the run claims the Lease', () => {
  const steps = [switchStep('first'), switchStep('second')]

  /** Begins a run, or takes up one that was left in its first step, while the Lease is unreadable for the given time. */
  async function begun(how: 'started' | 'resumed', awayMs: number, forMs: number) {
    const clock = createVirtualClock()
    const disk = emptyDisk()
    const world = toyCloud()
    const lease = toyLease()
    const { engine } = toyConsole({ disk, clock, steps, lease })
    const begin = () => {
      const runId = disk.events[0]?.runId
      const driven = runId === undefined ? engine.start(toyPlan(steps), world) : engine.resume(runId, world)
      if (!driven.ok) throw new Error(driven.failure.message)
      return driven.value
    }
    if (how === 'resumed') {
      const left = begin()
      await clock.advance(1_500)
      left.control({ kind: 'detach', by: 'eva' })
      await clock.advance(60_000)
      await left.finished
    }
    const before = disk.events.length
    lease.answers = 'unreachable'
    void clock.sleep(awayMs).then(() => {
      lease.answers = 'yes'
    })
    const run = begin()
    await clock.advance(forMs)
    return {
      disk,
      world,
      run,
      since: bodies(disk).slice(before),
      rest: await Promise.race([run.finished, null]),
      clock,
    }
  }

  test.each([
    ['started', 45_000],
    ['resumed', 45_000],
    ['resumed', 240_000],
  ] as const)('%s: retried for %i ms, reported once, and all is done once', async (how, awayMs) => {
    const { rest, disk, world } = await begun(how, awayMs, awayMs + 120_000)
    expect(rest).toEqual({ kind: 'finished', outcome: 'done' })
    expect(world.effects).toEqual(EFFECTS)
    expect(facts(disk, TRANSIENT_RETRYING)).toHaveLength(1)
    expect(facts(disk, TRANSIENT_RECOVERED)).toEqual([
      expect.objectContaining({ values: expect.objectContaining({ passed: true }) }),
    ])
  })

  test.each([
    ['started', 60_000, 'run-finished'],
    ['resumed', TRANSIENT_RETRY_MS, 'driver-left'],
  ] as const)('%s: not for longer than %i ms, then the run rests', async (how, patienceMs, end) => {
    const early = await begun(how, 3_600_000, patienceMs - 1_000)
    expect(early.rest).toBeNull()
    await early.clock.advance(25_000)
    await early.run.finished
    expect(bodies(early.disk).at(-1)).toMatchObject({ kind: end })
    expect(JSON.stringify(bodies(early.disk).at(-1))).toContain('does not answer')
    expect(early.world.effects).toEqual(how === 'started' ? [] : EFFECTS.slice(0, early.world.effects.length))
  })

  test('is left at once by a person who aborts', async () => {
    const { run, clock, since, disk } = await begun('resumed', 3_600_000, 30_000)
    expect(since.map(({ kind }) => kind)).not.toContain('lease-acquired')
    run.control({ kind: 'abort', by: 'eva', reason: 'enough' })
    await clock.advance(16_000)
    expect(await run.finished).toEqual({ kind: 'finished', outcome: 'aborted' })
    expect(facts(disk, TRANSIENT_RETRYING)).toHaveLength(1)
  })
})

describe('a verify that does not hold yet', () => {
  /** What a run reports about a state that reads as `seen` (null: unknown), by the number of readings, until the state is right. */
  async function reported(seen: readonly (string | null)[]) {
    const clock = createVirtualClock()
    let looks = 0
    const step: Step<ToyCloud> = {
      ...switchStep('first'),
      withinMs: 120_000,
      verifyEveryMs: 1_000,
      verify: async () => {
        const reason = seen[looks]
        looks += 1
        const answer = { remedy: 'Look.', evidence: [] }
        if (reason === null) {
          return {
            ...answer,
            kind: 'cannot-tell',
            reason: 'Nova failed.',
            mayStillHold: true,
            passing: { retryAfterMs: 1_000 },
          }
        }
        return reason === undefined
          ? { ...answer, kind: 'holds', reason: 'It is on.' }
          : { ...answer, kind: 'fails', reason, mayStillHold: true }
      },
    }
    const disk = emptyDisk()
    const started = toyConsole({ disk, clock, steps: [step] }).engine.start(toyPlan([step]), toyCloud())
    if (!started.ok) throw new Error(started.failure.message)
    await clock.advance(200_000)
    return disk.events.flatMap(({ at, body }) =>
      body.kind === 'fact' && body.fact === NOT_VERIFIED_YET
        ? [{ reason: body.values.reason, forMs: Date.parse(String(body.values.until)) - Date.parse(at) }]
        : [],
    )
  }

  test('is not reported where the second reading passes', async () => {
    expect(await reported(['off'])).toEqual([])
  })

  test('is reported once with the limit of the wait, and again when the state changes', async () => {
    const seen = await reported([...Array(20).fill('two are left'), ...Array(20).fill('one is left')])
    expect(seen).toEqual([
      { reason: 'two are left', forMs: 119_000 },
      { reason: 'one is left', forMs: 100_000 },
    ])
  })

  test('is reported again once it is readable: the report meanwhile says why it was not', async () => {
    const two = Array(5).fill('two are left')
    const seen = await reported([...two, ...Array(3).fill(null), ...two])
    expect(seen.map(({ reason }) => reason)).toEqual(['two are left', 'two are left'])
  })

  test('is not reported each second where it counts seconds, and is reported once', async () => {
    const seen = await reported(Array.from({ length: 60 }, (_, index) => `silent for ${index} s`))
    expect(seen.length).toBeGreaterThanOrEqual(5)
    expect(seen.length).toBeLessThanOrEqual(7)
  })
})
