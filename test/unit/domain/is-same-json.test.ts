import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isSameJson } from '../../../shared/domain/is-same-json.ts'
import { tries } from '../../fixtures/tries.ts'

/** JSON with its fields in order, so that the same values have the same text. */
function sortedText(value: unknown): string | undefined {
  return JSON.stringify(value, (_, inside: unknown) =>
    typeof inside === 'object' && inside !== null && !Array.isArray(inside)
      ? Object.fromEntries(Object.entries(inside).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inside,
  )
}

const { json } = fc.letrec<{ json: unknown }>(tie => ({
  json: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(undefined, null, true, 0, 1.5, '', 'a', 'null'),
    fc.array(tie('json'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'constructor', '0'), tie('json'), { maxKeys: 3 }),
  ),
}))

/** The same value with its fields the other way round. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, inside]) => [name, turned(inside)]),
  )
}

test('two values are the same where their texts are, with the fields in order', () => {
  fc.assert(
    fc.property(json, json, (one, other) => {
      expect(isSameJson(one, other)).toBe(sortedText(one) === sortedText(other))
    }),
    { numRuns: tries(2_000, 50_000) },
  )
})

test('the order of fields does not matter, and a single change does', () => {
  fc.assert(
    fc.property(json, value => {
      expect(isSameJson(value, turned(value))).toBe(true)
      expect(isSameJson([value, 'x'], [turned(value), 'y'])).toBe(false)
      expect(isSameJson({ value, more: undefined }, { value: turned(value) })).toBe(true)
      expect(isSameJson({ value, more: null }, { value: turned(value) })).toBe(false)
    }),
  )
})
