import { describe, expect, test } from 'vitest'
import type { Journal } from '../../../../main/journal/journal.ts'
import { silentLogger } from '../../../../main/platform/log/logger.ts'
import { createDeliveries } from '../../../../main/wings/notify/deliveries.ts'
import type { WebhookAnswer, WebhookMessage } from '../../../../main/wings/notify/ports/webhooks.ts'
import { failure } from '../../../../shared/domain/failure.ts'
import { failed, ok } from '../../../../shared/domain/result.ts'
import type { Webhook } from '../../../../shared/domain/signals.ts'
import { valueIn } from '../../../fixtures/clusters/results.ts'
import { DRIVER } from '../../../fixtures/driver.ts'
import { temporaryJournal } from '../../../fixtures/journals/temporary-journal.ts'
import { fakeCluster } from '../../../fixtures/procedures/fake-world.ts'
import { sampleNews as newsOf } from '../../../fixtures/signals/sample-news.ts'

const here = temporaryJournal()
/** A report with the present time: the clock advances from test to test. */
const sampleNews = (more: Parameters<typeof newsOf>[0] = {}) =>
  newsOf({ at: new Date(here.clock.now()).toISOString(), ...more })
const ARRIVED: WebhookAnswer = { kind: 'arrived', status: 200 }
const BUSY: WebhookAnswer = {
  kind: 'passing',
  status: 503,
  why: 'It has an internal error.',
  code: 'ReceiverFails',
  values: {},
  retryAfterMs: null,
}
const OPS: Webhook = { name: 'ops', form: 'json', host: 'hooks.test', events: ['started', 'failed'] }

/** A console over the journal of the test; `answers` one after the other, the last for ever. `never`: no answer comes. */
function consoleOf(
  journal: Journal,
  answers: readonly (WebhookAnswer | 'never')[] = [ARRIVED],
  more: { readonly id?: string; readonly hooks?: () => readonly Webhook[]; readonly noSecret?: boolean } = {},
) {
  const sent: WebhookMessage[] = []
  const deliveries = createDeliveries({
    journal: journal.signals,
    port: {
      send: (message, signal) => {
        const answer = answers[Math.min(sent.length, answers.length - 1)] ?? ARRIVED
        sent.push(message)
        if (answer !== 'never') return Promise.resolve(answer)
        return new Promise(resolve => {
          const aborted = { kind: 'passing', status: null, why: 'It ended.', retryAfterMs: null } as const
          signal?.addEventListener('abort', () => resolve(aborted))
        })
      },
    },
    clusterOf: name =>
      name === 'east'
        ? ok({
            ...fakeCluster({ name }),
            signals: { webhooks: [...(more.hooks?.() ?? [OPS])], alertmanager: null, health: null },
          })
        : failed(failure('not-found', 'No such cluster.')),
    secretsOf: () =>
      more.noSecret === true
        ? failed(failure('not-permitted', 'It was sealed by another face.'))
        : ok({ url: 'https://hooks.test/secret', key: 'key-of-the-test' }),
    driver: { ...DRIVER, id: more.id ?? DRIVER.id, bootId: 'boot-1' },
    clock: here.clock,
    log: silentLogger,
    newId: () => 'n1',
  })
  return { deliveries, sent }
}

const entries = (journal: Journal, run = 'run-1') => valueIn(journal.signals.of(run)).map(({ body }) => body)
const reported = (journal: Journal) =>
  entries(journal).flatMap(body =>
    'attempt' in body ? [`${body.kind} ${body.attempt} ${'outcome' in body ? body.outcome : ''}`.trim()] : [],
  )

