import { expect, test } from 'vitest'
import { jsonIn } from '../../../shared/domain/json.ts'

test('JSON nested deeper than any server sends does not count; brackets within texts do not count', () => {
  expect(() => jsonIn('['.repeat(201) + ']'.repeat(201))).toThrow(SyntaxError)
  expect(() => jsonIn(`${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`)).toThrow(SyntaxError)
  expect(jsonIn('['.repeat(200) + ']'.repeat(200))).toBeInstanceOf(Array)
  const text = `${'['.repeat(500)}"\\${'{'.repeat(500)}`
  expect(jsonIn(JSON.stringify({ text }))).toEqual({ text })
  expect(jsonIn(`[${'[1],'.repeat(1_000)}1]`)).toHaveLength(1_001)
  expect(() => jsonIn('<html>')).toThrow(SyntaxError)
})
