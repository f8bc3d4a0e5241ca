import { expect, test } from 'vitest'
import { endedWords } from '../../../shared/words/steps/instances-moves.ts'

test.each([
  [{ to: 'cmp-2', status: 'error' }, 'its last migration to cmp-2 failed'],
  [{ to: 'cmp-2', status: 'failed' }, 'its last migration to cmp-2 failed'],
  [{ to: null, status: 'error' }, 'its last migration failed before a host was found for it'],
  [{ to: 'cmp-2', status: 'cancelled' }, 'its last migration to cmp-2 ended as cancelled'],
])('the end of a migration has plain words: %o', (record, words) => {
  expect(endedWords('its last migration', record)).toBe(words)
})
