import { describe, expect, test } from 'vitest'
import type { JournalPort } from '../../../../main/ports/journal.ts'
import type { Step } from '../../../../main/runs/engine/step.ts'
import { failure } from '../../../../shared/domain/failure.ts'
import type { Plan } from '../../../../shared/domain/plan.ts'
import { RunEventBody } from '../../../../shared/domain/run.ts'
import { OPERATOR_ANSWERED } from '../../../../shared/domain/run-facts.ts'
import { type Disk, emptyDisk } from '../../../fixtures/engine/memory-journal.ts'
import { switchStep, type ToyCloud, toyCloud, toyPlan } from '../../../fixtures/engine/toy-cloud.ts'
import { toyConsole, toyLease } from '../../../fixtures/engine/toy-console.ts'
import { createVirtualClock } from '../../../fixtures/virtual-clock.ts'

const two = [switchStep('first'), switchStep('second')]

/** Starts a run that is driven by hand: the clock moves when the test says. */
function begin(steps: readonly Step<ToyCloud>[], more: { readonly plan?: Plan; readonly world?: ToyCloud } = {}) {
  const clock = createVirtualClock()
  const disk = emptyDisk()
  const world = more.world ?? toyCloud()
  const lease = toyLease()
  const made = toyConsole({ disk, clock, steps, lease })
  const started = made.engine.start(more.plan ?? toyPlan(steps), world)
  if (!started.ok) throw new Error(started.failure.message)
  return { ...made, clock, disk, world, run: started.value }
}

/** Drives a run to its end at once. */
async function drive(steps: readonly Step<ToyCloud>[], plan = toyPlan(steps), world = toyCloud(), lease = toyLease()) {
  const disk = emptyDisk()
  const clock = createVirtualClock({ auto: true })
  const made = toyConsole({ disk, clock, steps, lease })
  const started = made.engine.start(plan, world)
  if (!started.ok) throw new Error(started.failure.message)
  const rest = await started.value.finished
  expect(clock.sleeping, 'nothing is left running').toBe(0)
  return { ...made, rest, disk, world, runId: started.value.runId, clock }
}

const kinds = (disk: Disk) => disk.events.map(({ body }) => body.kind)
const last = (disk: Disk) => disk.events.at(-1)?.body

describe('what is unknown', () => {
  const early = { kind: 'step-verified', stepId: 'first', round: 'early' }

  test('is read again until the time is up, and then ends the run as not verified, saying so', async () => {
    const world = toyCloud()
    world.unreported.add('first')
    const { disk, rest, clock } = await drive(two, toyPlan(two, { things: 1 }), world)
    expect(rest).toEqual({ kind: 'finished', outcome: 'failed' })
    expect(clock.now(), 'a minute of looking').toBeGreaterThanOrEqual(60_000)
    expect(disk.events.map(({ body }) => body)).toContainEqual(
      expect.objectContaining({ ...early, answer: expect.objectContaining({ kind: 'cannot-tell' }) }),
    )
    expect(last(disk)).toMatchObject({
      outcome: 'failed',
      summary: 'Turn on first: Cannot verify the result: Nobody answers for first. Resume.',
    })
    expect(world.effects, 'nothing depends on the unknown').toEqual(['first/0'])
  })

  test('may be known a moment later', async () => {
    const world = toyCloud()
    world.unreported.add('first')
    const steps = [switchStep('first'), switchStep('second')]
    const run = begin(steps, { world, plan: toyPlan(steps, { things: 1 }) })
    await run.clock.advance(5_000)
    world.unreported.clear()
    await run.clock.advance(120_000)
    expect(await run.run.finished).toEqual({ kind: 'finished', outcome: 'done' })
  })

  test('at the last look keeps a run from being done, beside what does not hold', async () => {
    const world = toyCloud()
    const steps = [switchStep('first', { verifyEarly: false }), switchStep('second', { verifyEarly: false })]
    world.unreported.add('first')
    world.unverifiable.add('second')
    const { disk, rest } = await drive(steps, toyPlan(steps, { things: 1 }), world)
    expect(rest).toEqual({ kind: 'finished', outcome: 'failed' })
    expect(last(disk)).toMatchObject({
      summary:
        'Not verified. Turn on second: second is off. Cannot verify the result: Turn on first: Nobody answers for first.',
    })
  })

  test('a verify that crashes proves nothing; it does not count as failed', async () => {
    const steps = [
      switchStep('first', {
        verify: async () => {
          throw new Error('this verify is broken')
        },
      }),
    ]
    const { disk } = await drive(steps, toyPlan(steps, { things: 1 }))
    expect(disk.events.map(({ body }) => body)).toContainEqual(
      expect.objectContaining({ ...early, answer: expect.objectContaining({ kind: 'cannot-tell' }) }),
    )
  })
})

