import { expect, test } from 'vitest'
import { effectWord, nodeBadge } from '../../../shared/words/actions.ts'

test.each([
  ['off, by its status', { source: 'state', status: 'SHUTOFF' }, 'Stays off'],
  ['off, by its power', { source: 'state', status: 'ACTIVE', powerState: 4 }, 'Stays off'],
  ['left out by the operator', { source: 'operator', status: 'SHUTOFF' }, 'Stays'],
  ['of a machine that is off, when it ran there last', { source: 'state', status: 'ACTIVE', powerState: 1 }, 'Stays'],
  ['in a state that a rescue leaves alone', { source: 'state', status: 'ERROR', powerState: null }, 'Stays'],
] as const)('an instance that is left as it is: %s', (_, known, word) => {
  expect(effectWord({ action: 'ignore', ...known })).toBe(word)
})

test('a node that is partly out and could not be judged is not called in maintenance', () => {
  const unread = [{ what: 'instances' as const, code: 'NoAnswer' as const, message: 'a web page' }]
  const verdict = { kind: 'Unknown' as const, at: '2026-11-21T02:00:00.000Z', unread, looked: [] }
  expect(nodeBadge({ state: 'partial', verdict })).toBe('Maybe not empty')
  expect(nodeBadge({ state: 'partial', verdict: null })).toBe('Partly in maintenance')
})
