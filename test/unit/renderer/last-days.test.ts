import { expect, test } from 'vitest'
import { lastDays } from '../../../renderer/geometry/last-days.ts'
import type { MeasuredNode } from '../../../shared/domain/history.ts'

const NOW = Date.parse('2026-11-28T12:00:00.000Z')
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

function measured(kind: MeasuredNode['kind'], at: string): MeasuredNode {
  return {
    cluster: 'lab',
    node: 'cmp-01',
    runId: 'r1',
    kind,
    at,
    evacuationMs: null,
    instancesMoved: 0,
    movedGib: null,
    drainMs: null,
    podsLeft: 0,
    workMs: null,
    returnMs: null,
    totalMs: null,
  }
}

test('the last 30 days, oldest first, also those without a run', () => {
  const days = lastDays([], NOW, dayOf)
  expect(days).toHaveLength(30)
  expect(days.at(-1)).toEqual({ day: '2026-11-28', out: 0, back: 0, both: 0 })
  expect(days[0]?.day).toBe('2026-10-30')
  expect(new Set(days.map(({ day }) => day)).size).toBe(30)
})

test.each<[MeasuredNode['kind'], 'out' | 'back' | 'both']>([
  ['enter', 'out'],
  ['rescue', 'out'],
  ['take-out', 'out'],
  ['leave', 'back'],
  ['home', 'back'],
  ['undo', 'back'],
  ['maintain', 'both'],
  ['update', 'both'],
  ['rolling-maintenance', 'both'],
])('a node of a run %s counts as %s, on the day of its run', (kind, as) => {
  const days = lastDays(
    [measured(kind, '2026-11-27T23:59:00.000Z'), measured(kind, '2026-09-01T00:00:00.000Z')],
    NOW,
    dayOf,
  )
  expect(days.filter(({ out, back, both }) => out + back + both > 0)).toEqual([
    { day: '2026-11-27', out: 0, back: 0, both: 0, [as]: 1 },
  ])
})