describe('the order of a run', () => {
  test('lease, all checks, then each step with its early verify, then every verify once more', async () => {
    const { disk, rest, seen, lease } = await drive(two, toyPlan(two, { things: 1 }))
    expect(rest).toEqual({ kind: 'finished', outcome: 'done' })
    const step = ['step-started', 'fact', 'fact', 'step-applied', 'step-verified']
    expect(kinds(disk)).toEqual([
      ...['run-created', 'run-driven', 'lease-acquired', 'step-checked', 'step-checked'],
      ...[...step, ...step],
      ...['step-verified', 'step-verified', 'run-finished'],
    ])
    expect(seen, 'every journaled event is reported').toEqual(disk.events)
    expect(lease.calls.at(0)).toBe('acquire')
    expect(lease.calls.at(-1)).toBe('release')
  })

  test('a step comes after what it needs, whatever the order of the plan', async () => {
    const plan = toyPlan(two, { things: 1 })
    const { world } = await drive(two, { ...plan, steps: [...plan.steps].reverse() })
    expect(world.effects).toEqual(['first/0', 'second/0'])
  })

  test('what is so already is not done again, and journaled as nothing to do', async () => {
    const world = toyCloud()
    world.on.add('first/0')
    const { disk, rest } = await drive(two, toyPlan(two, { things: 1 }), world)
    expect(rest).toEqual({ kind: 'finished', outcome: 'done' })
    expect(world.effects).toEqual(['second/0'])
    expect(disk.events.map(({ body }) => body)).toContainEqual(
      expect.objectContaining({ kind: 'step-skipped', stepId: 'first', by: 'nothing-to-do' }),
    )
  })
})

