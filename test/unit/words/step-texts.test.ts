import { describe, expect, it } from 'vitest'
import { named, someNamed } from '../../../shared/words/steps/coded.ts'

describe('a list as a value', () => {
  const many = Array.from({ length: 60 }, (_, at) => `n${at}`)

  it.each([
    [[], 5, ''],
    [['a', 'b'], 5, 'a, b'],
    [['a', 'b', 'c'], 2, 'a, b and 1 more'],
    [many, 2, 'n0, n1 and 58 more'],
  ])('%#: names the first few, and counts them all', (all, most, text) => {
    expect(someNamed(named(all), most)).toBe(text)
  })

  it('has 50 names at most', () => {
    expect(named(many)).toMatchObject({ total: 60, names: many.slice(0, 50) })
    expect(someNamed(named(many))).toMatch(/n49 and 10 more$/)
  })
})
