import { describe, expect, it } from 'vitest'
import { isRefusedSince } from '../../../main/procedures/steps/compute/steer-migration.ts'
import { STEERING_REFUSED } from '../../../shared/domain/run-facts.ts'

const SINCE = '2026-01-01T00:00:00.000Z'

describe('what Nova refused to do with a migration', () => {
  it.each([
    ['by its code, whatever its words are', { steering: 'abort', what: 'put an end to it' }, 'abort'],
    ['by its words in a journal of an earlier version', { what: 'abort its migration' }, 'abort'],
    ['by its words in a journal of an earlier version', { what: 'end its migration now' }, 'force-complete'],
    ['as nothing where neither is known', { what: 'pause its migration' }, null],
  ] as const)('is known %s: %o', (_, values, refused) => {
    const history = [
      { at: SINCE, fact: STEERING_REFUSED, subject: 'server/a', announces: false, values: { name: 'vm-a', ...values } },
    ]
    for (const what of ['abort', 'force-complete'] as const) {
      expect(isRefusedSince(history, 'server/a', what, SINCE), what).toBe(what === refused)
    }
  })
})
