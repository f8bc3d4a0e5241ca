import { expect, test } from 'vitest'
import type { HttpAnswer, HttpOutcome } from '../../../../main/adapters/http/exchange.ts'
import { sendWithRetry } from '../../../../main/adapters/http/retry.ts'
import { systemClock } from '../../../../main/platform/clock/clock.ts'
import { failure } from '../../../../shared/domain/failure.ts'
import { because } from '../../../../shared/words/reasons.ts'

/** The waits between the attempts at a request that always comes to the same. */
async function waits(outcome: HttpOutcome, isRead: boolean): Promise<readonly number[]> {
  const slept: number[] = []
  const sleep = async (ms: number) => void slept.push(ms)
  const clock = { ...systemClock, random: () => 0, sleep }
  expect(await sendWithRetry<HttpAnswer>(async () => outcome, { isRead, clock })).toEqual(outcome)
  return slept
}

const answer = (status: number, headers = {}): HttpOutcome => ({ kind: 'answer', status, headers, body: '' })
const broken = (code: string, sent = true): HttpOutcome => ({ kind: 'broken', sent, code, text: '' })
const AGAIN = [250, 500, 1_000]
const ONCE: readonly number[] = []

test.each<[string, HttpOutcome, read: readonly number[], change: readonly number[]]>([
  ['an answer', answer(200), ONCE, ONCE],
  ['a refusal', answer(404), ONCE, ONCE],
  ['413', answer(413), AGAIN, ONCE],
  ['429', answer(429), AGAIN, ONCE],
  ['429 that asks for 2 s', answer(429, { 'retry-after': '2' }), [2_000, 2_000, 2_000], [2_000, 2_000, 2_000]],
  ['429 that asks for minutes', answer(429, { 'retry-after': '600' }), ONCE, ONCE],
  ['503', answer(503), AGAIN, ONCE],
  ['503 that asks for 2 s', answer(503, { 'retry-after': '2' }), [2_000, 2_000, 2_000], ONCE],
  ['501', answer(501), ONCE, ONCE],
  ['a connection that broke', broken('ECONNRESET'), AGAIN, ONCE],
  ['a connection that was never made', broken('ECONNREFUSED', false), AGAIN, AGAIN],
  ['an unknown name', broken('ENOTFOUND', false), ONCE, ONCE],
  ['a certificate that is not trusted', broken('SELF_SIGNED_CERT_IN_CHAIN', false), ONCE, ONCE],
  [
    'an answer of the past',
    { kind: 'past', status: 200, headers: {}, body: '', why: because('AnswerOldByAge', { seconds: 30 }) },
    AGAIN,
    ONCE,
  ],
  ['no answer in time', { kind: 'timed-out' }, ONCE, ONCE],
  ['a stop', { kind: 'aborted' }, ONCE, ONCE],
  ['an answer that is not text', { kind: 'senseless', wrong: because('AnswerNotText') }, ONCE, ONCE],
  ['nothing sent', { kind: 'not-sent', failure: failure('aborted', 'kept back') }, ONCE, ONCE],
])('%s: a read is sent again, a change only when it was certainly not begun', async (_, outcome, read, change) => {
  expect(await waits(outcome, true)).toEqual(read)
  expect(await waits(outcome, false)).toEqual(change)
})

test('a request that is stopped while it waits is not sent again', async () => {
  const stop = new AbortController()
  const clock = { ...systemClock, sleep: async () => stop.abort() }
  let sent = 0
  const once = async (): Promise<HttpOutcome> => {
    sent += 1
    return answer(503)
  }
  const outcome = await sendWithRetry<HttpAnswer>(once, { isRead: true, clock, signal: stop.signal })
  expect({ kind: outcome.kind, sent }).toEqual({ kind: 'aborted', sent: 1 })
})
