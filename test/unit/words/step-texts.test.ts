import { describe, expect, it } from 'vitest'
import { itemsOf, namesOf, someItems, someNames } from '../../../shared/words/steps/coded.ts'

describe('a list as a value', () => {
  const many = Array.from({ length: 60 }, (_, at) => `n${at}`)

  it.each([
    [[], 5, ''],
    [['a', 'b'], 5, 'a, b'],
    [['a', 'b', 'c'], 2, 'a, b and 1 more'],
    [many, 2, 'n0, n1 and 58 more'],
  ])('%#: names the first few, and counts them all', (all, most, text) => {
    expect(someNames(namesOf(all), most)).toBe(text)
  })

  it('has 50 at most', () => {
    expect(namesOf(many)).toEqual({ total: 60, names: many.slice(0, 50) })
    expect(itemsOf(many)).toEqual({ total: 60, items: many.slice(0, 50) })
    expect(someNames(namesOf(many), 100)).toMatch(/n49 and 10 more$/)
  })

  it('of what is more than a name shows a text for each', () => {
    expect(someItems(itemsOf([{ id: 1 }, { id: 2 }, { id: 3 }]), ({ id }) => `no ${id}`, 2)).toBe(
      'no 1, no 2 and 1 more',
    )
  })
})