describe('a run that may not begin', () => {
  test.each(['held', 'unreachable'] as const)('touches nothing when the lease is %s', async answers => {
    const lease = toyLease()
    lease.answers = answers
    const { disk, world, rest } = await drive(two, toyPlan(two), toyCloud(), lease)
    expect(rest).toEqual({ kind: 'finished', outcome: 'checks-failed' })
    expect(world.effects).toEqual([])
    const said = answers === 'held' ? 'Ana on laptop-2 holds cmp-1 since 09:00.' : 'does not answer'
    expect(last(disk)).toMatchObject({ summary: expect.stringContaining(said), leftBehind: [] })
  })

  test.each(['never', 'crash', 'force'] as const)(
    'touches nothing when a check is blocked (%s), and gives the lease back',
    async how => {
      const world = toyCloud()
      world.blocked.set('second', how)
      const { rest, lease } = await drive(two, toyPlan(two), world)
      expect(rest).toEqual({ kind: 'finished', outcome: 'checks-failed' })
      expect(world.effects).toEqual([])
      expect(lease.calls.at(-1)).toBe('release')
    },
  )

  test.each(['never', 'crash'] as const)('no override lifts a check that is blocked by %s', async how => {
    const world = toyCloud()
    world.blocked.set('first', how)
    const plan = toyPlan(two, { options: { overrides: [{ flag: 'force', reason: 'I must' }] } })
    expect((await drive(two, plan, world)).rest).toEqual({ kind: 'finished', outcome: 'checks-failed' })
  })

  test('an overridden check lets the run begin, and the reason is journaled', async () => {
    const world = toyCloud()
    world.blocked.set('first', 'force')
    const plan = toyPlan(two, { options: { overrides: [{ flag: 'force', reason: 'agreed with Ana' }] } })
    const { disk, rest } = await drive(two, plan, world)
    expect(rest).toEqual({ kind: 'finished', outcome: 'done' })
    expect(disk.events.map(({ body }) => body)).toContainEqual(
      expect.objectContaining({ kind: 'blocker-overridden', code: 'first-stuck', reason: 'agreed with Ana' }),
    )
  })

  test('an override lifts what the plan showed, and nothing that came after it', async () => {
    const force = { options: { overrides: [{ flag: 'force' as const, reason: 'agreed with Ana' }] } }
    const world = toyCloud()
    world.blocked.set('first', 'force')
    const { engine } = toyConsole({ disk: emptyDisk(), clock: createVirtualClock(), steps: two })
    const shown = await engine.check(toyPlan(two, force), world)
    expect(shown.startable).toBe(true)
    const plan = { ...toyPlan(two, force), lifted: shown.plan.lifted ?? [] }
    world.blocked.set('second', 'force')
    const later = await drive(two, plan, world)
    expect(later.rest).toEqual({ kind: 'finished', outcome: 'checks-failed' })
    expect(later.world.effects).toEqual([])
    world.blocked.delete('second')
    expect((await drive(two, plan, world)).rest).toEqual({ kind: 'finished', outcome: 'done' })
  })

  test('a plan check touches nothing and answers in the order of the plan', async () => {
    const steps = [...two, switchStep('third')]
    const { engine } = toyConsole({ disk: emptyDisk(), clock: createVirtualClock(), steps })
    const world = toyCloud()
    world.blocked.set('second', 'crash')
    const checked = await engine.check(toyPlan(steps), world)
    expect(checked.checks.map(({ stepId, answer }) => [stepId, answer.kind])).toEqual([
      ['first', 'ready'],
      ['second', 'blocked'],
      ['third', 'ready'],
    ])
    expect(checked.startable).toBe(false)
    expect(world.effects).toEqual([])
  })
})

describe('a step that does not succeed', () => {
  const failing = (answers: number) => {
    let left = answers
    return switchStep('second', {
      apply: async (_input, ctx) => {
        left -= 1
        if (left >= 0) return { kind: 'failed', failure: failure('conflict', 'Nova answered 409.') }
        ctx.announce('start-requested', 'second/0')
        ctx.world.on.add('second/0')
        return { kind: 'applied', note: '' }
      },
    })
  }

  test('ends the run as failed with what was changed, and a later process continues from it', async () => {
    const steps = [switchStep('first'), failing(1), switchStep('third')]
    const plan = toyPlan(steps, { things: 1 })
    const { disk, world, clock, runId } = await drive(steps, plan)
    expect(last(disk)).toMatchObject({
      outcome: 'failed',
      summary: expect.stringContaining('Nova answered 409.'),
      leftBehind: ['Turn on first: Turn off first.'],
    })
    const resumed = toyConsole({ disk, clock, steps, pid: 2 }).engine.resume(runId, world)
    expect(resumed.ok && (await resumed.value.finished)).toEqual({ kind: 'finished', outcome: 'done' })
    expect(world.effects).toEqual(['first/0', 'third/0'])
    expect(disk.events.map(({ body }) => body)).toContainEqual(
      expect.objectContaining({ kind: 'run-driven', resumed: true }),
    )
  })

  test('that throws is a bug: the run stops safely and names no secret of the exception', async () => {
    const steps = [
      switchStep('first', {
        apply: async () => {
          throw new Error('token hunter2')
        },
      }),
      switchStep('second'),
    ]
    const { disk, world, rest } = await drive(steps)
    expect(rest).toEqual({ kind: 'finished', outcome: 'failed' })
    expect(world.effects).toEqual([])
    expect(disk.events.map(({ body }) => body)).toContainEqual(
      expect.objectContaining({ kind: 'step-failed', failure: expect.objectContaining({ code: 'internal' }) }),
    )
    expect(JSON.stringify(disk.events)).not.toContain('hunter2')
  })

  test('that stops at its deadline fails as timed out, and nothing after it is done', async () => {
    const steps = [
      switchStep('first', {
        withinMs: 30_000,
        apply: async (_input, ctx) => {
          while (!ctx.signal.aborted) await ctx.clock.sleep(1_000, ctx.signal)
          return { kind: 'stopped' }
        },
      }),
      switchStep('second'),
    ]
    const { disk, world } = await drive(steps)
    expect(world.effects).toEqual([])
    expect(disk.events.map(({ body }) => body)).toContainEqual(
      expect.objectContaining({ kind: 'step-failed', failure: expect.objectContaining({ code: 'timed-out' }) }),
    )
  })
})

