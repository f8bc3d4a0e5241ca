import { expect, test } from 'vitest'
import type { Clock } from '../../../../main/platform/clock/clock.ts'
import { keptBack, mayBeSent } from '../../../../main/platform/clock/sent-while.ts'
import { silentLogger } from '../../../../main/platform/log/logger.ts'
import { createHeldLease } from '../../../../main/runs/engine/held-lease.ts'
import type { GateTrouble } from '../../../../main/runs/engine/lease-gate.ts'
import type { LeaseHandle } from '../../../../main/runs/engine/lease-keeper.ts'
import { momentOf } from '../../../../main/runs/engine/lease-state.ts'
import type { Step } from '../../../../main/runs/engine/step.ts'
import { type Failure, failure } from '../../../../shared/domain/failure.ts'
import { failed, ok } from '../../../../shared/domain/result.ts'
import { emptyDisk } from '../../../fixtures/engine/memory-journal.ts'
import { act, switchStep, type ToyCloud, toyCloud, toyPlan } from '../../../fixtures/engine/toy-cloud.ts'
import { toyConsole, toyLease } from '../../../fixtures/engine/toy-console.ts'
import { createVirtualClock, type VirtualClock } from '../../../fixtures/virtual-clock.ts'

/** A run of one effect a second under a lease that a test plays with; effects pass the gate as those of fenced ports do. */
function begin(things = 400) {
  const clock = createVirtualClock()
  const disk = emptyDisk()
  const world = toyCloud()
  const lease = toyLease()
  const steps = [switchStep('first', { withinMs: 7_200_000, verifyEarly: false })]
  const { engine } = toyConsole({ disk, clock, steps, lease })
  const started = engine.start(toyPlan(steps, { things }), world)
  if (!started.ok) throw new Error(started.failure.message)
  const kinds = () => disk.events.map(({ body }) => body.kind)
  return { clock, disk, world, lease, kinds, run: started.value }
}

test('an API server that is away for 45 seconds stops nothing', async () => {
  const { clock, lease, kinds, run } = begin(120)
  await clock.advance(10_000)
  lease.answers = 'unreachable'
  await clock.advance(45_000)
  lease.answers = 'yes'
  await clock.advance(120_000)
  expect(await run.finished).toEqual({ kind: 'finished', outcome: 'done' })
  expect(kinds()).not.toContain('lease-away')
})

test.each([120_000, 350_000])(
  'an API server that is away for %d ms: nothing is done meanwhile, the lease is taken back, and the run continues',
  async awayMs => {
    const { clock, lease, kinds, world, run } = begin(120)
    await clock.advance(10_000)
    lease.answers = 'unreachable'
    await clock.advance(61_000)
    const done = world.effects.length
    await clock.advance(awayMs - 61_000)
    expect(world.effects).toHaveLength(done)
    lease.answers = 'yes'
    await clock.advance(180_000)
    expect(await run.finished).toEqual({ kind: 'finished', outcome: 'done' })
    expect(kinds()).toEqual(expect.arrayContaining(['lease-away', 'lease-back']))
    expect(new Set(world.effects).size, 'nothing is done twice').toBe(world.effects.length)
  },
)

/** A run whose API server has been away for so long that it asks. */
async function asking() {
  const begun = begin(120)
  const { clock, disk, lease } = begun
  await clock.advance(10_000)
  lease.answers = 'unreachable'
  await clock.advance(350_000)
  expect(begun.kinds()).not.toContain('gate-opened')
  await clock.advance(30_000)
  const asked = disk.events.map(({ body }) => body).filter(body => body.kind === 'gate-opened')
  expect(asked).toMatchObject([
    { choices: ['retry', 'abort'], question: expect.stringContaining('The Lease of cmp-1 is lost') },
  ])
  const answer = (choice: 'retry' | 'abort') =>
    begun.run.control({ kind: 'answer', by: 'eva', gateId: asked[0]?.gateId ?? '', choice, reason: 'seen' })
  return { ...begun, answer, questions: () => begun.kinds().filter(kind => kind === 'gate-opened').length }
}

