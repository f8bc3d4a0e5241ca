import { expect, test } from 'vitest'
import type { HttpHeaders, HttpRequest } from '../../../../main/adapters/http/exchange.ts'
import { freshAnswers } from '../../../../main/adapters/openstack/fresh-answers.ts'
import { createTestClock } from './fixture-cloud.ts'

const NOON = Date.parse('2026-11-20T12:00:00Z')
const id = (number: number) => `req-00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
const at = (seconds: number) => ({ date: new Date(NOON + seconds * 1_000).toUTCString() })

/** One answer a second, each with the headers given and this duration. */
async function received(answers: readonly HttpHeaders[], tookMs = 0, status = 200) {
  const clock = createTestClock()
  const sent: HttpRequest[] = []
  let headers: HttpHeaders = {}
  const fresh = freshAnswers(
    {
      send: async request => {
        sent.push(request)
        clock.advance(tookMs)
        return { kind: 'answer', status, headers, body: '{}' }
      },
      close: () => {},
    },
    clock,
  )
  const kinds: string[] = []
  for (const each of answers) {
    headers = each
    const request = {
      method: 'GET',
      url: new URL('http://nova/'),
      headers: { a: 'b' },
      body: null,
      timeoutMs: 1,
    } as const
    const outcome = await fresh('compute').send(request)
    kinds.push(outcome.kind === 'past' ? outcome.why.message : outcome.kind)
    clock.advance(1_000 - tookMs)
  }
  return { kinds, sent }
}

const PAST = /^(?!answer$)/

test('every request asks caches for no kept answer, besides its own headers', async () => {
  const { sent } = await received([{}])
  expect(sent[0]?.headers).toEqual({ a: 'b', 'cache-control': 'no-cache', pragma: 'no-cache' })
})

test('an answer with a request id that was received before is outdated, whatever its status and header', async () => {
  for (const status of [200, 202, 204, 401, 404, 409, 500]) {
    const { kinds } = await received(
      [{ 'x-openstack-request-id': id(1) }, { 'x-compute-request-id': id(1) }],
      0,
      status,
    )
    expect(kinds).toEqual(['answer', `request ${id(1)} was already answered`])
  }
})

test('a replay stays a replay however often it comes', async () => {
  const reported = { 'x-openstack-request-id': id(1) }
  expect((await received([reported, reported, reported])).kinds).toEqual([
    'answer',
    expect.stringMatching(PAST),
    expect.stringMatching(PAST),
  ])
})

test('an id of another form than OpenStack’s proves nothing', async () => {
  const reported = { 'x-openstack-request-id': 'req-of-a-proxy' }
  expect((await received([reported, reported, {}, {}])).kinds).toEqual(['answer', 'answer', 'answer', 'answer'])
})

test.each([
  { age: '0', tookMs: 0, isPast: false },
  { age: '1', tookMs: 0, isPast: true },
  { age: '1', tookMs: 1_000, isPast: false },
  { age: '600', tookMs: 900, isPast: true },
  { age: 'old', tookMs: 0, isPast: false },
])('an Age of $age s in an answer that took $tookMs ms: of the past is $isPast', async ({ age, tookMs, isPast }) => {
  expect((await received([{ age }], tookMs)).kinds).toEqual([isPast ? expect.stringMatching(PAST) : 'answer'])
})

test.each([
  { what: 'advances with time', dates: [0, 1, 2], isPast: false },
  { what: 'is of a clock that is a day off', dates: [86_400, 86_401], isPast: false },
  { what: 'is of another API server, seconds behind', dates: [5, 1], isPast: false },
  { what: 'repeats for a moment', dates: [0, 0, 0], isPast: false },
  { what: 'goes back', dates: [20, 3], isPast: true },
  { what: 'repeats, then goes back', dates: [0, 1, 2, 3, 4, 5, 6, 7, 1], isPast: true },
  { what: 'jumps ahead', dates: [0, 3_600], isPast: false },
])('a Date that $what is outdated: $isPast', async ({ dates, isPast }) => {
  const last = (await received(dates.map(at))).kinds.at(-1)
  expect(last).toEqual(isPast ? expect.stringMatching(/^its Date is \d+ s behind/) : 'answer')
})

const set = (from: number, by: number, seconds: number) =>
  Array.from({ length: seconds }, (_, second) => from + by + second)

test('a clock that was set back is believed once the same question, repeated for five seconds, shows that it advances', async () => {
  const { kinds } = await received([0, ...set(1, -300, 8)].map(at))
  expect(kinds.map(kind => kind === 'answer')).toEqual([true, ...Array(5).fill(false), true, true, true])
})

test.each([
  { what: 'a cached answer, sent for a minute', dates: [100, ...Array(60).fill(50)] },
  {
    what: 'cached answers that alternate',
    dates: [100, ...Array.from({ length: 60 }, (_, n) => 40 + (n % 2) * 5)],
  },
])('no clock that was set back is $what', async ({ dates }) => {
  const { kinds } = await received(dates.map(at))
  expect(kinds.slice(1).filter(kind => kind === 'answer')).toEqual([])
})

test('an answer of now between two old ones shows that the earlier Date does not come from a clock', async () => {
  // Kept answers that are renewed when somebody asks are always as old as the question before.
  const kept = [0, 20, 21, 10, 23, 12, 25, 14, 27, 16, 29, 18].map(at)
  const { kinds } = await received(kept)
  expect(kinds.filter(kind => kind !== 'answer')).toHaveLength(5)
})

test('of one service nothing follows for the clock of another', async () => {
  const clock = createTestClock()
  let date = at(3_600)
  const fresh = freshAnswers(
    { send: async () => ({ kind: 'answer', status: 200, headers: date, body: '' }), close: () => {} },
    clock,
  )
  const request = { method: 'GET', url: new URL('http://h/'), headers: {}, body: null, timeoutMs: 1 } as const
  expect((await fresh('compute').send(request)).kind).toBe('answer')
  date = at(0)
  expect((await fresh('network').send(request)).kind).toBe('answer')
  expect((await fresh('compute').send(request)).kind).toBe('past')
})
