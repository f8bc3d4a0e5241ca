import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { jsonFault } from '../../../../main/platform/files/json-fault.ts'

describe('the place where a text stops being JSON', () => {
  test.each([
    ['', 1, 1],
    ['{\n  "format": 1,\n  "clusters": [,]\n}', 3, 16],
    ['{"a": x}', 1, 7],
    ['{"a": 1,}', 1, 9],
    ['{"a": "unclosed', 1, 16],
    ['{"a": "tab\there"}', 1, 11],
    ['[1, 2', 1, 6],
    ['{} more', 1, 4],
    ['{"a" 1}', 1, 6],
    ['01', 1, 2],
  ])('%j: line %i, column %i', (text, line, column) => {
    expect(jsonFault(text)).toEqual({ line, column })
  })

  test('does not exist in any output of JSON.stringify', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(undefined, 2), (json, indent) => {
        expect(jsonFault(JSON.stringify(JSON.parse(json), null, indent))).toBeNull()
      }),
    )
  })

  test('is there exactly when JSON.parse refuses', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), fc.constantFrom('', ',', '"', '}', 'x', '\\', '\n', '0'), (json, at, typo) => {
        const place = at % (json.length + 1)
        const text = json.slice(0, place) + typo + json.slice(place + 1)
        expect(jsonFault(text) === null).toBe(parses(text))
      }),
      { numRuns: 500 },
    )
  })
})

function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