test('an API server that stays away is asked about after five minutes, and the run is not left however long it takes', async () => {
  const { clock, lease, kinds, world, run, answer, questions } = await asking()
  const done = world.effects.length
  await clock.advance(7_200_000)
  expect(kinds()).not.toContain('driver-left')
  expect(questions()).toBe(1)
  lease.answers = 'yes'
  await clock.advance(60_000)
  expect(kinds(), 'what nobody took is taken back').toContain('lease-back')
  expect(world.effects, 'the question is open').toHaveLength(done)
  answer('retry')
  await clock.advance(180_000)
  expect(await run.finished).toEqual({ kind: 'finished', outcome: 'done' })
  expect(new Set(world.effects).size, 'nothing is done twice').toBe(world.effects.length)
})

test('who says to wait on while the lease is away is asked again after five minutes more, and needs not answer twice', async () => {
  const { clock, lease, run, answer, questions } = await asking()
  answer('retry')
  await clock.advance(290_000)
  expect(questions()).toBe(1)
  lease.answers = 'yes'
  await clock.advance(180_000)
  expect(await run.finished).toEqual({ kind: 'finished', outcome: 'done' })
})

test('an abort that answers it ends the run while the lease is still away', async () => {
  const { clock, run, answer } = await asking()
  answer('abort')
  await clock.advance(20_000)
  expect(await run.finished).toEqual({ kind: 'finished', outcome: 'aborted' })
})

test('a lease that was lost while it was away interrupts the run, and nothing more is done', async () => {
  const { clock, lease, kinds, world, run } = begin()
  await clock.advance(10_000)
  lease.answers = 'unreachable'
  await clock.advance(120_000)
  const done = world.effects.length
  lease.answers = 'lost'
  await clock.advance(60_000)
  expect(await run.finished).toMatchObject({ kind: 'left' })
  expect(world.effects).toHaveLength(done)
  expect(kinds()).not.toContain('run-finished')
})

test.each(['yes', 'lost'] as const)(
  'a machine that slept for an hour (only the wall clock advanced) does nothing before it read its lease: %s',
  async answers => {
    const { clock, lease, kinds, world, run } = begin(60)
    await clock.advance(10_500)
    const done = world.effects.length
    lease.answers = 'unreachable'
    clock.jump(3_600_000)
    await clock.advance(5_000)
    expect(world.effects).toHaveLength(done)
    lease.answers = answers
    await clock.advance(120_000)
    if (answers === 'yes') expect(await run.finished).toEqual({ kind: 'finished', outcome: 'done' })
    else expect(await run.finished).toMatchObject({ kind: 'left' })
    expect(kinds()).toContain('lease-away')
    if (answers === 'lost') expect(world.effects).toHaveLength(done)
  },
)

test('a lease that somebody deleted is taken again, and everything is read again', async () => {
  const { clock, lease, kinds, run } = begin(60)
  await clock.advance(10_500)
  lease.answers = 'free'
  await clock.advance(15_000)
  lease.answers = 'yes'
  await clock.advance(180_000)
  expect(await run.finished).toEqual({ kind: 'finished', outcome: 'done' })
  expect(kinds()).toEqual(expect.arrayContaining(['lease-away', 'lease-back']))
  expect(kinds().lastIndexOf('step-checked')).toBeGreaterThan(kinds().indexOf('lease-back'))
})

test('paused and resumed while the lease is away, a run waits for the lease and does not fail', async () => {
  const { clock, lease, kinds, world, run } = begin(120)
  await clock.advance(10_000)
  lease.answers = 'unreachable'
  await clock.advance(90_000)
  expect(kinds()).toContain('lease-away')
  const done = world.effects.length
  run.control({ kind: 'pause', by: 'eva' })
  await clock.advance(5_000)
  run.control({ kind: 'unpause', by: 'eva' })
  await clock.advance(30_000)
  expect(world.effects, 'nothing is done without it').toHaveLength(done)
  lease.answers = 'yes'
  await clock.advance(120_000)
  expect(kinds()).not.toContain('step-failed')
  expect(await run.finished).toEqual({ kind: 'finished', outcome: 'done' })
})

