import { afterEach, describe, expect, test } from 'vitest'
import { SELECTION_KEPT_MS, selectedNodes, selectNodes, useSelection } from '../../../renderer/stores/selection.ts'
import { useTicks } from '../../../renderer/stores/ticks.ts'

const MINUTE_MS = 60_000

afterEach(() => {
  selectNodes('lab', [])
  selectNodes('other', [])
})

const selected = (cluster: string) => selectedNodes(useSelection.getState(), cluster)

/** The clock of the screen ticks once a minute. */
function pass(ms: number): void {
  for (let passed = 0; passed < ms; passed += MINUTE_MS) tickAfter(MINUTE_MS)
}

function tickAfter(ms: number): void {
  useTicks.setState(({ nowMs }) => ({ nowMs: nowMs + ms }))
}

describe('a selection that nobody changes', () => {
  test('stands for a while, and is let go then', () => {
    selectNodes('lab', ['cmp-01', 'cmp-02'])
    pass(SELECTION_KEPT_MS)
    expect(selected('lab')).toEqual(['cmp-01', 'cmp-02'])
    pass(MINUTE_MS)
    expect(selected('lab')).toEqual([])
  })

  test('is new when it changes, and says nothing about another cloud', () => {
    selectNodes('lab', ['cmp-01'])
    selectNodes('other', ['osd-1'])
    pass(SELECTION_KEPT_MS - MINUTE_MS)
    selectNodes('lab', ['cmp-01', 'cmp-02'])
    pass(MINUTE_MS * 3)
    expect(selected('lab')).toEqual(['cmp-01', 'cmp-02'])
    expect(selected('other')).toEqual([])
  })

  test('is let go after a sleep in which no timer ran', () => {
    selectNodes('lab', ['cmp-01'])
    pass(MINUTE_MS)
    tickAfter(SELECTION_KEPT_MS * 2)
    expect(selected('lab')).toEqual([])
  })

  test('is valid right after a sleep, before the clock of the screen ticked', () => {
    selectNodes('lab', ['cmp-01'])
    tickAfter(SELECTION_KEPT_MS * 2)
    expect(selected('lab')).toEqual(['cmp-01'])
  })
})
