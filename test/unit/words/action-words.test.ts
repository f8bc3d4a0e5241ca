import { expect, test } from 'vitest'
import { effectWord } from '../../../shared/words/actions.ts'

test.each([
  ['off, by its status', { source: 'state', status: 'SHUTOFF' }, 'Stays off'],
  ['off, by its power', { source: 'state', status: 'ACTIVE', powerState: 4 }, 'Stays off'],
  ['left out by the operator', { source: 'operator', status: 'SHUTOFF' }, 'Stays'],
  ['of a machine that is off, when it ran there last', { source: 'state', status: 'ACTIVE', powerState: 1 }, 'Stays'],
  ['in a state that a rescue leaves alone', { source: 'state', status: 'ERROR', powerState: null }, 'Stays'],
] as const)('an instance that is left as it is: %s', (_, known, word) => {
  expect(effectWord({ action: 'ignore', ...known })).toBe(word)
})
