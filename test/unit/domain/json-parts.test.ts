import fc from 'fast-check'
import { expect, test } from 'vitest'
import { AT_ONCE, jsonParts } from '../../../shared/domain/json-parts.ts'

test('the parts of any value are the text of JSON.stringify', () => {
  fc.assert(
    fc.property(fc.jsonValue(), value => {
      expect([...jsonParts(value)].join('')).toBe(JSON.stringify(value))
    }),
  )
})

test('a field without a value is left out, and a long list comes in several parts', () => {
  const value = { absent: undefined, list: Array.from({ length: 2 * AT_ONCE + 1 }, (_, at) => ({ at })), last: null }
  const parts = [...jsonParts(value)]
  expect(parts.join('')).toBe(JSON.stringify(value))
  expect(parts.filter(part => part.includes('"at":'))).toHaveLength(3)
})