test('an answer that is given while the lease is away is taken when it is back', async () => {
  const clock = createVirtualClock()
  const disk = emptyDisk()
  const lease = toyLease()
  let asks = true
  const steps = [
    switchStep('first', {
      apply: async () => {
        if (!asks) return { kind: 'applied', note: '' }
        asks = false
        return { kind: 'question', question: 'Continue?', choices: ['continue', 'abort'] }
      },
      verify: async () => ({ kind: 'holds', reason: '', evidence: [] }),
    }),
  ]
  const { engine } = toyConsole({ disk, clock, steps, lease })
  const started = engine.start(toyPlan(steps), toyCloud())
  if (!started.ok) throw new Error(started.failure.message)
  await clock.advance(5_000)
  const opened = disk.events.map(({ body }) => body).find(body => body.kind === 'gate-opened')
  lease.answers = 'unreachable'
  await clock.advance(90_000)
  expect(disk.events.map(({ body }) => body.kind)).toContain('lease-away')
  started.value.control({ kind: 'answer', by: 'eva', gateId: opened?.gateId ?? '', choice: 'continue', reason: '' })
  await clock.advance(5_000)
  lease.answers = 'yes'
  await clock.advance(60_000)
  expect(await started.value.finished).toEqual({ kind: 'finished', outcome: 'done' })
})

test('who may be gone is watched, saying so, and then followed; an abort ends the watching', async () => {
  for (const aborts of [false, true]) {
    const clock = createVirtualClock()
    const disk = emptyDisk()
    const lease = toyLease()
    lease.answers = 'watched'
    const steps = [switchStep('first')]
    const { engine } = toyConsole({ disk, clock, steps, lease })
    const started = engine.start(toyPlan(steps), toyCloud())
    if (!started.ok) throw new Error(started.failure.message)
    await clock.advance(5_000)
    expect(disk.events.at(-1)?.body).toMatchObject({ kind: 'lease-watched', forMs: 30_000 })
    if (aborts) started.value.control({ kind: 'abort', by: 'eva', reason: 'not now' })
    await clock.advance(60_000)
    expect(await started.value.finished).toEqual({ kind: 'finished', outcome: aborts ? 'aborted' : 'done' })
  }
})

/** A run whose effects pass the gate, of a step that makes its own sense of what the gate refuses. */
function gated(apply?: Step<ToyCloud>['apply'], durationMs = 60_000) {
  const clock = createVirtualClock()
  const disk = emptyDisk()
  const lease = Object.assign(toyLease(), { durationMs })
  let gate: (signal: AbortSignal) => Promise<Failure | null> = async () => null
  lease.fenced = (world, asked) => {
    gate = async signal => {
      const made = await asked(async () => ok(undefined), signal)
      return made.ok ? null : made.failure
    }
    return world
  }
  const acting: Step<ToyCloud>['apply'] = async (_input, ctx) => {
    const refused = await gate(ctx.signal)
    if (refused !== null) return { kind: 'failed', failure: refused }
    act(ctx.world, 'thing')
    return { kind: 'applied', note: '' }
  }
  const step = switchStep('first', {
    apply: apply ?? acting,
    withinMs: 86_400_000,
    verify: async () => ({ kind: 'holds', reason: '', evidence: [] }),
  })
  const { engine } = toyConsole({ disk, clock, steps: [step], lease })
  const world = toyCloud()
  const started = engine.start(toyPlan([step]), world)
  if (!started.ok) throw new Error(started.failure.message)
  const bodies = () => disk.events.map(({ body }) => body)
  const facts = (name: string) => bodies().filter(body => body.kind === 'fact' && body.fact === name)
  return { clock, lease, world, bodies, facts, run: started.value, askGate: (signal: AbortSignal) => gate(signal) }
}

const FORBIDDEN = failure('not-permitted', 'leases "lockkeeper-node-cmp-1" is forbidden.')
/** Longer than anybody's patience. */
const LASTING_MS = 3_600_000
const AWAY = failure('unreachable', 'The API server does not answer.', { retryable: true })

test('a look at the lease that is refused by a rule ends the step at once, with what it said', async () => {
  const { clock, lease, world, bodies, run } = gated()
  lease.confirm = async () => failed(FORBIDDEN)
  await clock.advance(5_000)
  expect(await run.finished).toEqual({ kind: 'finished', outcome: 'failed' })
  expect(bodies().find(body => body.kind === 'step-failed')).toMatchObject({
    failure: { code: 'not-permitted', message: expect.stringContaining('is forbidden') },
  })
  expect(world.effects).toEqual([])
})

