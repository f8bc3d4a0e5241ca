import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { planStep, type Step } from '../../../../main/runs/engine/step.ts'
import { openGatesOf } from '../../../../shared/domain/open-gate.ts'
import type { Plan } from '../../../../shared/domain/plan.ts'
import type { RunEventBody } from '../../../../shared/domain/run.ts'
import { foldRun } from '../../../../shared/domain/run-fold.ts'
import { asRolling } from '../../../fixtures/cli/sample-plan.ts'
import { type Death, type Disk, emptyDisk, ProcessDied } from '../../../fixtures/engine/memory-journal.ts'
import { switchStep, type ToyCloud, thingsOf, toyCloud, toyPlan } from '../../../fixtures/engine/toy-cloud.ts'
import { toyConsole } from '../../../fixtures/engine/toy-console.ts'
import { tries } from '../../../fixtures/tries.ts'
import { createVirtualClock } from '../../../fixtures/virtual-clock.ts'

/** Turns things off again: what `request` made so is undone within its own lane. */
const offStep: Step<ToyCloud> = switchStep('off', {
  check: async () => ({ kind: 'ready', reason: 'to turn off', evidence: [], warnings: [], effects: [] }),
  apply: async (input, ctx) => {
    for (const thing of thingsOf(input)) {
      if (!ctx.world.on.has(thing)) continue
      ctx.announce('stop-requested', thing)
      ctx.world.effects.push(`off ${thing}`)
      ctx.world.on.delete(thing)
      await ctx.clock.sleep(1_000, ctx.signal)
    }
    return { kind: 'applied', note: 'off' }
  },
  verify: async (input, ctx) =>
    thingsOf(input).some(thing => ctx.world.on.has(thing))
      ? { kind: 'fails', reason: 'still on', remedy: '', evidence: [], mayStillHold: false }
      : { kind: 'holds', reason: 'off', evidence: [] },
})
const before = switchStep('before')
const request = switchStep('request')
const work = switchStep('work')
const after = switchStep('after')
const STEPS = [before, request, work, offStep, after]

/** One step before, a batch of lanes (request, work, request off again), one step after. */
function lanePlan(names: readonly string[], atOnce: number): Plan {
  return asRolling(toyPlan([]), {
    batches: [{ id: 'workers', title: 'Workers', atOnce }],
    steps: [
      planStep(before, { things: ['before'] }),
      ...names.flatMap(name => {
        const lane = { batch: 'workers', name }
        return [
          planStep(
            request,
            { things: [`request ${name}`] },
            { id: `request:${name}`, lane, holdsUntil: `off:${name}` },
          ),
          planStep(work, { things: [`work ${name}`] }, { id: `work:${name}`, lane }),
          planStep(offStep, { things: [`request ${name}`] }, { id: `off:${name}`, lane }),
        ]
      }),
      planStep(after, { things: ['after'] }),
    ],
  })
}

function begin(plan: Plan, steps: readonly Step<ToyCloud>[] = STEPS) {
  const disk = emptyDisk()
  const world = toyCloud()
  const clock = createVirtualClock()
  const { engine } = toyConsole({ disk, clock, steps })
  const started = engine.start(plan, world)
  if (!started.ok) throw new Error(started.failure.message)
  return { disk, world, clock, run: started.value, view: () => foldRun(disk.events) }
}

const LANE = ['request', 'work', 'off request']
const ofLane = (effects: readonly string[], name: string) => effects.filter(effect => effect.endsWith(` ${name}`))

