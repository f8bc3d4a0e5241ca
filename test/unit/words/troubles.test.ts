import { expect, test } from 'vitest'
import { DEFAULT_STUCK_RULE, StuckRule } from '../../../shared/domain/instance-choice.ts'
import { patienceSentence, troubleHelp, unansweredWords } from '../../../shared/words/troubles.ts'
import { sampleWaits } from '../../fixtures/cli/sample-waits.ts'

test.each(Object.values(sampleWaits()))('$code says what happens if nobody answers, and says it once', wait => {
  const words = unansweredWords(wait, DEFAULT_STUCK_RULE)
  expect(words).toMatch(/^[A-Z].*\.$/)
  expect(troubleHelp(wait) ?? '').not.toContain(words)
})

test("a move without progress is handled by the plan's rule", () => {
  const { MigrationNotConverging: wait } = sampleWaits()
  const after = StuckRule.shape.do.options.map(rule =>
    unansweredWords(wait, { afterMs: 600_000, do: rule }).replace(/^.*without progress, /, ''),
  )
  expect(after).toEqual([
    'Lockkeeper asks you.',
    'Lockkeeper finishes its move.',
    'Lockkeeper starts its move over.',
    'Lockkeeper leaves it here.',
    'Lockkeeper moves it with downtime.',
  ])
})

test.each([
  ['failed', 'Lockkeeper tried for 5 min and failed.'],
  ['blocked', 'A check failed for 5 min.'],
  ['not-verified', 'Its result was not verified for 5 min.'],
  ['lease-away', 'Its Lease was lost for 5 min.'],
  ['later-kind', null],
])('a question after a long wait (%s) names its cause behind "Why?": %s', (kind, sentence) => {
  expect(patienceSentence({ code: 'PatienceOver', values: { why: { kind }, forMs: 300_000 } })).toBe(sentence)
})

test('another question says itself why it asks', () => {
  expect(patienceSentence({ code: 'LaneCannotBegin', values: {} })).toBe(null)
})