describe('a run that asks', () => {
  const asking = () => {
    let asked = false
    return switchStep('first', {
      apply: async (_input, ctx) => {
        if (!asked) {
          asked = true
          const coded = { code: 'PodsStay', values: { pods: 1 } }
          return {
            kind: 'question',
            ...coded,
            question: 'One pod stays. What now?',
            choices: ['retry', 'skip', 'abort'],
          }
        }
        ctx.announce('start-requested', 'first/0')
        ctx.world.on.add('first/0')
        return { kind: 'applied', note: '' }
      },
    })
  }
  const open = async () => {
    const steps = [asking(), switchStep('second')]
    const begun = begin(steps, { plan: toyPlan(steps, { things: 1 }) })
    await begun.clock.advance(10_000)
    const gate = last(begun.disk)
    if (gate?.kind !== 'gate-opened') throw new Error('the run waits')
    const answer = (choice: 'continue' | 'retry' | 'skip' | 'abort', gateId = gate.gateId) =>
      begun.run.control({ kind: 'answer', gateId, choice, reason: 'because', by: 'eva' })
    return { ...begun, gate, answer }
  }

  test('waits as long as it takes, and keeps its lease meanwhile', async () => {
    const { clock, disk, gate, lease, world } = await open()
    await clock.advance(3_600_000)
    expect(last(disk)).toEqual(gate)
    expect(lease.calls.filter(call => call === 'renew').length).toBeGreaterThan(100)
    expect(world.effects).toEqual([])
  })

  test('keeps the code and the values of the question beside its text', async () => {
    const { gate, run } = await open()
    expect(gate).toMatchObject({ code: 'PodsStay', values: { pods: 1 }, question: 'One pod stays. What now?' })
    expect(RunEventBody.parse(gate)).toEqual(gate)
    run.control({ kind: 'abort', reason: '', by: 'eva' })
  })

  test('retry applies the step again', async () => {
    const { clock, answer, run } = await open()
    answer('retry')
    await clock.advance(60_000)
    expect(await run.finished).toEqual({ kind: 'finished', outcome: 'done' })
  })

  test.each(['continue', 'retry'] as const)(
    'a step that depends on the answer is applied again on %s, and knows it',
    async choice => {
      const choices = [choice, 'abort'] as const
      const step = switchStep('first', {
        apply: async (_input, ctx) => {
          if (!ctx.history().some(({ fact, values }) => fact === OPERATOR_ANSWERED && values.choice === choice)) {
            return { kind: 'question', question: 'Continue with it?', choices, leansOnAnswer: true }
          }
          ctx.announce('start-requested', 'first/0')
          ctx.world.on.add('first/0')
          return { kind: 'applied', note: 'As agreed.' }
        },
      })
      const { run, clock, disk } = begin([step], { plan: toyPlan([step], { things: 1 }) })
      await clock.advance(10_000)
      const gate = last(disk)
      if (gate?.kind !== 'gate-opened') throw new Error('the run waits')
      run.control({ kind: 'answer', gateId: gate.gateId, choice, reason: '', by: 'eva' })
      await clock.advance(60_000)
      expect(await run.finished).toEqual({ kind: 'finished', outcome: 'done' })
      expect(disk.events.map(({ body }) => body)).toContainEqual(
        expect.objectContaining({ kind: 'step-applied', note: 'As agreed.' }),
      )
    },
  )

  test('skip passes the step with the reason, and is not held against the run', async () => {
    const { clock, answer, run, disk, world } = await open()
    answer('skip')
    await clock.advance(60_000)
    expect(await run.finished).toEqual({ kind: 'finished', outcome: 'done' })
    expect(world.effects).toEqual(['second/0'])
    expect(disk.events.map(({ body }) => body)).toContainEqual(
      expect.objectContaining({ kind: 'step-skipped', by: 'operator', reason: 'because' }),
    )
    expect(last(disk)).toMatchObject({ summary: expect.stringContaining('Turn on first') })
  })

  test('abort ends it', async () => {
    const { clock, answer, run, world } = await open()
    answer('abort')
    await clock.advance(60_000)
    expect(await run.finished).toEqual({ kind: 'finished', outcome: 'aborted' })
    expect(world.effects).toEqual([])
  })

  test('an answer to another gate, or one that was not offered, changes nothing', async () => {
    const { clock, answer, disk, gate } = await open()
    answer('retry', 'some-other-gate')
    answer('continue')
    await clock.advance(60_000)
    expect(last(disk)).toEqual(gate)
  })

  test('an answer from another process is obeyed', async () => {
    const { clock, disk, gate, run } = await open()
    disk.controls.push({ kind: 'answer', gateId: gate.gateId, choice: 'retry', reason: '', by: 'ana' })
    await clock.advance(60_000)
    expect(await run.finished).toEqual({ kind: 'finished', outcome: 'done' })
  })
})

