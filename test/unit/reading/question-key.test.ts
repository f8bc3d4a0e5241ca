import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { questionKey } from '../../../main/platform/reading/question-key.ts'

const given = fc.letrec<{ readonly value: unknown }>(tie => ({
  value: fc.oneof(
    { maxDepth: 2 },
    fc.constantFrom(null, undefined, true, false, 0, 1, '', 'a', 'null', 'undefined', '1', '"', ',', '[]', '","'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', '"', 'a":1,"b'), tie('value'), { maxKeys: 2, noNullPrototype: true }),
  ),
})).value
const question = fc.array(given, { maxLength: 4 })

/** What was asked, without what is as good as not there. */
function meant(asked: readonly unknown[]): unknown {
  const last = asked.findLastIndex(each => each !== undefined)
  return asked.slice(0, last + 1).map(bare)
}

function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bare)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  return Object.fromEntries(fields.map(([name, field]) => [name, bare(field)]))
}

test('two questions share a key exactly if they are the same', () => {
  fc.assert(
    fc.property(question, question, (a, b) => {
      expect(questionKey(a) === questionKey(b)).toBe(isDeepStrictEqual(meant(a), meant(b)))
      expect(questionKey(a)).toBe(questionKey(structuredClone(a)))
    }),
    { numRuns: 2_000 },
  )
})

test('what was given in another place is another question', () => {
  expect(questionKey(['pods', undefined, 'a'])).not.toBe(questionKey(['pods', 'a']))
  expect(questionKey([new Set(['a'])])).not.toBe(questionKey([new Set(['b'])]))
})

test('a signal makes no other question, and neither does an option that is not given', () => {
  const { signal } = new AbortController()
  expect(questionKey(['pods', 'a', signal])).toBe(questionKey(['pods', 'a']))
  expect(questionKey(['plan', { dryRun: true, signal }])).toBe(questionKey(['plan', { dryRun: true }]))
  expect(questionKey(['plan', { a: 1, b: 2 }])).toBe(questionKey(['plan', { b: 2, a: 1 }]))
})

test('indistinguishable inputs are one question', () => {
  expect(() => questionKey([() => 1])).toThrow()
  expect(() => questionKey([new Map()])).toThrow()
})
