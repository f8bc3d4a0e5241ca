import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { SELECTION_KEPT_MS, selectedNodes, selectNodes, useSelection } from '../../../renderer/stores/selection.ts'

const MINUTE_MS = 60_000

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  selectNodes('lab', [])
  selectNodes('other', [])
  vi.advanceTimersByTime(MINUTE_MS)
  vi.useRealTimers()
})

const selected = (cluster: string) => selectedNodes(useSelection.getState(), cluster)

describe('a selection that nobody changes', () => {
  test('stands for a while, and is let go then', () => {
    selectNodes('lab', ['cmp-01', 'cmp-02'])
    vi.advanceTimersByTime(SELECTION_KEPT_MS - MINUTE_MS)
    expect(selected('lab')).toEqual(['cmp-01', 'cmp-02'])
    vi.advanceTimersByTime(MINUTE_MS * 2)
    expect(selected('lab')).toEqual([])
    expect(vi.getTimerCount()).toBe(0)
  })

  test('stands anew when it is changed, and says nothing about another cluster', () => {
    selectNodes('lab', ['cmp-01'])
    selectNodes('other', ['osd-1'])
    vi.advanceTimersByTime(SELECTION_KEPT_MS - MINUTE_MS)
    selectNodes('lab', ['cmp-01', 'cmp-02'])
    vi.advanceTimersByTime(MINUTE_MS * 2)
    expect(selected('lab')).toEqual(['cmp-01', 'cmp-02'])
    expect(selected('other')).toEqual([])
  })

  test('is let go after a sleep in which no timer ran', () => {
    selectNodes('lab', ['cmp-01'])
    vi.setSystemTime(Date.now() + SELECTION_KEPT_MS * 2)
    vi.advanceTimersByTime(MINUTE_MS)
    expect(selected('lab')).toEqual([])
  })
})
