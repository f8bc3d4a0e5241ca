import { describe, expect, test } from 'vitest'
import { createEventRing } from '../../../../main/faces/serve/event-ring.ts'

describe('the last events', () => {
  test('are given back from any number that is still kept', () => {
    const ring = createEventRing()
    for (const n of [1, 2, 3]) ring.add('preferences.changed', { n })
    expect(ring.after(1)?.map(({ n }) => n)).toEqual([2, 3])
    expect(ring.after(3)).toEqual([])
    expect(ring.after(0)?.map(({ n }) => n)).toEqual([1, 2, 3])
  })

  test('are not pretended to be whole once some are gone, or when the number is not ours', () => {
    const ring = createEventRing(2)
    for (const n of [1, 2, 3]) ring.add('preferences.changed', { n })
    expect(ring.after(0)).toBeNull()
    expect(ring.after(1)?.map(({ n }) => n)).toEqual([2, 3])
    expect(ring.after(4)).toBeNull()
  })

  test('are bounded in size as well as in number', () => {
    const ring = createEventRing(1000, 500)
    for (let n = 0; n < 20; n += 1) ring.add('preferences.changed', 'x'.repeat(100))
    expect(ring.after(10)).toBeNull()
    expect(ring.after(18)?.length).toBe(2)
  })
})