describe('lanes of a batch', () => {
  test('run side by side, never more than the batch allows, each in its own order; what follows waits for all', async () => {
    for (const atOnce of [1, 2, 3, 9]) {
      const { world, clock, run } = begin(lanePlan(['a', 'b', 'c', 'd'], atOnce))
      let most = 0
      world.onEffect = () => {
        most = Math.max(most, [...world.on].filter(thing => thing.startsWith('request')).length)
      }
      await clock.advance(120_000)
      expect(await run.finished).toEqual({ kind: 'finished', outcome: 'done' })
      expect(most).toBeLessThanOrEqual(atOnce)
      for (const name of ['a', 'b', 'c', 'd']) {
        expect(ofLane(world.effects, name)).toEqual(LANE.map(what => `${what} ${name}`))
      }
      expect(world.effects[0]).toBe('before')
      expect(world.effects.at(-1)).toBe('after')
    }
  })

  test('what a later step of the lane undid is not held against the run at its end', async () => {
    const { clock, disk, run } = begin(lanePlan(['a'], 1))
    await clock.advance(60_000)
    await run.finished
    const final = disk.events.flatMap(({ body }) =>
      body.kind === 'step-verified' && body.round === 'final' ? [body.stepId] : [],
    )
    expect(final).toEqual(['before', 'work:a', 'off:a', 'after'])
  })

  test.each<[string, () => Promise<boolean>, string[]]>([
    ['may be passed', async () => true, ['retry', 'skip', 'abort']],
    ['left something under way', async () => false, ['retry', 'abort']],
    [
      'cannot tell what it left',
      async () => {
        throw new Error('the disk is away')
      },
      ['retry', 'abort'],
    ],
  ])('a step that fails and %s asks with the choices that are true', async (_which, mayBePassed, choices) => {
    const failing: Step<ToyCloud> = {
      ...work,
      mayBePassed,
      apply: async () => ({ kind: 'failed', failure: { code: 'conflict', message: 'It is stuck.', retryable: false } }),
    }
    const { clock, view } = begin(lanePlan(['a'], 1), [before, request, failing, offStep, after])
    await clock.advance(60_000)
    expect(view().openGates[0]?.choices).toEqual(choices)
  })

  test('a step that fails in one lane asks, and the other lanes continue meanwhile', async () => {
    let broken = true
    const failing: Step<ToyCloud> = {
      ...work,
      apply: async (input, ctx) =>
        broken && thingsOf(input).includes('work a')
          ? { kind: 'failed', failure: { code: 'conflict', message: 'a is stuck.', retryable: false } }
          : must(work.apply)(input, ctx),
    }
    const { clock, world, run, view } = begin(lanePlan(['a', 'b', 'c'], 2), [before, request, failing, offStep, after])
    await clock.advance(60_000)
    expect(view().state).toMatchObject({ kind: 'waiting', stepId: 'work:a', question: 'a is stuck.' })
    expect(ofLane(world.effects, 'c')).toEqual(LANE.map(what => `${what} c`))
    expect(world.effects).not.toContain('after')
    broken = false
    const gate = must(view().openGates[0])
    run.control({ kind: 'answer', gateId: gate.gateId, choice: 'retry', reason: '', by: 'eva' })
    await clock.advance(60_000)
    expect(await run.finished).toEqual({ kind: 'finished', outcome: 'done' })
  })

  test('may each have a question open; the run waits until the last is answered', async () => {
    const asking: Step<ToyCloud> = {
      ...work,
      verifyEarly: false,
      apply: async () => ({ kind: 'question', question: 'Done with the work?', choices: ['continue', 'abort'] }),
      verify: async () => ({ kind: 'holds', reason: '', evidence: [] }),
    }
    const { clock, run, disk, view } = begin(lanePlan(['a', 'b'], 2), [before, request, asking, offStep, after])
    await clock.advance(30_000)
    const [first, second] = view().openGates
    expect(openGatesOf(disk.events).map(gate => gate.gateId)).toEqual(view().openGates.map(gate => gate.gateId))
    expect([first?.stepId, second?.stepId]).toEqual(['work:a', 'work:b'])
    run.control({ kind: 'answer', gateId: must(second).gateId, choice: 'continue', reason: '', by: 'eva' })
    await clock.advance(30_000)
    expect(view().state).toMatchObject({ kind: 'waiting', stepId: 'work:a' })
    expect(view().steps.find(({ step }) => step.id === 'off:b')?.state).toBe('verified')
    run.control({ kind: 'answer', gateId: must(first).gateId, choice: 'continue', reason: '', by: 'eva' })
    await clock.advance(30_000)
    expect(await run.finished).toEqual({ kind: 'finished', outcome: 'done' })
  })

  test('stop after the node: what is under way is finished, nothing else starts, and the run continues on resume', async () => {
    const { clock, world, run, view } = begin(lanePlan(['a', 'b', 'c'], 1))
    await clock.advance(2_500)
    run.control({ kind: 'pause-after-node', by: 'eva' })
    await clock.advance(60_000)
    expect(view().state).toMatchObject({ kind: 'paused' })
    expect(ofLane(world.effects, 'a')).toHaveLength(3)
    expect(ofLane(world.effects, 'b')).toEqual([])
    run.control({ kind: 'unpause', by: 'eva' })
    await clock.advance(60_000)
    expect(await run.finished).toEqual({ kind: 'finished', outcome: 'done' })
    expect(world.effects.filter(effect => effect === 'request a')).toHaveLength(1)
  })

  test('stop after the node, requested without a driver: the next driver finishes what is under way, and starts nothing', async () => {
    const { clock, world, disk, run, view } = begin(lanePlan(['a', 'b', 'c'], 1))
    await clock.advance(2_500)
    run.control({ kind: 'detach', by: 'eva' })
    await clock.advance(5_000)
    disk.controls.push({ kind: 'pause-after-node', by: 'lockkeeper-runner' })
    const resumed = toyConsole({ disk, clock, steps: STEPS, pid: 2 }).engine.resume(run.runId, world)
    if (!resumed.ok) throw new Error(resumed.failure.message)
    await clock.advance(60_000)
    expect(view().state).toMatchObject({ kind: 'paused' })
    expect(ofLane(world.effects, 'a')).toHaveLength(3)
    expect(ofLane(world.effects, 'b')).toEqual([])
    resumed.value.control({ kind: 'unpause', by: 'eva' })
    await clock.advance(60_000)
    expect(await resumed.value.finished).toEqual({ kind: 'finished', outcome: 'done' })
  })

  test('a node that has not started is skipped with its reason; a started one is not', async () => {
    const { clock, world, run, view } = begin(lanePlan(['a', 'b', 'c'], 1))
    await clock.advance(2_500)
    run.control({ kind: 'skip-lane', lane: 'a', reason: 'too late', by: 'eva' })
    run.control({ kind: 'skip-lane', lane: 'b', reason: 'spare parts missing', by: 'eva' })
    await clock.advance(60_000)
    expect(await run.finished).toEqual({ kind: 'finished', outcome: 'done' })
    expect(ofLane(world.effects, 'a')).toHaveLength(3)
    expect(ofLane(world.effects, 'b')).toEqual([])
    expect(
      view()
        .steps.filter(step => step.state === 'skipped')
        .map(({ step }) => step.lane?.name),
    ).toEqual(['b', 'b', 'b'])
  })

  test('an answer given without a driver is not asked again', async () => {
    const asking: Step<ToyCloud> = {
      ...work,
      check: async () => ({ kind: 'ready', reason: '', evidence: [], warnings: [], effects: [] }),
      apply: async () => ({ kind: 'question', question: 'Done with the work?', choices: ['continue', 'abort'] }),
      verify: async () => ({ kind: 'holds', reason: '', evidence: [] }),
    }
    const steps = [before, request, asking, offStep, after]
    const { clock, disk, world, run, view } = begin(lanePlan(['a'], 1), steps)
    await clock.advance(30_000)
    const { gateId } = must(view().openGates[0])
    run.control({ kind: 'detach', by: 'eva' })
    await clock.advance(1_000)
    await run.finished
    disk.controls.push({ kind: 'answer', gateId, choice: 'continue', reason: '', by: 'eva' })
    const resumed = toyConsole({ disk, clock, steps, pid: 2 }).engine.resume(run.runId, world)
    await clock.advance(60_000)
    expect(resumed.ok && (await resumed.value.finished)).toEqual({ kind: 'finished', outcome: 'done' })
    expect(disk.events.filter(({ body }) => body.kind === 'gate-opened')).toHaveLength(1)
  })

  test('a node skipped without a driver is skipped when the run is resumed', async () => {
    const { clock, disk, world, run } = begin(lanePlan(['a', 'b'], 1))
    await clock.advance(2_500)
    run.control({ kind: 'detach', by: 'eva' })
    await clock.advance(1_000)
    await run.finished
    disk.controls.push({ kind: 'skip-lane', lane: 'b', reason: 'spare parts missing', by: 'eva' })
    const resumed = toyConsole({ disk, clock, steps: STEPS, pid: 2 }).engine.resume(run.runId, world)
    await clock.advance(60_000)
    expect(resumed.ok && (await resumed.value.finished)).toEqual({ kind: 'finished', outcome: 'done' })
    expect(ofLane(world.effects, 'a')).toHaveLength(3)
    expect(ofLane(world.effects, 'b')).toEqual([])
  })

  test('a lane whose checks fail when its turn comes asks before it changes anything', async () => {
    const { clock, world, run, view } = begin(lanePlan(['a', 'b'], 1))
    world.onEffect = thing => {
      if (thing === 'work a') world.blocked.set('work', 'never')
    }
    await clock.advance(60_000)
    expect(view().state).toMatchObject({ kind: 'waiting', stepId: 'work:b' })
    expect(view().openGates[0]?.question).toContain('b cannot start now: work is stuck.')
    expect(ofLane(world.effects, 'b')).toEqual([])
    world.blocked.clear()
    const gate = must(view().openGates[0])
    run.control({ kind: 'answer', gateId: gate.gateId, choice: 'retry', reason: '', by: 'eva' })
    await clock.advance(60_000)
    expect(await run.finished).toEqual({ kind: 'finished', outcome: 'done' })
    expect(ofLane(world.effects, 'b')).toHaveLength(3)
  })

  describe('a lane that a person may begin in spite of what holds it up', () => {
    const gate = {
      code: 'not-well',
      message: 'It is not well.',
      remedy: 'Wait.',
      override: { kind: 'flag', flag: 'force' },
      mayGoOn: true,
    } as const
    /** A check stops its second lane as soon as the first one works. */
    const held: Step<ToyCloud> = switchStep('held', {
      check: async (input, ctx) =>
        thingsOf(input).includes('held b') && ctx.world.on.has('work a')
          ? { kind: 'blocked', blockers: [gate], evidence: [], warnings: [], effects: [] }
          : { kind: 'ready', reason: 'it is well', evidence: [], warnings: [], effects: [] },
    })
    const steps = [...STEPS, held]
    const plan = (): Plan => {
      const lanes = lanePlan(['a', 'b'], 1)
      const check = (name: string) => ({
        ...planStep(held, { things: [`held ${name}`] }, { id: `held:${name}`, lane: { batch: 'workers', name } }),
        verbs: ['check' as const],
      })
      return {
        ...lanes,
        steps: lanes.steps.flatMap(step => (step.kind === 'request' ? [check(step.lane?.name ?? ''), step] : [step])),
      }
    }

    test('asks, continues with the reason, and keeps it as an override', async () => {
      const { clock, disk, world, run, view } = begin(plan(), steps)
      await clock.advance(60_000)
      const open = must(view().openGates[0])
      expect(open.choices).toEqual(['retry', 'continue', 'skip', 'abort'])
      expect(ofLane(world.effects, 'b')).toEqual([])
      run.control({ kind: 'answer', gateId: open.gateId, choice: 'continue', reason: 'the alert is known', by: 'eva' })
      await clock.advance(60_000)
      expect(await run.finished).toEqual({ kind: 'finished', outcome: 'done' })
      expect(ofLane(world.effects, 'b')).toHaveLength(3)
      expect(disk.events.flatMap(({ body }) => (body.kind === 'blocker-overridden' ? [body] : []))).toMatchObject([
        { stepId: 'held:b', code: 'not-well', reason: 'the alert is known' },
      ])
    })

    test('continues too when the answer came without a driver', async () => {
      const { clock, disk, world, run, view } = begin(plan(), steps)
      await clock.advance(60_000)
      const { gateId } = must(view().openGates[0])
      run.control({ kind: 'detach', by: 'eva' })
      await clock.advance(1_000)
      await run.finished
      disk.controls.push({ kind: 'answer', gateId, choice: 'continue', reason: 'known', by: 'eva' })
      const resumed = toyConsole({ disk, clock, steps, pid: 2 }).engine.resume(run.runId, world)
      await clock.advance(60_000)
      expect(resumed.ok && (await resumed.value.finished)).toEqual({ kind: 'finished', outcome: 'done' })
      expect(disk.events.filter(({ body }) => body.kind === 'gate-opened')).toHaveLength(1)
    })

    test('asks again after another look, and is passed when it is skipped', async () => {
      const { clock, world, run, view } = begin(plan(), steps)
      for (const choice of ['retry', 'skip'] as const) {
        await clock.advance(60_000)
        run.control({ kind: 'answer', gateId: must(view().openGates[0]).gateId, choice, reason: 'r', by: 'eva' })
      }
      await clock.advance(60_000)
      expect(await run.finished).toEqual({ kind: 'finished', outcome: 'done' })
      expect(ofLane(world.effects, 'b')).toEqual([])
    })
  })
})