describe('an operator who stops a run', () => {
  test('pause starts nothing more, keeps the lease, and unpause finishes with nothing done twice', async () => {
    const { clock, disk, world, run, lease } = begin(two)
    await clock.advance(1_500)
    run.control({ kind: 'pause', by: 'eva' })
    await clock.advance(600_000)
    expect(last(disk)).toEqual({ kind: 'paused' })
    const before = [...world.effects]
    expect(before.length).toBeGreaterThan(0)
    expect(lease.calls).toContain('renew')
    expect(lease.calls).not.toContain('release')
    run.control({ kind: 'unpause', by: 'eva' })
    await clock.advance(60_000)
    expect(await run.finished).toEqual({ kind: 'finished', outcome: 'done' })
    expect(world.effects).toEqual(['first/0', 'first/1', 'second/0', 'second/1'])
  })

  test('a pause from another process is obeyed, and so is its unpause', async () => {
    const { clock, disk, run } = begin(two)
    disk.controls.push({ kind: 'pause', by: 'ana' })
    await clock.advance(30_000)
    expect(last(disk)).toEqual({ kind: 'paused' })
    disk.controls.push({ kind: 'unpause', by: 'ana' })
    await clock.advance(30_000)
    expect(await run.finished).toEqual({ kind: 'finished', outcome: 'done' })
  })

  test('a paused run can be aborted', async () => {
    const { clock, run } = begin(two)
    run.control({ kind: 'pause', by: 'eva' })
    await clock.advance(5_000)
    run.control({ kind: 'abort', by: 'eva', reason: 'enough' })
    await clock.advance(5_000)
    expect(await run.finished).toEqual({ kind: 'finished', outcome: 'aborted' })
  })

  test('detach leaves the run resumable, gives the lease back, and the next process finishes it', async () => {
    const { clock, disk, world, run, lease } = begin(two)
    await clock.advance(1_500)
    run.control({ kind: 'detach', by: 'eva' })
    await clock.advance(5_000)
    expect(await run.finished).toEqual({ kind: 'left', why: null })
    expect(last(disk)).toMatchObject({ kind: 'driver-left' })
    expect(lease.calls.at(-1)).toBe('release')
    const auto = createVirtualClock({ auto: true, start: clock.now() })
    const resumed = toyConsole({ disk, clock: auto, steps: two, pid: 2 }).engine.resume(run.runId, world)
    expect(resumed.ok && (await resumed.value.finished)).toEqual({ kind: 'finished', outcome: 'done' })
    expect(world.effects).toEqual(['first/0', 'first/1', 'second/0', 'second/1'])
  })

  test('a request to a finished run is not journaled', async () => {
    const { clock, disk, run } = begin(two)
    await clock.advance(60_000)
    await run.finished
    const events = disk.events.length
    run.control({ kind: 'abort', by: 'eva', reason: 'late' })
    run.control({ kind: 'pause', by: 'eva' })
    expect(disk.events).toHaveLength(events)
  })
})

