import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../../../main/platform/clock/clock.ts'
import { silentLogger } from '../../../../main/platform/log/logger.ts'
import { createAlertmanagerPort } from '../../../../main/wings/notify/alertmanager/alertmanager-port.ts'
import { createSilences } from '../../../../main/wings/notify/silences.ts'
import type { Cluster } from '../../../../shared/domain/cluster.ts'
import { failure } from '../../../../shared/domain/failure.ts'
import { nodeOfPlan } from '../../../../shared/domain/plan.ts'
import { failed, ok } from '../../../../shared/domain/result.ts'
import type { RunEventBody } from '../../../../shared/domain/run.ts'
import { foldRun } from '../../../../shared/domain/run-fold.ts'
import type { SignalSettings } from '../../../../shared/domain/signals.ts'
import { valueIn } from '../../../fixtures/clusters/results.ts'
import { DRIVER } from '../../../fixtures/driver.ts'
import { switchStep, toyPlan } from '../../../fixtures/engine/toy-cloud.ts'
import { temporaryJournal } from '../../../fixtures/journals/temporary-journal.ts'
import { fakeCluster } from '../../../fixtures/procedures/fake-world.ts'
import { startFakeAlertmanager } from '../../../fixtures/signals/fake-alertmanager.ts'

const here = temporaryJournal()
let fake: Awaited<ReturnType<typeof startFakeAlertmanager>>
beforeEach(async () => {
  fake = await startFakeAlertmanager(here.clock)
})
afterEach(() => fake.stop())

const MINUTE = 60_000
const STARTED: RunEventBody = { kind: 'step-started', stepId: 'first', attempt: 1 }
const OVER: RunEventBody = { kind: 'run-finished', outcome: 'done', summary: 'Done.', leftBehind: [] }

function cluster(url: string | null = fake.url): Cluster {
  const alertmanager: SignalSettings['alertmanager'] =
    url === null
      ? null
      : {
          endpoint: { url, login: { kind: 'none' }, caFile: null },
          nodeMatchers: ['node="NODE"'],
          instanceMatchers: [],
        }
  return { ...fakeCluster({ name: 'east' }), signals: { webhooks: [], alertmanager, health: null } }
}

/** A console that drives `run-1`, or looks on. */
function consoleOf({
  drives = true,
  create = true,
  driver = DRIVER,
  isFull = (): boolean => false,
  urlOf = (): string | null => fake.url,
} = {}) {
  const journal = here.open()
  if (create) {
    const plan = { ...toyPlan([switchStep('first')]), cluster: 'east' }
    journal.createRun('run-1', { kind: 'run-created', plan, driver: DRIVER })
  }
  if (driver !== DRIVER) journal.append('run-1', { kind: 'run-driven', driver, resumed: true }, DRIVER)
  const view = () => foldRun(valueIn(journal.events('run-1')))
  const silences = createSilences({
    journal: {
      ...journal.signals,
      record: (...entry) =>
        isFull() ? failed(failure('damaged', 'The disk is full.')) : journal.signals.record(...entry),
    },
    clusters: () => ok([cluster(urlOf())]),
    driven: () => (drives && view().state.kind !== 'left' ? [view()] : []),
    isOurs: () => drives,
    isDriven: () => false,
    // Its time limits are the machine's: the clock of the test would run ahead of an answer.
    portOf: async () =>
      ok(
        createAlertmanagerPort(
          { url: fake.url, authorization: null, ca: null },
          { clock: systemClock, environment: {} },
        ),
      ),
    driver: { ...DRIVER, bootId: 'boot-1' },
    clock: here.clock,
    log: silentLogger,
  })
  return {
    silences,
    asked: () =>
      valueIn(journal.signals.of('run-1')).flatMap(({ body }) => (body.kind === 'silence-asked' ? [body.overBy] : [])),
    write: (body: RunEventBody) => journal.append('run-1', body, DRIVER),
    reported: () =>
      valueIn(journal.signals.of('run-1')).map(({ body }) => ('how' in body ? `${body.kind} ${body.how}` : body.kind)),
  }
}

