import { expect, test } from 'vitest'
import { effectWord } from '../../../shared/words/actions.ts'

test.each([
  ['off, by its status', { source: 'state', status: 'SHUTOFF' }, 'at rest'],
  ['off, by its power', { source: 'state', status: 'ACTIVE', powerState: 4 }, 'at rest'],
  ['left out by the operator', { source: 'operator', status: 'SHUTOFF' }, 'stays'],
  ['of a machine that is off, when it ran there last', { source: 'state', status: 'ACTIVE', powerState: 1 }, 'stays'],
  ['in a state that a rescue leaves alone', { source: 'state', status: 'ERROR', powerState: null }, 'stays'],
] as const)('an instance that is left as it is: %s', (_, known, word) => {
  expect(effectWord({ action: 'ignore', ...known })).toBe(word)
})