/** Drives the plan through these deaths, a fresh process after each, until one lives to the end. */
async function driveThrough(plan: Plan, deaths: readonly Death[], disk: Disk, world: ToyCloud) {
  const clock = createVirtualClock({ auto: true })
  for (const [at, death] of [...deaths, null].entries()) {
    const { engine, journal } = toyConsole({ disk, clock, steps: STEPS, death, pid: at + 1 })
    const runId = disk.events[0]?.runId
    const last = disk.events.at(-1)?.body
    if (last?.kind === 'run-finished') return last.outcome
    try {
      const driven = runId === undefined ? engine.start(plan, world) : engine.resume(runId, world)
      if (!driven.ok && journal.died) continue
      if (!driven.ok) throw new Error(driven.failure.message)
      const rest = await driven.value.finished
      if (!journal.died) return rest.kind === 'finished' ? rest.outcome : rest.kind
    } catch (error) {
      if (!(error instanceof ProcessDied)) throw error
    }
  }
  throw new Error('the last process lives')
}

test('killed at any writes, lanes are finished by the next process: every effect once, no finished lane touched again, never too many', async () => {
  const names = ['a', 'b', 'c']
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 3 }),
      fc.array(fc.record({ atAppend: fc.integer({ min: 1, max: 45 }), written: fc.boolean() }), { maxLength: 4 }),
      async (atOnce, deaths) => {
        const disk = emptyDisk()
        const world = toyCloud()
        let most = 0
        world.onEffect = () => {
          most = Math.max(most, [...world.on].filter(thing => thing.startsWith('request')).length)
        }
        expect(await driveThrough(lanePlan(names, atOnce), deaths, disk, world)).toBe('done')
        // A lane that a dead process had started continues before any other starts.
        expect(most).toBeLessThanOrEqual(atOnce)
        for (const name of names) expect(ofLane(world.effects, name)).toEqual(LANE.map(what => `${what} ${name}`))
        // A reading that a death cut off also came before anything depended on it.
        for (const name of names) {
          const seen = LANE.map(what => firstWrite(disk, `${what.split(' ')[0]}:${name}`, isSeenToHold))
          const begun = LANE.map(what => firstWrite(disk, `${what.split(' ')[0]}:${name}`, isStarted))
          for (const [at, write] of seen.entries()) expect(write).toBeLessThan(begun[at + 1] ?? disk.events.length)
        }
      },
    ),
    { numRuns: tries(40, 1_000) },
  )
})

/** Where the journal first says so of a step; beyond its end when it never does. */
function firstWrite(disk: Disk, stepId: string, says: (body: RunEventBody) => boolean): number {
  const at = disk.events.findIndex(({ body }) => 'stepId' in body && body.stepId === stepId && says(body))
  return at === -1 ? Number.POSITIVE_INFINITY : at
}

function isSeenToHold(body: RunEventBody): boolean {
  return body.kind === 'step-verified' && body.round === 'early' && body.answer.kind === 'holds'
}

function isStarted(body: RunEventBody): boolean {
  return body.kind === 'step-started'
}

function must<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the test expects it to be there')
  return value
}