describe('a report', () => {
  test('is written before it is sent, with its result; the journal has neither address nor key', async () => {
    const journal = here.open()
    const { deliveries, sent } = consoleOf(journal)
    deliveries.report(sampleNews())
    expect(reported(journal)).toEqual(['delivery-begun 1'])
    await here.clock.advance(0)
    expect(sent).toMatchObject([{ form: 'json', url: 'https://hooks.test/secret', key: 'key-of-the-test' }])
    expect(entries(journal)).toMatchObject([
      { kind: 'delivery-begun', hook: 'ops', host: 'hooks.test', event: 'started', id: 'run-1.started' },
      { kind: 'delivery-ended', outcome: 'arrived', status: 200 },
    ])
    expect(JSON.stringify(entries(journal))).not.toMatch(/secret|key-of-the-test/)
    expect(valueIn(journal.care.check()).chain).toMatchObject({ kind: 'holds' })
  })

  test('goes only to webhooks that want it', async () => {
    const journal = here.open()
    const { deliveries, sent } = consoleOf(journal)
    deliveries.report(sampleNews({ id: 'run-1.over.9', event: 'done', outcome: 'done' }))
    await here.clock.advance(0)
    expect(sent).toEqual([])
  })

  test.each([['done'], ['failed'], ['not-reached']] as const)(
    'that a run went through without what it is for goes to a webhook that wants %s',
    async wanted => {
      const { deliveries, sent } = consoleOf(here.open(), [ARRIVED], {
        hooks: () => [
          { ...OPS, events: [wanted] },
          { ...OPS, name: 'other', events: ['started', 'waiting', 'overrun'] },
        ],
      })
      deliveries.report(sampleNews({ id: 'run-1.over.9', event: 'not-reached', outcome: 'done' }))
      await here.clock.advance(0)
      expect(sent).toHaveLength(1)
    },
  )

  test('is sent once, although two consoles receive it and one receives it twice', async () => {
    const one = consoleOf(here.open())
    const other = consoleOf(here.open(), [ARRIVED], { id: 'driver-2' })
    for (const { deliveries } of [one, other, one]) deliveries.report(sampleNews())
    await here.clock.advance(0)
    expect([one.sent.length, other.sent.length]).toEqual([1, 0])
  })

  test('is tried again with growing waits while it may pass, as the same message', async () => {
    const journal = here.open()
    const { deliveries, sent } = consoleOf(journal, [BUSY, BUSY, BUSY, ARRIVED])
    deliveries.report(sampleNews())
    await here.clock.advance(60_000)
    expect(reported(journal)).toEqual([
      'delivery-begun 1',
      'delivery-ended 1 again',
      'delivery-begun 2',
      'delivery-ended 2 again',
      'delivery-begun 3',
      'delivery-ended 3 again',
      'delivery-begun 4',
      'delivery-ended 4 arrived',
    ])
    expect(new Set(sent.map(({ news }) => JSON.stringify(news))).size).toBe(1)
  })

  test('waits as long as a receiver asks', async () => {
    const journal = here.open()
    const { deliveries, sent } = consoleOf(journal, [{ ...BUSY, status: 429, retryAfterMs: 120_000 }, ARRIVED])
    deliveries.report(sampleNews())
    await here.clock.advance(119_000)
    expect(sent).toHaveLength(1)
    await here.clock.advance(60_000)
    expect(sent).toHaveLength(2)
  })

  test('is not tried again after a refusal, and is given up when it is too old', async () => {
    const journal = here.open()
    const refused = consoleOf(journal, [{ kind: 'refused', status: 404, why: 'Gone.' }])
    refused.deliveries.report(sampleNews())
    await here.clock.advance(600_000)
    expect(refused.sent).toHaveLength(1)
    const busy = consoleOf(journal, [BUSY])
    busy.deliveries.report(
      sampleNews({ id: 'run-1.over.9', event: 'failed', at: new Date(here.clock.now()).toISOString() }),
    )
    await here.clock.advance(2 * 3_600_000)
    expect(entries(journal).at(-1)).toMatchObject({
      outcome: 'given-up',
      status: 503,
      code: 'ReceiverFails',
      values: {},
    })
    expect(here.clock.sleeping).toBe(0)
  })

  test('is given up, with the reason, where this face cannot open the secret', async () => {
    const journal = here.open()
    const { deliveries, sent } = consoleOf(journal, [ARRIVED], { noSecret: true })
    deliveries.report(sampleNews())
    await here.clock.advance(0)
    expect(sent).toEqual([])
    expect(entries(journal).at(-1)).toMatchObject({ outcome: 'given-up', why: 'It was sealed by another face.' })
  })

  test('is not sent to a webhook that was removed meanwhile', async () => {
    const journal = here.open()
    let hooks: readonly Webhook[] = [OPS]
    const { deliveries, sent } = consoleOf(journal, [BUSY], { hooks: () => hooks })
    deliveries.report(sampleNews())
    await here.clock.advance(0)
    hooks = []
    await here.clock.advance(600_000)
    expect(sent).toHaveLength(1)
    const next = consoleOf(journal, [ARRIVED], { id: 'driver-2', hooks: () => [] })
    next.deliveries.takeOver()
    next.deliveries.takeOver()
    expect(next.sent).toEqual([])
    expect(reported(journal)).toEqual(['delivery-begun 1', 'delivery-ended 1 again', 'delivery-ended 1 given-up'])
  })

  test('is given up by the next console where another try is due and it is too old', async () => {
    const killed = consoleOf(here.open(), [BUSY])
    killed.deliveries.report(sampleNews())
    await here.clock.advance(0)
    const closed = killed.deliveries.close()
    await here.clock.advance(6_000)
    await closed
    await here.clock.advance(3_700_000)
    const journal = here.open()
    const before = reported(journal)
    expect(before.at(-1)).toMatch(/again$/)
    const next = consoleOf(journal, [ARRIVED], { id: 'driver-2' })
    next.deliveries.takeOver()
    await here.clock.advance(0)
    expect(next.sent).toEqual([])
    expect(reported(journal).slice(before.length)).toEqual([expect.stringMatching(/given-up$/)])
  })
})

