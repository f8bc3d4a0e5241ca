import { describe, expect, test } from 'vitest'
import type { SignalEntry } from '../../../shared/domain/signals.ts'
import { signalWords, testedWords } from '../../../shared/words/signals.ts'

const ended = (more: Partial<Extract<SignalEntry, { kind: 'delivery-ended' }>>): SignalEntry => ({
  kind: 'delivery-ended',
  hook: 'ops',
  id: 'run-1.started',
  attempt: 1,
  outcome: 'given-up',
  status: null,
  why: '',
  againAt: null,
  ...more,
})
const over = (how: Extract<SignalEntry, { kind: 'silence-over' }>['how'], seen: boolean): SignalEntry => ({
  kind: 'silence-over',
  id: 's1',
  how,
  seen,
  endedAt: '2026-11-25T10:00:00Z',
})
const wordsOf = (body: SignalEntry) => signalWords({ body }).text

describe('the words about a message', () => {
  test('says that it was not accepted where the receiver said so', () => {
    expect(wordsOf(ended({ outcome: 'again', status: 503 }))).toBe(
      'The receiver refused it, and Lockkeeper sends it again (HTTP 503).',
    )
    expect(wordsOf(ended({ status: 404, why: 'Gone.' }))).toBe(
      'The receiver refused it, and Lockkeeper does not send it again (HTTP 404). Gone.',
    )
  })

  test('a test without an answer may have been taken', () => {
    const why = 'No answer in 10 s.'
    expect(testedWords('webhook ops', { arrived: false, status: null, why })).toBe(
      'It is unknown whether webhook ops accepted the test. No answer in 10 s.',
    )
    expect(testedWords('it', { arrived: false, status: 404, why: '' })).toBe('It refused the test (HTTP 404).')
    expect(testedWords('webhook ops', { arrived: true, status: 200, why: '' })).toBe(
      'Webhook ops accepted the test (HTTP 200).',
    )
  })

  test('without an answer it may have arrived, and the text says no more', () => {
    const texts = (['again', 'given-up'] as const).map(outcome => wordsOf(ended({ outcome })))
    expect(texts).toEqual([
      'It may not have arrived, and Lockkeeper sends it again.',
      'It may not have arrived, and Lockkeeper does not send it again.',
    ])
  })
})

test('says that Alertmanager did not answer about a silence only where that is so', () => {
  expect(wordsOf(over('lapsed', false))).toContain('Alertmanager did not answer')
  expect(wordsOf(over('lapsed', true))).not.toContain('Alertmanager did not answer')
  expect(wordsOf(over('gone', true))).toBe(
    'At 2026-11-25 10:00:00 UTC Alertmanager no longer had a silence of this id.',
  )
})

test('a requested silence reads as requested, and a failed one as far as Alertmanager answered', () => {
  const asked = { host: 'alerts', node: 'cmp-1', matchers: '{node="cmp-1"}', overBy: '2026-11-25T10:20:00Z' }
  expect(wordsOf({ kind: 'silence-asked', ...asked })).toBe(
    'Lockkeeper asks Alertmanager at alerts to silence {node="cmp-1"}. Without an answer any such silence ends by 2026-11-25 10:20:00 UTC.',
  )
  const failedEntry = { kind: 'silence-failed', doing: 'make', node: 'cmp-1', id: null, why: 'No answer.' } as const
  expect(wordsOf(failedEntry)).toBe('Lockkeeper cannot tell whether it was made, and tries again: No answer.')
})