describe('silences of a run', () => {
  test('are made when its node starts, prolonged under one id during the run, reported once, and ended with it', async () => {
    const { silences, write, reported } = consoleOf()
    await silences.tend()
    expect(fake.silences.size).toBe(0)
    write(STARTED)
    await silences.tend()
    const [made] = fake.active()
    expect(made).toMatchObject({
      matchers: [{ name: 'node', value: toyPlan([]).node, isRegex: false, isEqual: true }],
      createdBy: 'lockkeeper eva@laptop-1',
      comment: expect.stringContaining('run run-1 by eva on laptop-1'),
    })
    for (let minute = 0; minute < 30; minute += 1) {
      await here.clock.advance(MINUTE)
      await silences.tend()
    }
    expect(fake.active().map(({ id }) => id)).toEqual([made?.id])
    expect(Date.parse(fake.active()[0]?.endsAt ?? '') - here.clock.now()).toBeLessThanOrEqual(10 * MINUTE)
    write(OVER)
    await silences.tend()
    expect(fake.active()).toEqual([])
    expect(reported()).toEqual(['silence-asked', 'silence-made', 'silence-prolonged', 'silence-over run'])
  })

  test('expire when the console dies, which another console reports once', async () => {
    const dead = consoleOf()
    dead.write(STARTED)
    await dead.silences.tend()
    const other = consoleOf({ drives: false, create: false })
    await here.clock.advance(9 * MINUTE)
    await other.silences.lookAfterOthers()
    expect(fake.active()).toHaveLength(1)
    await here.clock.advance(2 * MINUTE)
    expect(fake.active()).toEqual([])
    await other.silences.lookAfterOthers()
    await other.silences.lookAfterOthers()
    expect(other.reported()).toEqual(['silence-asked', 'silence-made', 'silence-over lapsed'])
  })

  test('continue where the console died before it recorded them; one that is no longer needed is ended', async () => {
    const dead = consoleOf()
    dead.write(STARTED)
    const port = createAlertmanagerPort(
      { url: fake.url, authorization: null, ca: null },
      { clock: systemClock, environment: {} },
    )
    const made = async (node: string, runId: string) =>
      valueIn(
        await port.keep({
          id: null,
          matchers: [{ name: 'node', value: node, isRegex: false, isEqual: true }],
          startsAt: new Date(here.clock.now()).toISOString(),
          endsAt: new Date(here.clock.now() + 10 * MINUTE).toISOString(),
          createdBy: 'lockkeeper eva@laptop-1',
          comment: `Taking it out of service: run ${runId} by eva on laptop-1.`,
        }),
      )
    const node = nodeOfPlan(toyPlan([])) ?? ''
    const known = await made(node, 'run-1')
    await made('gone', 'run-1')
    const others = await made(node, 'run-10')
    const next = consoleOf({ create: false, driver: { ...DRIVER, epoch: 2 } })
    await next.silences.tend()
    expect(fake.active().map(({ id }) => id)).toEqual([known, others])
    next.write(OVER)
    await next.silences.tend()
    expect(fake.active().map(({ id }) => id)).toEqual([others])
    expect(next.reported()).toEqual([
      'silence-made',
      'silence-made',
      'silence-over run',
      'silence-prolonged',
      'silence-over run',
    ])
    expect(fake.silences.size, 'none is made beside them').toBe(3)
  })

  test('are continued by the next driver of the run, and made again where they expired meanwhile', async () => {
    const dead = consoleOf()
    dead.write(STARTED)
    await dead.silences.tend()
    const id = fake.active()[0]?.id
    await here.clock.advance(5 * MINUTE)
    const next = consoleOf({ create: false })
    await next.silences.tend()
    expect(fake.active().map(one => one.id)).toEqual([id])
    await here.clock.advance(20 * MINUTE)
    const third = consoleOf({ create: false })
    await third.silences.tend()
    expect(fake.active()).toHaveLength(1)
    expect(fake.active()[0]?.id).not.toBe(id)
    expect(third.reported()).toEqual([
      'silence-asked',
      'silence-made',
      'silence-prolonged',
      'silence-over lapsed',
      'silence-asked',
      'silence-made',
    ])
  })

  test('are left to lapse when the console leaves the run', async () => {
    const { silences, write, reported } = consoleOf()
    write(STARTED)
    await silences.tend()
    write({ kind: 'driver-left', why: 'Left.' })
    silences.left('run-1')
    await silences.tend()
    expect(fake.active()).toHaveLength(1)
    expect(reported()).toEqual(['silence-asked', 'silence-made', 'silence-left'])
  })

  test('an Alertmanager that is away is reported once and tried again', async () => {
    const { silences, write, reported } = consoleOf()
    write(STARTED)
    fake.state.trouble = { status: 401, body: '' }
    for (let times = 0; times < 5; times += 1) {
      await silences.tend()
      await here.clock.advance(20_000)
    }
    expect(reported()).toEqual(['silence-asked', 'silence-failed'])
    fake.state.trouble = null
    await here.clock.advance(MINUTE)
    await silences.tend()
    expect(fake.active()).toHaveLength(1)
    expect(reported()).toEqual(['silence-asked', 'silence-failed', 'silence-made'])
  })

  test('one that somebody else ended is not made again', async () => {
    const { silences, write, reported } = consoleOf()
    write(STARTED)
    await silences.tend()
    fake.expire(fake.active()[0]?.id ?? '')
    for (let minute = 0; minute < 12; minute += 1) {
      await here.clock.advance(MINUTE)
      await silences.tend()
    }
    expect(fake.active()).toEqual([])
    expect(reported()).toEqual(['silence-asked', 'silence-made', 'silence-over stranger'])
    const next = consoleOf({ create: false })
    await next.silences.tend()
    expect(fake.active()).toEqual([])
  })

  test('one that expires early by the clock of Alertmanager was ended by nobody, and is made again', async () => {
    await fake.stop()
    fake = await startFakeAlertmanager({ now: () => here.clock.now() + 8 * MINUTE })
    const { silences, write, reported } = consoleOf()
    write(STARTED)
    await silences.tend()
    for (let minute = 0; minute < 5; minute += 1) {
      await here.clock.advance(MINUTE)
      await silences.tend()
    }
    expect(reported().slice(0, 5)).toEqual([
      'silence-asked',
      'silence-made',
      'silence-over lapsed',
      'silence-asked',
      'silence-made',
    ])
  })

  test('one that Alertmanager no longer has is reported, and made again during the run', async () => {
    const { silences, write, reported } = consoleOf()
    write(STARTED)
    await silences.tend()
    fake.silences.clear()
    await here.clock.advance(5 * MINUTE)
    await silences.tend()
    expect(fake.active()).toHaveLength(1)
    fake.silences.clear()
    write(OVER)
    await silences.tend()
    expect(reported()).toEqual([
      'silence-asked',
      'silence-made',
      'silence-over gone',
      'silence-asked',
      'silence-made',
      'silence-over gone',
    ])
  })

  test('one that cannot be ended is tried until its time has passed, and nobody claims that it ended', async () => {
    const { silences, write, reported } = consoleOf()
    write(STARTED)
    await silences.tend()
    write(OVER)
    fake.state.trouble = { status: 403, body: '' }
    for (let minute = 0; minute < 12; minute += 1) {
      await silences.tend()
      await here.clock.advance(MINUTE)
    }
    expect(reported()).toEqual(['silence-asked', 'silence-made', 'silence-failed', 'silence-over lapsed'])
  })

  test('those of an Alertmanager that is set no more are left to lapse, and it is not asked about them', async () => {
    let url: string | null = fake.url
    const { silences, write, reported } = consoleOf({ urlOf: () => url })
    write(STARTED)
    await silences.tend()
    url = fake.url.replace('127.0.0.1', 'localhost')
    const asked = fake.requests.length
    await silences.tend()
    expect(reported().slice(2)).toEqual(['silence-let-go', 'silence-asked', 'silence-made'])
    expect(fake.requests.slice(asked).map(({ method }) => method)).toEqual(['POST'])
    url = null
    await silences.tend()
    expect(reported().slice(5)).toEqual(['silence-let-go'])
    expect(fake.requests.length).toBe(asked + 1)
  })

  test('one that has ended when its run ends: who ended it is unknown', async () => {
    const { silences, write, reported } = consoleOf()
    write(STARTED)
    await silences.tend()
    await here.clock.advance(MINUTE)
    fake.expire(fake.active()[0]?.id ?? '')
    write(OVER)
    await silences.tend()
    expect(reported().at(-1)).toBe('silence-over ended')
  })

  test('one whose end was requested without an answer did not expire', async () => {
    const { silences, write, reported } = consoleOf()
    write(STARTED)
    await silences.tend()
    write(OVER)
    fake.state.isUnansweredDelete = true
    await silences.tend()
    fake.state.isUnansweredDelete = false
    await here.clock.advance(MINUTE)
    await silences.tend()
    expect(reported().slice(2)).toEqual(['silence-failed', 'silence-over ended'])
  })

  test('are not requested before the journal has them', async () => {
    let full = true
    const { silences, write, reported } = consoleOf({ isFull: () => full })
    write(STARTED)
    await silences.tend()
    expect(fake.requests).toEqual([])
    full = false
    await silences.tend()
    expect(reported()).toEqual(['silence-asked', 'silence-made'])
  })

  test('what Alertmanager made without an answer is spoken for by the journal, in an entry for ten minutes of them', async () => {
    const { silences, write, reported, asked } = consoleOf()
    write(STARTED)
    fake.state.isSilent = true
    for (let times = 0; times < 24; times += 1) {
      await silences.tend()
      await here.clock.advance(31_000)
      const ends = fake.active().map(({ endsAt }) => endsAt)
      expect(
        ends
          .toSorted()
          .at(-1)
          ?.localeCompare(asked().at(-1) ?? ''),
      ).toBeLessThanOrEqual(0)
    }
    expect(fake.silences.size).toBe(24)
    expect(reported()).toEqual(['silence-asked', 'silence-failed', 'silence-asked'])
  })
})
