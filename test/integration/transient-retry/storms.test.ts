import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { completeOptions, makePlan } from '../../../main/procedures/plans/node/make-plan.ts'
import { minutes, seconds } from '../../../shared/domain/durations.ts'
import type { RunEvent } from '../../../shared/domain/run.ts'
import { TRANSIENT_RECOVERED, TRANSIENT_RETRYING } from '../../../shared/domain/run-facts.ts'
import { startCloud } from '../../simulation/cloud.ts'
import { startConsole } from '../../simulation/console.ts'
import { createDice } from '../../simulation/dice.ts'
import type { MessageFault } from '../../simulation/faults.ts'
import { createJudge } from '../../simulation/judge.ts'
import { createMachine } from '../../simulation/machine.ts'
import { clusterOf } from '../../simulation/simulate.ts'
import { createTimeline } from '../../simulation/timeline.ts'
import { createWires } from '../../simulation/wire.ts'

const START_MS = Date.parse('2026-01-01T00:00:00Z')
const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-outlast-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let files = 0

/** What a message meets while the bad time lasts; null: nothing. */
type Meets = (message: string) => MessageFault | null

/** Everything an enter does to a cloud of this kind, in its order. */
const ACTING = ['cordon-node', 'disable-compute', 'migrate-instances', 'drain-node'] as const

/**
 * Enters a node of the embedded clouds with the real adapters, procedures, engine and journal, in virtual time. The bad time, or the sleep of the
 * machine, begins when the step begins. Ends when the run rests or asks.
 */
async function enter(of: {
  readonly at: string
  readonly badFor?: { readonly ms: number; readonly meets: Meets }
  readonly sleepMs?: number
  readonly answersAfterMs?: number
}) {
  const real = { settle: () => new Promise<void>(resolve => setImmediate(resolve)), takeImmediates: () => [] }
  const timeline = createTimeline(START_MS, real)
  const dice = createDice(1)
  const servers = [1, 2, 3].map(index => ({ name: `vm-${index}`, host: 'cmp-1', flavor: 'm1.small' }))
  const shape = {
    computes: 2,
    replicas: 2,
    budget: true,
    servers,
    flavour: 'plain',
    update: false,
    rescue: false,
    everyKind: false,
    handOver: false,
    campaign: false,
    failing: {},
  } as const
  const cloud = startCloud(shape, createMachine('servers', timeline, dice.of('servers')))
  const laptop = createMachine('laptop', timeline, dice.of('laptop'))
  const judge = createJudge(cloud, timeline, {
    isDriving: () => true,
    asleepUntilMs: () => 0,
    monotonicMs: () => timeline.now(),
  })
  const events: RunEvent[] = []
  const changes: string[] = []
  let badFromMs = Number.POSITIVE_INFINITY
  const { badFor } = of
  const isBad = (atMs: number) => badFor !== undefined && atMs >= badFromMs && atMs < badFromMs + badFor.ms
  const wires = createWires({
    timeline,
    machine: laptop,
    from: 'console',
    cloud,
    faults: {
      episodes: [],
      stepStarts: () => {},
      silenceLeases: () => {},
      meet: (atMs, message) => (isBad(atMs) ? (badFor?.meets(message) ?? null) : null),
    },
    dice: dice.of('wires'),
    latencyMs: [3, 40],
    isAlive: () => true,
    judge: {
      ...judge,
      arrived: (arrival, reached) => {
        const { method, target, status, body } = arrival
        if (/\/eviction/.test(target) && !/dryRun/.test(target + body) && status < 300) changes.push(target)
        if (method === 'POST' && /\/action$/.test(target) && status < 300) changes.push(target)
        judge.arrived(arrival, reached)
      },
    },
    onMessage: () => {},
    trace: () => {},
  })
  const cluster = clusterOf('plain')
  files += 1
  const started = startConsole({
    name: 'console',
    machine: 'laptop',
    clock: laptop.clock,
    pid: 1,
    wires,
    dice: dice.of('console'),
    cluster,
    journalPath: join(folder, `${files}.db`),
    pidAlive: () => true,
    onAppended: event => {
      events.push(event)
      judge.journaled('console', event)
      const { body } = event
      const begins = body.kind === 'step-started' ? body.stepId.split('/')[0] : body.kind
      if (begins !== of.at || badFromMs < Number.POSITIVE_INFINITY) return
      badFromMs = timeline.now()
      if (of.sleepMs !== undefined) {
        const { sleepMs } = of
        timeline.at(timeline.now() + 30, () => laptop.sleepFor(sleepMs, 'lid'))
      }
    },
  })
  if (!started.ok) throw new Error(started.failure.message)
  const console = started.value
  let asked: { readonly atMs: number; readonly gateId: string } | null = null
  let ended: unknown = null
  const drive = async () => {
    const world = await console.connect()
    if (!world.ok) throw new Error(world.failure.message)
    const options = completeOptions({}, cluster)
    const madeAt = new Date(laptop.clock.now()).toISOString()
    const plan = await makePlan({ id: 'p1', kind: 'enter', node: 'cmp-1', madeAt, options }, world.value)
    if (!plan.ok) throw new Error(plan.failure.message)
    const run = console.engine.start(plan.value, world.value)
    if (!run.ok) throw new Error(run.failure.message)
    console.onWaiting = (_, waiting) => {
      const gate = events.findLast(({ body }) => body.kind === 'gate-opened')?.body
      if (!waiting || gate?.kind !== 'gate-opened') return
      asked = { atMs: timeline.now(), gateId: gate.gateId }
      if (of.answersAfterMs === undefined) return
      void laptop.clock.sleep(of.answersAfterMs).then(() => {
        run.value.control({ kind: 'answer', by: 'eva', gateId: gate.gateId, choice: 'retry', reason: 'it passed' })
      })
    }
    ended = await run.value.finished
  }
  const driven = drive().catch((error: unknown) => {
    ended = error
  })
  const isOver = () => ended !== null || (asked !== null && of.answersAfterMs === undefined)
  const how = await timeline.runUntil(isOver, { untilMs: START_MS + minutes(480), turns: 200_000 })
  if (ended !== null) await driven
  await cloud.stop()
  console.journal.close()
  const reported = (fact: string) =>
    events.flatMap(({ body }) => (body.kind === 'fact' && body.fact === fact ? [body] : []))
  return {
    how,
    ended,
    askedAfterMs: asked === null ? null : (asked as { readonly atMs: number }).atMs - badFromMs,
    began: badFromMs < Number.POSITIVE_INFINITY,
    kinds: events.map(({ body }) => body.kind),
    reported,
    changes,
    violations: judge.violations,
    servers: [...cloud.state.servers.values()].map(({ host }) => host),
  }
}

