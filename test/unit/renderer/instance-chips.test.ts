import { expect, test } from 'vitest'
import { linesWithin, marksWithin, namesWithin } from '../../../renderer/geometry/instance-chips.ts'

test('marks that do not fit leave room for their number', () => {
  expect(marksWithin(7, 140, 12)).toBe(7)
  expect(marksWithin(40, 140, 12)).toBe(7)
  expect(marksWithin(40, 140, 28)).toBe(16)
  expect(marksWithin(3, 0, 0)).toBe(1)
})

test('names have two columns, and more only where they do not fit; the last place counts the rest', () => {
  expect(namesWithin(8, 200, 110)).toMatchObject({ columns: 2, names: 8 })
  expect(namesWithin(12, 200, 110)).toMatchObject({ columns: 2, names: 9 })
  expect(namesWithin(12, 500, 110)).toMatchObject({ columns: 3, names: 12 })
  expect(namesWithin(4, 90, 50)).toMatchObject({ columns: 1, names: 1 })
})

test('with one line too few the last line counts the rest', () => {
  expect([linesWithin(4, 4), linesWithin(5, 4), linesWithin(5, 0)]).toEqual([4, 3, 0])
})