describe('after a kill', () => {
  test('between intent and outcome it is sent once more under the same id by the next console, and no more than that', async () => {
    const killed = consoleOf(here.open(), ['never'])
    const news = sampleNews()
    killed.deliveries.report(news)
    await here.clock.advance(30_000)
    const journal = here.open()
    const next = consoleOf(journal, ['never'], { id: 'driver-2' })
    next.deliveries.takeOver()
    expect(next.sent).toHaveLength(0)
    await here.clock.advance(70_000)
    next.deliveries.takeOver()
    next.deliveries.takeOver()
    await here.clock.advance(0)
    expect(next.sent.map(message => message.news)).toEqual([news])
    await here.clock.advance(100_000)
    const third = consoleOf(journal, [ARRIVED], { id: 'driver-3' })
    third.deliveries.takeOver()
    await here.clock.advance(0)
    expect(third.sent).toHaveLength(0)
    expect(entries(journal).at(-1)).toMatchObject({
      outcome: 'given-up',
      why: expect.stringContaining('The message may have arrived, so it is not sent a third time'),
    })
  })

  test('during the wait for another try one of two next consoles continues', async () => {
    const killed = consoleOf(here.open(), [BUSY, 'never'])
    killed.deliveries.report(sampleNews())
    await here.clock.advance(0)
    const closed = killed.deliveries.close()
    await here.clock.advance(6_000)
    await closed
    await here.clock.advance(200_000)
    const two = [consoleOf(here.open(), [ARRIVED], { id: 'a' }), consoleOf(here.open(), [ARRIVED], { id: 'b' })]
    for (const { deliveries } of two) deliveries.takeOver()
    await here.clock.advance(0)
    expect(two.map(({ sent }) => sent.length)).toEqual([1, 0])
  })

  test('a report that is too old is sent to nobody', async () => {
    consoleOf(here.open(), ['never']).deliveries.report(sampleNews())
    await here.clock.advance(3_700_000)
    const journal = here.open()
    const next = consoleOf(journal, [ARRIVED], { id: 'driver-2' })
    next.deliveries.takeOver()
    await here.clock.advance(0)
    expect(next.sent).toEqual([])
    expect(entries(journal).at(-1)).toMatchObject({ outcome: 'given-up', why: 'It is too old to send.' })
  })
})

describe('an ending console', () => {
  test('waits a short time for a message on its way, and writes its result', async () => {
    const journal = here.open()
    const { deliveries } = consoleOf(journal, [ARRIVED])
    deliveries.report(sampleNews())
    await deliveries.close()
    expect(reported(journal)).toEqual(['delivery-begun 1', 'delivery-ended 1 arrived'])
  })

  test('leaves what nobody answers without a made-up outcome', async () => {
    const journal = here.open()
    const { deliveries } = consoleOf(journal, ['never'])
    deliveries.report(sampleNews())
    const closed = deliveries.close()
    await here.clock.advance(6_000)
    await closed
    expect(reported(journal)).toEqual(['delivery-begun 1'])
  })
})

describe('a test', () => {
  test('is sent once, and says how the receiver answered', async () => {
    const journal = here.open()
    const { deliveries, sent } = consoleOf(journal, [BUSY])
    const cluster = { ...fakeCluster({ name: 'east' }), signals: { webhooks: [OPS], alertmanager: null, health: null } }
    expect(valueIn(await deliveries.test(cluster, 'ops'))).toMatchObject({
      outcome: 'given-up',
      status: 503,
      code: 'ReceiverFails',
      values: {},
    })
    expect(sent).toMatchObject([{ news: { event: 'test', id: 'test.n1', run: null } }])
    await here.clock.advance(600_000)
    expect(sent).toHaveLength(1)
    expect(entries(journal, '')).toHaveLength(2)
    expect((await deliveries.test(cluster, 'none')).ok).toBe(false)
  })
})