test('so it does where the step takes the refusal for something else', async () => {
  const own = { askGate: async (_signal: AbortSignal): Promise<unknown> => null }
  const made = gated(async (_input, ctx) => {
    await own.askGate(ctx.signal)
    return { kind: 'question', question: 'Nova refused it. Again?', choices: ['retry', 'abort'] }
  })
  own.askGate = made.askGate
  made.lease.confirm = async () => failed(FORBIDDEN)
  await made.clock.advance(5_000)
  expect(await made.run.finished).toEqual({ kind: 'finished', outcome: 'failed' })
  expect(made.bodies().map(({ kind }) => kind)).not.toContain('gate-opened')
})

test('after an empty reading only a renewal proves the lease: an old answer about it looks like a new one', async () => {
  const { clock, lease, world, run } = gated()
  let looks = 0
  lease.confirm = async () => {
    looks += 1
    return looks === 1 ? failed(AWAY) : ok({ kind: 'ours' })
  }
  lease.renew = async () => ok({ kind: 'lost', message: 'Somebody else has it.' })
  await clock.advance(5_000)
  expect(await run.finished).toMatchObject({ kind: 'left' })
  expect(looks).toBe(1)
  expect(world.effects).toEqual([])
})

test('the run waits for an unreadable lease, reports it once, and asks when its patience ends', async () => {
  const { clock, lease, world, bodies, facts, run } = gated(undefined, LASTING_MS)
  lease.confirm = async () => failed(AWAY)
  lease.renew = async () => failed(AWAY)
  await clock.advance(30_000)
  expect(facts('outlasting')).toHaveLength(1)
  await clock.advance(240_000)
  expect(facts('outlasting')).toHaveLength(1)
  expect(bodies().map(({ kind }) => kind)).not.toContain('gate-opened')
  await clock.advance(60_000)
  const asked = bodies().find(body => body.kind === 'gate-opened')
  expect(asked).toMatchObject({
    question: expect.stringContaining('Lockkeeper could not read the Lease, so it sent nothing.'),
  })
  expect(world.effects).toEqual([])
  Object.assign(lease, { confirm: toyLease().confirm, renew: toyLease().renew })
  run.control({
    kind: 'answer',
    by: 'eva',
    gateId: asked?.kind === 'gate-opened' ? asked.gateId : '',
    choice: 'retry',
    reason: '',
  })
  await clock.advance(30_000)
  expect(await run.finished).toEqual({ kind: 'finished', outcome: 'done' })
  expect(world.effects).toEqual(['thing'])
})

test('an effect that waits for a look at the lease is kept back when a person stops the run, though it does not hear the run’s signal itself', async () => {
  const own = { askGate: async (_signal: AbortSignal): Promise<Failure | null> => null }
  const made = gated(async (_input, ctx) => {
    const refused = await own.askGate(new AbortController().signal)
    if (refused !== null) return { kind: 'failed', failure: refused }
    act(ctx.world, 'thing')
    return { kind: 'applied', note: '' }
  }, LASTING_MS)
  own.askGate = made.askGate
  const { clock, lease, world, run } = made
  const { confirm, renew } = lease
  lease.confirm = async () => failed(AWAY)
  lease.renew = async () => failed(AWAY)
  await clock.advance(30_000)
  run.control({ kind: 'abort', by: 'eva', reason: 'not now' })
  await clock.advance(1_000)
  Object.assign(lease, { confirm, renew })
  await clock.advance(60_000)
  expect(await run.finished).toEqual({ kind: 'finished', outcome: 'aborted' })
  expect(world.effects).toEqual([])
})

const IMPATIENT: GateTrouble = {
  transientRetry: { after: async () => 'stopped', progressed: () => {} },
  refuse: () => {},
}

