import { describe, expect, test } from 'vitest'
import { cutInMiddle, figureParts, hasPhases, untilWindowEnd } from '../../../renderer/geometry/timeline-figure.ts'
import { timelineRows } from '../../../renderer/geometry/timeline-layout.ts'
import type { UpdateTimeline } from '../../../shared/domain/update.ts'
import { largeReport, minute, ordinaryLane, richReport } from '../../fixtures/reports/sample-report.ts'

describe('the parts of a still picture', () => {
  const rows = timelineRows(largeReport(25, 0).timeline)
  const parts = figureParts(rows, 12)

  test('hold every lane once, in its order, and never more than they may', () => {
    const lanes = parts.map(part => part.rows.flatMap(({ row }) => (row.kind === 'lane' ? [row.lane] : [])))
    expect(lanes.flat()).toEqual(Array.from({ length: 25 }, (_, index) => index))
    expect(lanes.map(({ length }) => length)).toEqual([12, 12, 1])
  })

  test('begin with a heading, also where a group continues', () => {
    expect(parts.map(({ rows: [first] }) => (first?.row.kind === 'heading' ? first.row.group : null))).toEqual([
      'batch 1',
      'batch 2',
      'batch 3',
    ])
  })

  test('never end with one, and are as high as their rows', () => {
    for (const { rows: placed, height } of parts) {
      expect(placed.at(-1)?.row.kind).toBe('lane')
      expect(height).toBe(placed.reduce((sum, { row }) => sum + row.height, 0))
    }
  })

  test('are one where everything fits, none where there is nothing', () => {
    expect(figureParts(rows, Number.POSITIVE_INFINITY)).toHaveLength(1)
    expect(figureParts([], 12)).toEqual([])
  })
})

describe('the time a picture shows', () => {
  const { timeline } = richReport()

  test('reaches to the window’s end where the work ended before', () => {
    expect(untilWindowEnd(timeline, minute(120)).endedAt).toBe(minute(120))
  })

  test('and no further than the work where that took longer, still runs, or had no window', () => {
    expect(untilWindowEnd(timeline, minute(60)).endedAt).toBe(timeline.endedAt)
    expect(untilWindowEnd(timeline, null).endedAt).toBe(timeline.endedAt)
    expect(untilWindowEnd({ ...timeline, endedAt: null }, minute(120)).endedAt).toBeNull()
  })
})

describe('phases are drawn', () => {
  const phase = (name: 'prepare' | 'worker-nodes', fromAt: string | null): UpdateTimeline['phases'][number] => ({
    phase: name,
    state: 'done',
    fromAt,
    toAt: null,
    note: '',
  })

  test.each([
    ['of an update that has just begun', [phase('prepare', minute(0)), phase('worker-nodes', null)], true],
    ['of an update seen from its middle on', richReport().timeline.phases.slice(1), true],
    ['not of batches, which have only one', [phase('prepare', null), phase('worker-nodes', minute(0))], false],
    ['not where there are none', [], false],
  ])('%s', (_, phases, drawn) => {
    expect(hasPhases({ phases: [...phases] })).toBe(drawn)
  })
})

test('a long name is cut in its middle, where names of nodes differ least', () => {
  expect(cutInMiddle('cmp-1', 10)).toBe('cmp-1')
  expect(cutInMiddle('kaas-node-5f3a-rack12-compute-007', 21)).toBe('kaas-node-…ompute-007')
  expect(cutInMiddle(ordinaryLane('x'.repeat(50), 'w', 0).node, 21)).toHaveLength(21)
})