const DONE = { kind: 'finished', outcome: 'done' }
const status = (code: number, more: { retryAfterSeconds?: number; asDate?: boolean } = {}): MessageFault => ({
  kind: 'status',
  status: code,
  retryAfterSeconds: 0,
  html: false,
  ...more,
})
const from =
  (topic: RegExp, fault: MessageFault): Meets =>
  message =>
    topic.test(message) ? fault : null
const KUBERNETES = /^kubernetes /
const NOVA = /^openstack \w+ \/compute/

function expectDoneOnce(run: Awaited<ReturnType<typeof enter>>): void {
  expect(run.began, 'what is tried comes about').toBe(true)
  expect(run.ended).toEqual(DONE)
  expect(run.askedAfterMs).toBeNull()
  expect(run.violations).toEqual([])
  // Three instances and two pods, by what reached the simulators.
  expect(run.changes.length).toBe(new Set(run.changes).size)
  expect(run.servers).toEqual(['cmp-2', 'cmp-2', 'cmp-2'])
}

test('on a good day an enter finishes, and no retry is needed', async () => {
  const run = await enter({ at: 'cordon-node' })
  expectDoneOnce(run)
  expect(run.reported(TRANSIENT_RETRYING)).toEqual([])
  expect(run.changes.length).toBeGreaterThanOrEqual(4)
})

describe.each<[string, Meets]>([
  ['a 503 storm of the API server', from(KUBERNETES, status(503))],
  ['a 429 storm of the API server', from(KUBERNETES, status(429))],
  ['a 503 storm of Nova', from(NOVA, status(503))],
  ['a 429 storm of Nova', from(NOVA, status(429))],
  [
    'a 401 of Nova while Keystone is down',
    message => (/\/identity/.test(message) ? status(503) : NOVA.test(message) ? status(401) : null),
  ],
  [
    'a 401 of Nova while nobody answers for Keystone',
    message =>
      /\/identity/.test(message) ? { kind: 'request-lost', silent: false } : NOVA.test(message) ? status(401) : null,
  ],
  ['a Retry-After of 90 s of Nova', from(NOVA, status(503, { retryAfterSeconds: 90 }))],
  ['a Retry-After of 90 s of Nova, as a date', from(NOVA, status(429, { retryAfterSeconds: 90, asDate: true }))],
  ['a Retry-After of 90 s of the API server', from(KUBERNETES, status(429, { retryAfterSeconds: 90 }))],
])('%s for three minutes', (_, meets) => {
  test.each(ACTING)('from the beginning of %s on passes with retries', async at => {
    expectDoneOnce(await enter({ at, badFor: { ms: minutes(3), meets } }))
  })
})

test.each([false, true])('Nova is left alone as long as it asks for, as a date: %s', async asDate => {
  const asked: number[] = []
  const meets: Meets = message => {
    if (!NOVA.test(message)) return null
    asked.push(1)
    return status(503, { retryAfterSeconds: 90, asDate })
  }
  const run = await enter({ at: 'disable-compute', badFor: { ms: minutes(3), meets } })
  expectDoneOnce(run)
  expect(asked.length).toBeLessThanOrEqual(3)
  expect(run.reported(TRANSIENT_RETRYING)).toHaveLength(1)
  expect(run.reported(TRANSIENT_RECOVERED)).toHaveLength(1)
})

describe('a storm of seven minutes', () => {
  test.each(['disable-compute', 'migrate-instances'] as const)('of Nova asks after five in %s', async at => {
    const bad = { at, badFor: { ms: minutes(7), meets: from(NOVA, status(503)) } }
    const run = await enter(bad)
    expect(run.ended).toBeNull()
    expect(run.askedAfterMs).toBeGreaterThanOrEqual(minutes(5))
    expect(run.askedAfterMs).toBeLessThan(minutes(5) + seconds(60))
    const answered = await enter({ ...bad, answersAfterMs: minutes(3) })
    expect(answered.ended).toEqual(DONE)
    expect(answered.violations).toEqual([])
  })
})

describe('a machine that sleeps for two hours', () => {
  test.each(['lease-acquired', ...ACTING])('in %s continues without an answer', async at => {
    const run = await enter({ at, sleepMs: minutes(120) })
    expectDoneOnce(run)
    expect(run.kinds).toContain('machine-slept')
  })
})