describe('a run and its drivers', () => {
  test('a run that is driven is not resumed by another process', async () => {
    const { clock, disk, world, run } = begin(two)
    await clock.advance(1_000)
    const other = toyConsole({ disk, clock, steps: two, pid: 2, alive: () => true })
    const answer = other.engine.resume(run.runId, world)
    expect(answer.ok ? null : answer.failure).toMatchObject({ code: 'held', message: expect.stringContaining('eva') })
  })

  test('a run whose driver fell silent is resumed even when its process number lives on as another', async () => {
    const { clock, disk, world, run, journal } = begin(two)
    await clock.advance(1_000)
    const silent: JournalPort['row'] = id => {
      const row = journal.row(id)
      return row === null ? null : { ...row, heartbeatAtMs: row.heartbeatAtMs - 16_000 }
    }
    const row = silent(run.runId)
    if (row !== null) disk.rows.set(run.runId, row)
    const other = toyConsole({ disk, clock, steps: two, pid: 2, alive: () => true })
    expect(other.engine.resume(run.runId, world).ok).toBe(true)
  })

  test('a finished run is not resumed, an unknown one is reported as unknown', async () => {
    const { disk, world, runId, clock } = await drive(two)
    const { engine } = toyConsole({ disk, clock, steps: two, pid: 2 })
    const over = engine.resume(runId, world)
    expect(over.ok ? null : over.failure.code).toBe('conflict')
    const unknown = engine.resume('nowhere', world)
    expect(unknown.ok ? null : unknown.failure.code).toBe('not-found')
  })

  test('aborting a run without a driver says what stays changed', async () => {
    const { clock, disk, run, engine } = begin(two)
    await clock.advance(1_500)
    run.control({ kind: 'detach', by: 'eva' })
    await clock.advance(5_000)
    await run.finished
    expect(engine.abortUndriven(run.runId, 'not needed').ok).toBe(true)
    expect(last(disk)).toMatchObject({ outcome: 'aborted', leftBehind: ['Turn on first: Turn off first.'] })
    expect(engine.abortUndriven(run.runId, 'again').ok).toBe(false)
  })

  test.each([
    [true, { kind: 'abort-requested', by: 'ana', reason: 'r', forUndo: true }],
    [false, { kind: 'abort-requested', by: 'ana', reason: 'r' }],
  ])('the abort of a run without a driver says whether it is for its undo (%s)', async (forUndo, event) => {
    const { clock, disk, run, engine } = begin(two)
    await clock.advance(1_500)
    run.control({ kind: 'detach', by: 'eva' })
    await clock.advance(5_000)
    await run.finished
    expect(engine.abortUndriven(run.runId, 'r', { by: 'ana', forUndo }).ok).toBe(true)
    expect(disk.events.find(({ body }) => body.kind === 'abort-requested')?.body).toEqual(event)
  })

  test('on resuming, a step whose early verify no longer holds is applied again', async () => {
    const steps = [switchStep('first'), switchStep('second')]
    const { clock, disk, world, run } = begin(steps)
    await clock.advance(3_500)
    run.control({ kind: 'detach', by: 'eva' })
    await clock.advance(5_000)
    await run.finished
    world.on.delete('first/0')
    const auto = createVirtualClock({ auto: true, start: clock.now() })
    const resumed = toyConsole({ disk, clock: auto, steps, pid: 2 }).engine.resume(run.runId, world)
    expect(resumed.ok && (await resumed.value.finished)).toEqual({ kind: 'finished', outcome: 'done' })
    expect(world.effects.filter(thing => thing === 'first/0')).toHaveLength(2)
  })
})