/** A lease that was just taken and is never renewed. */
function heldLease(
  clock: Clock,
  onAway: Parameters<typeof createHeldLease>[0]['onAway'],
  confirm: LeaseHandle['confirm'] = async () => ok({ kind: 'ours' }),
) {
  const never = async () => failed(AWAY)
  return createHeldLease({
    handle: {
      durationMs: 60_000,
      acquire: never,
      renew: never,
      confirm,
      release: never,
    },
    askedAt: momentOf(clock),
    clock,
    log: silentLogger,
    onAway,
    onBack: () => {},
    onGone: () => {},
    until: new AbortController().signal,
  })
}

test.each([
  { what: 'was set back', byMs: -3_600_000, isSent: false },
  { what: 'was kept right', byMs: -900, isSent: true },
])('an effect is sent where the clock $what since the look: $isSent', async ({ byMs, isSent }) => {
  const clock = createVirtualClock()
  const away: string[] = []
  const gate = heldLease(clock, why => away.push(why.message)).gateFor(IMPATIENT)
  const made = gate(async () => {
    clock.jump(byMs)
    return ok(mayBeSent())
  })
  await clock.advance(1)
  expect(await made).toEqual(ok(isSent))
  expect(away).toEqual(isSent ? [] : [expect.stringContaining('was set back')])
})

test.each([
  { what: 'the reading takes long', pass: (clock: VirtualClock) => clock.sleep(7_000) },
  { what: 'a lid was closed', pass: async (clock: VirtualClock) => clock.jump(30_000) },
])('between look and request $what: the lease is read again before the request is sent', async ({ pass }) => {
  const clock = createVirtualClock()
  let looks = 0
  const gate = heldLease(
    clock,
    () => {},
    async () => {
      looks += 1
      return ok({ kind: 'ours' })
    },
  ).gateFor(IMPATIENT)
  const tried: boolean[] = []
  const made = gate(async () => {
    if (tried.length === 0) await pass(clock)
    tried.push(mayBeSent())
    return tried.at(-1) === true ? ok('sent') : failed(keptBack())
  })
  await clock.advance(10_000)
  expect(await made).toEqual(ok('sent'))
  expect([tried, looks]).toEqual([[false, true], 2])
})

test.each([
  { shows: 'nobody holds it', seen: { kind: 'free' } },
  { shows: 'somebody else holds it', seen: { kind: 'lost', message: 'Ana holds it.' } },
] as const)('an effect is kept back where the look before it shows that $shows', async ({ seen }) => {
  const clock = createVirtualClock()
  let sent = 0
  const held = heldLease(
    clock,
    () => {},
    async () => ok(seen),
  )
  const made = held.gateFor(IMPATIENT)(async () => {
    sent += 1
    return ok(undefined)
  })
  await clock.advance(1)
  expect(await made).toMatchObject({ ok: false, failure: { code: 'aborted' } })
  expect([sent, held.isHeld()]).toEqual([0, false])
})

test('a lease that nobody renews is held as long as it lasts, and no longer', async () => {
  const clock = createVirtualClock()
  const held = heldLease(clock, () => {})
  await clock.advance(60_000)
  expect(held.isHeld()).toBe(true)
  await clock.advance(1)
  expect(held.isHeld()).toBe(false)
})

test('a request that always comes long after the look is never sent, and says so', async () => {
  const clock = createVirtualClock()
  const gate = heldLease(clock, () => {}).gateFor(IMPATIENT)
  const made = gate(async () => {
    await clock.sleep(7_000)
    return ok(mayBeSent())
  })
  await clock.advance(50_000)
  expect(await made).toMatchObject({ ok: false, failure: { code: 'timed-out', retryable: true } })
})

test('an effect that comes to its request when the lease is held no more keeps the request back', async () => {
  const clock = createVirtualClock()
  const away: string[] = []
  const gate = heldLease(clock, why => away.push(why.message)).gateFor(IMPATIENT)
  const made = gate(async () => {
    const atOnce = mayBeSent()
    await clock.sleep(3_600_000)
    return ok([atOnce, mayBeSent()])
  })
  await clock.advance(3_700_000)
  expect(await made).toEqual(ok([true, false]))
  expect(away).toEqual([expect.stringContaining('The Lease expired')])
  expect(mayBeSent(), 'a request without an effect of the run is not held back').toBe(true)
})
